"""How near the meaning of rows is to a question, by the vectors of their wordings."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engram.recall.selection import Selection
from engram.recall.wordings import NOBODY
from engram.storage.vectors.loaded import Neighbourhood
from engram.storage.vectors.reader import VectorReader

Floats = NDArray[np.float64]
Vector = NDArray[np.float32]
Matrix = NDArray[np.float32]
LEAST_SIMILARITY = 0.05  # below this, nearness of meaning is chance
LEAST_AT_ALL = 0.23  # the least that is shown, when nothing nearer is there
LEAST_ALONE = 0.27  # and without any shared word it takes more to be worth showing
_SAMPLE = 512
_KEPT = 8
_LOWEST = 2.7  # deviations below the mean: where the farthest of some hundred rows lies


@dataclass(frozen=True, slots=True)
class Nearness:
    """The nearest rows and how near they are; what is usual tells how much that means."""

    rows: NDArray[np.int64]  # ascending
    similarities: Floats
    mean: float
    deviation: float
    lowest: float
    embedded: int  # how many of the selected wordings have a vector
    waits: NDArray[np.bool_] | None = None  # by row, which have none yet; None: all have one

    def of(self, rows: NDArray[np.int64], like: Floats) -> Floats:
        """The similarity of some rows; what was not among the nearest counts as the lowest.

        A row that waits for its vector is taken to be as near as its words (`like`, from 0 to 1)
        lead to expect, from the usual up to the nearest: waiting must not be held against it.
        """
        found = np.full(len(rows), self.lowest)
        if len(self.rows):
            places = np.minimum(np.searchsorted(self.rows, rows), len(self.rows) - 1)
            hit = self.rows[places] == rows
            found[hit] = self.similarities[places[hit]]
        waiting = self.waiting(rows)
        if waiting.any():
            highest = max(float(self.similarities.max(initial=self.mean)), self.mean)
            found[waiting] = self.mean + like[waiting] * (highest - self.mean)
        return found

    def waiting(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of some rows have no vector yet."""
        return np.zeros(len(rows), dtype=np.bool_) if self.waits is None else self.waits[rows]


@dataclass(frozen=True, slots=True)
class Placement:
    """Where the vectors of a neighbourhood lie in a selection; the same for every question."""

    selection: Selection
    neighbourhood: Neighbourhood
    owners: NDArray[np.int64]  # the row of each vector, or NOBODY
    allowed: NDArray[np.bool_] | None  # None: all of them
    count: int
    embedded: int  # how many rows have a vector,
    waits: NDArray[np.bool_] | None  # and by row, which do not; None: all of them have one
    sample: Matrix  # some vectors at even distances, to see what is usual
    sampled: NDArray[np.int64]  # their ids


class Placements:
    """The last few placements, so that the next question of the same caller need not make one."""

    def __init__(self) -> None:
        self._kept: tuple[Placement, ...] = ()

    def of(
        self, selection: Selection, neighbourhood: Neighbourhood, derived: VectorReader
    ) -> Placement:
        """Where a selection's vectors lie."""
        for kept in self._kept:
            if kept.selection is selection and kept.neighbourhood is neighbourhood:
                return kept
        made = place(selection, neighbourhood, derived, self._kept)
        self._kept = (made, *self._kept[: _KEPT - 1])
        return made


def place(
    selection: Selection,
    neighbourhood: Neighbourhood,
    derived: VectorReader,
    earlier: Sequence[Placement] = (),
) -> Placement:
    """Find the row of each vector, and take a sample of those that have one.

    One memory more moves few of the sample: the vectors that an earlier placement has are taken
    from there, since a vector never changes under its id but for its bits.
    """
    owners = selection.row_of_vectors(neighbourhood.numbers, neighbourhood.versions)
    allowed = owners != NOBODY
    count = int(np.count_nonzero(allowed))
    is_embedded = np.zeros(len(selection.wordings) + 1, dtype=np.bool_)
    is_embedded[owners] = True
    is_embedded[NOBODY] = False
    waits = selection.mask & ~is_embedded[: len(selection.mask)]
    positions = np.flatnonzero(allowed)
    taken = positions[:: max(1, count // _SAMPLE)]
    sampled, sample = _sample(neighbourhood, neighbourhood.ids[taken], derived, earlier)
    return Placement(
        selection,
        neighbourhood,
        owners,
        None if count == len(allowed) else allowed,
        count,
        int(np.count_nonzero(is_embedded)),
        waits if waits.any() else None,
        sample,
        sampled,
    )


def _sample(
    neighbourhood: Neighbourhood,
    ids: NDArray[np.int64],
    derived: VectorReader,
    earlier: Sequence[Placement],
) -> tuple[NDArray[np.int64], Matrix]:
    """The vectors of these ids in order of id; only what no earlier placement has is read."""
    space = neighbourhood.space
    known = next((each for each in earlier if each.neighbourhood.space.space == space.space), None)
    if known is None or not len(known.sampled):
        return derived.vectors_by_id(space, ids)
    has = np.isin(ids, known.sampled)
    if np.count_nonzero(has) < len(ids) // 2:
        return derived.vectors_by_id(space, ids)
    read_ids, read = derived.vectors_by_id(space, ids[~has])
    kept = np.isin(known.sampled, ids)
    every = np.concatenate([known.sampled[kept], read_ids])
    order = np.argsort(every, kind="stable")
    return every[order], np.concatenate([known.sample[kept], read])[order]


def nearest(
    placement: Placement, derived: VectorReader, query: Vector, *, most: int | None
) -> Nearness:
    """The nearest selected rows: all of them, or at most so many of a large selection."""
    count = placement.count
    if not count:
        none = np.empty(0, dtype=np.int64)
        return Nearness(none, np.empty(0), 0.0, 1.0, 0.0, 0)
    found = placement.neighbourhood.search(
        derived, query, min(most or count, count), placement.allowed
    )
    return nearness_of(
        placement, placement.owners[found.positions], found.similarities, query, most
    )


def compared_too(
    nearness: Nearness,
    placement: Placement,
    derived: VectorReader,
    query: Vector,
    rows: NDArray[np.int64],
) -> Nearness:
    """The nearest rows, and beside them how near some are that were found by something else."""
    is_wanted = np.zeros(len(placement.selection.mask) + 1, dtype=np.bool_)  # the last: NOBODY
    is_wanted[rows] = True
    allowed = is_wanted[placement.owners]
    count = int(np.count_nonzero(allowed))
    if not count:
        return nearness
    found = placement.neighbourhood.search(derived, query, count, allowed)
    owners = np.concatenate([nearness.rows, placement.owners[found.positions]])
    every, where = np.unique(owners, return_inverse=True)
    similarities = np.full(len(every), -1.0)
    np.maximum.at(similarities, where, np.concatenate([nearness.similarities, found.similarities]))
    return replace(nearness, rows=every, similarities=similarities)


def nearness_of(
    placement: Placement,
    owners: NDArray[np.int64],
    likeness: NDArray[np.floating],
    query: Vector,
    most: int | None,
) -> Nearness:
    """What some vectors' likeness says about the rows they belong to, the best of each row."""
    rows, where = np.unique(owners, return_inverse=True)
    similarities = np.full(len(rows), -1.0)
    np.maximum.at(similarities, where, likeness)
    if most is None or placement.count <= most:
        usual, lowest = similarities, min(float(similarities.min()), 0.0)
    else:
        usual = np.asarray(placement.sample @ query, dtype=np.float64)
        lowest = float(usual.mean() - _LOWEST * usual.std())
    deviation = max(float(usual.std()), 1e-6)
    return Nearness(
        rows, similarities, float(usual.mean()), deviation, lowest, placement.embedded,
        placement.waits,
    )  # fmt: skip
