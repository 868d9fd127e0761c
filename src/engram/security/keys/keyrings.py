"""A key in the keyring of the operating system, by the optional package `keyring`."""

import secrets
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from engram.errors import InvalidInput, KeyringUnavailable, StoreLocked
from engram.security.keys.credentials import KEY_BYTES, Credentials, Kind, parse_key
from engram.security.keys.slot_file import read_slot

_SERVICE = "engram"


def key_from_keyring(entry: str) -> Credentials:
    """The key that the keyring holds under a name."""
    found = _asked(entry)
    if found is None:
        raise StoreLocked(
            hint="The keyring has no entry of the name in ENGRAM_KEYRING; "
            "`engram keys generate --keyring NAME` makes one. Nothing was changed."
        )
    try:
        return Credentials(key=parse_key(found), source=Kind.KEYRING)
    except InvalidInput:
        raise StoreLocked(hint="What the keyring holds under that name is no key.") from None


def key_named_in(slots: Iterable[Path]) -> Credentials:
    """The key of a store that names its own entry in the keyring; nothing where none does."""
    for path in slots:
        slot = read_slot(path)
        for wrapping in slot["wrappings"] if slot else ():
            if entry := wrapping.get("entry"):
                return key_from_keyring(entry)
    return Credentials()


def is_in_keyring(path: Path) -> bool:
    """Whether the store of a slot finds its key in the keyring by itself."""
    slot = read_slot(path)
    return slot is not None and any(each.get("entry") for each in slot["wrappings"])


def put_key_into_keyring(entry: str) -> Credentials:
    """Put a fresh key into the keyring and see that it is kept; one that is there stays."""
    keyring = _package()
    if _asked(entry) is None:
        try:
            keyring.set_password(_SERVICE, entry, secrets.token_hex(KEY_BYTES))
        except keyring.errors.KeyringError as error:
            # The message of a foreign package may hold anything.
            raise KeyringUnavailable(
                hint=f"The keyring refused the key ({type(error).__name__})."
            ) from None
    return key_from_keyring(entry)


def _asked(entry: str) -> str | None:
    keyring = _package()
    try:
        found: str | None = keyring.get_password(_SERVICE, entry)
    except keyring.errors.KeyringError as error:
        raise KeyringUnavailable(
            hint=f"The keyring did not answer ({type(error).__name__})."
        ) from None
    return found


def _package() -> ModuleType:
    try:
        import keyring
        import keyring.errors
    except ImportError:
        raise KeyringUnavailable(hint="Install it: pip install 'engram-memory[keyring]'.") from None
    return keyring
