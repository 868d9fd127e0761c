"""What the processes of a crew do: write, back up, restore, encrypt, migrate, or look."""

import json
import os
import time
from datetime import UTC, datetime
from pathlib import Path

from harness_carrying import export_to, fill, import_from, look, undo_import  # noqa: F401  # roles
from harness_keys import look_over, open_only, rekey, restore_over  # noqa: F401  # roles as those below
from harness_oracle import current_texts, sound_contents, stored_texts
from harness_systems import live_until_killed  # noqa: F401  # a role as those below

from engram.engine import Engram
from engram.security.keys import Credentials, database_key, read_slot
from engram.settings import arm_failpoints
from engram.storage.migrate import load_migrations
from engram.storage.options import StorageOptions
from engram.storage.sqlite.embedded import EmbeddedStore
from engram.storage.sqlite.folder import StoreFolder
from engram.wiring import open_engram  # noqa: F401  # so that a worker need not import it

_QUIET = {"storage": {"backup_every_hours": 0}}


def write_until_killed(store: str, acks: str, name: str, key: str = "") -> None:
    """Remember and revise for ever; each call is noted down only after it has returned."""
    handle = os.open(acks, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
    _use(key)
    engram = Engram.open(store, settings=_QUIET)
    number = 0
    while True:
        number += 1
        text = f"Writer {name} states fact {number}."
        memory_id = engram.remember(text).memory.id
        _acknowledge(handle, memory_id, text)
        if number % 5 == 0:
            text = f"Writer {name} corrects fact {number}."
            engram.revise(memory_id, text)
            _acknowledge(handle, memory_id, text)


def write_some(store: str, acks: str, name: str, count: int) -> int:
    """Open, remember a few things, close in order; as short-lived processes do."""
    handle = os.open(acks, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
    with Engram.open(store, settings=_QUIET) as engram:
        for number in range(count):
            text = f"Visitor {name} states fact {number}."
            _acknowledge(handle, engram.remember(text).memory.id, text)
    return count


def _acknowledge(handle: int, memory_id: str, text: str) -> None:
    os.write(handle, (json.dumps([memory_id, text]) + "\n").encode())  # survives a SIGKILL


def _use(key: str) -> None:
    if key:
        os.environ["ENGRAM_KEY"] = key


def inspect_store(store: str, key: str = "") -> dict[str, object]:
    """Open a store as anybody would, time it, look for leftovers, then check every row of it."""
    _use(key)
    started = time.monotonic()
    engram = Engram.open(store, settings=_QUIET)
    seconds = time.monotonic() - started
    leftovers = sorted(path.name for path in Path(store).rglob(".tmp-*"))
    engram.close()
    slot = read_slot(Path(store) / "keys.json")
    database_secret = slot and database_key(slot, Credentials(key=bytes.fromhex(key)))
    found = sound_contents(Path(store) / "engram.db", key=database_secret)
    return {
        "seconds": seconds,
        "leftovers": leftovers,
        "ids": sorted({str(row[2]) for row in found[0]}),
        "texts": sorted(stored_texts(found)),
        "current": sorted(current_texts(found)),
        "is_encrypted": slot is not None,
    }


def back_up_until_killed(store: str) -> None:
    """Make backups for ever."""
    engram = Engram.open(store, settings=_QUIET)
    while True:
        engram.backup()


def newest_backup_texts(store: str) -> list[str]:
    """What the newest backup says, after it was checked whole."""
    backups = sorted((Path(store) / "backups").glob("engram-*.db"))
    return sorted(current_texts(sound_contents(backups[-1]))) if backups else []


def restore_newest(store: str) -> None:
    """Put the newest backup in the store's place."""
    with Engram.open(store, settings=_QUIET) as engram:
        engram.restore()


def encrypt(store: str, key: str) -> None:
    """Turn a plain store into an encrypted one."""
    with Engram.open(store, settings=_QUIET) as engram:
        engram.upkeep.encrypt(key=bytes.fromhex(key))


def migrate(store: str, migrations: str) -> int:
    """Open a store with a later version's migrations; say which schema it has then."""
    arm_failpoints()
    place = EmbeddedStore(
        StoreFolder(Path(store)),
        unlock=lambda has_database: None,
        options=StorageOptions,
        now=lambda: datetime.now(UTC),
        migrations=load_migrations("sqlite", Path(migrations)),
    )
    place.close()
    return place.migrations[-1].version


def schema_of(store: str) -> list[object]:
    """The schema a store has now, and whether a later version's table is there."""
    import apsw

    connection = apsw.Connection(f"{store}/engram.db")
    version = connection.execute("SELECT max(version) FROM schema_migrations").fetchone()[0]
    query = "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'mood%'"
    tables = connection.execute(query).fetchone()[0]
    connection.close()
    return [version, tables]
