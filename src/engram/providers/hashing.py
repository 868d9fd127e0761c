"""An embedder without a model: texts that share words are near. Instant, and always the same."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from engram.errors import EmbedderUnavailable
from engram.language.lexicon import COMMON_WORDS
from engram.providers.embedder import shortened, well_formed

if TYPE_CHECKING:
    from engram.providers.embedder import Vectors

_MOST_CHARACTERS = 16_384
_PREPARATION = 1  # part of the identity: raise it when the features change
_WORD = re.compile(r"\w+")
_WORD_WEIGHT = 1.0
# Trigrams make `walks` and `walked` near; all those of a word together weigh less than the word.
_TRIGRAM_WEIGHT = 0.3
_FUNCTION_WORD_SHARE = 0.1  # they say little, but a text may hold nothing else


class HashingEmbedder:
    """Adds up signed hashes of words and of their character trigrams."""

    def __init__(self, *, dimension: int = 384) -> None:
        self._dimension = dimension
        self._is_closed = False

    @property
    def identity(self) -> str:
        """The dimension and the version of the features."""
        return f"hashing:{self._dimension}:p{_PREPARATION}"

    @property
    def dimension(self) -> int:
        """As asked for."""
        return self._dimension

    @property
    def is_loaded(self) -> bool:
        """There is nothing to load."""
        return not self._is_closed

    @property
    def is_prompt(self) -> bool:
        """Always: it only counts words."""
        return True

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row per text."""
        import numpy as np

        from engram.providers.unit_rows import unit_rows

        if self._is_closed:
            raise EmbedderUnavailable(hint="It has been closed.")
        rows = np.zeros((len(texts), self._dimension), dtype=np.float64)
        for row, text in zip(rows, texts, strict=True):
            for feature, weight in _features(well_formed(shortened(text, _MOST_CHARACTERS))):
                place, sign = _place(feature, self._dimension)
                row[place] += sign * weight
        return unit_rows(rows)

    def warm(self) -> None:
        """There is nothing to load."""

    def close(self) -> None:
        """Refuse to embed from now on, as the others do."""
        self._is_closed = True


def _features(text: str) -> Iterator[tuple[str, float]]:
    for word in _WORD.findall(text.casefold()):
        share = _FUNCTION_WORD_SHARE if word in COMMON_WORDS else 1.0
        yield f"w{word}", _WORD_WEIGHT * share
        trigrams = _trigrams(word)
        for trigram in trigrams:
            yield f"t{trigram}", _TRIGRAM_WEIGHT * share


def _trigrams(word: str) -> list[str]:
    padded = f"^{word}$"
    return [padded[start : start + 3] for start in range(len(padded) - 2)]


@lru_cache(maxsize=65_536)
def _place(feature: str, dimension: int) -> tuple[int, int]:
    """Where a feature is added, and whether as plus or minus, so that collisions cancel out."""
    number = int.from_bytes(hashlib.blake2b(feature.encode(), digest_size=8).digest(), "big")
    return (number >> 1) % dimension, 1 if number & 1 else -1
