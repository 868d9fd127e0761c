"""Locks and unlocks a store, changes what opens it, and renews the keys its files are under."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from engram.errors import EncryptionFailed, InvalidInput, LastWayIn, StoreInUse, StoreLocked
from engram.security.keys import (
    Credentials,
    KeySlot,
    StoreUse,
    fresh_name,
    made_slot,
    make_recovery_key,
    opened_by,
    read_slot,
    rewrapped,
    store_keys,
    with_fresh_master,
    with_next_versions,
    with_wrapping,
    without_wrapping,
    write_slot,
)
from engram.storage.alone import working_alone
from engram.storage.place import KEYS_LOCK, Place, StoreKeys


@dataclass(frozen=True, slots=True)
class WayIn:
    """One thing that opens a store; what it is, never what it is worth."""

    id: str
    kind: str


@dataclass(frozen=True, slots=True)
class Renewal:
    """What became of keys that were renewed."""

    what: str
    records: int = 0  # rewrapped under fresh keys of persons
    lost: tuple[str, ...] = ()  # kinds of ways in that open the store no longer: add them again


class Renewable(StrEnum):
    """The keys that can be replaced by fresh ones."""

    MASTER = "master"
    DATABASE = "database"
    VAULT = "vault"
    SUBJECTS = "subjects"


def encrypt_store(place: Place, credentials: Credentials, *, entry: str = "") -> list[Path]:
    """Encrypt a plain store; return the plain backups that remain beside it."""
    if place.is_encrypted:
        raise EncryptionFailed(hint="This store is encrypted already; change its key instead.")
    slot, keys = made_slot(credentials, entry=entry)
    place.rekey(keys, lambda path: write_slot(path, slot))
    return place.plain_copies()


def decrypt_store(place: Place) -> None:
    """Turn an encrypted store into a plain one; its own backups stay as they are."""
    _slot(place)
    place.rekey(StoreKeys(), None)


def change_credentials(
    place: Place, old: Credentials, new: Credentials, *, entry: str = ""
) -> None:
    """Let another passphrase or key open the store and its own backups; the old one does not."""
    name = fresh_name()
    _change(place, lambda slot: rewrapped(slot, old, new, entry=entry, name=name))


def add_credentials(
    place: Place, shown: Credentials, added: Credentials, *, entry: str = ""
) -> None:
    """Let something else open the store and its own backups as well."""
    name = fresh_name()
    _change(place, lambda slot: with_wrapping(slot, shown, added, entry=entry, name=name))


def remove_credentials(place: Place, shown: Credentials, removed: str) -> None:
    """Let one way in no longer open the store or its own backups."""
    slot = _slot(place)
    changed = without_wrapping(slot, shown, removed)
    kept = {each["id"] for each in changed["wrappings"]}
    gone = next(each["id"] for each in slot["wrappings"] if each["id"] not in kept)
    _change(place, lambda each: without_wrapping(each, shown, gone))


def add_recovery_key(place: Place, shown: Credentials) -> str:
    """A recovery key that opens the store from now on, to be shown once; an older one does not."""
    text, recovery = make_recovery_key()
    add_credentials(place, shown, recovery)
    return text


def ways_in(path: Path) -> list[WayIn]:
    """What opens the store of a slot; nothing where it is plain."""
    slot = read_slot(path)
    return [WayIn(each["id"], each["kind"]) for each in slot["wrappings"]] if slot else []


def renew_keys(
    place: Place, shown: Credentials, what: Renewable, *, drop_old: bool = False
) -> Renewal:
    """Replace keys by fresh ones, and bring what they lock under them."""
    if what is Renewable.SUBJECTS:
        return Renewal(what, records=place.renew_people(drop_old=drop_old))
    slot = _slot(place)
    if what is Renewable.MASTER:
        changed, keys = with_fresh_master(slot, shown)
    else:
        changed, keys = with_next_versions(slot, shown, [StoreUse(what)])
    place.rekey(keys, lambda path: write_slot(path, changed))
    lost = opened_by(slot)
    for kind in opened_by(changed):
        lost.remove(kind)
    return Renewal(what, lost=tuple(lost))


def backup_keys(place: Place, backup: Path, credentials: Credentials) -> StoreKeys:
    """The keys of a backup; none when it is plain."""
    slot = read_slot(place.slot_of_backup(backup))
    return StoreKeys() if slot is None else store_keys(slot, credentials)


def _change(place: Place, changed: Callable[[KeySlot], KeySlot]) -> None:
    """Write another slot for the store and for each of its own backups."""
    with working_alone(place.root, KEYS_LOCK) as is_alone:
        if not is_alone:
            raise StoreInUse(hint="Another process changes what opens this store just now.")
        slot = changed(_slot(place))
        for path in place.backup_slots():
            kept = read_slot(path)
            if kept is not None:
                # It never opened with what was shown either, or never had that way in.
                with suppress(StoreLocked, InvalidInput, LastWayIn):
                    write_slot(path, changed(kept))
        write_slot(place.key_slot, slot)


def _slot(place: Place) -> KeySlot:
    slot = read_slot(place.key_slot)
    if slot is None:
        raise EncryptionFailed(hint="This store is not encrypted; `engram keys encrypt` does that.")
    return slot
