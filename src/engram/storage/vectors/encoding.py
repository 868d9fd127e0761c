"""Vectors as bytes: little-endian, in half or single precision, or as codes of a few bits.

A row says itself in how many bits it is (its column `bits`; none: as its space stores). The length
of the bytes would tell it only as long as the dimension is known: 768 bytes are 384 numbers in half
precision or 768 in eight bits, and a damaged note of the dimension is mended by these lengths.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engram.errors import VectorRefused
from engram.storage.vectors.contract import are_of_unit_length

Matrix = NDArray[np.float32]
_TYPES = {"f16": "<f2", "f32": "<f4"}
_SIZES = {"f16": 2, "f32": 4}


def bytes_per_vector(precision: str, dimension: int) -> int:
    """How long the stored form of a vector is that is not coded."""
    return _SIZES[precision] * dimension


def stored_vectors(matrix: Matrix, precision: str) -> list[bytes]:
    """Each row as it is stored."""
    kept = np.ascontiguousarray(matrix, dtype=_TYPES[precision])
    return [row.tobytes() for row in kept]


def read_vectors(
    blobs: Sequence[bytes], bits: Sequence[int | None], precision: str, dimension: int
) -> Matrix:
    """Stored vectors as rows of length one; one that does not fit cannot be compared.

    No `StoreCorrupt`: what is derived can be made anew, and recall does without until it is.
    """
    kinds = set(bits)
    if kinds <= {None}:
        return _plain(blobs, precision, dimension)
    matrix = np.empty((len(blobs), dimension), dtype=np.float32)
    for kind in kinds:
        places = [place for place, each in enumerate(bits) if each == kind]
        some = [blobs[place] for place in places]
        matrix[places] = _plain(some, precision, dimension) if kind is None else (
            _coded(some, kind, dimension)
        )  # fmt: skip
    return matrix


def comparable(matrix: Matrix, bits: Sequence[int | None]) -> Matrix:
    """Rows as questions are compared with: those of few bits a little longer than one.

    Rounding turns a vector away from every question alike, by its fidelity on average. Made longer
    by as much, it is as near to a question as the vector it was made of, give or take; otherwise
    what has faded would always lose against what has not, and fall below floors that it reaches.
    """
    if set(bits) <= {None}:
        return matrix
    from engram.storage.vectors.coded import FIDELITY

    lengths = [1.0 if each is None else 1.0 / FIDELITY[each] for each in bits]
    return matrix * np.array(lengths, dtype=np.float32)[:, np.newaxis]


def are_sound(blob: bytes, bits: int | None, precision: str, dimension: int) -> bool:
    """Whether a stored vector has the right number of bytes, and is finite and of length one."""
    if bits is not None:
        from engram.storage.vectors.coded import FIDELITY, are_codes_sound

        return bits in FIDELITY and are_codes_sound(blob, bits, dimension)
    if len(blob) != bytes_per_vector(precision, dimension):
        return False
    row = _numbers(blob, precision)[np.newaxis, :]
    return bool(np.isfinite(row).all() and are_of_unit_length(row).all())


def _plain(blobs: Sequence[bytes], precision: str, dimension: int) -> Matrix:
    size = bytes_per_vector(precision, dimension)
    if set(map(len, blobs)) - {size}:
        raise VectorRefused(hint="A stored vector does not fit its space: run `engram doctor`.")
    return _numbers(b"".join(blobs), precision).reshape(len(blobs), dimension)


def _coded(blobs: Sequence[bytes], bits: int, dimension: int) -> Matrix:
    # Imported here: most stores have no codes, and start without knowing how to read any.
    from engram.storage.vectors.coded import FIDELITY, decoded

    if bits not in FIDELITY:
        raise VectorRefused(hint="A vector is in bits that nobody reads: run `engram doctor`.")
    return decoded(blobs, bits, dimension)


def _numbers(stored: bytes, precision: str) -> Matrix:
    if precision == "f16":
        return np.frombuffer(stored, dtype=np.dtype("<f2")).astype(np.float32)
    return np.frombuffer(stored, dtype=np.dtype("<f4")).astype(np.float32)
