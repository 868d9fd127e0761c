"""How much a memory matters and how long it will stay, told so that a person can follow it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from engram.memory.ids import MemoryId
from engram.memory.importance import (
    FULLY_CONFIRMED,
    FULLY_FREQUENT,
    FULLY_STABLE,
    WEIGHTS,
    importance,
)
from engram.memory.record import Memory
from engram.memory.retention import half_life, last_touched, retention
from engram.memory.vocabulary import RetentionMode

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Factor:
    """One of the nine reasons for which a memory matters."""

    name: str
    value: float  # from 0 to 1
    weight: float
    contribution: float  # the one times the other
    because: str  # what the value comes from; never the memory's text


@dataclass(frozen=True, slots=True, kw_only=True)
class Stay:
    """How long a memory stays in recall if nobody uses it again."""

    leaves_at: datetime | None  # when it would be archived; None: not by its age
    because: str = ""  # why it stays for good


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportanceReport:
    """The score of a memory, what it is made of, and what becomes of the memory unused."""

    memory_id: MemoryId
    label: str
    at: datetime
    score: float
    factors: tuple[Factor, ...]  # in the order of the weights' table
    retention: float  # how vivid it still is, from 0 to 1
    half_life_days: float | None  # None: it does not fade
    leaves_at: datetime | None
    stays_because: str


def importance_report(
    memory: Memory, now: datetime, stay: Stay, mode: RetentionMode = RetentionMode.HUBER
) -> ImportanceReport:
    """Tell how much a memory matters now, and why."""
    found = importance(memory, now)
    reasons = _reasons(memory, now)
    lasting = half_life(memory)
    return ImportanceReport(
        memory_id=memory.id,
        label=memory.label,
        at=now,
        score=found.score,
        factors=tuple(
            Factor(name, value, WEIGHTS[name], WEIGHTS[name] * value, reasons[name])
            for name, value in found.factors.items()
        ),
        retention=retention(memory, now, mode),
        half_life_days=None if lasting is None else lasting / _DAY,
        leaves_at=stay.leaves_at,
        stays_because=stay.because,
    )


def _reasons(memory: Memory, now: datetime) -> dict[str, str]:
    usage = memory.usage
    idle = _days(now - last_touched(memory))
    used = _times("used", usage.accesses)
    confirmed = _times("confirmed", usage.confirmations)
    lifetime = _days(now - memory.learned_at)
    return {
        "base": "set when it was kept, and never altered",
        "frequency": f"{used}; {FULLY_FREQUENT} uses count fully",
        "recency": f"last learned, used, verified or gone through {idle} ago",
        "emotion": f"valence {memory.valence:+.2f}, arousal {memory.arousal:.2f}",
        "stability": f"{usage.spaced_accesses} uses well apart; {FULLY_STABLE} count fully",
        "layer": f"kept as {memory.layer} memory",
        "trust": f"its source, {memory.source_class}, is trusted {memory.trust:.2f}",
        "confirmation": f"{confirmed}; {FULLY_CONFIRMED} times count fully",
        "activation": f"how readily it comes to mind, {used} since it was learned {lifetime} ago",
    }


def _times(done: str, count: int) -> str:
    if count == 0:
        return f"never {done}"
    return f"{done} {'once' if count == 1 else f'{count} times'}"


def _days(age: timedelta) -> str:
    days = max(0, age // _DAY)
    return "less than a day" if days == 0 else "1 day" if days == 1 else f"{days} days"
