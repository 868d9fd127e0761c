"""Morning recall: what a session starts with that has no past to come back to.

What somebody pinned, promised, called important or used in the last days; that it is recent alone
is no reason. Which of them come first is counted from all of that, each with a share of its own;
what may not enter a prompt unasked is not among them.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from engram.memory.categories import TURN
from engram.memory.record import Memory
from engram.memory.trust import may_enter_unasked
from engram.memory.vocabulary import LearnedBy

PROMISE = "commitment"
LEAST_ACTIVATION = 0.3
MOST_ACTIVATION = 0.6  # below what somebody attends to by themselves
_HALVED_AFTER = timedelta(days=3)  # last week's work still counts, last month's hardly
_LATELY = timedelta(days=7)
_WEIGHTY = 0.7  # importance that is a reason by itself, where somebody gave it
_GUESSED = frozenset({LearnedBy.OBSERVE, LearnedBy.HARVEST, LearnedBy.DREAM})
_RECENT, _IMPORTANT, _PROMISED, _USED = 0.35, 0.25, 0.20, 0.20


@dataclass(frozen=True, slots=True)
class Primed:
    """A memory to start with, and how strongly it comes to mind."""

    memory: Memory
    strength: float


def morning(memories: Iterable[Memory], now: datetime, *, most: int) -> list[Primed]:
    """The memories to start with, the strongest first, each once."""
    found = {each.id: each for each in memories if is_fit_for_a_start(each, now)}
    ranked = sorted(found.values(), key=lambda each: (-_worth(each, now), each.number))
    span = MOST_ACTIVATION - LEAST_ACTIVATION
    return [
        Primed(each, round(LEAST_ACTIVATION + span * _worth(each, now), 6))
        for each in ranked[:most]
    ]


def is_fit_for_a_start(memory: Memory, now: datetime) -> bool:
    """Whether a memory may come to mind by itself; words of a conversation do not stand alone."""
    if memory.category == TURN or not may_enter_unasked(memory):
        return False
    return memory.is_pinned or memory.category == PROMISE or _matters(memory, now)


def _matters(memory: Memory, now: datetime) -> bool:
    """Whether it was used in the last days, or called important rather than guessed to be."""
    used = memory.usage.last_accessed_at
    if used is not None and now - used <= _LATELY:
        return True
    return memory.base_importance >= _WEIGHTY and memory.learned_by not in _GUESSED


def _worth(memory: Memory, now: datetime) -> float:
    used = memory.usage.last_accessed_at
    importance = 1.0 if memory.is_pinned else memory.base_importance
    return (
        _RECENT * _freshness(memory.at, now)
        + _IMPORTANT * importance
        + _PROMISED * (memory.category == PROMISE)
        + _USED * (_freshness(used, now) if used else 0.0)
    )


def _freshness(moment: datetime, now: datetime) -> float:
    return float(0.5 ** (abs(now - moment) / _HALVED_AFTER))
