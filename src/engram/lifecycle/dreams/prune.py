"""Lets go of what has served its time beside memories: old keys, versions, notes and, if you say
so, old lines of the audit. It cannot be undone, and nothing of it is a memory or a decision."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from engram.errors import InvalidInput
from engram.lifecycle.dreams.night import Decision, Night, Planned
from engram.lifecycle.dreams.options import DreamOptions
from engram.memory.changes import Action
from engram.memory.scopes import GLOBAL_PATH
from engram.memory.times import parse_time
from engram.storage.pruning import Remnant, drop
from engram.storage.reader import StoreReader
from engram.storage.unit import UnitOfWork

_BATCH = 1_000  # rows that go in one transaction: the write lock is held for milliseconds
_QUESTIONS_DAYS = 90  # a question comes once a week at most; longer ago decides nothing
# A clock that jumped ahead makes everything look old: from one night to the next it is believed
# this far, so that a wrong year costs a month and not the whole record.
_LONGEST_NIGHT = timedelta(days=31)
_NAMES = {
    Remnant.REQUESTS: "keys of requests",
    Remnant.ARTEFACTS: "earlier versions of what was made of memories",
    Remnant.DREAM_STEPS: "reports of old dreams",
    Remnant.QUESTIONS: "notes that a question was put",
    Remnant.AUDIT: "lines of the audit",
}


def prune(night: Night, see: StoreReader) -> Planned:
    """What is older than the settings keep it; once a dream, for the store as a whole."""
    if night.scope.path != GLOBAL_PATH or not night.is_owners:
        return Planned()
    today = _today(night)
    decisions: list[Decision] = []
    findings: list[str] = []
    looked_at = 0
    for remnant, before in _policy(night.options, today):
        night.breathe()
        count = see.remnants.older_than(remnant, before)
        looked_at += count
        if count:
            findings.append(
                f"{count} {_NAMES[remnant]} go for good: from before {before:%Y-%m-%d}."
            )
        decisions += _batches(remnant, before, count)
    most = night.options.decisions_per_pass
    return Planned(
        decisions=tuple(decisions[:most]),
        findings=tuple(findings),
        looked_at=looked_at,
        mark=today.isoformat(),
        is_whole=len(decisions) <= most,
    )


def _today(night: Night) -> datetime:
    """The moment that ages are counted from."""
    if night.mark is None:
        return night.now
    try:
        last = parse_time(datetime.fromisoformat(night.mark), name="mark")
    except (ValueError, InvalidInput):
        return night.now
    return min(night.now, last.astimezone(UTC) + _LONGEST_NIGHT)


def _policy(options: DreamOptions, today: datetime) -> Iterator[tuple[Remnant, datetime]]:
    """What is kept for how long; 0 days stand for ever."""
    kept = {
        Remnant.REQUESTS: options.keep_requests_days,
        Remnant.ARTEFACTS: options.keep_artefacts_days,
        Remnant.DREAM_STEPS: options.keep_dream_reports_days,
        Remnant.QUESTIONS: _QUESTIONS_DAYS,
        Remnant.AUDIT: options.keep_audit_days,
    }
    for remnant, days in kept.items():
        if days:
            yield remnant, today - timedelta(days=days)


def _batches(remnant: Remnant, before: datetime, count: int) -> Iterator[Decision]:
    for number in range(-(-count // _BATCH)):
        here = min(_BATCH, count - number * _BATCH)

        def carry_out(unit: UnitOfWork) -> bool:
            gone = drop(unit.transaction, remnant, before, limit=_BATCH)
            if gone:
                unit.audit(Action.PRUNE, GLOBAL_PATH, count=gone)
            return gone > 0

        yield Decision(
            key=f"{remnant}:{before.isoformat()}:{number}",
            why=f"{here} {_NAMES[remnant]} from before {before:%Y-%m-%d}; this cannot be undone.",
            numbers=(),
            carry_out=carry_out,
        )
