"""Retires what is over by itself: guesses, promises, and what has passed its horizon."""

from engram.lifecycle.dreams.going_through import (
    as_often_confirmed,
    decided,
    replacing,
    walk_of,
)
from engram.lifecycle.dreams.night import Decision, Night, Planned
from engram.memory.changes import Action
from engram.memory.dreams.expiry import COMMITMENT, SPECULATIVE, Expiry, Over, expiry
from engram.memory.record import Memory
from engram.storage.reader import StoreReader

_WHY = {
    Over.GUESS: "{label} was a guess that nobody confirmed until {day}",
    Over.PROMISE: "{label} was a promise that ended on {day} and was not renewed",
    Over.HORIZON: "{label} has not been verified within its horizon, which passed on {day}",
}


def expire(night: Night, see: StoreReader) -> Planned:
    """Archive guesses and promises that have come to their end; mark as stale what is past its
    horizon."""
    candidates = see.aging.perhaps_over(
        night.scope, night.now, walk_of(night, night.mark),
        speculative=SPECULATIVE, commitment=COMMITMENT,
    )  # fmt: skip

    def decide(memory: Memory) -> Decision | None:
        said_again = see.aging.last_confirmed([memory.number]) if _is_renewable(memory) else {}
        found = expiry(memory, night.now, night.expiry, refreshed_at=said_again.get(memory.number))
        return _decision(memory, found) if found else None

    return decided(night, candidates, decide)


def _is_renewable(memory: Memory) -> bool:
    return memory.category == COMMITMENT and memory.usage.confirmations > 0


def _decision(memory: Memory, found: Expiry) -> Decision:
    why = _WHY[found.over].format(label=memory.label, day=found.since.date().isoformat())
    return Decision(
        # Said again or verified it has another end, and comes to it another time.
        key=f"{found.over} {memory.number} {found.since.isoformat()}",
        why=why,
        numbers=(memory.number,),
        carry_out=replacing(
            memory, Action.EXPIRE, why, unchanged=as_often_confirmed, status=found.target
        ),
    )
