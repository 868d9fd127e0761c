"""Fits what each feature costs by least squares, first piece by piece, then in their sums.

A tokenizer looks up piece by piece, so a piece's exact count says most about its features. Sums of
whole stretches set right what pieces alone cannot show: where a family cuts a little differently.
No weight falls below zero.
"""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.tokens.sample import fitted
from engram.memory.tokens.estimate import whole_words
from engram.memory.tokens.pieces import SCRIPTS, features, pieces
from engram.providers.tokenizers import ExactCounter

Floats = NDArray[np.float64]
_STRETCH = 150  # characters
_PIECE_RIDGE, _STRETCH_RIDGE = 1.0, 2.0
# What pieces show exactly is not bent for the sake of sums: a common word is one token.
_SETTLED = ("blank", "common", "number", "short", "shouted")
_SETTLED_RIDGE = 100.0
_SMALL = (
    "accents", "capitals fragments", "capitals length", "fragment", "letter", "mark before",
    "mark changes", "mark repeats", "other bytes", "pair", "unspaced",
)  # fmt: skip
_WHOLE = (
    "accented", "astral", "blank", "capitals", "common", "contraction", "control", "marks", "name",
    "number", "short", "short capitals", "shouted", "sign", "wide sign", "word",
)  # fmt: skip


def fit(family: str) -> dict[str, float]:
    """The weights of a measured family."""
    names = sorted([*_SMALL, *_WHOLE, *SCRIPTS, *(f"{script} letters" for script in SCRIPTS)])
    expected = np.array([1.0 if name in _WHOLE else 0.5 for name in names])
    counter, whole = ExactCounter(family), whole_words(family)
    met = Counter(piece for text in fitted() for piece in pieces(text))
    often = np.sqrt(np.array(list(met.values()), dtype=float))
    loose = np.full(len(names), _PIECE_RIDGE)
    weights = _weights(list(met), often, counter, whole, names, (expected, loose))
    stretches = [stretch for text in fitted() for stretch in _stretches(text)]
    lengths = np.array([counter.count(stretch) for stretch in stretches], dtype=float)
    tight = np.array([_SETTLED_RIDGE if name in _SETTLED else _STRETCH_RIDGE for name in names])
    weights = _weights(stretches, lengths**-0.5, counter, whole, names, (weights, tight))
    return {name: round(float(weight), 4) for name, weight in zip(names, weights, strict=True)}


def _weights(
    texts: Sequence[str],
    importance: Floats,
    counter: ExactCounter,
    whole: frozenset[str],
    names: Sequence[str],
    expected: tuple[Floats, Floats],
) -> Floats:
    places = {name: place for place, name in enumerate(names)}
    amounts = np.zeros((len(texts), len(names)))
    for row, text in enumerate(texts):
        for piece in pieces(text):
            for name, amount in features(piece, whole):
                amounts[row, places[name]] += amount
    counts = np.array([counter.count(text) for text in texts], dtype=float)
    return _not_negative(amounts * importance[:, None], counts * importance, *expected)


def _not_negative(amounts: Floats, counts: Floats, expected: Floats, ridge: Floats) -> Floats:
    """Least squares with a pull to what is expected; what would fall below zero is left out."""
    kept = np.arange(len(expected))
    weights = np.zeros(len(expected))
    while True:
        left = np.vstack([amounts[:, kept], np.diag(ridge[kept])])
        right = np.concatenate([counts, ridge[kept] * expected[kept]])
        found = np.linalg.lstsq(left, right, rcond=None)[0]
        if (found >= 0).all():
            weights[kept] = found
            return weights
        kept = kept[found >= 0]


def _stretches(text: str) -> list[str]:
    found, stretch = [], ""
    for part in re.split(r"(?<=[\n \u3001\u3002\uff0c])", text):
        stretch += part
        if len(stretch) >= _STRETCH:
            found.append(stretch)
            stretch = ""
    return [*found, stretch] if stretch else found
