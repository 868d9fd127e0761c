"""What every index of vectors promises, and the checks that all of them share."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engram.errors import VectorRefused

Ids = NDArray[np.int64]
Matrix = NDArray[np.float32]
Mask = NDArray[np.bool_]
# Exact vectors by id, for an index that keeps only sketches: those that are there, and their rows.
Fetch = Callable[[Ids], tuple[Ids, Matrix]]
_LENGTH_MARGIN = 0.02  # of the squared length; half precision moves it by a thousandth at most
_LONGEST_SQUARED = 1.15  # of two bits a number, which are made longer: see encoding.comparable


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The nearest vectors, best first; equally near ones by id."""

    ids: Ids
    positions: NDArray[np.int64]  # in the index's `ids`
    similarities: Matrix  # exact cosines, as far as the bits go that are kept

    def __len__(self) -> int:
        return len(self.ids)


class VectorIndex(Protocol):
    """Vectors by id, of one dimension and unit length, those of few bits a little longer.

    Safe to use from any number of threads.

    Rows are only ever added behind those that are there. None is taken out: where some have gone
    from the database, an index is made anew of those that are left.
    """

    name: str
    is_sketch: bool  # whether it compares by vectors that are fetched, and holds none itself

    def add(self, ids: Ids, vectors: Matrix) -> None:
        """Add vectors under ids that are not in use."""
        ...

    def search(
        self, query: Matrix, k: int, allowed: Mask | None = None, fetch: Fetch | None = None
    ) -> Neighbours:
        """The k nearest of the allowed ones.

        `allowed` is parallel to `ids`; one that is shorter covers the first rows, so that vectors
        added meanwhile do not disturb. The filter comes before the cut: with few allowed, the
        nearest among those few are found.
        """
        ...

    @property
    def ids(self) -> Ids:
        """The ids, in the order of positions."""
        ...

    def __len__(self) -> int: ...


def check_rows(ids: Ids, vectors: Matrix, dimension: int) -> None:
    """Refuse vectors that would spoil every later search."""
    if vectors.ndim != 2 or vectors.shape != (len(ids), dimension):
        raise VectorRefused(hint=f"This index holds vectors of {dimension} numbers.")
    if not np.isfinite(vectors).all():
        raise VectorRefused(hint="A vector holds a number that is not finite.")
    if not _are_about_of_unit_length(vectors):
        raise VectorRefused(hint="A vector is not of length one: run `engram doctor`.")


def are_of_unit_length(vectors: Matrix) -> Mask:
    """Which rows are: a longer one would seem nearer to every question than it is."""
    return np.asarray(np.abs(_squared_lengths(vectors) - 1.0) < _LENGTH_MARGIN)


def _are_about_of_unit_length(vectors: Matrix) -> bool:
    squared = _squared_lengths(vectors)
    return bool(((squared > 1.0 - _LENGTH_MARGIN) & (squared < _LONGEST_SQUARED)).all())


def _squared_lengths(vectors: Matrix) -> Matrix:
    return np.asarray(np.einsum("ij,ij->i", vectors, vectors, optimize=False))


def check_query(query: Matrix, dimension: int) -> None:
    """Refuse a question that cannot be compared."""
    if query.shape != (dimension,):
        raise VectorRefused(hint=f"This index holds vectors of {dimension} numbers.")
    if not np.isfinite(query).all():
        raise VectorRefused(hint="The question's vector holds a number that is not finite.")


def allowed_positions(count: int, allowed: Mask | None) -> NDArray[np.int64]:
    """The positions to look at, of so many; without a mask all of them."""
    return np.arange(count) if allowed is None else np.flatnonzero(allowed[:count])


def best(ids: Ids, positions: NDArray[np.int64], similarities: Matrix, k: int) -> Neighbours:
    """The k best of scored rows: nearest first, equally near ones by id."""
    if len(ids) > k:
        # Everything as near as the k-th stays in: which of them is kept is for the ids to say.
        kth = np.partition(similarities, len(similarities) - k)[len(similarities) - k]
        near = np.flatnonzero(similarities >= kth)
        ids, positions, similarities = ids[near], positions[near], similarities[near]
    order = np.lexsort((ids, -similarities))[:k]
    return Neighbours(ids[order], positions[order], similarities[order])


def nothing() -> Neighbours:
    """No neighbours at all."""
    none = np.empty(0, dtype=np.int64)
    return Neighbours(none, none, np.empty(0, dtype=np.float32))
