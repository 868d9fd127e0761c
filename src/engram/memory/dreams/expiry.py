"""What is over by itself: guesses nobody confirmed, promises past their day, horizons passed."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from engram.errors import InvalidInput
from engram.memory.categories import TURN
from engram.memory.deadlines import (
    ExpiryOptions,
    commitment_expires,
    deadline_in,
    speculative_expires,
)
from engram.memory.record import Memory
from engram.memory.staleness import stale_at, status_at
from engram.memory.status import IN_FORCE
from engram.memory.times import parse_time
from engram.memory.vocabulary import Status

SPECULATIVE = 0.40  # below this confidence a statement is a guess
COMMITMENT = "commitment"
_BORNE_OUT_BY_USE = 3  # uses at different times


class Over(StrEnum):
    """What has come to its end."""

    GUESS = "guess"
    PROMISE = "promise"
    HORIZON = "horizon"


@dataclass(frozen=True, slots=True)
class Expiry:
    """That a memory is over, since when, and what it becomes."""

    over: Over
    since: datetime
    target: Status


def expiry(
    memory: Memory, now: datetime, options: ExpiryOptions, *, refreshed_at: datetime | None = None
) -> Expiry | None:
    """What has come to its end for a memory by now; None: nothing. Pinned ones do not end.

    `refreshed_at` is when it was last said again.
    """
    if memory.is_pinned or memory.status not in IN_FORCE:
        return None
    for over, ends in (
        (Over.GUESS, guess_ends(memory, options)),
        (Over.PROMISE, promise_ends(memory, options, refreshed_at)),
    ):
        if ends is not None and ends <= now:
            return Expiry(over, ends, Status.ARCHIVED)
    # What is disputed keeps that mark; recall leaves it out all the same.
    ends = stale_at(memory)
    is_past = memory.status is Status.ACTIVE and status_at(memory, now) is Status.STALE
    return Expiry(Over.HORIZON, ends, Status.STALE) if ends is not None and is_past else None


def guess_ends(memory: Memory, options: ExpiryOptions) -> datetime | None:
    """When a guess is dropped; None: it is none, or somebody has borne it out.

    By saying it again, by verifying it, or by coming back to it time and again.
    """
    usage = memory.usage
    is_borne_out = (
        usage.confirmations > 0
        or memory.last_verified_at is not None
        or usage.spaced_accesses >= _BORNE_OUT_BY_USE
    )
    if memory.category == TURN or memory.confidence >= SPECULATIVE or is_borne_out:
        return None
    return speculative_expires(memory.learned_at, options)


def promise_ends(
    memory: Memory, options: ExpiryOptions, refreshed_at: datetime | None = None
) -> datetime | None:
    """When a promise is no longer held up to anybody; None: it is none."""
    if memory.category != COMMITMENT:
        return None
    refreshed = max(
        (moment for moment in (refreshed_at, memory.last_verified_at) if moment), default=None
    )
    return commitment_expires(memory.at, deadline_of(memory), refreshed, options)


def deadline_of(memory: Memory) -> datetime | None:
    """The deadline that was read when it was heard, or stands in its text."""
    noted = memory.metadata.get("deadline")
    if isinstance(noted, str):
        try:
            return parse_time(noted, name="deadline")
        except InvalidInput:
            pass  # a caller's own note under that name; the text decides
    return deadline_in(memory.content, memory.at)
