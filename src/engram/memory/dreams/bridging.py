"""Bridges: two things that were never told of together and yet seem to have to do with each other.

A bridge is a guess and is kept as one. Nearness alone is no reason; by rules it takes a rare word
that stands in the memories of both, and is a link; with a model it takes the model's word, kept
with so little confidence that it is dropped after a month unless somebody confirms it.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engram.language.lexicon import COMMON_WORDS
from engram.language.stems import stem
from engram.language.word_kinds import is_ordinary
from engram.memory.record import Memory
from engram.text.strings import folded

NEAREST, FARTHEST = 0.90, 0.75  # cosine: nearer is the same thing, farther is nothing
FEWEST = 3  # memories of each
MOST_ENTITIES = 400
MODEL_CONFIDENCE = 0.38  # below 0.4: what is speculative expires unless it is confirmed
_RARE_SHARE = 0.01  # of all statements: a word in more of them joins nothing
_RARE_COUNT = 6  # and in a small store
_WORD = re.compile(r"[^\W\d_]{4,}")  # shorter words stand in many texts by chance


@dataclass(frozen=True, slots=True)
class Side:
    """Somebody or something with the statements that name it, and where it lies."""

    key: str
    name: str
    members: tuple[Memory, ...]
    centre: NDArray[np.float32]

    @property
    def sessions(self) -> frozenset[str]:
        """The conversations it was told of in."""
        return frozenset(each.session for each in self.members if each.session)

    @property
    def numbers(self) -> frozenset[int]:
        """The numbers of its statements."""
        return frozenset(each.number for each in self.members)


@dataclass(frozen=True, slots=True)
class Span:
    """Two sides that may be joined, and how near they are."""

    first: Side
    second: Side
    similarity: float

    @property
    def key(self) -> str:
        """By which the same two are known another night."""
        return f"{self.first.key}|{self.second.key}"


def spans(sides: Sequence[Side], related: Collection[frozenset[int]]) -> list[Span]:
    """Pairs at the right distance that nothing joins yet, the nearest first.

    Told of in one memory or one conversation, or tied by a link, they are known to each other.
    """
    if len(sides) <= 1:
        return []
    ordered = sorted(sides, key=lambda each: each.key)
    matrix = np.stack([each.centre for each in ordered])
    near = matrix @ matrix.T
    places = np.argwhere(np.triu((near >= FARTHEST) & (near <= NEAREST), k=1))
    found = [
        Span(ordered[one], ordered[two], round(float(near[one, two]), 4))
        for one, two in places.tolist()
        if not _are_joined(ordered[one], ordered[two], related)
    ]
    return sorted(found, key=lambda each: (-each.similarity, each.key))


def _are_joined(first: Side, second: Side, related: Collection[frozenset[int]]) -> bool:
    if first.numbers & second.numbers or first.sessions & second.sessions:
        return True
    if set(first.key.split()) & set(second.key.split()):
        return True  # two names of one thing, or of its parts
    return any(frozenset((one, two)) in related for one in first.numbers for two in second.numbers)


def word_counts(statements: Sequence[Memory]) -> Counter[str]:
    """In how many statements each word stands."""
    counts: Counter[str] = Counter()
    for each in statements:
        counts.update(_words(each.content).keys())
    return counts


def joint(span: Span, counts: Mapping[str, int], total: int) -> tuple[Memory, Memory] | None:
    """A memory of each side in which the rarest word stands that both have and neither is named by;
    None where there is no such word."""
    sides = (span.first, span.second)
    ours, theirs = (_words_of(side) for side in sides)
    names = {stem(word) for side in sides for word in folded(side.name).split()}
    most = max(_RARE_COUNT, int(_RARE_SHARE * total))
    shared = [
        each
        for each in (ours.keys() & theirs.keys()) - names
        if counts[each] <= most and not is_ordinary(folded(ours[each]))
    ]
    if not shared:
        return None
    best = min(shared, key=lambda each: (counts[each], -len(each), each))
    first, second = (
        next(each for each in side.members if best in _words(each.content)) for side in sides
    )
    return first, second


def _words_of(side: Side) -> dict[str, str]:
    found: dict[str, str] = {}
    for each in side.members:
        found.update(_words(each.content))
    return found


def _words(text: str) -> dict[str, str]:
    """The telling words of a text by their stems, as they are written there."""
    return {
        stem(plain): word
        for word in _WORD.findall(text)
        if (plain := folded(word)) not in COMMON_WORDS
    }
