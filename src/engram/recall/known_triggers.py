"""The vectors of what skills compare situations with: embedded once, and not at every turn."""

from collections import OrderedDict
from collections.abc import Iterable
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from engram.storage.per_process import PerProcess

Vector = NDArray[np.float32]
MOST = 2_048  # vectors of 384 numbers: 3 MB
# The embedder, the skill and a digest of the text, so that a skill that is revised is another. A
# vector shared by all skills of the same words would tell by its speed that others have one.
_Key = tuple[str, int, bytes]


class KnownTriggers:
    """A bounded table of vectors; it holds no text. Safe to use from any number of threads."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: PerProcess[OrderedDict[_Key, Vector]] = PerProcess(OrderedDict)

    def find(self, embedder: str, compared: Iterable[tuple[int, str]]) -> dict[str, Vector]:
        """The vectors of those texts of skills that are known, by text."""
        found: dict[str, Vector] = {}
        with self._kept.held() as kept:
            for number, text in compared:
                key = _key(embedder, number, text)
                if key in kept:
                    kept.move_to_end(key)
                    found[text] = kept[key]
        return found

    def keep(self, embedder: str, number: int, text: str, vector: Vector) -> None:
        """Keep a vector; the one that nobody has asked for longest gives way."""
        with self._kept.held() as kept:
            kept[_key(embedder, number, text)] = vector.copy()  # a row would hold its table
            while len(kept) > self._most:
                kept.popitem(last=False)

    def clear(self) -> None:
        """Let go of all: another database lies there now."""
        with self._kept.held() as kept:
            kept.clear()

    def __len__(self) -> int:
        with self._kept.held() as kept:
            return len(kept)


def _key(embedder: str, number: int, text: str) -> _Key:
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return embedder, number, digest
