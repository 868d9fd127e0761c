"""Which concrete parts make one Engram."""

import dataclasses
import json
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from engram.capture.embedding import CUTTING
from engram.capture.embedding_worker import EmbeddingWorker, refresh_traits
from engram.engine import Engram
from engram.engine.erasing import settle_erasures
from engram.engine.facade import TakenAway
from engram.errors import (
    BackupFailed,
    ConfigInvalid,
    EncryptionFailed,
    EngramError,
    StoreLocked,
    StorePathInvalid,
    StoreReadOnly,
)
from engram.memory.changes import Action
from engram.memory.ids import IdMint
from engram.memory.scopes import Principal, Scope
from engram.memory.security_events import SecurityKind
from engram.parts import VECTOR_CACHE, EngramParts
from engram.providers.choose import choose_embedder, is_elsewhere
from engram.providers.choose_model import choose_model
from engram.providers.embedder import Embedder
from engram.providers.language_model import LanguageModel
from engram.providers.options import EmbedderOptions
from engram.providers.unusable import UnusableEmbedder
from engram.security.access_log import AccessLog
from engram.security.events import note_refused
from engram.security.kept_heads import begin_restore, end_restore, head_files
from engram.security.keys import (
    Credentials,
    key_named_in,
    made_slot,
    read_slot,
    store_keys,
    write_slot,
)
from engram.security.logs import EventLog
from engram.security.process import harden, tighten, weak_parent
from engram.settings import (
    LiveSettings,
    arm_failpoints,
    credentials,
    default_store,
    embedder_key,
    keyring_entry,
    model_key,
)
from engram.storage.migrate import load_migrations
from engram.storage.place import StoreKeys
from engram.storage.sqlite.backup import audit_in, list_backups, slot_of
from engram.storage.sqlite.embedded import EmbeddedStore, memory_database, restore_into
from engram.storage.sqlite.folder import LOGS, StoreFolder
from engram.storage.sqlite.rekeying import is_half_way, keys_of_database
from engram.storage.store import Store
from engram.storage.vectors.spaces import Space, WantedSpace

Clock = Callable[[], datetime]
_LOOK_SECONDS = 5.0


def system_clock() -> datetime:
    """The time now, in UTC."""
    return datetime.now(UTC)


def open_engram(
    path: str | Path | None,
    *,
    principal: Principal,
    settings: Mapping[str, object] | None = None,
    passphrase: str | None = None,
    read_only: bool = False,
    clock: Clock = system_clock,
    unlocking: Credentials | None = None,
    is_unchecked: bool = False,
) -> Engram:
    """Put the parts together for one store; `is_unchecked` opens also one that is damaged."""
    arm_failpoints()
    if path == ":memory:":
        return _in_memory(principal, settings, clock)
    folder = _folder(path)
    live = LiveSettings(folder.config, settings)
    harden(live.current.security)
    unlocking = _shown(folder, unlocking or credentials(passphrase))
    with _noting_wrong_keys(folder, unlocking, clock):
        place = EmbeddedStore(
            folder,
            unlock=lambda has_database: _keys_for(
                folder, unlocking, has_database=has_database, read_only=read_only
            ),
            options=lambda: live.current.storage,
            now=clock,
            read_only=read_only,
            is_unchecked=is_unchecked,
        )
    try:
        return _opened(place, live, principal, clock, unlocking, is_unchecked=is_unchecked)
    except BaseException:
        place.close()
        raise


@contextmanager
def _noting_wrong_keys(folder: StoreFolder, unlocking: Credentials, clock: Clock) -> Iterator[None]:
    """A wrong key opens nothing to write into: that it was tried is noted beside the store."""
    try:
        yield
    except StoreLocked:
        if unlocking.are_given and folder.database.exists():
            note_refused(folder.path, SecurityKind.WRONG_KEY, clock())
        raise


def _opened(
    place: EmbeddedStore,
    live: LiveSettings,
    principal: Principal,
    clock: Clock,
    unlocking: Credentials,
    *,
    is_unchecked: bool,
) -> Engram:
    place.back_up_when_due()
    days = 0 if place.read_only else live.current.security.log_days
    log = EventLog(place.root / LOGS, days=days)
    log.purge(clock())
    log.write("open", clock(), recovered=int(place.recovered), migrated=place.migrated)
    store = Store(place.database, _mint(), schema=place.migrations[-1].version)
    # A doctor wants to see what is wrong, not to write into it.
    embedding = _embedding(store, live, clock, is_writable=not (place.read_only or is_unchecked))
    if not is_unchecked:
        _bring_up_to_date(store, place, embedding)
    parts = EngramParts(
        store, live, clock, _access_log(store, live), log, place, unlocking, embedding,
        _model(store, live, clock),
    )  # fmt: skip
    place.keys_in = lambda slot: _unlocked(slot, parts.credentials)
    if not (is_unchecked or place.read_only):
        _look_around(parts, place)
    engram = Engram(parts, principal)
    if not is_unchecked:
        settle_erasures(engram, is_read_only=place.read_only)
    return engram


def _look_around(parts: EngramParts, place: EmbeddedStore) -> None:
    """Take down what happened while nobody was in, and close what stands open."""
    parts.events.take_up(place.root)
    if place.recovered:
        parts.events.note(SecurityKind.STORE_RECOVERED, actor="engram")
    if parts.heads is not None and parts.heads.look():
        parts.events.note(SecurityKind.AUDIT_BROKEN, actor="engram")
    loose = tighten(place.root)
    if loose:
        parts.events.note(SecurityKind.PERMISSIONS_LOOSE, actor="engram", count=loose)
        parts.log.write("permissions", parts.clock(), count=loose)
    weak = weak_parent(place.root)
    if weak is not None:
        parts.place_problem = f"others may write to {weak}, and so replace the store"


def _bring_up_to_date(
    store: Store, place: EmbeddedStore, embedding: EmbeddingWorker | None
) -> None:
    if place.read_only:
        _check_schema(store, place)
        return
    refresh_traits(store)
    if embedding is not None:
        embedding.arrange()


def _check_schema(store: Store, place: EmbeddedStore) -> None:
    """Reading only, nothing is migrated: an older schema lacks what is asked for."""
    with store.database.reading(_LOOK_SECONDS) as transaction:
        version = transaction.rows("schema_version", {})[0][0]
    if version != place.migrations[-1].version:
        raise StoreReadOnly(hint="Another version made it: open it once for writing.")


def _embedding(
    store: Store, live: LiveSettings, clock: Clock, *, is_writable: bool = True
) -> EmbeddingWorker | None:
    options = live.current.embedder
    key = embedder_key()
    recipe = _recipe(options)
    try:
        embedder = choose_embedder(options, api_key=key)
    except ConfigInvalid as error:
        # Memories can be kept and found by text all the same; health, doctor and each recall say
        # what is wrong. What the settings hold is not noted: a refused URL may have a password.
        embedder, recipe = UnusableEmbedder(error.hint), "{}"
    if embedder is None:
        return None
    wanted = WantedSpace(
        _space_identity(embedder, options.precision),
        embedder.dimension,
        options.precision,
        recipe,
    )
    return EmbeddingWorker(
        store, embedder, wanted, clock=clock, is_writable=is_writable,
        sends_protected=options.send_protected or not is_elsewhere(options),
        former=lambda space: _former_embedder(space, options, key),
    )  # fmt: skip


def _space_identity(embedder: Embedder, precision: str) -> str:
    """Whatever changes vectors, or which vectors there are, makes another space."""
    return f"{embedder.identity} {precision} cut:{CUTTING}"


_RECIPE = ("kind", "url", "model", "allow_plain_http", "max_characters", "hashing_dimension")


def _recipe(options: EmbedderOptions) -> str:
    return json.dumps({name: getattr(options, name) for name in _RECIPE})


def _former_embedder(space: Space, options: EmbedderOptions, key: str | None) -> Embedder | None:
    """The embedder of a space that other settings made, if it is the one that made it.

    A server that only the database names is not asked: texts and the key go where the settings of
    today say, and nowhere else.
    """
    try:
        noted = json.loads(space.recipe)
        chosen = dataclasses.replace(options, **{name: noted[name] for name in _RECIPE})
    except (ValueError, TypeError, KeyError):
        return None
    if chosen.kind == "url" and (chosen.url != options.url or options.kind != "url"):
        return None
    try:
        embedder = choose_embedder(chosen, api_key=key)
    except ConfigInvalid:
        return None  # a key that cannot be sent; the embedder of today says so
    if embedder is None or _space_identity(embedder, space.precision) != space.identity:
        return None
    return embedder


def restore_store(
    path: str | Path | None,
    backup: str | Path | None = None,
    *,
    passphrase: str | None = None,
    clock: Clock = system_clock,
) -> int:
    """Bring a store back from a backup, the newest of its own if none is named.

    Works also where the database is damaged, empty or gone, and so cannot be opened.
    """
    folder = _folder(path)
    own = list_backups(folder)
    source = (
        Path(backup).expanduser().absolute() if backup is not None else own[-1] if own else None
    )
    if source is None:
        raise BackupFailed(hint="This store has no backups of its own.")
    unlocking = _shown(folder, credentials(passphrase))
    if is_half_way(folder):
        with suppress(EngramError):  # opening brings it to its end, if it can be opened
            open_engram(folder.path, principal=Principal.of(None), unlocking=unlocking).close()
    (folder.path / VECTOR_CACHE).unlink(missing_ok=True)  # of what lies there now
    taken_away = _access_taken_away(folder.path, unlocking)
    settings = LiveSettings(folder.config).current
    keys = _unlocked(slot_of(source), unlocking)
    heads = head_files(folder.path, settings.security.audit_head_file)
    coming = audit_in(source, key=keys.database)
    if folder.path.is_dir() and not folder.database.exists():
        end_restore(heads, coming, clock())  # before: killed on the way, it is told as restored
    begin_restore(heads, coming, clock())
    states = restore_into(
        folder,
        source,
        keys=keys,
        old=_unlocked(folder.key_slot, unlocking),
        options=settings.storage,
        now=clock(),
    )
    end_restore(heads, coming, clock())
    with open_engram(
        folder.path, principal=Principal.of(None), unlocking=unlocking, clock=clock
    ) as engram:
        engram.upkeep.record(Action.RESTORE, states)
        engram.take_access_away(taken_away)
    return states


def _access_taken_away(path: Path, unlocking: Credentials) -> TakenAway:
    """Who lost access since the backup was made; nothing is known if the store is unreadable."""
    with (
        suppress(EngramError),
        open_engram(
            path, principal=Principal.of(None), unlocking=unlocking, read_only=True
        ) as engram,
    ):
        return engram.access_taken_away()
    return TakenAway()


def _folder(path: object) -> StoreFolder:
    if path is None:
        return StoreFolder(default_store())
    if not isinstance(path, str | Path) or "\x00" in str(path) or not str(path):
        raise StorePathInvalid
    if str(path).startswith(("postgresql:", "postgres:")):
        raise StorePathInvalid(hint="PostgreSQL is not supported yet; give a folder.")
    return StoreFolder(Path(path))


def _unlocked(slot_path: Path, unlocking: Credentials) -> StoreKeys:
    """What the files of a slot are encrypted with; no keys where there is none."""
    slot = read_slot(slot_path)
    return StoreKeys() if slot is None else store_keys(slot, unlocking)


def _shown(folder: StoreFolder, given: Credentials) -> Credentials:
    """What was given; where nothing was, what the store itself says the keyring holds for it."""
    return given if given.are_given else key_named_in((folder.next_key_slot, folder.key_slot))


def _in_memory(principal: Principal, settings: Mapping[str, object] | None, clock: Clock) -> Engram:
    live = LiveSettings(None, settings)
    database = memory_database(lambda: live.current.storage, clock())
    store = Store(database, _mint(), schema=len(load_migrations("sqlite")))
    embedding = _embedding(store, live, clock)
    refresh_traits(store)
    if embedding is not None:
        embedding.arrange()
    log = EventLog(None, days=0)
    parts = EngramParts(
        store, live, clock, _access_log(store, live), log, None, Credentials(), embedding,
        _model(store, live, clock),
    )  # fmt: skip
    return Engram(parts, principal)


def _model(
    store: Store, live: LiveSettings, clock: Clock
) -> Callable[[Scope], LanguageModel] | None:
    """What makes the language model of a scope, within its limits; None: none is wanted."""
    model = choose_model(live.current.model, api_key=model_key())
    if model is None:
        return None
    from engram.capture.governor import GovernedModel

    def governed(scope: Scope) -> LanguageModel:
        return GovernedModel(model, store, scope, options=lambda: live.current.model, clock=clock)

    return governed


def _access_log(store: Store, live: LiveSettings) -> AccessLog:
    return AccessLog(
        store,
        options=lambda: live.current.security,
        spacing=lambda: timedelta(minutes=live.current.lifecycle.spacing_minutes),
    )


def _mint() -> IdMint:
    return IdMint(secrets.randbits)


def _keys_for(
    folder: StoreFolder, unlocking: Credentials, *, has_database: bool, read_only: bool
) -> StoreKeys:
    """The keys of the files; a new store is encrypted when there is something to lock it with."""
    if has_database:
        keys = keys_of_database(
            folder, lambda path: _unlocked(path, unlocking), read_only=read_only
        )
        if keys.database is None and unlocking.are_given:
            raise EncryptionFailed(
                hint="A passphrase or key was given, but this store is not encrypted. "
                "Take it away, or run `engram keys encrypt`."
            )
        return keys
    if folder.key_slot.exists():
        return _unlocked(folder.key_slot, unlocking)
    if not unlocking.are_given:
        return StoreKeys()
    slot, keys = made_slot(unlocking, entry=keyring_entry())
    write_slot(folder.key_slot, slot)
    return keys
