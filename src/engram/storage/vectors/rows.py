"""Rows that grow at the end without disturbing whoever reads those before."""

from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

_T = TypeVar("_T", bound=np.generic)
_FIRST_CAPACITY = 1_024


class GrowingRows(Generic[_T]):
    """A matrix with room behind its last row; views handed out never change.

    `axis` is the one that grows: 0 for rows side by side, 1 where each column of words lies in one
    piece, which is how sign bits are scanned fastest.
    """

    def __init__(self, shape: tuple[int, ...], dtype: "np.dtype[_T]", *, axis: int = 0) -> None:
        self._axis = axis
        self._shape = shape
        self._buffer: NDArray[_T] = np.empty(self._sized(0), dtype=dtype)
        self._count = 0

    def _sized(self, rows: int) -> tuple[int, ...]:
        return (*self._shape[: self._axis], rows, *self._shape[self._axis :])

    def append(self, rows: NDArray[_T]) -> None:
        """Add rows behind the last."""
        needed = self._count + rows.shape[self._axis]
        capacity = self._buffer.shape[self._axis]
        if needed > capacity:
            # An eighth more: growing stays cheap on average, and little memory lies idle.
            room = max(needed, capacity + capacity // 8, _FIRST_CAPACITY if needed > 64 else needed)
            larger = np.empty(self._sized(room), dtype=self._buffer.dtype)
            larger[self._upto(self._count)] = self.view
            self._buffer = larger
        self._buffer[self._between(self._count, needed)] = rows
        self._count = needed

    def _between(self, start: int, end: int) -> tuple[slice, ...]:
        return (*(slice(None) for _ in range(self._axis)), slice(start, end))

    def _upto(self, end: int) -> tuple[slice, ...]:
        return self._between(0, end)

    @property
    def view(self) -> NDArray[_T]:
        """The rows there are now."""
        return self._buffer[self._upto(self._count)]

    def __len__(self) -> int:
        return self._count
