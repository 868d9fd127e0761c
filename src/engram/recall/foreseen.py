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

FETCHED = 2_000  # vectors: many times what a question takes, since it will lie a little elsewhere
_SURE_OF = 10  # as many as are shown


@dataclass(frozen=True, slots=True)
class Foreseen:
    """The vectors nearest to where the next question is expected, and whose they are."""

    placement: Placement
    rows: NDArray[np.int64]  # the row of each vector
    vectors: Matrix
    likeness: NDArray[np.float64]  # of each to what was expected


def foresee(placement: Placement, derived: VectorReader, expected: Vector) -> Foreseen:
    """Fetch the neighbourhood of an expected question."""
    hood = placement.neighbourhood
    most = min(FETCHED, placement.count)
    found = hood.search(derived, expected, most, placement.allowed)
    positions = np.sort(found.positions)  # ids ascend with them, and vectors come in that order
    ids, vectors = derived.vectors_by_id(hood.space, hood.ids[positions])
    owners = placement.owners[np.searchsorted(hood.ids, ids)]
    known = owners != NOBODY
    likeness = np.vecdot(vectors[known], expected).astype(np.float64)
    return Foreseen(placement, owners[known], vectors[known], likeness)


def nearest_foreseen(foreseen: Foreseen, query: Vector, most: int) -> Nearness | None:
    """The nearest of what was fetched, compared with the real question; None when unsure.

    Sure it is when the best lie well inside of what was fetched, in its nearer half. Where one of
    them lies further out, there may be better ones outside: then the whole store has to be asked.
    """
    if len(foreseen.rows) < most:
        return None
    # Row by row: a product with the whole matrix is spread over cores that wait for each other.
    likeness = np.vecdot(foreseen.vectors, query).astype(np.float64)
    best = np.argsort(-likeness, kind="stable")[:most]
    is_all = len(foreseen.rows) == foreseen.placement.count
    if not is_all and foreseen.likeness[best[:_SURE_OF]].min() < np.median(foreseen.likeness):
        return None
    return nearness_of(foreseen.placement, foreseen.rows[best], likeness[best], query, most)
