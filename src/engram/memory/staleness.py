"""When a memory has gone unverified for too long: a pure function of the record and the time."""

from datetime import datetime, timedelta

from engram.memory.record import Memory
from engram.memory.times import parse_horizon
from engram.memory.vocabulary import Status

_TICK = timedelta(microseconds=1)
_REFRESHED_AFTER = timedelta(days=1)
_CAN_TURN_STALE = frozenset({Status.ACTIVE, Status.CHALLENGED})


def stale_at(memory: Memory) -> datetime | None:
    """When the memory leaves recall unless someone verifies it; None: never."""
    if memory.horizon is None or memory.is_pinned:
        return None
    try:
        return _runs_from(memory) + parse_horizon(memory.horizon)
    except OverflowError:
        return None


def is_refreshed(memory: Memory, now: datetime) -> bool:
    """Whether saying it again now restarts its horizon; within a day that changes nothing."""
    return memory.horizon is not None and now - _runs_from(memory) >= _REFRESHED_AFTER


def _runs_from(memory: Memory) -> datetime:
    """When its horizon began: with the last person who said, verified or approved it."""
    return max(memory.learned_at, memory.last_verified_at or memory.learned_at)


def status_at(memory: Memory, now: datetime) -> Status:
    """The status as it stands now: a horizon that has passed counts without being written.

    Written down it says the same: at a moment before its horizon such a memory is not stale, also
    where a clock was wrong for a while.
    """
    deadline = stale_at(memory)
    if turned_stale_by_horizon(memory) and deadline is not None and deadline > now:
        return Status.ACTIVE
    if memory.status in _CAN_TURN_STALE and deadline is not None and deadline <= now:
        return Status.STALE
    return memory.status


def turned_stale_by_horizon(memory: Memory) -> bool:
    """Whether it was marked stale when its horizon had passed, and not on somebody's word."""
    deadline = stale_at(memory.replaced(is_pinned=False) if memory.is_pinned else memory)
    return memory.status is Status.STALE and deadline is not None and deadline <= memory.recorded_at


def as_seen(memory: Memory, now: datetime) -> Memory:
    """The memory as a caller sees it now, with its present status."""
    status = status_at(memory, now)
    return memory if status is memory.status else memory.replaced(status=status)


def holds_at(memory: Memory, moment: datetime) -> bool:
    """Whether the memory is said to hold in the world at that moment."""
    has_begun = memory.valid_from is None or memory.valid_from <= moment
    return has_begun and (memory.valid_until is None or memory.valid_until > moment)


def ceases_at(memory: Memory, moment: datetime) -> datetime:
    """When a memory ceases to hold that another replaces from a moment on.

    Not before it began, and not later than it was to end by itself.
    """
    ends = moment if memory.valid_from is None else max(moment, memory.valid_from + _TICK)
    return ends if memory.valid_until is None else min(ends, memory.valid_until)
