"""The form of a sealed record: a key of its own encrypts it, the keys of persons wrap that key.

    magic 4 | kind 1 | count 2 | count key ids of 16 | nonce 12 | wrapped key 48 | nonce 12 | body

The wrapping authenticates everything before it, so that a record cannot be moved under other keys;
the body is authenticated by the record's own key, which exists nowhere else.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

MAGIC = b"\x1aES1"
TEXT, BYTES = 1, 2
KEY_BYTES = 32
ID_BYTES = 16
MOST_KEYS = 65_535
_COUNT_BYTES = 2
_NONCE_BYTES = 12
_TAG_BYTES = 16
_PREFIX = len(MAGIC) + 1 + _COUNT_BYTES
_WRAPPED = KEY_BYTES + _TAG_BYTES
_RECORD = b"engram/record/v1"


@dataclass(frozen=True, slots=True)
class Header:
    """What a sealed record says of itself: its kind and the ids of the keys it needs."""

    kind: int
    ids: tuple[bytes, ...]
    end: int  # where the wrapped key begins


def is_sealed(blob: bytes) -> bool:
    """Whether bytes look like a sealed record."""
    return blob.startswith(MAGIC)


def header_of(blob: bytes) -> Header | None:
    """The header of a record; None when it is none, or is cut short."""
    if not is_sealed(blob) or len(blob) < _PREFIX:
        return None
    kind, count = blob[len(MAGIC)], int.from_bytes(blob[_PREFIX - _COUNT_BYTES : _PREFIX], "big")
    end = _PREFIX + count * ID_BYTES
    if kind not in (TEXT, BYTES) or not count or len(blob) < end:
        return None
    ids = tuple(blob[start : start + ID_BYTES] for start in range(_PREFIX, end, ID_BYTES))
    return Header(kind, ids, end)


def wrapping_cipher(keys: Sequence[bytes]) -> "AESGCM":
    """The cipher that only all of these keys together make; they come in the order of their ids."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    purpose = b"engram/wrapping/v1/%d" % len(keys)
    made = HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=purpose)
    return AESGCM(made.derive(b"".join(keys)))


def sealed(content: bytes, kind: int, ids: Sequence[bytes], wrapping: "AESGCM") -> bytes:
    """A new record under a fresh key."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    key, nonce = secrets.token_bytes(KEY_BYTES), secrets.token_bytes(_NONCE_BYTES)
    head = _head(kind, ids)
    body = nonce + AESGCM(key).encrypt(nonce, content, _body_purpose(kind))
    return head + _wrapped(key, head, wrapping) + body


def unsealed(blob: bytes, header: Header, wrapping: "AESGCM") -> bytes | None:
    """What a record holds; None when it was altered or made under other keys."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    key = _record_key(blob, header, wrapping)
    start = header.end + _NONCE_BYTES + _WRAPPED
    nonce, body = blob[start : start + _NONCE_BYTES], blob[start + _NONCE_BYTES :]
    if key is None or len(body) < _TAG_BYTES:
        return None
    try:
        return AESGCM(key).decrypt(nonce, body, _body_purpose(header.kind))
    except InvalidTag:
        return None


def rewrapped(
    blob: bytes, header: Header, old: "AESGCM", ids: Sequence[bytes], wrapping: "AESGCM"
) -> bytes | None:
    """The same record under other keys of persons; its own key and its body stay."""
    key = _record_key(blob, header, old)
    if key is None:
        return None
    head = _head(header.kind, ids)
    body = blob[header.end + _NONCE_BYTES + _WRAPPED :]
    return head + _wrapped(key, head, wrapping) + body


def _record_key(blob: bytes, header: Header, wrapping: "AESGCM") -> bytes | None:
    from cryptography.exceptions import InvalidTag

    middle = header.end + _NONCE_BYTES
    nonce, wrapped = blob[header.end : middle], blob[middle : middle + _WRAPPED]
    if len(wrapped) < _WRAPPED:
        return None
    try:
        return wrapping.decrypt(nonce, wrapped, blob[: header.end])
    except InvalidTag:
        return None


def _wrapped(key: bytes, head: bytes, wrapping: "AESGCM") -> bytes:
    nonce = secrets.token_bytes(_NONCE_BYTES)
    return nonce + wrapping.encrypt(nonce, key, head)


def _head(kind: int, ids: Sequence[bytes]) -> bytes:
    return MAGIC + bytes((kind,)) + len(ids).to_bytes(_COUNT_BYTES, "big") + b"".join(ids)


def _body_purpose(kind: int) -> bytes:
    return _RECORD + bytes((kind,))
