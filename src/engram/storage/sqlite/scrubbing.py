"""Cleans the files of a store of what was erased, and hands their bytes out to be searched."""

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import apsw

from engram.errors import BackupFailed, EngramError, SchemaTooNew
from engram.failpoints import failpoint
from engram.storage.byte_search import chunks
from engram.storage.database import Transaction
from engram.storage.migrate import Migration
from engram.storage.queries import load_queries
from engram.storage.sqlite.backup import slot_of
from engram.storage.sqlite.connection import check_application, check_library, unlock
from engram.storage.sqlite.database import SqliteDatabase, SqliteTransaction
from engram.storage.sqlite.folder import BACKUPS, StoreFolder, is_own_name, sync_folder
from engram.storage.sqlite.schema import migrate_database, schema_version
from engram.storage.sqlite.translate import as_ours

_MAGIC = b"SQLite format 3\0"
_PIECE = 4 * 1024 * 1024
_OPEN_WITH_IT = ("", "-wal", "-shm", "-journal")
_RAW = "unix"  # SQLite's own access to files: it keeps the locks that others hold on them


class SqliteScrubber:
    """One database, and the folder it lies in if it has one."""

    def __init__(
        self,
        database: SqliteDatabase,
        folder: StoreFolder | None = None,
        migrations: list[Migration] | None = None,
        now: datetime | None = None,
    ) -> None:
        self._database = database
        self._folder = folder
        self._migrations = migrations or []
        self._now = now or datetime.now(UTC)

    def write_index_anew(self) -> None:
        """Let the words of lines that are gone go from the text index, too."""
        self._run(load_queries("sqlite")["optimise_text_index"])

    def rewrite(self) -> None:
        """Write the whole file anew, from its rows alone."""
        self._run("VACUUM")

    def _run(self, statement: str) -> None:
        self._database.run_exclusively(lambda connection: connection.execute(statement).fetchall())

    def fold_away(self) -> bool:
        """Fold the log into the file and cut it to nothing; False when a reader is in the way."""

        def act(connection: apsw.Connection) -> bool:
            try:
                connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            except apsw.BusyError:
                return False
            return True

        return bool(self._database.run_exclusively(act))

    def image(self) -> Iterator[bytes]:
        """The bytes of all pages, decrypted; nothing of it is written anywhere."""
        if self._folder is not None and is_plain(self._folder.database):
            yield from raw_bytes(self._folder.database)
            return
        content: list[bytes] = []
        self._database.run_exclusively(lambda each: content.append(each.serialize("main")))
        yield from chunks(content.pop())

    def copies(self) -> list[Path]:
        """The store's own backups and what a restore replaced."""
        return sorted(self._folder.backups.glob("[!.]*.db")) if self._folder else []

    def scrub_copy(
        self, path: Path, key: bytes | None, erase: Callable[[Transaction], None]
    ) -> None:
        """Take rows out of a backup and write it anew; killed half-way it is as it was."""
        check_library()
        try:
            copy = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
            try:
                _prepare(copy, key, self._migrations, self._now)
                copy.execute("BEGIN IMMEDIATE")
                erase(SqliteTransaction(copy, self._database.vault))
                failpoint("erase_in_a_copy")
                copy.execute("COMMIT")
                copy.execute(load_queries("sqlite")["optimise_text_index"])
                copy.execute("VACUUM")
                if copy.execute("PRAGMA quick_check").fetchall() != [("ok",)]:
                    raise BackupFailed(hint="A backup does not pass SQLite's check.")
            finally:
                copy.close(True)
        except apsw.Error as error:
            raise BackupFailed(hint="A backup could not be opened and cleaned.") from error

    def image_of_copy(self, path: Path, key: bytes | None) -> Iterator[bytes]:
        """The bytes of a backup's pages, decrypted in memory."""
        if key is None:
            yield from raw_bytes(path)
            return
        try:
            copy = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
            try:
                unlock(copy, key)
                content = copy.serialize("main")
            finally:
                copy.close(True)
        except (apsw.Error, EngramError) as error:
            raise BackupFailed(hint="A backup could not be searched.") from error
        yield from chunks(content)

    def remove_copy(self, path: Path) -> None:
        """Take a backup away that cannot be opened: nobody could restore it either."""
        for each in (path, slot_of(path), path.with_name(path.name + "-journal")):
            each.unlink(missing_ok=True)
        sync_folder(path.parent)

    def set_aside(self) -> list[Path]:
        """Files that a salvage set aside, and what others are making right now."""
        if self._folder is None:
            return []
        return [*sorted(self._folder.path.glob("damaged-*")), *self._folder.leftovers()]

    def other_files(self) -> list[Path]:
        """Whatever else lies in the folder, and folders that cannot be looked into.

        Left out are databases that somebody may have open: to open and close such a file would
        drop the locks on it. A copy of one under another name is a file like any other.
        """
        if self._folder is None:
            return []
        backups = self.copies()
        known = {*self.set_aside(), *backups}
        for each in (self._folder.database, self._folder.vault, *backups):
            known |= {each.with_name(each.name + end) for end in _OPEN_WITH_IT}
        closed: list[OSError] = []
        walk = os.walk(self._folder.path, onerror=closed.append)
        found = [Path(folder) / name for folder, _folders, names in walk for name in names]
        found += [Path(str(error.filename)) for error in closed]
        return sorted(path for path in found if path not in known)

    def name_of(self, path: Path) -> str:
        """By what a file is known, wherever the store lies."""
        return str(path.relative_to(self._folder.path)) if self._folder else path.name

    def is_ours(self, path: Path) -> bool:
        """Whether a file is one that Engram itself writes, and never a text of a memory into."""
        if self._folder is None:
            return False
        parts = path.relative_to(self._folder.path).parts
        slots = {slot_of(each) for each in self.copies()}
        return path in slots or (parts[0] != BACKUPS and is_own_name(parts[0]))


def is_plain(path: Path) -> bool:
    """Whether a database's pages can be read as they lie there."""
    return next(raw_bytes(path, most=len(_MAGIC)), b"") == _MAGIC


def raw_bytes(path: Path, *, most: int = -1) -> Iterator[bytes]:
    """A file's bytes by way of SQLite, so that closing it drops nobody's lock."""
    flags = apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY
    try:
        file = apsw.VFSFile(_RAW, str(path), [flags, 0])
    except apsw.Error as error:
        raise as_ours(error) from error
    try:
        size = file.xFileSize() if most < 0 else min(most, file.xFileSize())
        for start in range(0, size, _PIECE):
            yield file.xRead(min(_PIECE, size - start), start)
    except apsw.Error as error:
        raise as_ours(error) from error
    finally:
        file.xClose()


def _prepare(
    copy: apsw.Connection, key: bytes | None, migrations: list[Migration], now: datetime
) -> None:
    unlock(copy, key)
    check_application(copy)
    copy.pragma("journal_mode", "DELETE")
    copy.pragma("synchronous", "FULL")
    copy.pragma("secure_delete", 1)
    copy.pragma("temp_store", "MEMORY")
    if schema_version(copy) > migrations[-1].version:
        raise SchemaTooNew
    migrate_database(copy, migrations, now=now, back_up=lambda: None)
