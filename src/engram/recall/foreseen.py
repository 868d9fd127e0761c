"""The memories around the next question, fetched before it is asked, and put in order by it then.

What was fetched is of use only while the store, its vectors and what the caller may see are the
very same: it belongs to one placement, which any change replaces by another.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engram.recall.meaning import Matrix, Nearness, Placement, Vector, nearness_of
from engram.recall.result import StageTrace
from engram.recall.wordings import NOBODY
from engram.storage.vectors.reader import VectorReader

FETCHED = 2_000  # vectors: many times what a question takes, since it will lie a little elsewhere
FORESEEN = "foreseen"  # what a trace says of a question that was answered out of it
_SURE_OF = 10  # as many as are shown
_MOST_OUTSIDE = 0.5  # sooner none than one
_TINY = 1e-9


@dataclass(frozen=True, slots=True)
class Foreseen:
    """The vectors nearest to where the next question is expected, and whose they are."""

    placement: Placement
    rows: NDArray[np.int64]  # the row of each vector
    vectors: Matrix
    edge: float  # how like what was expected is the least like of them,
    sampled: NDArray[np.float64]  # and how like it are those of the placement's sample


def foresee(placement: Placement, derived: VectorReader, expected: Vector) -> Foreseen:
    """Fetch the neighbourhood of an expected question."""
    hood = placement.neighbourhood
    most = min(FETCHED, placement.count)
    found = hood.search(derived, expected, most, placement.allowed)
    positions = np.sort(found.positions)  # ids ascend with them, and vectors come in that order
    ids, vectors = derived.vectors_by_id(hood.space, hood.ids[positions])
    owners = placement.owners[np.searchsorted(hood.ids, ids)]
    known = owners != NOBODY
    return Foreseen(
        placement,
        owners[known],
        vectors[known],
        float(found.similarities.min(initial=1.0)),
        _likeness(placement.sample, expected),
    )


def nearest_foreseen(foreseen: Foreseen, query: Vector, most: int) -> Nearness | None:
    """The nearest of what was fetched, compared with the real question; None when unsure.

    Sure it is when what was not fetched hardly holds anything nearer than the tenth that was.
    Otherwise the whole store has to be asked.
    """
    if len(foreseen.rows) < most:
        return None
    likeness = _likeness(foreseen.vectors, query)
    best = np.argsort(-likeness, kind="stable")[:most]
    tenth = float(likeness[best[:_SURE_OF][-1]])
    if better_outside(foreseen, query, tenth) > _MOST_OUTSIDE:
        return None
    return nearness_of(foreseen.placement, foreseen.rows[best], likeness[best], query, most)


def is_served(trace: Iterable[StageTrace]) -> bool:
    """Whether a question was answered out of what was fetched for it."""
    return any(stage.name == "meaning" and FORESEEN in stage.detail for stage in trace)


def better_outside(foreseen: Foreseen, query: Vector, least: float) -> float:
    """How many vectors that were not fetched are probably more like a question than this.

    No bound by angles helps among hundreds of dimensions: it lets everything be near. So it is
    a guess by the placement's sample. It tells how likeness to the question goes with likeness
    to what was expected, and how far it scatters around that; what lies outside is less like what
    was expected than all that was fetched, and is taken to scatter in the same way.
    """
    placement, expected = foreseen.placement, foreseen.sampled
    if len(foreseen.rows) >= placement.count:
        return 0.0
    asked = _likeness(placement.sample, query)
    slope = float(np.cov(expected, asked)[0, 1] / max(float(expected.var(ddof=1)), _TINY))
    usual = asked.mean() + slope * (expected - expected.mean())
    scatter = max(float((asked - usual).std()), _TINY)
    beyond = (least - usual[expected < foreseen.edge]) / scatter
    chances = sum(math.erfc(each / math.sqrt(2)) / 2 for each in beyond.tolist())
    return chances * placement.count / len(expected)


def _likeness(vectors: Matrix, query: Vector) -> NDArray[np.float64]:
    # Row by row: a product with the whole matrix is spread over cores that wait for each other.
    return np.asarray(np.vecdot(vectors, query), dtype=np.float64)
