"""How a store grew and where its memories stand: counts alone, made for pictures."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from engram.memory.dreams.domains import KnownDomain
from engram.memory.record import Memory
from engram.memory.retention import fading, half_life, last_touched, retention
from engram.memory.vocabulary import RetentionMode, Status

MOST_DAYS = 3_660  # ten years; what is older is the first day's beginning
BIN = 0.25  # half-lives in one bar of how long memories were left alone
BINS = 17  # up to four half-lives; the last takes all that is beyond
SHARES = 10  # bars of vividness, a tenth each
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = timedelta(days=1)
# What a picture tells apart; everything that is in use counts as active.
_IN_USE = frozenset({Status.ACTIVE, Status.CHALLENGED, Status.STALE, Status.PENDING})


@dataclass(frozen=True, slots=True)
class DayCount:
    """One day, in UTC: what was learned on it, and how many memories of each sort stood then."""

    day: datetime
    learned: int
    active: int  # in use: active, disputed, stale, or waiting for a person
    archived: int
    merged: int
    retired: int  # superseded, invalidated, rejected, quarantined


@dataclass(frozen=True, slots=True)
class NightCount:
    """What one dream decided that still stands, by action."""

    id: str
    at: datetime
    actions: dict[str, int]


@dataclass(frozen=True, slots=True)
class Fading:
    """Where the memories in use stand on the curve by which they fade."""

    mode: RetentionMode
    lasting: int  # pinned, or of a layer that does not fade
    by_half_lives: tuple[int, ...]  # how long left alone, in bars of a quarter; of those that fade
    by_retention: tuple[int, ...]  # how vivid, in tenths; of all


@dataclass(frozen=True, slots=True)
class Growth:
    """How the part of a store that somebody sees grew, and where it stands."""

    days: tuple[DayCount, ...]
    nights: tuple[NightCount, ...]
    fading: Fading
    domains: tuple[KnownDomain, ...]
    statuses: dict[str, int]


def days_of(
    moves: Iterable[tuple[int, str, int]], learned: Mapping[int, int], *, since: datetime | None
) -> tuple[DayCount, ...]:
    """Every day from the first to the last on which something happened, none left out.

    A move is a day, counted from 1970, a status, and by how many memories of it there were more.
    """
    by_day: dict[int, Counter[Status]] = {}
    for day, status, added in moves:
        by_day.setdefault(day, Counter())[Status(status)] += added
    if not by_day:
        return ()
    first, last = min(by_day), max(by_day)
    shown = max(first, last - MOST_DAYS + 1, _day_number(since) if since else first)
    standing: Counter[Status] = Counter()
    found: list[DayCount] = []
    for day in sorted(day for day in by_day if day < shown):
        standing.update(by_day[day])
    for day in range(shown, last + 1):
        standing.update(by_day.get(day, Counter()))
        found.append(_counted(day, learned.get(day, 0), standing))
    return tuple(found)


def statuses_of(moves: Iterable[tuple[int, str, int]]) -> dict[str, int]:
    """How many memories of each status there are now, the most first."""
    standing: Counter[str] = Counter()
    for _, status, added in moves:
        standing[status] += added
    ordered = sorted(standing.items(), key=lambda each: (-each[1], each[0]))
    return {status: count for status, count in ordered if count}


def fading_of(memories: Sequence[Memory], now: datetime, mode: RetentionMode) -> Fading:
    """How the memories are spread over the curve and over vividness."""
    alone, vivid = [0] * BINS, [0] * SHARES
    lasting = 0
    for memory in memories:
        length = None if memory.is_pinned else half_life(memory)
        if length is None:
            lasting += 1
        else:
            spent = max(0.0, (now - last_touched(memory)) / length)
            alone[min(BINS - 1, int(spent / BIN))] += 1
        share = retention(memory, now, mode)
        vivid[min(SHARES - 1, int(share * SHARES))] += 1
    return Fading(mode, lasting, tuple(alone), tuple(vivid))


def curve(mode: RetentionMode, *, until: float, steps: int) -> tuple[tuple[float, float], ...]:
    """A curve of fading as points: half-lives, and what is left."""
    places = (until * step / steps for step in range(steps + 1))
    return tuple((place, fading(place, mode)) for place in places)


def _counted(day: int, learned: int, standing: Mapping[Status, int]) -> DayCount:
    active = sum(standing.get(each, 0) for each in _IN_USE)
    archived, merged = (standing.get(each, 0) for each in (Status.ARCHIVED, Status.MERGED))
    retired = sum(standing.values()) - active - archived - merged
    return DayCount(_EPOCH + day * _DAY, learned, active, archived, merged, retired)


def _day_number(moment: datetime) -> int:
    return (moment.astimezone(UTC) - _EPOCH) // _DAY
