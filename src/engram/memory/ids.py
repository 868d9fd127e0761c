"""Identities: ids that sort by time and are never reused, and short labels for people."""

import re
from collections.abc import Callable
from typing import NewType

from engram.errors import InvalidInput

MemoryId = NewType("MemoryId", str)
ChangeId = NewType("ChangeId", str)

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's: no i, l, o, u to misread
_PAIRS = [first + second for first in _ALPHABET for second in _ALPHABET]
_LABEL = re.compile(r"mem-([0-9]{1,18})")
_RANDOM_BITS = 80
_LONGEST_ID = 200


def encode_id(milliseconds: int, randomness: int) -> str:
    """26 characters: 48 bits of time, then 80 random bits; text order is time order."""
    value = (milliseconds << _RANDOM_BITS) | randomness
    return "".join([_PAIRS[(value >> shift) & 1023] for shift in range(120, -1, -10)])


class IdMint:
    """Makes ids that always grow, also within one millisecond and when the clock steps back."""

    def __init__(self, random_bits: Callable[[int], int]) -> None:
        self._random_bits = random_bits
        self._last_milliseconds = 0
        self._last_randomness = 0

    def mint(self, milliseconds: int) -> str:
        """A fresh id. Call it under a lock when several threads share one mint."""
        if milliseconds > self._last_milliseconds:
            self._last_milliseconds = milliseconds
            self._last_randomness = self._random_bits(_RANDOM_BITS - 1)
        else:
            self._last_randomness += 1 + self._random_bits(32)
        return encode_id(self._last_milliseconds, self._last_randomness)

    def salt(self, length: int) -> bytes:
        """So many random bytes, from where the ids have their randomness."""
        return self._random_bits(8 * length).to_bytes(length, "big")


def checked_id(value: object) -> str:
    """An id or label that can be looked for; whether it exists is another question."""
    if not isinstance(value, str) or len(value) > _LONGEST_ID or not value.isprintable():
        raise InvalidInput(
            hint="An id is a short text such as mem-0001 or the long id of a memory."
        )
    return value


def label_of(number: int) -> str:
    """The short name of a store's n-th memory: mem-0001."""
    return f"mem-{number:04d}"


def number_of(label: str) -> int | None:
    """The number in a label, or None when the text is no label."""
    match = _LABEL.fullmatch(label)
    return int(match[1]) if match else None
