"""The tokens of a text where no tokenizer is at hand: cut as they cut, looked up as they would.

A tokenizer merges the most frequent pairs first. Here a piece that the vocabulary does not hold
whole falls into the longest beginnings that it does hold, which comes to nearly the same number.
"""

from collections.abc import Callable
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from engram.memory.tokens.families import family_of

if TYPE_CHECKING:
    from engram.memory.tokens.holding import Holds
    from engram.memory.tokens.pieces import Cut

_REMEMBERED = 16_384  # pieces whose cost is not worked out again; words come back all the time
DEFAULT_FAMILY = "cl100k"  # of the two measured families the one that takes more
# How many characters further a longer beginning is looked for once one was not held. Beginnings
# of tokens are mostly tokens themselves; without an end to it, long words would take long.
_PATIENCE, _DENSE_PATIENCE = 4, 2
_DENSE = (0xE3, 0xF0)  # first bytes of kana, Han and Hangul: a character or two are a token
_BROKEN = 5  # bytes; tokens that end within a character are short
_ENDING = 32  # bytes; what is left of a word is looked up at once when it can be a token
_LAST_LATIN = "\u024f"
Cost = Callable[[str], float]


class Estimator:
    """Counts by estimate for one family; the factor of one that is not measured is in it."""

    __slots__ = ("_family", "name")

    def __init__(self, family: str) -> None:
        self._family = family_of(family)
        self.name = self._family.name

    @property
    def is_exact(self) -> bool:
        """Never: no estimate is."""
        return False

    def count(self, text: str) -> int:
        """The tokens that this text would take, to the nearest whole one."""
        if not text:
            return 0
        family = self._family
        cut, cost = ways_of(family.like)
        found = sum(map(cost, cut(text))) * family.factor + family.more_digits(text)
        return max(1, round(found))


def is_latin(piece: str) -> bool:
    """Whether a piece has no letters but Latin ones."""
    return max(piece) <= _LAST_LATIN


def parts(piece: str, is_held: "Holds") -> int:
    """Into how many tokens a piece falls: the longest beginning held, then that of the rest."""
    token = piece.encode("utf-8", "replace")
    if is_held(token):
        return 1
    found = start = 0
    while start < len(token):
        found += 1
        is_end = len(token) - start <= _ENDING and is_held(token[start:])
        start = len(token) if is_end else _longest(token, start, is_held)
    return found


def _longest(token: bytes, start: int, is_held: "Holds") -> int:
    """Where the longest beginning ends that is held, as far as patience goes."""
    is_dense = _DENSE[0] <= token[start] < _DENSE[1]
    full = _DENSE_PATIENCE if is_dense else _PATIENCE
    found, patience = start + 1, full
    for end in range(start + 2, len(token)):
        is_whole = token[end] & 0xC0 != 0x80  # the next byte begins another character
        if not is_whole and (end - start > _BROKEN or (is_dense and found > start + 2)):
            continue
        if is_held(token[start:end]):
            found, patience = end, full
        elif is_whole:
            patience -= 1
            if not patience:
                break
    return found


@cache
def ways_of(family: str) -> "tuple[Cut, Cost]":
    """How a text is cut, and what a piece costs: remembered for the pieces that were met last."""
    # Imported here: who counts nothing compiles no cut and reads no vocabulary.
    from engram.memory.tokens.holding import holder
    from engram.memory.tokens.pieces import cutter
    from engram.memory.tokens.weights import PART

    is_held, (in_latin, in_others) = holder(family), PART[family]

    @lru_cache(maxsize=_REMEMBERED)
    def cost(piece: str) -> float:
        found = parts(piece, is_held)
        if found == 1:
            return 1.0
        return found * (in_latin if is_latin(piece) else in_others)

    return cutter(family), cost


_DEFAULT = Estimator(DEFAULT_FAMILY)


def tokens_in(text: str) -> int:
    """An estimate of what a text takes in a prompt, when it is not known whose it will be."""
    return _DEFAULT.count(text)
