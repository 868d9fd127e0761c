"""How surprising a statement is, and what that does to its importance."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

NEIGHBOURS = 5
MOST_CHANGE = 0.3  # what surprise may add to or take from the importance
_HALF_WAY = 0.35  # the mean distance that is neither surprising nor expected
_STEEPNESS = 10.0
_REDUNDANT_FROM = 0.92  # similarity of the nearest from which nothing is added to what is known
_EMPTY_STORE_CHANGE = 0.15  # everything is unheard of at first; that alone says little


@dataclass(frozen=True, slots=True)
class Surprise:
    """From 0, known well, to 1, unheard of; what it does to importance; whether it repeats."""

    score: float
    importance_change: float
    is_redundant: bool


def surprise(similarities: Sequence[float]) -> Surprise:
    """The surprise of a statement with these cosine similarities to what is stored.

    Only the five nearest count. What is not a number counts as unlike.
    """
    nearest = sorted((_checked(each) for each in similarities), reverse=True)[:NEIGHBOURS]
    if not nearest:
        return Surprise(1.0, _EMPTY_STORE_CHANGE, is_redundant=False)
    distance = 1.0 - sum(nearest) / len(nearest)
    score = 1.0 / (1.0 + math.exp(-_STEEPNESS * (distance - _HALF_WAY)))
    change = (score - 0.5) * 2 * MOST_CHANGE
    return Surprise(score, change, is_redundant=nearest[0] >= _REDUNDANT_FROM)


def _checked(similarity: float) -> float:
    return min(1.0, max(-1.0, similarity)) if math.isfinite(similarity) else 0.0
