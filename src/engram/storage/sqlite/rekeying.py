"""Puts the files of a store under other keys: encrypts, decrypts and renews, whenever it is killed.

What replaces a file is made beside it and verified first, and the slot of the new keys waits under
another name. The database decides: whoever opens a store that was left half-way finds the keys
that open its database, and the vault and the slot follow it.
"""

import errno
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import cast

import apsw

from engram.errors import (
    DiskFull,
    EncryptionFailed,
    StoreLocked,
    StoreReadOnly,
    VaultUnreadable,
)
from engram.failpoints import failpoint
from engram.storage.migrate import Migration
from engram.storage.options import StorageOptions
from engram.storage.place import StoreKeys
from engram.storage.queries import load_queries
from engram.storage.sqlite.backup import (
    copy_under,
    counts_of,
    follow_database,
    is_plain_file,
    kept_when_good,
    verify_backup,
)
from engram.storage.sqlite.connection import is_plain_database, open_connection, unlock
from engram.storage.sqlite.folder import StoreFolder, sync_folder


def rekey(
    folder: StoreFolder,
    old: StoreKeys,
    new: StoreKeys,
    *,
    place_slot: Callable[[Path], None] | None,
    migrations: list[Migration],
) -> None:
    """Bring database and vault under other keys; the caller has shut everybody out.

    `place_slot` writes the slot of the new keys; without one the store becomes plain.
    """
    incoming = None
    try:
        failpoint("rekey_begun")
        if new.database != old.database:
            incoming = _database_copy(folder, old.database, new.database, migrations)
        failpoint("rekey_database_copied")
        if new.vault != old.vault and folder.vault.exists():
            _move(_vault_copy(folder.vault, old.vault, new.vault), folder.next_vault)
        failpoint("rekey_vault_copied")
        if place_slot is not None:
            place_slot(folder.next_key_slot)
        failpoint("before_encrypted_rename")
        if incoming is not None:
            _move(incoming, folder.database)
        follow_database(folder, is_next=place_slot is not None)
    except OSError as error:
        raise DiskFull if error.errno == errno.ENOSPC else EncryptionFailed from error
    finally:
        if incoming is not None:
            incoming.unlink(missing_ok=True)


def keys_of_database(
    folder: StoreFolder, keys_in: Callable[[Path], StoreKeys], *, read_only: bool
) -> StoreKeys:
    """The keys of what is there, also after a change of keys that was killed half-way.

    `keys_in` opens a slot with what the person has shown, or refuses.
    """
    slots = [path for path in (folder.next_key_slot, folder.key_slot) if path.exists()]
    if not slots and not folder.next_vault.exists():
        return StoreKeys()
    if is_plain_database(str(folder.database)):
        if not read_only:
            _settle_plain(folder)
        return StoreKeys()
    is_settled = read_only or not folder.next_vault.exists()
    if slots == [folder.key_slot] and is_settled:
        return keys_in(folder.key_slot)
    if read_only:
        raise StoreReadOnly(hint="A change of keys was interrupted: open it once for writing.")
    return _settled(folder, slots, keys_in)


def _settled(
    folder: StoreFolder, slots: list[Path], keys_in: Callable[[Path], StoreKeys]
) -> StoreKeys:
    for path in slots:  # the next one first: where both open the database, all was prepared
        with suppress(StoreLocked):
            keys = keys_in(path)
            if _opens(folder, keys.database):
                if path == folder.next_key_slot:
                    follow_database(folder, is_next=True)
                else:
                    _stay(folder)
                return keys
    raise StoreLocked


def _stay(folder: StoreFolder) -> None:
    """The database is under its old key: what was prepared for another goes."""
    folder.next_key_slot.unlink(missing_ok=True)
    sync_folder(folder.path)
    failpoint("rekey_taking_back")
    folder.next_vault.unlink(missing_ok=True)
    sync_folder(folder.path)


def _settle_plain(folder: StoreFolder) -> None:
    """The database is plain: a plain vault belongs to it, a slot does not."""
    folder.next_key_slot.unlink(missing_ok=True)
    if folder.next_vault.exists():
        if is_plain_file(folder.next_vault):
            _move(folder.next_vault, folder.vault)
        else:
            folder.next_vault.unlink()
    if folder.key_slot.exists():
        _move(folder.key_slot, folder.key_slot.with_name(f"{folder.key_slot.name}.unused"))


def is_half_way(folder: StoreFolder) -> bool:
    """Whether a change of keys was begun and not brought to its end."""
    return folder.next_key_slot.exists() or folder.next_vault.exists()


def _opens(folder: StoreFolder, key: bytes | None) -> bool:
    try:
        open_connection(str(folder.database), key=key, options=StorageOptions()).close(True)
    except StoreLocked:
        return False
    return True


def _database_copy(
    folder: StoreFolder, old: bytes | None, new: bytes | None, migrations: list[Migration]
) -> Path:
    target = copy_under(folder.database, folder.path, old, new)
    with kept_when_good(target):
        verify_backup(target, key=new, migrations=migrations)
        if counts_of(target, new) != counts_of(folder.database, old):
            raise EncryptionFailed(hint="The copy does not hold what the store holds.")
    return target


def _vault_copy(vault: Path, old: bytes | None, new: bytes | None) -> Path:
    target = copy_under(vault, vault.parent, old, new)
    with kept_when_good(target):
        if _vault_rows(target, new) != _vault_rows(vault, old):
            raise VaultUnreadable(hint="A copy of vault.db does not hold what it holds.")
    return target


def _vault_rows(path: Path, key: bytes | None) -> list[tuple[object, ...]]:
    """Everything in a vault; it is small."""
    queries = load_queries("vault")
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        unlock(connection, key)
        if connection.execute("PRAGMA quick_check").fetchall() != [("ok",)]:
            raise VaultUnreadable
        keys = connection.execute(queries["all_keys"]).fetchall()
        notes = connection.execute(queries["all_notes"]).fetchall()
    except apsw.Error as error:
        raise VaultUnreadable(hint=f"{type(error).__name__}; nothing was changed.") from None
    finally:
        connection.close(True)
    return cast("list[tuple[object, ...]]", [*keys, *notes])


def _move(source: Path, target: Path) -> None:
    source.replace(target)
    sync_folder(target.parent)
