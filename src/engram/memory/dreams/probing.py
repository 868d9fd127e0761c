"""Probing: old beliefs are held up against what came after them.

A belief is doubted for a reason that came after it was last looked at: a newer statement that
excludes it, premises that no longer stand, readers whom it did not help. Its importance stays as it
was given; it is marked as challenged, and a person can say that it holds.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from engram.memory.dreams.replaying import chance
from engram.memory.feedback import Feedback
from engram.memory.record import Memory
from engram.memory.retention import last_touched
from engram.memory.vocabulary import Layer, Status

_LASTING = frozenset({Layer.SEMANTIC, Layer.PROCEDURAL})
_GONE = frozenset({Status.SUPERSEDED, Status.INVALIDATED, Status.REJECTED})
_OUT_OF_SIGHT = _GONE | {Status.ARCHIVED}
_FEWEST_WORDS = 2  # that it did not help


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a belief may no longer hold, by which memories, and whether that outweighs a person."""

    because: str
    numbers: tuple[int, ...] = ()
    is_strong: bool = False


@dataclass(frozen=True, slots=True)
class Premise:
    """What a belief was made of, as it stands now; None: its making was undone."""

    number: int
    memory: Memory | None


def is_probeable(memory: Memory, now: datetime, unused: timedelta) -> bool:
    """Whether a belief is lasting, old and unused enough to be doubted; never what is pinned."""
    return (
        memory.layer in _LASTING and not memory.is_pinned and now - last_touched(memory) >= unused
    )


def probed(memories: Iterable[Memory], most: int, day: date) -> list[Memory]:
    """The beliefs that are doubted on a day, oldest first; the lot falls the same way all day.

    What is challenged already keeps its lot: else another would take its place in a second dream.
    """
    order = sorted(memories, key=lambda each: (chance(each.number, day), each.number))
    return sorted(order[:most], key=lambda each: (last_touched(each), each.number))


def doubt(
    memory: Memory,
    *,
    rivals: Sequence[Memory],
    premises: Sequence[Premise],
    feedbacks: Sequence[Feedback],
    label: Callable[[int], str],
) -> Doubt | None:
    """The first reason to doubt a belief that can be shown; None: it stands."""
    found = _by_rival(rivals, label) or _by_premises(memory, premises, label)
    found = found or _by_feedback(memory, feedbacks)
    if found is None or (memory.is_vouched_for and not found.is_strong):
        return None  # what a person stands behind takes another person's word
    return found


def _by_rival(rivals: Sequence[Memory], label: Callable[[int], str]) -> Doubt | None:
    """The newest statement that replaces it by the judge's word."""
    if not rivals:
        return None
    rival = max(rivals, key=lambda each: each.number)
    return Doubt(f"{label(rival.number)} says otherwise", (rival.number,), rival.is_vouched_for)


def _by_premises(
    memory: Memory, premises: Sequence[Premise], label: Callable[[int], str]
) -> Doubt | None:
    """What it was made of was replaced or refuted, or is out of sight altogether."""
    gone = [each for each in premises if _has_gone(each, memory, _GONE)]
    if gone:
        named = ", ".join(label(each.number) for each in gone)
        return Doubt(f"it rests on {named}, which no longer stands",
                     tuple(each.number for each in gone))  # fmt: skip
    if premises and all(_has_gone(each, memory, _OUT_OF_SIGHT) for each in premises):
        return Doubt("nothing that it was made of can be recalled any more",
                     tuple(each.number for each in premises))  # fmt: skip
    return None


def _has_gone(premise: Premise, memory: Memory, statuses: frozenset[Status]) -> bool:
    found = premise.memory
    return found is None or (found.status in statuses and found.recorded_at > memory.recorded_at)


def _by_feedback(memory: Memory, feedbacks: Sequence[Feedback]) -> Doubt | None:
    """Most of those who said something since said that it did not help."""
    since = [each for each in feedbacks if each.at > memory.recorded_at]
    against = sum(not each.is_helpful for each in since)
    if against >= _FEWEST_WORDS and 2 * against > len(since):
        return Doubt(f"it did not help {against} of {len(since)} times")
    return None
