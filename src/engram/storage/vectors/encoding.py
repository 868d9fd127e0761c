"""Vectors as bytes: little-endian, in half or single precision, of unit length."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engram.errors import VectorRefused
from engram.storage.vectors.contract import are_of_unit_length

_TYPES = {"f16": "<f2", "f32": "<f4"}
_SIZES = {"f16": 2, "f32": 4}


def bytes_per_vector(precision: str, dimension: int) -> int:
    """How long the stored form of a vector is."""
    return _SIZES[precision] * dimension


def stored_vectors(matrix: NDArray[np.float32], precision: str) -> list[bytes]:
    """Each row as it is stored."""
    kept = np.ascontiguousarray(matrix, dtype=_TYPES[precision])
    return [row.tobytes() for row in kept]


def read_vectors(blobs: Sequence[bytes], precision: str, dimension: int) -> NDArray[np.float32]:
    """Stored vectors as rows of a matrix; one that does not fit cannot be compared.

    No `StoreCorrupt`: what is derived can be made anew, and recall does without until it is.
    """
    size = bytes_per_vector(precision, dimension)
    if set(map(len, blobs)) - {size}:
        raise VectorRefused(hint="A stored vector does not fit its space: run `engram doctor`.")
    return _numbers(b"".join(blobs), precision).reshape(len(blobs), dimension)


def are_sound(blob: bytes, precision: str, dimension: int) -> bool:
    """Whether a stored vector has the right number of bytes, and is finite and of length one."""
    if len(blob) != bytes_per_vector(precision, dimension):
        return False
    row = _numbers(blob, precision)[np.newaxis, :]
    return bool(np.isfinite(row).all() and are_of_unit_length(row).all())


def _numbers(stored: bytes, precision: str) -> NDArray[np.float32]:
    if precision == "f16":
        return np.frombuffer(stored, dtype=np.dtype("<f2")).astype(np.float32)
    return np.frombuffer(stored, dtype=np.dtype("<f4")).astype(np.float32)
