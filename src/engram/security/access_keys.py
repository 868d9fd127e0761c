"""The text of an access key, and how one that is shown is compared with what is kept of it.

A key is written `engram_<id>_<secret><check>`. The id names its row; the secret is 260 random bits;
the check is made from the two, so that a slip in copying is told from a key that nobody knows, and
so that programs that look for leaked secrets find keys of ours without false alarms:
`engram_[0-9a-z]{10}_[0-9a-z]{58}`.

What is kept of a secret is its SHA-256. A slow, salted hash protects what people think of, because
that can be guessed; nobody guesses 260 random bits, whatever a guess costs, and every request pays
for the hash.
"""

import hashlib
import hmac
import re
import secrets
import zlib
from collections.abc import Callable
from dataclasses import dataclass

from engram.errors import InvalidInput
from engram.memory.access import (
    KEY_ID_LENGTH,
    KEY_LETTERS,
    AccessKey,
    Admission,
    IssuedKey,
    KeyId,
    KeyKind,
    KeyState,
)

__all__ = ["AccessKey", "Admission", "IssuedKey", "KeyId", "KeyKind", "KeyState"]

_SECRET_LENGTH = 52  # of five bits each
_CHECK_LENGTH = 6
_LONGEST = 200  # characters looked at; a key has 76
_SHAPE = re.compile(
    rf"engram_([{KEY_LETTERS}]{{{KEY_ID_LENGTH}}})_"
    rf"([{KEY_LETTERS}]{{{_SECRET_LENGTH}}})([{KEY_LETTERS}]{{{_CHECK_LENGTH}}})"
)
# Stands in where there is no such key: nothing has this digest.
_NOBODYS = bytes(hashlib.sha256().digest_size)


@dataclass(frozen=True, slots=True)
class KeyText:
    """The two parts of a key that was shown. Never printed whole."""

    id: KeyId
    secret: str

    def __repr__(self) -> str:
        return f"KeyText(id={self.id!r})"

    @property
    def text(self) -> str:
        """The key as its holder keeps it."""
        return f"engram_{self.id}_{self.secret}{_check(self.id, self.secret)}"

    @property
    def digest(self) -> bytes:
        """What is kept of the secret."""
        return hashlib.sha256(self.secret.encode()).digest()


def fresh_key(random_number: Callable[[int], int] = secrets.randbelow) -> KeyText:
    """A key that nobody has had before."""

    def drawn(length: int) -> str:
        return "".join(KEY_LETTERS[random_number(len(KEY_LETTERS))] for _ in range(length))

    return KeyText(KeyId(drawn(KEY_ID_LENGTH)), drawn(_SECRET_LENGTH))


def read_key(text: str) -> KeyText | None:
    """The parts of a key that was shown; None when it was not written like one, or with a slip."""
    match = _SHAPE.fullmatch(text) if len(text) <= _LONGEST else None
    if match is None or _check(match[1], match[2]) != match[3]:
        return None
    return KeyText(KeyId(match[1]), match[2])


def slip_in(text: str) -> str:
    """What is wrong with the writing of a key, for its holder; empty when it is written well.

    It says nothing that the text alone does not: whether the key is known is another question.
    """
    if len(text) > _LONGEST or _SHAPE.fullmatch(text) is None:
        return "This is not written like a key: engram_, ten characters, _ and 58 more."
    return "" if read_key(text) else "There is a slip in this key: copy it once more."


def is_same(shown: KeyText, kept: bytes | None) -> bool:
    """Whether a key that was shown is the one that is kept.

    An id that nobody has takes the same way as a wrong secret, so that time tells neither.
    """
    is_equal = hmac.compare_digest(shown.digest, kept if kept is not None else _NOBODYS)
    return is_equal and kept is not None


def checked_key_id(value: object) -> KeyId:
    """The id of a key; somebody who hands in the whole key is told so, and it is not repeated."""
    is_id = (
        isinstance(value, str) and len(value) == KEY_ID_LENGTH and not set(value) - set(KEY_LETTERS)
    )
    if not is_id:
        raise InvalidInput(hint="A key is named by its id of ten characters: `engram keys list`.")
    return KeyId(str(value))


def _check(key_id: str, secret: str) -> str:
    number = zlib.crc32(f"{key_id}_{secret}".encode())
    return "".join(KEY_LETTERS[(number >> shift) & 31] for shift in range(0, 5 * _CHECK_LENGTH, 5))
