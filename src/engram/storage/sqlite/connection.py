"""Opens a connection the one right way: key first, then every pragma set and read back."""

import random
import time
from collections.abc import Callable

import apsw

from engram.errors import StoreLocked, StorePathInvalid, UnsafeLibrary
from engram.storage.options import StorageOptions
from engram.storage.sqlite.translate import translated

APPLICATION_ID = 0x454E_4752  # "ENGR": tells our files from any other SQLite database
CIPHER = "aegis"  # authenticated page by page; `aes256cbc` accepted a flipped bit
_SAFE_VERSION = (3, 51, 3)  # the WAL-reset corruption of all earlier versions is fixed here
_PROBE_SECONDS = 5.0
_WAL_LIMIT_BYTES = 64 * 1024 * 1024


def check_library() -> None:
    """Refuse a SQLite library that can corrupt a store shared by processes."""
    version = tuple(int(part) for part in apsw.sqlite_lib_version().split("."))
    if version < _SAFE_VERSION:
        raise UnsafeLibrary


def open_connection(
    path: str,
    *,
    key: bytes | None,
    options: StorageOptions,
    read_only: bool = False,
    vfs: str | None = None,
) -> apsw.Connection:
    """A connection to an existing Engram database, checked before anything is set in it."""
    check_library()
    flags = apsw.SQLITE_OPEN_READONLY if read_only else apsw.SQLITE_OPEN_READWRITE
    try:
        connection = apsw.Connection(path, flags=flags, vfs=vfs)
    except apsw.CantOpenError as error:
        raise StorePathInvalid(hint="Its engram.db cannot be opened.") from error
    with translated():
        try:
            # Before the first read: the last process to leave holds the file for a moment.
            connection.set_busy_handler(patience(options.busy_timeout_seconds))
            keep_plans(connection)
            unlock(connection, key)
            check_application(connection)
            configure(connection, options, read_only=read_only)
        except BaseException:
            connection.close(True)
            raise
    return connection


def is_plain_database(path: str) -> bool:
    """Whether a database can be read without a key."""
    with translated():
        return _reads_without_key(path)


def _reads_without_key(path: str) -> bool:
    connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
    try:
        connection.set_busy_handler(patience(_PROBE_SECONDS))
        return bool(connection.pragma("application_id") == APPLICATION_ID)
    except apsw.NotADBError:
        return False
    except apsw.ReadOnlyError:
        # Its log wants to be recovered, which must not be done without the key. A plain database
        # that has key slots beside it is never in the middle of a write.
        return False
    finally:
        connection.close(True)


def keep_plans(connection: apsw.Connection) -> None:
    """Keep the plan of a prepared query whatever is bound to it.

    Otherwise each new value makes SQLite plan the query again, which costs more than running it.
    """
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)


def unlock(connection: apsw.Connection, key: bytes | None) -> None:
    """Give the key before the first read, and see that it fits."""
    if key is not None:
        connection.pragma("cipher", CIPHER)
        connection.pragma("key", f"raw:{key.hex()}")
        if connection.pragma("cipher") != CIPHER:
            raise UnsafeLibrary
    try:
        connection.pragma("schema_version")
    except apsw.NotADBError as error:
        if key is not None:
            raise StoreLocked from error
        raise StorePathInvalid(
            hint="Its engram.db is encrypted (is keys.json missing?) or no database."
        ) from error


def check_application(connection: apsw.Connection) -> None:
    """Refuse a database that some other program made, before touching it."""
    if connection.pragma("application_id") != APPLICATION_ID:
        raise StorePathInvalid(hint="Its engram.db was not made by Engram; it was left alone.")


def configure(connection: apsw.Connection, options: StorageOptions, *, read_only: bool) -> None:
    """Set every pragma and read it back: an unknown or refused one is silent."""
    wanted: list[tuple[str, str | int, str | int]] = [
        ("synchronous", "FULL", 2),
        ("secure_delete", 1, 1),
        ("temp_store", "MEMORY", 2),
        ("mmap_size", 0, 0),
        ("foreign_keys", 1, 1),
        ("trusted_schema", 0, 0),
        ("cell_size_check", 1, 1),
        ("fullfsync", 1, 1),
        ("checkpoint_fullfsync", 1, 1),
        ("cache_size", -options.cache_kilobytes, -options.cache_kilobytes),
        ("journal_size_limit", _WAL_LIMIT_BYTES, _WAL_LIMIT_BYTES),
        # SQLite hides the errors of its own checkpoints; the writer makes them itself.
        ("wal_autocheckpoint", 0, 0),
    ]
    if not read_only:
        wanted.insert(0, ("journal_mode", "WAL", "wal"))
    for name, value, expected in wanted:
        connection.pragma(name, value)
        if connection.pragma(name) not in (expected, "memory" if name == "journal_mode" else None):
            raise UnsafeLibrary(hint=f"SQLite does not honour the setting {name}.")


def patience(timeout_seconds: float) -> Callable[[int], bool]:
    """A busy handler that waits a little longer each time, and gives up at the time limit."""
    started = 0.0

    def wait(attempt: int) -> bool:
        nonlocal started
        if attempt == 0:
            started = time.monotonic()
        if time.monotonic() - started > timeout_seconds:
            return False
        # Short waits keep latency low; the random part keeps processes from moving in step.
        pause = min(0.0005 * 2 ** min(attempt, 6), 0.02)
        time.sleep(pause * (0.5 + random.random()))  # noqa: S311  # not a secret
        return True

    return wait
