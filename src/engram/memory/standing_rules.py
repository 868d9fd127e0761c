"""What may stand in a prompt though nobody asked for it, and which of it is a standing rule."""

from collections.abc import Iterable
from datetime import datetime

from engram.memory.importance import importance
from engram.memory.record import Memory
from engram.memory.staleness import holds_at
from engram.memory.trust import may_enter_unasked
from engram.memory.vocabulary import Secrecy, Status

INSTRUCTION = "instruction"
# Pinned, these are rules as well; a pinned fact is worth remembering and tells nobody what to do.
_RULES = frozenset(
    {INSTRUCTION, "constraint", "principle", "procedure", "correction", "preference"}
)


def may_stand_unasked(memory: Memory, now: datetime) -> bool:
    """Whether a memory may be shown where nobody looks first: trusted, open, and so still."""
    return (
        memory.status is Status.ACTIVE
        and memory.secrecy is Secrecy.CLEARTEXT
        and holds_at(memory, now)
        and may_enter_unasked(memory)
    )


def standing_instructions(memories: Iterable[Memory], now: datetime) -> list[Memory]:
    """The rules that a person gave or approved, the pinned and then the weightiest first."""
    found = {each.id: each for each in memories if _is_standing(each, now)}
    return weightiest_first(found.values(), now)


def weightiest_first(memories: Iterable[Memory], now: datetime) -> list[Memory]:
    """The pinned, then the most important, then the newest."""
    return sorted(
        memories,
        key=lambda memory: (not memory.is_pinned, -importance(memory, now).score, -memory.number),
    )


def _is_standing(memory: Memory, now: datetime) -> bool:
    is_rule = memory.category == INSTRUCTION or (memory.is_pinned and memory.category in _RULES)
    return is_rule and memory.is_vouched_for and may_stand_unasked(memory, now)
