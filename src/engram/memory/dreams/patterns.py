"""Patterns: memories of one voice that are near each other, again and again.

Rules find and count them; they write no sentence about them. What they come to in words is a
language model's to say, from their words alone.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from engram.memory.dreams.clusters import Vectors, groups, near_centre, neighbour_pairs, stacked
from engram.memory.record import Memory, MetadataValue
from engram.memory.trust import may_enter_unasked
from engram.memory.vocabulary import Layer, Status

_LONGEST = 200  # characters of a memory that a pattern is seen in: one thing, and not a document
_NEVER = frozenset({"correction", "commitment", "turn"})
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Pattern:
    """Memories that have something in common, the first said first."""

    sources: tuple[Memory, ...]
    confidence: float

    @property
    def numbers(self) -> frozenset[int]:
        """The numbers of its memories."""
        return frozenset(each.number for each in self.sources)

    @property
    def metadata(self) -> dict[str, MetadataValue]:
        """How often and when it was said, and by what it is known: its first memory."""
        days = sorted({str(each.at.date()) for each in self.sources})
        return {
            "pattern": self.sources[0].label, "times": len(self.sources), "days": len(days),
            "first": days[0], "last": days[-1],
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Terms:
    """When memories are a pattern."""

    at_least: int
    similarity: float
    confidence: float


def find_patterns(
    memories: Iterable[Memory],
    vectors: Mapping[int, Vectors],
    terms: Terms,
    *,
    breathe: Callable[[], None] = lambda: None,
) -> list[Pattern]:
    """The patterns among some memories, in the order of their first."""
    voices: dict[tuple[str, str, str], list[Memory]] = {}
    for memory in sorted(memories, key=lambda each: each.number):
        if may_show_a_pattern(memory) and memory.number in vectors:
            voices.setdefault(_voice(memory), []).append(memory)
    found = []
    for members in voices.values():
        breathe()
        for near in _near_each_other(members, vectors, terms, breathe):
            confidence = combined_confidence(near)
            if confidence > terms.confidence:
                found.append(Pattern(near, confidence))
    return sorted(found, key=lambda each: each.sources[0].number)


def may_show_a_pattern(memory: Memory) -> bool:
    """Whether something may be concluded from a memory: undisputed, of a known hand, one thing."""
    return (
        memory.status is Status.ACTIVE
        and memory.category not in _NEVER
        and memory.layer in (Layer.EPISODIC, Layer.SEMANTIC)
        and len(memory.content) <= _LONGEST
        and may_enter_unasked(memory)
    )


def combined_confidence(memories: Iterable[Memory]) -> float:
    """How sure several are together that each is a little sure, as far as each is believed."""
    doubt = math.prod(1.0 - each.confidence * each.trust for each in memories)
    return round(1.0 - doubt, _DIGITS)


def _voice(memory: Memory) -> tuple[str, str, str]:
    """Who says it of whom, and for whose eyes: patterns never mix these."""
    return memory.speaker or "", memory.subject or "", memory.secrecy.value


def _near_each_other(
    members: Sequence[Memory],
    vectors: Mapping[int, Vectors],
    terms: Terms,
    breathe: Callable[[], None],
) -> list[tuple[Memory, ...]]:
    """Groups of enough members around one centre each."""
    if len(members) < terms.at_least:
        return []
    _, matrix = stacked(vectors, [each.number for each in members])
    pairs = neighbour_pairs(matrix, terms.similarity, breathe=breathe)
    found = []
    for group in groups(len(members), pairs):
        kept = near_centre(matrix, group, terms.similarity)
        if len(kept) >= terms.at_least:
            found.append(tuple(members[place] for place in sorted(kept)))
    return found
