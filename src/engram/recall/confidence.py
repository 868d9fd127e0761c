"""Whether the memories hold an answer at all: several figures, one calibrated probability.

No single score can tell: the best of many wrong memories looks much like the best of a few right
ones. What tells most is whether the person asked about said it, or only somebody else did.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engram.recall.signals import SPEAKER, Candidates

Floats = NDArray[np.float64]
CONFIDENT = 0.6
UNKNOWN_BELOW = 0.25
_MOST_TERMS = 10
_LONG_QUESTION = 40
_PER_AVERAGED = 30
_SCALE = 5.0  # brings weighed sums to the size of the other figures


@dataclass(frozen=True, slots=True)
class Scored:
    """Candidates with their signals and the weighed sum of those."""

    found: Candidates
    signals: Floats
    sums: Floats
    relevance: Floats  # from 0 to 1, by the way of ranking that is in force
    order: NDArray[np.int64]  # places among the candidates, best first
    answer: float = 0.0  # the probability that there is an answer among them


def answer_figures(scored: Scored, weights: Floats, question: str) -> dict[str, float]:
    """What tells whether an answer is there; every figure is about 0 to 1."""
    found, order = scored.found, scored.order
    coverage, similarity = found.text.coverage, found.similarity
    terms = len(found.matches.terms) + len(found.matches.missing)
    best, tenth = order[0], order[min(9, len(order) - 1)]
    nearest = np.sort(similarity)[-_some(len(order), 10) :]
    first = order[: _some(len(order), 5)]
    sums_gap, near_gap = _other_person(scored, weights)
    return {
        "speaker gap": sums_gap / _SCALE,
        "speaker nearness gap": near_gap,
        "one person named": float(len(found.plan.speakers) == 1),
        "best coverage": float(coverage.max()),
        "coverage of the first": float(coverage[best]),
        "coverage of the first five": float(coverage[first].mean()),
        "nearest": float(nearest[-1]),
        "nearest ten": float(nearest.mean()),
        "unknown terms": len(found.matches.missing) / max(terms, 1),
        "lead": float(scored.sums[best] - scored.sums[tenth]) / _SCALE,
        "terms": min(terms, _MOST_TERMS) / _MOST_TERMS,
        "length": min(len(question.split()), _LONG_QUESTION) / _LONG_QUESTION,
    }


def _some(count: int, most: int) -> int:
    """How many of the best to average: few where there are few, so that small stores count too."""
    return max(1, min(most, count // _PER_AVERAGED))


def _other_person(scored: Scored, weights: Floats) -> tuple[float, float]:
    """How much better the person named matches than everybody else, their name aside."""
    found = scored.found
    if len(found.plan.speakers) != 1:
        return 0.0, 0.0
    theirs = scored.signals[:, SPEAKER] > 0
    if theirs.all() or not theirs.any():
        return 0.0, 0.0
    plain = scored.sums - scored.signals[:, SPEAKER] * weights[SPEAKER]
    near = found.similarity
    return (
        float(plain[theirs].max() - plain[~theirs].max()),
        float(near[theirs].max() - near[~theirs].max()),
    )


def assessment(probability: float, *, has_hits: bool) -> str:
    """The probability in one word."""
    if not has_hits or probability < UNKNOWN_BELOW:
        return "unknown"
    return "confident" if probability >= CONFIDENT else "uncertain"
