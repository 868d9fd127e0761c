"""Whether a vocabulary holds some bytes whole, asked of a small table that is nearly always right.

The vocabularies of cl100k and o200k take megabytes; folded, they take about a byte a token
(`scripts/fold_vocabularies.py`). Each token has three cells of one table, and what these add up to
says who holds it. What is no token adds up to anything at all, and so passes for one of a family's
once in some twenty-six times. Few of these get through the second question: a token was merged out
of two shorter ones, so whatever falls into no two tokens of the family is none.
"""

from collections.abc import Callable
from functools import lru_cache
from zlib import crc32

Holds = Callable[[bytes], bool]
VALUES = 52  # what a cell can be; more would be mistaken less often, and take more room
BOTH, CL100K, O200K = 1, 2, 3  # who holds a token, as its cells add up
FIRST_LETTER = 35  # cells are written as the letters from here on, past the quotation mark
SEGMENT = 4_096  # cells; the three of a token lie in neighbouring segments

_HOLDERS = {"cl100k": (BOTH, CL100K), "o200k": (BOTH, O200K)}
_SPREAD = 0x9E3779B97F4A7C15  # the golden ratio in 64 bits: takes close checksums far apart
_ALL = 0xFFFFFFFFFFFFFFFF
_OFFSET = 3 * FIRST_LETTER
_LONGEST = 128  # bytes; no token is longer
_REMEMBERED = 16_384


def places(checksum: int, segments: int) -> tuple[int, int, int]:
    """The three cells of the token with this checksum, in a table of so many segments."""
    spread = checksum * _SPREAD & _ALL
    start = ((spread >> 32) * (segments - 2) >> 32) * SEGMENT
    return (
        start + spread % SEGMENT,
        start + SEGMENT + (spread >> 12) % SEGMENT,
        start + 2 * SEGMENT + (spread >> 24) % SEGMENT,
    )


def holder(family: str) -> Holds:
    """What says of some bytes, at least one, whether this measured family holds them whole."""
    from engram.memory.tokens.vocabularies import CELLS

    cells, starts, holders = CELLS, len(CELLS) // SEGMENT - 2, _HOLDERS[family]

    def is_claimed(token: bytes) -> bool:
        # What `places` does, written out: this is most of what an estimate spends its time on.
        spread = crc32(token) * _SPREAD & _ALL
        start = ((spread >> 32) * starts >> 32) * SEGMENT
        total = (
            cells[start + spread % SEGMENT]
            + cells[start + SEGMENT + (spread >> 12) % SEGMENT]
            + cells[start + 2 * SEGMENT + (spread >> 24) % SEGMENT]
        )
        return (total - _OFFSET) % VALUES in holders

    @lru_cache(maxsize=_REMEMBERED)
    def is_held(token: bytes) -> bool:
        size = len(token)
        if size == 1:
            return True
        if size > _LONGEST or not is_claimed(token):
            return False
        # The end is what was merged on last more often than not, so it is tried first. Both halves
        # are asked of the table before either is looked into: hardly anything wrong passes that.
        for cut in range(size - 1, 0, -1):
            left, right = token[:cut], token[cut:]
            is_likely = (cut == 1 or is_claimed(left)) and (cut == size - 1 or is_claimed(right))
            if is_likely and is_held(left) and is_held(right):
                return True
        return False

    return is_held
