"""Whether pairs that differ in one thing are ever made one: by the rule, and by a dream."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.ninety_days.near_misses import NearMiss
from benchmarks.ninety_days.run import Clock
from engram import Engram
from engram.memory.record import Memory
from engram.memory.sameness import is_same_statement
from engram.memory.vocabulary import Status

# Two are enough, and being near counts for nothing: only what the statements say keeps them apart.
_EAGER = {"merge_at_least": 2, "merge_similarity": 0.5}
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Merges:
    """What a dream made of the pairs."""

    pairs: int
    by_rule: tuple[NearMiss, ...]  # pairs that the rule takes for one statement
    by_writing: tuple[NearMiss, ...]  # pairs of which the second was met as the first
    by_dreaming: tuple[NearMiss, ...]  # pairs of which a dream made one
    merged: int  # memories that were merged at all

    @property
    def wrong(self) -> int:
        """How many pairs were taken for one by any of them."""
        return len({*self.by_rule, *self.by_writing, *self.by_dreaming})


def same_by_rule(pairs: Sequence[NearMiss]) -> tuple[NearMiss, ...]:
    """The pairs that the rule of sameness takes for one, however near they are in meaning."""
    return tuple(pair for pair in pairs if is_same_statement(pair.one, pair.other).is_same)


def dreamt(
    pairs: Sequence[NearMiss], path: Path, settings: dict[str, object] | None = None
) -> Merges:
    """Store both of every pair and a rewording of the first, dream, and see what was made one.

    The rewording is there so that a dream that merges nothing at all does not pass for careful.
    """
    clock = Clock()
    chosen: dict[str, object] = {**(settings or {}), "dreams": _EAGER}
    with Engram.open(path, settings=chosen, clock=clock) as engram:
        stored = [(_stored(engram, pair.one), _stored(engram, pair.other)) for pair in pairs]
        reworded = [_reworded(pair.one) for pair in pairs]
        for start in range(0, len(reworded), _AT_ONCE):
            engram.remember_many(reworded[start : start + _AT_ONCE])
        engram.settle()
        engram.dream(steps=["merge"])
        statuses = Counter(memory.status for memory in _all(engram))
        by_dreaming = tuple(
            pair for pair, (one, other) in zip(pairs, stored, strict=True)
            if _are_one(engram, one, other)
        )  # fmt: skip
    by_writing = tuple(
        pair for pair, (one, other) in zip(pairs, stored, strict=True) if one == other
    )
    return Merges(len(pairs), same_by_rule(pairs), by_writing, by_dreaming, statuses[Status.MERGED])


def _stored(engram: Engram, text: str) -> str:
    return engram.remember(text).memory.id


def _reworded(text: str) -> str:
    return f"Actually, {text[:1]}{text[1:]}"


def _all(engram: Engram) -> list[Memory]:
    found: list[Memory] = []
    while page := engram.list(
        status="any", limit=_AT_ONCE, before=found[-1].label if found else None
    ):
        found += page
    return found


def _are_one(engram: Engram, one: str, other: str) -> bool:
    """Whether both lead to the same statement now."""
    return one != other and _standing(engram, one) == _standing(engram, other)


def _standing(engram: Engram, memory_id: str) -> str:
    """The memory that stands for this one: itself, or what it was merged into."""
    memory = engram.get(memory_id)
    while memory is not None and memory.status == "merged" and memory.superseded_by:
        memory_id = memory.superseded_by
        memory = engram.get(memory_id)
    return memory_id
