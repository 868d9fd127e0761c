"""Fits what a part of a piece is worth, so that the sums come out right.

The table lets some beginnings pass that are no tokens, and the longest beginning is not always the
one that a tokenizer makes. Words in Latin letters, which are held in large numbers, are mistaken
in another way than what is spelled out letter by letter, so each of the two has its own factor.
"""

from benchmarks.tokens.sample import fitted
from engram.memory.tokens.estimate import is_latin, parts
from engram.memory.tokens.holding import holder
from engram.memory.tokens.pieces import cutter
from engram.providers.tokenizers import ExactCounter


def fit(family: str) -> tuple[float, float]:
    """What a part is worth in Latin letters, and in all others."""
    found = [piece for text in fitted() for piece in cutter(family)(text)]
    latin = [piece for piece in found if is_latin(piece)]
    others = [piece for piece in found if not is_latin(piece)]
    return _worth(latin, family), _worth(others, family)


def _worth(pieces: list[str], family: str) -> float:
    """What is left of the true sum for the parts, once all that is taken for whole has its one."""
    exact, is_held = ExactCounter(family), holder(family)
    counts = [parts(piece, is_held) for piece in pieces]
    whole = counts.count(1)
    return round((sum(map(exact.count, pieces)) - whole) / (sum(counts) - whole), 3)
