"""Vectors as bytes: little-endian, in half or single precision, of unit length."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engram.errors import StoreCorrupt

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
    """Stored vectors as rows of a matrix; one of another length is damage."""
    size = bytes_per_vector(precision, dimension)
    if set(map(len, blobs)) - {size}:
        raise StoreCorrupt(hint="A stored vector has the wrong length: run `engram doctor`.")
    return _numbers(b"".join(blobs), precision).reshape(len(blobs), dimension)


def are_sound(blob: bytes, precision: str, dimension: int) -> bool:
    """Whether a stored vector has the right length and finite numbers that are not all zero."""
    if len(blob) != bytes_per_vector(precision, dimension):
        return False
    values = _numbers(blob, precision)
    return bool(np.isfinite(values).all() and np.any(values))


def _numbers(stored: bytes, precision: str) -> NDArray[np.float32]:
    if precision == "f16":
        return np.frombuffer(stored, dtype=np.dtype("<f2")).astype(np.float32)
    return np.frombuffer(stored, dtype=np.dtype("<f4")).astype(np.float32)
