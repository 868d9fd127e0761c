"""Backups made by SQLite itself, opened and counted before an older one goes; and restore."""

import errno
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import cast

import apsw

from engram.errors import (
    BackupFailed,
    DiskFull,
    EncryptionFailed,
    EngramError,
    SchemaTooNew,
    StoreCorrupt,
    StoreInUse,
    StoreLocked,
    StorePathInvalid,
)
from engram.failpoints import failpoint
from engram.storage.audit_chain import AuditIdentity, key_from_text, the_row
from engram.storage.database import Row
from engram.storage.migrate import Migration
from engram.storage.options import StorageOptions
from engram.storage.place import Backup, StoreKeys
from engram.storage.queries import load_queries
from engram.storage.sqlite.connection import (
    CIPHER,
    check_application,
    open_connection,
    patience,
    unlock,
)
from engram.storage.sqlite.folder import TEMPORARY, StoreFolder, sync_folder
from engram.storage.sqlite.schema import schema_version, uri_path
from engram.storage.sqlite.translate import as_ours

_BUSY_SECONDS = 5.0
_PLAIN = b"SQLite format 3\x00"
_STAMP = "%Y%m%dT%H%M%S%fZ"
_OWN = re.compile(r"engram-[0-9]{6,}-[0-9TZ]+\.db")


def back_up(source: apsw.Connection, target: Path, *, key: bytes | None, key_slot: Path) -> Backup:
    """Copy the database as it is at one moment, verify the copy, then give it its name."""
    if target.exists() or slot_of(target).exists():
        raise BackupFailed(hint="Something is at that path already; a backup replaces nothing.")
    temporary = target.parent / f"{TEMPORARY}{secrets.token_hex(8)}.db"
    try:
        # A store that was taken away is not begun again by a backup of it.
        is_own = target.parent.parent == key_slot.parent
        target.parent.mkdir(mode=0o700, parents=not is_own, exist_ok=True)
        memories = _copy(source, temporary, key)
        if key_slot.exists():
            _place_slot(key_slot, slot_of(target))
        failpoint("before_backup_rename")
        _rename(temporary, target)
    except (OSError, apsw.Error) as error:
        raise BackupFailed from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
            temporary.with_suffix(".db-journal").unlink(missing_ok=True)
    return Backup(target, memories, target.stat().st_size)


def _copy(source: apsw.Connection, temporary: Path, key: bytes | None) -> int:
    make_private(temporary)
    copy = apsw.Connection(str(temporary), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        if key is not None:
            copy.pragma("cipher", CIPHER)
            copy.pragma("key", f"raw:{key.hex()}")
        # One read transaction, and one step for all pages: the copy is of one moment, and writers
        # in other processes cannot make it start over for ever.
        source.execute("BEGIN")
        wanted = _counts(source)
        with copy.backup("main", source, "main") as running:
            running.step(-1)
        source.execute("COMMIT")
        failpoint("mid_backup")
        copy.pragma("journal_mode", "DELETE")  # one file, complete in itself
        found = _counts(copy)
        if found != wanted:
            raise BackupFailed(hint="The copy does not hold what the store holds.")
        _verify(copy)
    finally:
        copy.close(True)
    return found[0]


def verify_backup(path: Path, *, key: bytes | None, migrations: list[Migration]) -> int:
    """Open a backup read-only, check it whole, and count its memories."""
    if not path.is_file() or path.stat().st_size == 0:
        raise BackupFailed(hint="There is no backup at that path.")
    try:
        copy = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            unlock(copy, key)
            check_application(copy)
            if schema_version(copy) > migrations[-1].version:
                raise SchemaTooNew
            _verify(copy)
            return _counts(copy)[0]
        finally:
            copy.close(True)
    except (apsw.Error, StorePathInvalid) as error:
        raise BackupFailed(
            hint="That file is damaged, no backup of Engram, or encrypted without its keys file."
        ) from error


def audit_in(path: Path, *, key: bytes | None) -> AuditIdentity | None:
    """Whose audit a backup holds; None where it cannot be read, of which `verify_backup` tells."""
    query = load_queries("sqlite")["meta_value"]
    try:
        copy = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            unlock(copy, key)
            found = [
                copy.execute(query, {"key": name}).fetchone() for name in ("store_id", "audit_key")
            ]
        finally:
            copy.close(True)
        store, text = (the_row([row] if row else [])[0] for row in cast("list[Row | None]", found))
        return AuditIdentity(str(store), key_from_text(text))
    except (apsw.Error, EngramError):
        return None


def _verify(copy: apsw.Connection) -> None:
    problems = copy.execute("PRAGMA quick_check").fetchall()
    if problems != [("ok",)]:
        raise BackupFailed(hint="The copy does not pass SQLite's check; the source may be damaged.")
    copy.execute("BEGIN")
    copy.execute("ROLLBACK")


def _counts(connection: apsw.Connection) -> tuple[int, ...]:
    row = connection.execute(load_queries("sqlite")["count_rows"]).fetchone()
    return tuple(cast("tuple[int, ...]", row))


def counts_of(path: Path, key: bytes | None) -> tuple[int, ...]:
    """How much a database that nobody has open holds."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        unlock(connection, key)
        return _counts(connection)
    finally:
        connection.close(True)


def slot_of(backup: Path) -> Path:
    """The key slot that belongs to a backup of an encrypted store."""
    return backup.with_name(backup.name + ".keys.json")


def vault_of(backup: Path) -> Path:
    """The keys of persons that were taken along with a backup, when somebody asked for them."""
    return backup.with_name(backup.name + ".vault.db")


def rotating_target(folder: StoreFolder, now: datetime) -> Path:
    """The name of a store's next own backup; they are numbered, since clocks can go back."""
    made = list_backups(folder)
    last = max((int(path.name.split("-")[1]) for path in made), default=0)
    return folder.backups / f"engram-{last + 1:06d}-{now.strftime(_STAMP)}.db"


def list_backups(folder: StoreFolder) -> list[Path]:
    """The store's own backups, oldest first."""
    return sorted(path for path in folder.backups.glob("engram-*.db") if _OWN.fullmatch(path.name))


def rotate(folder: StoreFolder, *, kept: int) -> list[Path]:
    """Remove the oldest beyond what is kept; call it only after a new one was verified."""
    gone = list_backups(folder)[:-kept]
    for path in gone:
        path.unlink(missing_ok=True)
        slot_of(path).unlink(missing_ok=True)
    return gone


@contextmanager
def _disk_errors_typed() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise DiskFull from error
        raise BackupFailed(hint="The backup could not be put in place.") from error


@_disk_errors_typed()
def restore_file(
    folder: StoreFolder,
    backup: Path,
    *,
    keys: StoreKeys,
    old: StoreKeys,
    options: StorageOptions,
    now: datetime,
) -> StoreKeys:
    """Put a verified backup in the database's place; the caller has shut everybody out.

    At every moment there is either the old or the new database, never a mixture; the old one stays
    among the backups. A database too damaged to open is moved aside first; a crash right then
    leaves none, which opening reports. Returns the keys of what is there now: a store that has
    keys keeps them, since the keys of persons beside it are under them too.
    """
    last_number = _fold_old_database(folder, key=old.database, options=options, now=now)
    is_kept = old.database is not None
    slot = slot_of(backup)
    takes_slot = slot.exists() and not is_kept
    if is_kept and keys.database != old.database:
        incoming = copy_under(backup, folder.path, keys.database, old.database)
    else:
        incoming = folder.path / f"{TEMPORARY}{secrets.token_hex(8)}.db"
        make_private(incoming)
        shutil.copyfile(backup, incoming)  # a backup is closed: nobody's locks are dropped by this
    now_there = old if is_kept else keys
    try:
        # Under the keys of a slot that is yet to come it waits, as that slot does.
        place = folder.next_vault if takes_slot else folder.vault
        _take_vault(folder, backup, place, old=keys.vault, new=now_there.vault)
        raise_last_number(incoming, last_number, key=now_there.database)
        sync_file(incoming)
        if takes_slot:
            _convert_plain_vault(folder, keys.vault)
            _place_slot(slot, folder.next_key_slot)
        _keep_replaced(folder, now, kept=options.backups_kept)
        failpoint("before_restore_rename")
        _rename(incoming, folder.database)
        if takes_slot:
            follow_database(folder, is_next=True)
    finally:
        incoming.unlink(missing_ok=True)
        incoming.with_name(incoming.name + "-journal").unlink(missing_ok=True)
    return now_there


def _convert_plain_vault(folder: StoreFolder, key: bytes | None) -> None:
    """A plain store takes in an encrypted backup: the keys of persons are encrypted with it."""
    if folder.vault.exists() and is_plain_file(folder.vault):
        _rename(copy_under(folder.vault, folder.path, None, key), folder.next_vault)


def _take_vault(
    folder: StoreFolder, backup: Path, place: Path, *, old: bytes | None, new: bytes | None
) -> None:
    """Keys of persons that came along are taken where there are none: those here have the say."""
    brought = vault_of(backup)
    if brought.exists() and not folder.vault.exists():
        _rename(copy_under(brought, folder.path, old, new), place)


def follow_database(folder: StoreFolder, *, is_next: bool) -> None:
    """The database is under its new key: let vault and slot follow; without a slot it is plain."""
    failpoint("rekey_database_placed")
    if folder.next_vault.exists():
        _rename(folder.next_vault, folder.vault)
    failpoint("before_slot_rename")
    if is_next:
        _rename(folder.next_key_slot, folder.key_slot)
    else:
        folder.key_slot.unlink(missing_ok=True)
        sync_folder(folder.path)
    failpoint("rekey_slot_placed")


def is_plain_file(path: Path) -> bool:
    """Whether a file can be read without a key, by its first bytes; for files nobody has open."""
    with path.open("rb") as file:
        return file.read(len(_PLAIN)) == _PLAIN


def _place_slot(slot: Path, target: Path) -> None:
    temporary = target.with_name(f"{TEMPORARY}{secrets.token_hex(8)}.keys.json")
    make_private(temporary)
    shutil.copyfile(slot, temporary)
    sync_file(temporary)
    _rename(temporary, target)


def _keep_replaced(folder: StoreFolder, now: datetime, *, kept: int) -> None:
    """Keep the database that a restore replaces, by a second name, and a few before it."""
    if not folder.database.exists():
        return
    folder.backups.mkdir(mode=0o700, exist_ok=True)
    replaced = folder.backups / f"replaced-{now.strftime(_STAMP)}-{secrets.token_hex(4)}.db"
    os.link(folder.database, replaced)
    if folder.key_slot.exists():
        _place_slot(folder.key_slot, slot_of(replaced))
    for older in sorted(folder.backups.glob("replaced-*.db"))[:-kept]:
        older.unlink(missing_ok=True)
        slot_of(older).unlink(missing_ok=True)


def copy_under(source: Path, folder: Path, old: bytes | None, new: bytes | None) -> Path:
    """Write a database into a fresh file in a folder, under another key or none; durable."""
    target = folder / f"{TEMPORARY}{secrets.token_hex(8)}.db"
    make_private(target)
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_URI
    connection = apsw.Connection(f"file:{uri_path(source)}", flags=flags)
    failed: type[apsw.Error] | None = None
    is_home = False
    with kept_when_good(target):
        try:
            connection.set_busy_handler(patience(_BUSY_SECONDS))
            unlock(connection, old)
            connection.pragma("temp_store", "MEMORY")  # no page of it in a temporary file
            # Its log comes home: it must not be applied to the file that takes this one's place.
            is_home = connection.pragma("journal_mode", "DELETE") == "delete"
            # The key goes in by the new file's address, which only this process sees. An error's
            # text would show it: say that it failed, and not how, nor keep the error at hand.
            named = f"cipher={CIPHER}&key=raw:{new.hex()}" if new is not None else "key="
            connection.execute("VACUUM INTO ?", (f"file:{uri_path(target)}?{named}",))
        except apsw.Error as error:
            failed = type(error)
        finally:
            connection.close(True)
        if failed is apsw.FullError:
            raise DiskFull(hint="The store is as it was.")
        if failed is not None:
            raise EncryptionFailed(hint=f"{failed.__name__}; the store is as it was.")
        if not is_home:
            raise StoreInUse
        sync_file(target)
    return target


@contextmanager
def kept_when_good(path: Path) -> Iterator[None]:
    """A file that goes again when what is done with it fails."""
    try:
        yield
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _fold_old_database(
    folder: StoreFolder, *, key: bytes | None, options: StorageOptions, now: datetime
) -> int:
    """Bring the old log home so that it cannot be applied to the new file; keep what is damaged."""
    if not folder.database.exists():
        return 0
    try:
        old = open_connection(str(folder.database), key=key, options=options)
        try:
            last_number = _counts(old)[-1]
            if old.pragma("journal_mode", "DELETE") != "delete":
                raise StoreInUse
        finally:
            old.close(True)
    except apsw.BusyError as error:
        raise StoreInUse from error
    except (StoreCorrupt, StoreLocked, StorePathInvalid, apsw.CorruptError, apsw.NotADBError):
        stamp = now.strftime(_STAMP)
        for suffix in ("-wal", "-shm", ""):
            part = folder.database.with_name(folder.database.name + suffix)
            if part.exists():
                part.rename(part.with_name(f"damaged-{stamp}-{part.name}"))
        return 0
    return last_number


def raise_last_number(path: Path, last_number: int, *, key: bytes | None) -> None:
    """Labels handed out after the backup was made are not handed out again."""
    copy = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        unlock(copy, key)
        copy.pragma("synchronous", "FULL")
        copy.execute(load_queries("sqlite")["raise_last_number"], {"last_number": last_number})
    except (apsw.Error, StoreLocked) as error:
        raise as_ours(error) if isinstance(error, apsw.Error) else error from error
    finally:
        copy.close(True)


def make_private(path: Path) -> None:
    """Make an empty file that others cannot read, before SQLite or a copy fills it."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def sync_file(path: Path) -> None:
    """Make a file's content durable."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _rename(source: Path, target: Path) -> None:
    source.replace(target)
    sync_folder(target.parent)
