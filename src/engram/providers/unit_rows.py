"""Rows of length one from whatever numbers a model gives."""

import numpy as np
from numpy.typing import NDArray


def unit_rows(rows: NDArray[np.float32] | NDArray[np.float64]) -> NDArray[np.float32]:
    """Each row scaled to length one; a row of zeros becomes one that is near nothing in particular.

    The rows must be finite. The work is done in 64 bits and from the largest component, so that
    neither tiny nor huge numbers are lost on the way.
    """
    wide = rows.astype(np.float64)
    largest = np.max(np.abs(wide), axis=1, keepdims=True, initial=0.0)
    wide = np.where(largest > 0.0, wide, 1.0) / np.where(largest > 0.0, largest, 1.0)
    lengths = np.sqrt(np.sum(wide * wide, axis=1, keepdims=True))
    units: NDArray[np.float32] = (wide / lengths).astype(np.float32)
    return units
