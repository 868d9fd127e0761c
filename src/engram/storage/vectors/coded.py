"""Vectors in 8, 4 or 2 bits a number: turned, rounded, packed; read back at length one.

A vector is turned first, by a fixed turn that spreads every number over all of them: whatever the
embedder, they then lie around zero like normally distributed ones, and one set of levels fits. The
turn is a Hartley transform between two rows of signs, which is its own inverse, works for any
dimension, and depends on nothing but this file: codes must still be readable after an update of
NumPy, whose random numbers and factorisations promise no such thing.

No scale is stored. A scale is chosen for each vector when it is rounded, and since all vectors are
of length one, reading gives that length back.
"""

import hashlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engram.errors import VectorRefused

Matrix = NDArray[np.float32]
Codes = NDArray[np.uint8]

_SIGNS = b"engram vectors, turned: 1"  # another text would make every stored code unreadable
_PEAK = 127  # the largest number of a vector in eight bits; -128 is not used
_TELLING_BYTES = 4  # so many equal bytes are no vector but an overwritten row
_NO_LENGTH = np.float32(1e-12)  # a damaged row stays as it is, instead of becoming no number
_AT_ONCE = 512  # rows: what is worked on stays in a core's own cache
# Where a normal distribution is best cut, and what the pieces are read as (Lloyd, Max), for the
# positive half; the other half mirrors it.
_LEVELS = {
    2: (0.45278, 1.51042),
    4: (0.12839, 0.38805, 0.65676, 0.94236, 1.25622, 1.61807, 2.06913, 2.73277),
}
# The cosine of a vector with what is read of its code, on average: as the levels promise for a
# normal distribution, and as measured on vectors of text to three digits.
FIDELITY = {8: 1.0, 4: 0.9952, 2: 0.9394}


def coded_bytes(bits: int, dimension: int) -> int:
    """How long the code of a vector is; the last byte is filled up with zeros."""
    return -(-bits * dimension // 8)


def coded(vectors: Matrix, bits: int) -> list[bytes]:
    """Each row, which is of length one, in so many bits a number."""
    turned = _turned(vectors)
    rows = _rounded_eight(turned) if bits == 8 else _packed(_rounded(turned, bits), bits)
    return [row.tobytes() for row in rows]


def decoded(codes: Sequence[bytes], bits: int, dimension: int) -> Matrix:
    """The vectors that codes stand for, of length one; refused where one has another length."""
    size = coded_bytes(bits, dimension)
    if set(map(len, codes)) - {size}:
        raise VectorRefused(hint="A stored vector does not fit its space: run `engram doctor`.")
    packed = np.frombuffer(b"".join(codes), dtype=np.uint8).reshape(len(codes), size)
    found = np.empty((len(codes), dimension), dtype=np.float32)
    for start in range(0, len(codes), _AT_ONCE):
        found[start : start + _AT_ONCE] = _read(packed[start : start + _AT_ONCE], bits, dimension)
    return found


def _read(packed: Codes, bits: int, dimension: int) -> Matrix:
    numbers = np.take(_read_as(bits), packed, axis=0).reshape(len(packed), -1)[:, :dimension]
    rows = _turned_back(numbers)
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows, optimize=False))
    rows /= np.maximum(lengths, _NO_LENGTH)[:, np.newaxis]
    return rows


def are_codes_sound(code: bytes, bits: int, dimension: int) -> bool:
    """Whether these bytes can have been written here: their number, their end, their peak."""
    if len(code) != coded_bytes(bits, dimension):
        return False
    if len(code) >= _TELLING_BYTES and code.count(code[:1]) == len(code):
        return False
    if bits == 8:
        numbers = np.frombuffer(code, dtype=np.int8).astype(np.int16)
        return int(np.abs(numbers).max()) == _PEAK
    unused = 8 * len(code) - bits * dimension
    return code[-1] & ((1 << unused) - 1) == 0


def _rounded_eight(turned: Matrix) -> NDArray[np.int8]:
    peaks = np.abs(turned).max(axis=1, keepdims=True)
    return np.asarray(np.rint(turned * (_PEAK / peaks)), dtype=np.int8)


def _rounded(turned: Matrix, bits: int) -> Codes:
    """The nearest level of each number, its row being scaled to a mean square of one."""
    levels = _levels(bits)
    limits = (levels[1:] + levels[:-1]) / 2
    mean_square = np.einsum("ij,ij->i", turned, turned, optimize=False) / turned.shape[1]
    scaled = turned / np.sqrt(mean_square)[:, np.newaxis]
    return np.asarray(np.searchsorted(limits, scaled), dtype=np.uint8)


def _packed(codes: Codes, bits: int) -> Codes:
    """Several codes to a byte, the first in its highest bits."""
    in_a_byte = 8 // bits
    missing = -codes.shape[1] % in_a_byte
    padded = np.pad(codes, ((0, 0), (0, missing))).reshape(len(codes), -1, in_a_byte)
    shifts = np.arange(8 - bits, -1, -bits, dtype=np.uint8)
    return np.asarray(np.bitwise_or.reduce(padded << shifts, axis=2))


def _levels(bits: int) -> Matrix:
    half = np.array(_LEVELS[bits], dtype=np.float32)
    return np.concatenate([-half[::-1], half])


@lru_cache(maxsize=3)
def _read_as(bits: int) -> Matrix:
    """What each of the 256 bytes is read as: as many numbers as are packed in one."""
    every = np.arange(256, dtype=np.uint8)
    if bits == 8:
        return every.view(np.int8).astype(np.float32)[:, np.newaxis]
    shifts = np.arange(8 - bits, -1, -bits, dtype=np.uint8)
    return np.asarray(_levels(bits)[(every[:, np.newaxis] >> shifts) & ((1 << bits) - 1)])


@lru_cache(maxsize=4)
def _signs(dimension: int) -> tuple[Matrix, Matrix]:
    """Two rows of signs, the same for ever."""
    drawn = hashlib.shake_256(_SIGNS).digest(2 * -(-dimension // 8))
    bits = np.unpackbits(np.frombuffer(drawn, dtype=np.uint8).reshape(2, -1), axis=1)
    before, after = bits[:, :dimension].astype(np.float32) * 2 - 1
    return before, after


def _turned(vectors: Matrix) -> Matrix:
    before, after = _signs(vectors.shape[1])
    rows = _hartley(vectors * before)
    rows *= after
    return rows


def _turned_back(vectors: Matrix) -> Matrix:
    before, after = _signs(vectors.shape[1])
    rows = _hartley(vectors * after)
    rows *= before
    return rows


def _hartley(rows: Matrix) -> Matrix:
    """Rows turned by a Hartley transform, which keeps all lengths and undoes itself."""
    dimension = rows.shape[1]
    waves = np.fft.rfft(rows, axis=1)
    real, imaginary = waves.real, waves.imag
    rest = dimension - real.shape[1]
    found = np.empty((len(rows), dimension), dtype=np.float32)
    found[:, : real.shape[1]] = real - imaginary
    found[:, real.shape[1] :] = (real + imaginary)[:, rest:0:-1]
    found *= np.float32(dimension**-0.5)
    return found
