"""Locks a store, changes what opens it, and finds the key for a backup."""

from contextlib import suppress
from pathlib import Path

from engram.errors import EncryptionFailed, StoreLocked
from engram.security.keys import (
    Credentials,
    database_key,
    fresh_slot,
    read_slot,
    rewrapped,
    write_slot,
)
from engram.storage.place import Place


def encrypt_store(place: Place, credentials: Credentials) -> list[Path]:
    """Encrypt a plain store; return the plain backups that remain beside it."""
    if place.is_encrypted:
        raise EncryptionFailed(hint="This store is encrypted already; change its key instead.")
    slot, key = fresh_slot(credentials)
    return place.encrypt(key, lambda path: write_slot(path, slot))


def change_credentials(place: Place, old: Credentials, new: Credentials) -> None:
    """Let another passphrase or key open the store and its own backups; the old one does not."""
    slot = read_slot(place.key_slot)
    if slot is None:
        raise EncryptionFailed(hint="This store is not encrypted; `engram keys encrypt` does that.")
    changed = rewrapped(slot, old, new)
    for path in place.backup_slots():
        kept = read_slot(path)
        if kept is not None:
            with suppress(StoreLocked):  # it never opened with the old one either
                write_slot(path, rewrapped(kept, old, new))
    write_slot(place.key_slot, changed)


def backup_key(place: Place, backup: Path, credentials: Credentials) -> bytes | None:
    """The key of a backup; None when it is plain."""
    slot = read_slot(place.slot_of_backup(backup))
    return None if slot is None else database_key(slot, credentials)
