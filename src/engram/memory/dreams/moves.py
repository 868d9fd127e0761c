"""How memories move between layers by themselves: up when used, down when doubted and unused."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from engram.memory.categories import TURN
from engram.memory.feedback import Feedback, accuracy_factor
from engram.memory.importance import importance
from engram.memory.layers import demoted, promoted
from engram.memory.record import Memory
from engram.memory.retention import last_touched
from engram.memory.staleness import status_at
from engram.memory.vocabulary import Layer, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveRules:
    """The numbers of promotion and demotion; a dream's options hold them, with their ranges."""

    working_minutes: int
    working_accesses: int
    importance: float
    accesses: int
    doubted_days: int


def moves_up_to(
    memory: Memory, now: datetime, rules: MoveRules, feedbacks: Sequence[Feedback] = ()
) -> Layer | None:
    """The more lasting layer a memory has earned by now; None: it stays.

    A turn stays what it is: a record of what was said. So does what is disputed or stale, and what
    did not help does not become knowledge.
    """
    if memory.category == TURN or status_at(memory, now) is not Status.ACTIVE:
        return None
    if memory.layer is Layer.WORKING:
        has_lasted = now - memory.learned_at >= timedelta(minutes=rules.working_minutes)
        is_used = memory.usage.accesses >= rules.working_accesses
        return promoted(memory.layer) if has_lasted or is_used else None
    if memory.layer is Layer.EPISODIC and memory.usage.accesses >= rules.accesses:
        is_important = importance(memory, now).score >= rules.importance
        has_helped = accuracy_factor(feedbacks) >= 1.0
        return promoted(memory.layer) if is_important and has_helped else None
    return None


def moves_down_to(
    memory: Memory, now: datetime, rules: MoveRules, feedbacks: Sequence[Feedback]
) -> Layer | None:
    """The layer in which a doubted piece of knowledge may fade; None: it stays.

    Only for what machines made lasting; what a person stands behind, pinned or uses stays.
    """
    if memory.layer is not Layer.SEMANTIC or memory.is_vouched_for or memory.is_pinned:
        return None
    is_disputed = memory.status is Status.CHALLENGED
    is_unhelpful = accuracy_factor(feedbacks) < 1.0
    is_unused = now - last_touched(memory) >= timedelta(days=rules.doubted_days)
    return demoted(memory.layer) if is_unused and (is_disputed or is_unhelpful) else None
