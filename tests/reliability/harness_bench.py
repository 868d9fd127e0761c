"""Puts Engram's own parts on a test disk: one connection, the true pragmas, repeatable ids."""

import itertools
import random
import shutil
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
from harness_disk import Disk

from engram.engine import Engram
from engram.memory.ids import IdMint
from engram.memory.scopes import Principal
from engram.parts import EngramParts
from engram.security.access_log import AccessLog
from engram.security.keys import Credentials
from engram.security.logs import EventLog
from engram.settings import LiveSettings
from engram.storage.migrate import load_migrations
from engram.storage.sqlite.connection import check_application, configure
from engram.storage.sqlite.database import SqliteDatabase
from engram.storage.sqlite.schema import build_schema
from engram.storage.sqlite.translate import translated
from engram.storage.store import Store

NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)
LOG = "WAL"
JOURNAL = "DELETE"
_SUFFIXES = ("", "-wal", "-journal")


def make_database(database: Path) -> None:
    """A new database, as a store would make it."""
    connection = apsw.Connection(str(database))
    build_schema(connection, key=None, migrations=load_migrations("sqlite"), now=NOW)
    connection.close(True)


def copy_database(source: Path, target: Path) -> None:
    """Copy a database with its log or journal, and take away what the target had of them."""
    for suffix in _SUFFIXES:
        part = source.with_name(source.name + suffix)
        copy = target.with_name(target.name + suffix)
        if part.exists():
            shutil.copyfile(part, copy)
        else:
            copy.unlink(missing_ok=True)


def open_on(
    disk: Disk, database: Path, *, mode: str, day: int, checkpoint_pages: int = 1_000
) -> Engram:
    """An Engram on a test disk. Ids and times depend on the day only: two runs end up the same."""
    live = LiveSettings(
        None,
        {
            "storage": {"checkpoint_pages": checkpoint_pages},
            "security": {"flush_seconds": 60.0},  # reads are written when a test says so
        },
    )
    sqlite = SqliteDatabase(
        _connecting(disk, database, mode, live), lambda: live.current.storage, is_shared=False
    )
    migrations = load_migrations("sqlite")
    store = Store(sqlite, IdMint(random.Random(day).getrandbits), schema=migrations[-1].version)
    log = AccessLog(store, lambda: live.current.security, lambda: timedelta(minutes=10))
    clock = ticking_clock(NOW + timedelta(days=day))
    parts = EngramParts(store, live, clock, log, EventLog(None, days=0), None, Credentials())
    return Engram(parts, Principal.of(None))


def _connecting(
    disk: Disk, database: Path, mode: str, live: LiveSettings
) -> Callable[[bool], apsw.Connection]:
    def connect(_read_only: bool) -> apsw.Connection:
        with translated():
            connection = apsw.Connection(
                str(database), flags=apsw.SQLITE_OPEN_READWRITE, vfs=disk.name
            )
            try:
                if mode == LOG:
                    connection.pragma("locking_mode", "EXCLUSIVE")
                check_application(connection)
                # A connection "for reading only" keeps the journal mode the file has.
                configure(connection, live.current.storage, read_only=mode == JOURNAL)
            except BaseException:
                close_quietly(connection)
                raise
            return connection

    return connect


def ticking_clock(start: datetime) -> Callable[[], datetime]:
    """A clock that goes on by a millisecond whenever it is looked at."""
    moments = itertools.count()
    return lambda: start + timedelta(milliseconds=next(moments))


def close_quietly(thing: apsw.Connection | Engram) -> None:
    """Close on a disk that may be failing.

    SQLite itself keeps quiet about faults while closing; an exception of a VFS written in Python
    comes through all the same, and says nothing about Engram.
    """
    with suppress(apsw.Error):
        thing.close()
