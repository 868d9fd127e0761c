"""Other orders than the fitted one: ranks fused, variety preferred, a reader asked.

Fusing gives scores, variety gives places, a reader gives scores of its own. The default is none
of them: on the evaluation data the fitted order is the best there is.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
RRF_CONSTANT = 60
MMR_BALANCE = 0.7  # how much relevance counts against being unlike what is shown already


class Reranker(Protocol):
    """Reads a question and texts side by side."""

    def score(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """How well each text answers the question, the higher the better."""
        ...


def fuse_ranks(rankings: Sequence[Floats], weights: Sequence[float]) -> Floats:
    """Weighted reciprocal rank fusion; what every ranking puts first scores 1.

    A ranking gives a value per candidate, the higher the better; 0 and below means that it did
    not find the candidate. Every candidate keeps exactly one place.
    """
    if not rankings:
        return np.empty(0)
    total = np.zeros(len(rankings[0]))
    best = 0.0
    for values, weight in zip(rankings, weights, strict=True):
        found = np.flatnonzero(values > 0)
        ranks = np.argsort(np.argsort(-values[found], kind="stable"), kind="stable")
        total[found] += weight / (RRF_CONSTANT + 1 + ranks)
        best += weight / (RRF_CONSTANT + 1) if len(found) else 0.0
    return total / best if best else total


def diverse_order(
    relevance: Floats, likeness: Floats, most: int, balance: float = MMR_BALANCE
) -> list[int]:
    """Maximal marginal relevance: each next one is relevant and unlike those before it."""
    left = list(range(len(relevance)))
    scaled = relevance / max(float(relevance.max(initial=0.0)), 1e-9)
    order: list[int] = []
    closest = np.zeros(len(relevance))
    while left and len(order) < most:
        values = balance * scaled[left] - (1 - balance) * closest[left]
        chosen = left.pop(int(np.argmax(values)))
        order.append(chosen)
        closest = np.maximum(closest, likeness[chosen])
    return order + left


def likeness(vectors: Sequence[NDArray[np.float32] | None]) -> Floats:
    """How alike each two are; those without a vector are like nobody."""
    size = len(vectors)
    known = [place for place, vector in enumerate(vectors) if vector is not None]
    table = np.zeros((size, size))
    if known:
        matrix = np.stack([vectors[place] for place in known])  # type: ignore[misc]  # known ones
        table[np.ix_(known, known)] = np.maximum(matrix @ matrix.T, 0.0)
    return table
