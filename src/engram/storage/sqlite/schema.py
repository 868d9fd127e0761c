"""Creates a database whole or not at all, and migrates an older one behind a verified backup."""

import os
import secrets
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import apsw

from engram.errors import EngramError, MigrationFailed, SchemaTooNew
from engram.failpoints import failpoint
from engram.memory.times import to_micros
from engram.storage.migrate import Migration, apply, pending
from engram.storage.queries import load_queries
from engram.storage.sqlite.connection import APPLICATION_ID, CIPHER, check_library
from engram.storage.sqlite.folder import LOCK, TEMPORARY, StoreFolder, sync_folder
from engram.storage.sqlite.translate import translated

_TABLE = """CREATE TABLE IF NOT EXISTS schema_migrations (
    version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL
) STRICT"""


def create_database(
    folder: StoreFolder, *, key: bytes | None, migrations: list[Migration], now: datetime
) -> None:
    """Build the database under a temporary name and put it in place in one step.

    A crash leaves no half-made store, and of two processes that start at once one wins.
    """
    check_library()
    folder.path.chmod(0o700)  # also when somebody else made the folder
    temporary = folder.path / f"{TEMPORARY}{secrets.token_hex(8)}.db"
    # SQLite takes the new file's permissions from this one, so that it is private from byte one.
    model = uri_path(folder.path / LOCK)
    with translated():
        connection = apsw.Connection(
            f"file:{uri_path(temporary)}?modeof={model}",
            flags=apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI,
        )
        try:
            build_schema(connection, key=key, migrations=migrations, now=now)
        finally:
            connection.close(True)
    failpoint("before_placing_database")
    try:
        os.link(temporary, folder.database)
    except FileExistsError:
        pass  # another process was first; its store is the store
    finally:
        temporary.unlink()
    sync_folder(folder.path)


def build_schema(
    connection: apsw.Connection, *, key: bytes | None, migrations: list[Migration], now: datetime
) -> None:
    """Fill an empty database, encrypted from its first page when there is a key."""
    if key is not None:
        connection.pragma("cipher", CIPHER)
        connection.pragma("key", f"raw:{key.hex()}")
    connection.pragma("synchronous", "FULL")
    connection.pragma("secure_delete", 1)
    connection.execute("BEGIN IMMEDIATE")
    connection.pragma("application_id", APPLICATION_ID)
    connection.execute(_TABLE)
    _apply(connection, pending(migrations, 0), now)
    connection.execute("COMMIT")


def migrate_database(
    connection: apsw.Connection,
    migrations: list[Migration],
    *,
    now: datetime,
    back_up: Callable[[], object],
) -> int:
    """Bring the schema up to date in one exclusive transaction; return how many steps it took."""
    if not pending(migrations, schema_version(connection)):
        return 0
    with translated():
        connection.execute("BEGIN EXCLUSIVE")
    try:
        # Another process may have migrated while this one waited for the lock.
        steps = pending(migrations, schema_version(connection))
        if steps:
            back_up()
            _apply(connection, steps, now)
        connection.execute("COMMIT")
    except BaseException as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        if isinstance(error, apsw.Error | EngramError) and not isinstance(error, SchemaTooNew):
            raise MigrationFailed from error
        raise
    return len(steps)


def schema_version(connection: apsw.Connection) -> int:
    """The number of the last migration this database has seen."""
    with translated():
        found = connection.execute(load_queries("sqlite")["schema_version"]).fetchone()
    return int(found[0]) if found else 0


def _apply(connection: apsw.Connection, steps: list[Migration], now: datetime) -> None:
    insert = load_queries("sqlite")["insert_migration"]

    def note(step: Migration) -> None:
        row = {"version": step.version, "name": step.name, "applied_at": to_micros(now)}
        connection.execute(insert, row)

    apply(steps, connection.execute, note)


def uri_path(path: Path) -> str:
    """A path as it stands in one of SQLite's file addresses."""
    return str(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
