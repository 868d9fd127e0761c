"""The memories around the next question, fetched before it is asked, and put in order by it then.

What was fetched is of use only while the store, its vectors and what the caller may see are the
very same: it belongs to one placement, which any change replaces by another.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engram.recall.meaning import Matrix, Nearness, Placement, Vector, nearness_of
from engram.recall.wordings import NOBODY
from engram.storage.vectors.reader import VectorReader

FETCHED = 1_000  # four times what a question takes: it will not lie exactly where it was expected


@dataclass(frozen=True, slots=True)
class Foreseen:
    """The vectors nearest to where the next question is expected, and whose they are."""

    placement: Placement
    rows: NDArray[np.int64]  # the row of each vector
    vectors: Matrix


def foresee(placement: Placement, derived: VectorReader, expected: Vector) -> Foreseen:
    """Fetch the neighbourhood of an expected question."""
    most = min(FETCHED, placement.count)
    hood = placement.neighbourhood
    found = hood.search(derived, expected, most, placement.allowed)
    positions = np.sort(found.positions)  # ids ascend with them, and vectors come in that order
    ids, vectors = derived.vectors_by_id(hood.space, hood.ids[positions])
    owners = placement.owners[np.searchsorted(hood.ids, ids)]
    known = owners != NOBODY
    return Foreseen(placement, owners[known], vectors[known])


def nearest_foreseen(foreseen: Foreseen, query: Vector, most: int) -> Nearness:
    """The nearest of what was fetched, compared with the real question."""
    likeness = np.asarray(foreseen.vectors @ query, dtype=np.float64)
    best = np.argsort(-likeness, kind="stable")[:most]
    return nearness_of(foreseen.placement, foreseen.rows[best], likeness[best], query, most)
