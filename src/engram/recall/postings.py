"""Which rows hold a token, and how often: an inverted index that grows by blocks."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int64]
_ROW_BITS = np.uint64(32)
_ROW_MASK = np.uint64(0xFFFF_FFFF)
_MOST_COUNTED = 65_535


class Found(NamedTuple):
    """The rows that hold a token in ascending order, and how often each does."""

    rows: Rows
    counts: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Block:
    """The postings of a range of rows: token and row in one number, sorted."""

    keys: NDArray[np.uint64]
    counts: NDArray[np.uint16]

    def find(self, token: int) -> tuple[Rows, NDArray[np.uint16]]:
        low = np.uint64(token) << _ROW_BITS
        start, end = np.searchsorted(self.keys, (low, low | _ROW_MASK), side="left")
        if end < len(self.keys) and self.keys[end] == low | _ROW_MASK:
            end += 1
        # Rows take 32 bits, so they are the same as numbers with a sign: nothing is copied.
        return (self.keys[start:end] & _ROW_MASK).view(np.int64), self.counts[start:end]


class Postings:
    """Rows by token. Rows are added behind those that are there; readers are never disturbed."""

    def __init__(self) -> None:
        self._blocks: tuple[_Block, ...] = ()

    def add(self, tokens: NDArray[np.uint32], rows: Rows) -> None:
        """Note which row each token stands in; all rows lie behind those of earlier calls."""
        if not len(tokens):
            return
        keys = (tokens.astype(np.uint64) << _ROW_BITS) | rows.astype(np.uint64)
        found, counts = np.unique(keys, return_counts=True)
        block = _Block(found, np.minimum(counts, _MOST_COUNTED).astype(np.uint16))
        self._blocks = _merged([*self._blocks, block])

    def find(self, token: int) -> Found:
        """The rows that hold a token."""
        parts = [block.find(token) for block in self._blocks]
        if not parts:
            return Found(np.empty(0, np.int64), np.empty(0, np.float32))
        if len(parts) == 1:
            (rows, counts), *_ = parts
            return Found(rows, counts.astype(np.float32))
        rows = np.concatenate([rows for rows, _ in parts])
        return Found(rows, np.concatenate([counts for _, counts in parts], dtype=np.float32))


def _merged(blocks: list[_Block]) -> tuple[_Block, ...]:
    """Blocks of like size become one, so that there are never more than a few."""
    while len(blocks) > 1 and len(blocks[-2].keys) < 2 * len(blocks[-1].keys):
        second, first = blocks.pop(), blocks.pop()
        keys = np.concatenate([first.keys, second.keys])
        order = np.argsort(keys, kind="stable")
        counts = np.concatenate([first.counts, second.counts])
        blocks.append(_Block(keys[order], counts[order]))
    return tuple(blocks)
