"""From a passphrase or a key to the database's key: one master key, wrapped, in a slot file.

The slot holds a random master key, encrypted under a key made from what the user has. A new
passphrase rewraps the master key; the database itself need not be touched.
"""

import json
import os
import re
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from engram.errors import EncryptionFailed, InvalidInput, StoreLocked

KEY_BYTES = 32
_SALT_BYTES = 16
_NONCE_BYTES = 12
_TAG_BYTES = 16
_PURPOSE = b"engram/key-slot/v1"
_DATABASE = b"engram/database/v1"
_ITERATIONS = 3
_MEMORY_KIBIBYTES = 65_536  # with three iterations about half a second of work per guess


@dataclass(frozen=True, slots=True, repr=False)
class Credentials:
    """What the user can show: a passphrase or a raw key. Never printed."""

    passphrase: str | None = None
    key: bytes | None = None

    @property
    def are_given(self) -> bool:
        """Whether there is anything to unlock with."""
        return self.passphrase is not None or self.key is not None


class KeySlot(TypedDict):
    """The slot file: everything but the secret."""

    version: int
    kind: str
    salt: str
    wrapped: str


def fresh_slot(credentials: Credentials) -> tuple[KeySlot, bytes]:
    """A fresh master key in a slot that these credentials open, and the database's key."""
    return _wrapped(credentials, secrets.token_bytes(KEY_BYTES))


def rewrapped(slot: KeySlot, old: Credentials, new: Credentials) -> KeySlot:
    """The same master key in a slot that other credentials open."""
    return _wrapped(new, _master(slot, old))[0]


def database_key(slot: KeySlot, credentials: Credentials) -> bytes:
    """The key of the database; a wrong passphrase or key is refused."""
    return _expanded(_master(slot, credentials), _DATABASE)


def _wrapped(credentials: Credentials, master: bytes) -> tuple[KeySlot, bytes]:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    if not credentials.are_given:
        raise StoreLocked(hint="Encryption needs a passphrase, a key file or a key.")
    salt, nonce = secrets.token_bytes(_SALT_BYTES), secrets.token_bytes(_NONCE_BYTES)
    kind = "passphrase" if credentials.passphrase is not None else "key"
    sealed = nonce + AESGCM(_wrapping_key(kind, credentials, salt)).encrypt(nonce, master, _PURPOSE)
    slot = KeySlot(version=1, kind=kind, salt=salt.hex(), wrapped=sealed.hex())
    return slot, _expanded(master, _DATABASE)


def _master(slot: KeySlot, credentials: Credentials) -> bytes:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    sealed = bytes.fromhex(slot["wrapped"])
    wrapping = _wrapping_key(slot["kind"], credentials, bytes.fromhex(slot["salt"]))
    try:
        return AESGCM(wrapping).decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], _PURPOSE)
    except InvalidTag:
        raise StoreLocked from None


def _wrapping_key(kind: str, credentials: Credentials, salt: bytes) -> bytes:
    if kind == "passphrase":
        if not credentials.passphrase:
            raise StoreLocked(hint="This store needs its passphrase (ENGRAM_PASSPHRASE).")
        from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

        stretch = Argon2id(
            salt=salt,
            length=KEY_BYTES,
            iterations=_ITERATIONS,
            lanes=1,
            memory_cost=_MEMORY_KIBIBYTES,
        )
        return stretch.derive(credentials.passphrase.encode())
    if credentials.key is None:
        raise StoreLocked(hint="This store needs its key (ENGRAM_KEY_FILE or ENGRAM_KEY).")
    return _expanded(credentials.key, _PURPOSE, salt)


def _expanded(secret: bytes, purpose: bytes, salt: bytes | None = None) -> bytes:
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=salt, info=purpose).derive(secret)


def read_slot(path: Path) -> KeySlot | None:
    """The slot of an encrypted store; None when the store is not encrypted."""
    if not path.exists():
        return None
    try:
        is_file = path.is_file()  # a pipe would keep us waiting for ever
        document = json.loads(path.read_text(encoding="utf-8")) if is_file else None
    except (OSError, ValueError) as error:
        raise EncryptionFailed(hint="keys.json cannot be read; take it from a backup.") from error
    if not isinstance(document, dict):
        raise EncryptionFailed(hint="keys.json is damaged.")
    is_whole = (
        document.get("version") == 1
        and document.get("kind") in ("passphrase", "key")
        and _is_hex(document.get("salt"), _SALT_BYTES)
        and _is_hex(document.get("wrapped"), _NONCE_BYTES + KEY_BYTES + _TAG_BYTES)
    )
    if not is_whole:
        raise EncryptionFailed(hint="keys.json is damaged or of a newer version.")
    return KeySlot(
        version=1, kind=document["kind"], salt=document["salt"], wrapped=document["wrapped"]
    )


def _is_hex(text: object, length: int) -> bool:
    return isinstance(text, str) and re.fullmatch(f"[0-9a-f]{{{2 * length}}}", text) is not None


def write_slot(path: Path, slot: KeySlot) -> None:
    """Put a slot in place in one step, durable."""
    try:
        _write_durably(path, slot)
    except OSError as error:
        raise EncryptionFailed(hint="keys.json cannot be written; nothing changed.") from error


def _write_durably(path: Path, slot: KeySlot) -> None:
    temporary = path.with_name(f".tmp-{secrets.token_hex(8)}.keys.json")
    handle = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(slot, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def parse_key(text: str) -> bytes:
    """A raw key written as 64 hexadecimal digits."""
    try:
        key = bytes.fromhex(text.strip())
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise InvalidInput(
            hint="The key of a store (ENGRAM_KEY, ENGRAM_KEY_FILE) is 64 hexadecimal digits, as "
            "`engram keys generate` makes; the key of a caller, engram_…, is sent by that caller."
        )
    return key


def read_key_file(path: Path) -> bytes:
    """The key in a key file."""
    try:
        return parse_key(path.read_text(encoding="ascii"))
    except (OSError, UnicodeDecodeError) as error:
        raise StoreLocked(hint="The key file cannot be read.") from error
