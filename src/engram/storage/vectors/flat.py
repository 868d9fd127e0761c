"""Exact search over all vectors in memory: the yardstick, and the choice for small stores."""

import threading

import numpy as np
from numpy.typing import NDArray

from engram.storage.vectors.contract import (
    Fetch,
    Ids,
    Mask,
    Matrix,
    Neighbours,
    allowed_positions,
    best,
    check_query,
    check_rows,
    nothing,
)
from engram.storage.vectors.rows import GrowingRows

_SHORT = 2_000  # so few are compared exactly at once
_GATHERED_BELOW = 0.2  # a smaller share is picked out before it is compared
_ROUGHNESS = 1e-5  # far more than rounding in single precision can do


class FlatIndex:
    """Vectors in single precision, compared one by one."""

    name = "flat"
    is_sketch = False

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._lock = threading.Lock()
        self._ids = GrowingRows((), np.dtype(np.int64))
        self._vectors = GrowingRows((self._dimension,), np.dtype(np.float32))
        self._seen: tuple[Ids, Matrix] = (self._ids.view, self._vectors.view)

    def add(self, ids: Ids, vectors: Matrix) -> None:
        """Add vectors under ids that are not in use."""
        check_rows(ids, vectors, self._dimension)
        with self._lock:
            self._ids.append(ids)
            self._vectors.append(vectors)
            self._seen = (self._ids.view, self._vectors.view)

    def search(
        self, query: Matrix, k: int, allowed: Mask | None = None, fetch: Fetch | None = None
    ) -> Neighbours:
        """The k nearest of the allowed ones; nothing needs to be fetched."""
        del fetch  # every exact vector is here
        check_query(query, self._dimension)
        ids, vectors = self._seen
        positions = allowed_positions(len(ids), allowed)
        if k < 1 or len(positions) == 0:
            return nothing()
        near = _shortlist(vectors, query, k, positions)
        return best(ids[near], near, cosines(vectors[near], query), k)

    @property
    def ids(self) -> Ids:
        """The ids, in the order of positions."""
        return self._seen[0]

    def __len__(self) -> int:
        return len(self._seen[0])


def _shortlist(
    vectors: Matrix, query: Matrix, k: int, every: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The rows that can be among the k nearest: told by a product that is fast and a little rough.

    Whatever is that near stays in, and is compared exactly afterwards: nothing is lost by it.
    Row by row, since a product with the whole matrix would be spread over all cores, which then
    wait for each other.
    """
    if len(every) <= 2 * k or len(every) <= _SHORT:
        return every
    if len(every) < _GATHERED_BELOW * len(vectors):
        rough = np.vecdot(vectors[every], query)
    else:
        rough = np.vecdot(vectors, query)[every]
    kth = np.partition(rough, len(rough) - k)[len(rough) - k]
    return np.asarray(every[rough >= kth - _ROUGHNESS])


def cosines(vectors: Matrix, query: Matrix) -> NDArray[np.float32]:
    """One dot product per row, each by itself.

    A matrix product adds up in an order that depends on how many rows there are, and so gives the
    same pair of vectors another last digit in another company; this does not.
    """
    found: NDArray[np.float32] = np.einsum("ij,j->i", vectors, query, optimize=False)
    return found
