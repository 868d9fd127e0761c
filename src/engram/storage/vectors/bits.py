"""Search by sign bits: one bit per dimension in memory, the few that come near compared exactly.

A vector of 384 numbers takes 48 bytes here. Signs say most when every dimension counts alike and
lies around zero, so vectors are first moved by their mean and turned. Then come three sieves, each
finer and over fewer rows: how many signs differ (all rows), how the question's own numbers fall on
those signs (a few thousand), and the exact vectors (a few hundred, fetched from where they are).
"""

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engram.errors import VectorRefused
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
from engram.storage.vectors.flat import cosines
from engram.storage.vectors.rows import GrowingRows

Words = NDArray[np.uint64]
Distances = NDArray[np.uint16]

_CHUNK = 32_768  # rows: what is worked on at once fits a core's own cache
_THREADS = 2
_GATHERED_BELOW = 0.2  # with fewer allowed than this share, theirs are picked out first
_RESCORED = 700  # measured: 0.991 of the ten nearest of 100,000, and 0.989 with 500
_RESCORED_PER_HIT = 2
_SIGNS_THAT_TELL = 384
_LARGEST_TURN = 128  # dimensions turned together: enough to even them out, and quick
_TURNED_AT_ONCE = 16
_ROWS_FOR_A_MEAN = 1_000
_SIEVED_PER_RESCORED = 6  # measured: less loses neighbours on clustered vectors, more only time


class _Seen(NamedTuple):
    ids: Ids
    words: Words  # one row per word of 64 signs, one column per vector


class _Question(NamedTuple):
    words: Words  # its signs
    numbers: Matrix  # moved and turned, as the vectors behind the signs were


class SignBitIndex:
    """The signs of vectors; exact vectors come from whoever keeps them."""

    name = "bits"
    is_sketch = True

    def __init__(self, dimension: int, fetch: Fetch | None = None) -> None:
        self._dimension = dimension
        self._fetch = fetch
        self._lock = threading.Lock()
        self._mean: Matrix = np.zeros(dimension, dtype=np.float32)
        width = (dimension + 63) // 64
        self._ids = GrowingRows((), np.dtype(np.int64))
        self._words = GrowingRows((width,), np.dtype(np.uint64), axis=1)
        self._seen = _Seen(self._ids.view, self._words.view)

    def add(self, ids: Ids, vectors: Matrix) -> None:
        """Keep the signs of vectors under ids that are not in use."""
        check_rows(ids, vectors, self._dimension)
        with self._lock:
            if not len(self._ids) and len(ids) >= _ROWS_FOR_A_MEAN:
                self._mean = vectors.mean(axis=0, dtype=np.float64).astype(np.float32)
            self._ids.append(ids)
            self._words.append(sign_words(turned(vectors - self._mean)))
            self._seen = _Seen(self._ids.view, self._words.view)

    def search(
        self, query: Matrix, k: int, allowed: Mask | None = None, fetch: Fetch | None = None
    ) -> Neighbours:
        """The k nearest of the allowed ones, by their exact vectors."""
        check_query(query, self._dimension)
        read = fetch or self._fetch
        if read is None:
            raise VectorRefused(hint="Sign bits alone cannot be compared exactly: give `fetch`.")
        seen = self._seen
        # Few dimensions are few signs, which tell less: more has to be compared exactly.
        wanted = max(_RESCORED, _RESCORED_PER_HIT * k) * max(1, _SIGNS_THAT_TELL // len(query))
        positions = allowed_positions(len(seen.ids), allowed)
        if k < 1 or len(positions) == 0:
            return nothing()
        if len(positions) > wanted:
            numbers = turned((query - self._mean)[np.newaxis, :])
            question = _Question(sign_words(numbers)[:, 0], numbers[0])
            positions = _sieved(seen, question, positions, allowed, wanted)
        return _rescored(seen.ids, positions, query, k, read)

    @property
    def ids(self) -> Ids:
        """The ids, in the order of positions."""
        return self._seen.ids

    def __len__(self) -> int:
        return len(self._seen.ids)


def sign_words(vectors: Matrix) -> Words:
    """The signs of vectors, 64 to a word, one row per word."""
    count, dimension = vectors.shape
    width = (dimension + 63) // 64
    packed = np.zeros((count, width * 8), dtype=np.uint8)
    packed[:, : (dimension + 7) // 8] = np.packbits(vectors > 0, axis=1)
    return np.ascontiguousarray(packed.view("<u8").astype(np.uint64).T)


@lru_cache(maxsize=4)
def _turns(dimension: int) -> list[tuple[NDArray[np.intp], Matrix]]:
    """Dimensions that are turned together, and how: the same in every process."""
    chance = np.random.default_rng(dimension)
    blocks = np.array_split(chance.permutation(dimension), -(-dimension // _LARGEST_TURN))
    return [
        (block, np.linalg.qr(chance.standard_normal((len(block), len(block))))[0].astype("f4"))
        for block in blocks
    ]


def turned(vectors: Matrix) -> Matrix:
    """Vectors turned at random, which keeps all angles and evens out their dimensions."""
    turns = _turns(vectors.shape[1])
    return np.concatenate([_product(vectors[:, block], turn) for block, turn in turns], 1)


def _product(rows: Matrix, turn: Matrix) -> Matrix:
    """A few rows at a time: so small a product stays in this thread.

    A large one is spread over all cores, which wait for each other and take twice the time when
    anything else is at work.
    """
    whole = len(rows) // _TURNED_AT_ONCE * _TURNED_AT_ONCE
    stacked = rows[:whole].reshape(-1, _TURNED_AT_ONCE, rows.shape[1])
    return np.concatenate(
        [np.matmul(stacked, turn).reshape(rows[:whole].shape), rows[whole:] @ turn]
    )


def _sieved(
    seen: _Seen,
    question: _Question,
    positions: NDArray[np.int64],
    allowed: Mask | None,
    wanted: int,
) -> NDArray[np.int64]:
    """The allowed positions whose signs come nearest to the question."""
    words = question.words
    coarse = wanted * _SIEVED_PER_RESCORED
    if len(positions) < _GATHERED_BELOW * len(seen.ids):
        gathered = np.ascontiguousarray(seen.words[:, positions])
        near = _nearest(gathered, words, None, coarse, seen.ids[positions])
        near = positions[near]
    else:
        count = len(seen.ids) if allowed is None else min(len(allowed), len(seen.ids))
        mask = None if allowed is None else allowed[:count]
        near = _nearest(seen.words[:, :count], words, mask, coarse, seen.ids[:count])
    return _finer(seen, question.numbers, near, wanted)


def _nearest(
    words: Words, query: Words, mask: Mask | None, wanted: int, ids: Ids
) -> NDArray[np.int64]:
    """Positions of about as many rows as wanted that differ in the fewest signs."""
    count = words.shape[1]
    far = np.uint16(len(words) * 64 + 1)
    distances = np.empty(count, dtype=np.uint16)

    def scan(start: int) -> NDArray[np.intp]:
        end = min(start + _CHUNK, count)
        part = distances[start:end]
        differing_signs(words[:, start:end], query, part)
        if mask is not None:
            part[~mask[start:end]] = far
        return np.bincount(part, minlength=int(far) + 1)

    histogram = np.sum(_over_chunks(scan, count), axis=0)
    limit = int(np.searchsorted(np.cumsum(histogram), min(wanted, int(histogram[:-1].sum()))))
    near = np.flatnonzero(distances <= min(limit, int(far) - 1))
    if len(near) > 2 * wanted:  # many rows with the very same signs: the ids decide
        order = np.lexsort((ids[near], distances[near]))[: 2 * wanted]
        near = np.sort(near[order])
    return near


def differing_signs(words: Words, query: Words, into: Distances) -> None:
    """In how many signs each column differs from the question."""
    into[:] = np.bitwise_count(words[0] ^ query[0])
    for row, word in zip(words[1:], query[1:], strict=True):
        into += np.bitwise_count(row ^ word)


def _over_chunks(scan: Callable[[int], NDArray[np.intp]], count: int) -> list[NDArray[np.intp]]:
    starts = range(0, count, _CHUNK)
    if len(starts) < 2 * _THREADS:
        return [scan(start) for start in starts]
    # NumPy lets go of the interpreter while it counts, so threads help.
    return list(_pool().map(scan, starts))


_POOLS: dict[int, ThreadPoolExecutor] = {}


def _pool() -> ThreadPoolExecutor:
    """This process's threads; a forked child makes its own, since threads do not cross a fork."""
    mine = os.getpid()
    if mine not in _POOLS:
        _POOLS.clear()
        _POOLS[mine] = ThreadPoolExecutor(_THREADS, thread_name_prefix="engram-bits")
    return _POOLS[mine]


def _finer(
    seen: _Seen, query: Matrix, positions: NDArray[np.int64], wanted: int
) -> NDArray[np.int64]:
    """Of these, the ones on whose signs the question's own numbers fall best."""
    if len(positions) <= wanted:
        return positions
    packed = np.ascontiguousarray(seen.words[:, positions].T).astype("<u8").view(np.uint8)
    signs = np.unpackbits(packed, axis=1, count=len(query)).astype(np.float32)
    fit = cosines(signs, query)
    order = np.lexsort((seen.ids[positions], -fit))[:wanted]
    return np.sort(positions[order])


def _rescored(
    ids: Ids, positions: NDArray[np.int64], query: Matrix, k: int, fetch: Fetch
) -> Neighbours:
    """Compare exactly; what is no longer kept is left out."""
    ordered = positions[np.argsort(ids[positions], kind="stable")]
    found, vectors = fetch(ids[ordered])
    kept = ordered[np.isin(ids[ordered], found)]
    return best(found, kept, cosines(vectors, query), k)
