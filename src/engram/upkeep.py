"""The care of a store as a whole: backups, restore, health, doctor and keys."""

import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from engram.capture.embedding_worker import EmbedReport, Progress, refresh_traits
from engram.errors import (
    AccessDenied,
    BackupFailed,
    EmbedderUnavailable,
    EngramError,
    InvalidInput,
    StorePathInvalid,
)
from engram.memory.changes import Action
from engram.memory.scopes import Principal, Reach, Scope
from engram.memory.security_events import SecurityKind
from engram.parts import EngramParts
from engram.providers.embedder import Embedder
from engram.security.access_log import Access
from engram.security.kept_heads import begin_restore
from engram.security.keys import KEY_BYTES, Credentials, put_key_into_keyring
from engram.security.locking import (
    Renewable,
    Renewal,
    WayIn,
    add_credentials,
    add_recovery_key,
    backup_keys,
    change_credentials,
    decrypt_store,
    encrypt_store,
    remove_credentials,
    renew_keys,
    ways_in,
)
from engram.settings import Settings, write_setting
from engram.storage.place import Backup, Finding, Place
from engram.storage.upkeep import Check, DoctorReport, Health, doctor, health
from engram.storage.vault_tie import problem_at_opening
from engram.storage.vectors.spaces import SpaceState

if TYPE_CHECKING:
    from engram.context.anticipation import Tally

__all__ = ["EmbedReport", "Progress", "Upkeep"]
_LOOK_SECONDS = 30.0
_PROBE_SECONDS = 2.0  # the model in the package loads in half a second,
_LOADING_SECONDS = 20.0  # and on a machine that is busy with something else in some more
_EVENT_OF = {
    Action.ENCRYPT: SecurityKind.KEYS_CHANGED,
    Action.RENEW_KEYS: SecurityKind.KEYS_CHANGED,
    Action.RESTORE: SecurityKind.STORE_RESTORED,
}
_PLAIN_START = b"SQLite format 3\0"
_PROBE = "Is anybody there?"


class Upkeep:
    """What the owner of a store can do with the whole of it."""

    def __init__(self, parts: EngramParts, principal: Principal) -> None:
        self._parts = parts
        self._principal = principal

    def backup(self, path: str | Path | None = None, *, with_keys: bool = False) -> Backup:
        """Make a verified backup, among the store's own or at a path.

        Without the keys of persons protected memories cannot be read from it elsewhere; with them
        (`with_keys`, only at a path) they can, also after they were erased here.
        """
        place = self._owned_place()
        made = place.back_up(_named_path(path), with_keys=with_keys)
        self.record(Action.BACKUP, made.states)
        return made

    def restore(self, path: str | Path | None = None) -> int:
        """Put a backup (the newest without a path) in the store's place; needs the store alone."""
        place = self._owned_place()
        source = _named_path(path) or place.newest_backup()
        if source is None:
            raise BackupFailed(hint="This store has no backups of its own yet.")
        self._parts.access_log.flush()
        keys = backup_keys(place, source, self._parts.credentials)
        if self._parts.heads is not None:
            coming = place.audit_in_backup(source, keys=keys)
            begin_restore(self._parts.heads.files, coming, self._parts.clock())
        states = place.restore(source, keys=keys)
        self._take_up_derived()
        self.record(Action.RESTORE, states)
        return states

    def _take_up_derived(self) -> None:
        """Another database lies there now: what was held of the old one's vectors is void."""
        self._parts.forget_for_recall()
        refresh_traits(self._parts.store)
        if self._parts.embedding is not None:
            self._parts.embedding.arrange()

    def embed(self, progress: Progress | None = None) -> EmbedReport:
        """Embed now whatever waits, and what failed before; `progress` hears how far it is."""
        self._check_owner()
        if self._parts.embedding is None:
            raise EmbedderUnavailable(hint="`embedder.kind` is `none`: choose one first.")
        return self._parts.embedding.run(progress)

    def warm(self, timeout_seconds: float = _PROBE_SECONDS) -> str:
        """Load the embedder before it is needed, waiting so long; what is wrong with it, if so.

        With no time to wait it loads in the background. A recall does without this: it loads what
        it needs, while its clock runs.
        """
        self._principal.check_known()
        if self._parts.embedding is None or self._parts.embedding.embedder.is_loaded:
            return ""
        embedder = self._parts.embedding.embedder
        if timeout_seconds <= 0:
            embedder.warm()
            return ""
        return _embedder_problem(embedder, timeout_seconds)

    def health(self) -> Health:
        """Whether the store can be relied on right now, tried for real."""
        self._principal.check_known()
        parts = self._parts
        problems = {
            "settings": parts.settings.problem,
            "read audit": parts.access_log.problem,
            "log": parts.log.problem,
            "audit head": parts.heads.problem if parts.heads is not None else "",
            "security events": parts.events.problem,
            "folder": parts.place_problem,
        }
        options = parts.settings.current.storage
        found = health(parts.store, parts.place, options, parts.clock(), problems=problems)
        return Health((*found.checks, self._embedder_check(), self._vector_check()))

    def vault_problem(self) -> str:
        """Why nothing protected can be read or made; empty where all is well, or none is there."""
        self._principal.check_known()
        with self._parts.store.database.reading(_LOOK_SECONDS) as transaction:
            found = problem_at_opening(transaction)
        return found.value if found is not None else ""

    def _embedder_check(self) -> Check:
        """Whether something can be embedded now: a store that only waits looks well otherwise."""
        embedding = self._parts.embedding
        if embedding is None:
            return Check("embedder", "ok", "none is wanted")
        is_elsewhere = self._parts.settings.current.embedder.kind == "url"
        patience = _PROBE_SECONDS if is_elsewhere else _LOADING_SECONDS
        problem = _embedder_problem(embedding.embedder, patience) or embedding.problem
        return Check("embedder", "warning" if problem else "ok", problem or "a text was embedded")

    def _vector_check(self) -> Check:
        """Which space answers, how many wait, and whether a stored vector is really found."""
        parts = self._parts
        if parts.embedding is None:
            return Check("vectors", "ok", "no embedder is set")
        try:
            with parts.store.read(Reach(()), timeout_seconds=_LOOK_SECONDS) as see:
                spaces = see.derived.space_states()
                fills = [see.derived.pending_count(each) for each in spaces]
                is_found = parts.vectors.finds_itself(see.derived)
        except EngramError as error:
            return Check("vectors", "failing", error.code)
        if not is_found:
            parts.vectors.forget()  # begun anew from the database at the next recall
            return Check("vectors", "failing", "a stored vector is not found; run `engram doctor`")
        lines = [
            f"{each.space.state}: {each.space.vectors} vectors, {each.waiting} waiting"
            + (f", {each.failed} failed" if each.failed else "")
            for each in fills
            if each.space.state is not SpaceState.RETIRED
        ]
        state = "warning" if any(each.failed for each in fills) else "ok"
        return Check("vectors", state, "; ".join(lines) or "none yet")

    def doctor(self, *, repair: bool = False) -> DoctorReport:
        """Look everything over; mend only when told to."""
        report = doctor(self._owned_place(), repair=repair)
        if report.repairs and report.is_fine:
            self._take_up_derived()
        if report.repairs:
            self.record(Action.REPAIR, len(report.repairs))
        check = self._embedder_check()
        looked_at = Finding(check.name, check.state == "ok", check.detail)
        return DoctorReport((*report.findings, looked_at), report.repairs)

    def encrypt(
        self, passphrase: str | None = None, key: bytes | None = None, keyring: str | None = None
    ) -> list[Path]:
        """Encrypt a plain store by one of the three; return the plain backups that remain."""
        place = self._owned_place()
        new = _credentials(passphrase, key, keyring)
        plain = encrypt_store(place, new, entry=keyring or "")
        self._parts.drop_vector_cache()
        self._parts.credentials = new
        place.back_up()
        self.record(Action.ENCRYPT, 1)
        return plain

    def plain_backups(self) -> list[Path]:
        """The readable backups that lie beside an encrypted store."""
        place = self._owned_place()
        copies = place.plain_copies() if place.is_encrypted else []
        # What was put aside since the store is encrypted is not readable, and not to be deleted.
        return [path for path in copies if _is_plain(path)]

    def decrypt(self, *, confirmed: bool = False) -> None:
        """Make an encrypted store plain again, which has to be confirmed; its backups stay."""
        place = self._owned_place()
        if not confirmed:
            raise InvalidInput(hint="Whoever reads the files will read everything: confirm it.")
        decrypt_store(place)
        self._parts.credentials = Credentials()
        place.back_up()
        self.record(Action.ENCRYPT, 0)

    def change_key(
        self, passphrase: str | None = None, key: bytes | None = None, keyring: str | None = None
    ) -> None:
        """Let another passphrase or key open the store; the one shown no longer does."""
        place, new = self._owned_place(), _credentials(passphrase, key, keyring)
        change_credentials(place, self._parts.credentials, new, entry=keyring or "")
        self._parts.credentials = new
        self.record(Action.ENCRYPT, 1)

    def add_key(
        self, passphrase: str | None = None, key: bytes | None = None, keyring: str | None = None
    ) -> None:
        """Let another passphrase or key open the store as well."""
        place, new = self._owned_place(), _credentials(passphrase, key, keyring)
        add_credentials(place, self._parts.credentials, new, entry=keyring or "")
        self.record(Action.RENEW_KEYS, 1)

    def remove_key(self, way: str) -> None:
        """Let one way in, named by its id or kind, no longer open the store."""
        remove_credentials(self._owned_place(), self._parts.credentials, way)
        self.record(Action.RENEW_KEYS, 1)

    def recovery_key(self) -> str:
        """Make a key for the day the others are lost. It is kept nowhere; an older one ends."""
        text = add_recovery_key(self._owned_place(), self._parts.credentials)
        self.record(Action.RENEW_KEYS, 1)
        return text

    def ways_in(self) -> list[WayIn]:
        """What opens the store, without what it is worth."""
        return ways_in(self._owned_place().key_slot)

    def renew_keys(self, what: str, *, drop_old: bool = False) -> Renewal:
        """Replace the `master` key, that of the `database` or `vault`, or those of all `subjects`.

        Backups from before stay under the keys they were made with. `drop_old` ends the old keys
        of subjects: what such backups hold sealed can then no longer be read.
        """
        place = self._owned_place()
        if what not in set(Renewable):
            raise InvalidInput(hint=f"What can be renewed is one of: {', '.join(Renewable)}.")
        shown = self._parts.credentials
        renewal = renew_keys(place, shown, Renewable(what), drop_old=drop_old)
        place.back_up()  # one that the keys of today open, and that has what they seal
        self.record(Action.RENEW_KEYS, 1)
        return renewal

    def scope_of(self, name: str) -> Scope | None:
        """Where a memory, or what a change touched, belongs; the owner may look everywhere."""
        self._check_owner()
        reach = self._principal.review_reach()
        with self._parts.store.read(reach, timeout_seconds=_LOOK_SECONDS) as see:
            change = see.change(name)
            if change is not None and not change.numbers:
                return Scope.parse(change.change.scope)  # it touched what was made of memories
            found = see.last_state(change.numbers[0]) if change else None
            memory = found[0] if found else see.memory(name)
        return memory.scope if memory else None

    def anticipated(self) -> "Tally":
        """How many questions of sessions were answered out of what was fetched for them."""
        from engram.context.anticipation import Tally

        self._check_owner()
        # Whoever never named a session has nothing fetched, and none of it loaded for this.
        is_used = "anticipation" in self._parts.__dict__
        return replace(self._parts.anticipation.tally) if is_used else Tally()

    def scopes(self) -> dict[str, int]:
        """How many memories each scope holds."""
        self._check_owner()
        reach = self._principal.review_reach()
        with self._parts.store.read(reach, timeout_seconds=_LOOK_SECONDS) as see:
            return see.count_by_scope()

    def recent_reads(self) -> list[Access]:
        """The last reads of this process, oldest first; also those not yet in the audit."""
        self._owned_place()
        found = self._parts.access_log.recent()
        # Their questions stand in it in clear, so that they were looked at is no secret.
        self._parts.access_log.note(
            Access(Action.AUDIT, self._principal.actor, "/", self._parts.clock(), len(found))
        )
        return found

    def configure(self, key: str, value: str | None) -> Settings:
        """Set one setting of this store, or take it out; running processes follow.

        Settings decide what waits for a person, so only a person sets them.
        """
        if not self._principal.is_person:
            raise AccessDenied(hint="Only a person changes settings.")
        settings = write_setting(self._owned_place().root / "config.toml", key, value)
        self.record(Action.CONFIGURE, 1)
        return settings

    def _check_owner(self) -> None:
        if not self._principal.is_owner:
            raise AccessDenied(hint="Only the owner, who opens the store without a scope, may.")

    def _owned_place(self) -> Place:
        self._check_owner()
        if self._parts.place is None:
            raise StorePathInvalid(hint="A store in memory has nothing on disk.")
        return self._parts.place

    def record(self, action: Action, count: int) -> None:
        """Note in audit and log what the owner did to the store as a whole."""
        self._owned_place()
        now = self._parts.clock()
        if self._parts.place is not None and self._parts.place.read_only:
            return
        with self._parts.store.write(Reach(()), actor=self._principal.actor, now=now) as unit:
            unit.audit(action, "/", count=count)
        self._parts.log.write(action.value, now, count=count)
        if action is Action.RESTORE and self._parts.heads is not None:
            self._parts.heads.keep(is_restored=True)
        kind = _EVENT_OF.get(action)
        if kind is not None:
            self._parts.events.note(kind, actor=self._principal.actor, scope="/")


def _embedder_problem(embedder: Embedder, seconds: float) -> str:
    """Why it cannot embed a text within some seconds; nothing when it can.

    Asked in a thread of its own: a server that hangs must not hold up whoever asks how things are.
    """
    told = [f"It has not answered within {seconds:g} seconds."]

    def ask() -> None:
        try:
            embedder.embed([_PROBE])
            told.append("")
        except EmbedderUnavailable as error:
            told.append(error.hint or error.message)

    asking = threading.Thread(target=ask, name="engram-probe", daemon=True)
    asking.start()
    asking.join(seconds)
    return told[-1]


def _credentials(passphrase: str | None, key: bytes | None, keyring: str | None) -> Credentials:
    """The one thing that is to open the store."""
    given = [each for each in (passphrase, key, keyring) if each is not None]
    if len(given) != 1 or not given[0]:
        raise InvalidInput(
            hint="Give one thing to open it by: a passphrase, a key or a keyring's entry."
        )
    if key is not None and len(key) != KEY_BYTES:
        raise InvalidInput(hint=f"A key has {KEY_BYTES} bytes.")
    return put_key_into_keyring(keyring) if keyring else Credentials(passphrase, key)


def _named_path(path: str | Path | None) -> Path | None:
    if path is None:
        return None
    if "\x00" in str(path):
        raise BackupFailed(hint="A path cannot contain a NUL character.")
    return Path(path).expanduser().absolute()


def _is_plain(path: Path) -> bool:
    """Whether no key locks a copy: its database, also for a log beside it, begins as plain ones."""
    database = path.with_name(path.name.split(".db-")[0] + ".db") if ".db-" in path.name else path
    try:
        with database.open("rb") as file:
            return file.read(len(_PLAIN_START)) == _PLAIN_START
    except OSError:
        return False
