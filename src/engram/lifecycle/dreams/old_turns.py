"""Turns that nobody has used for a while, judged once for each while they have been idle.

What a turn says does not change, so that the same turn is not read every night: only those are
looked at that have become idle long enough since the last dream. Turns help each other to be found,
so that none leaves as long as there are not too many.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from engram.lifecycle.dreams.night import Night
from engram.memory.dreams.archival import ArchivalRules, Grounds, grounds_to_archive_turn
from engram.memory.record import Memory
from engram.memory.retention import last_touched
from engram.memory.times import from_micros, to_micros
from engram.storage.aging import IdleTurn
from engram.storage.reader import StoreReader

_AT_ONCE = 20  # turns read between two pauses


@dataclass(slots=True)
class OldTurns:
    """The turns that leave, and how far those of each idleness were looked at."""

    reached: dict[str, str]
    leaving: list[tuple[Memory, Grounds]] = field(default_factory=list)
    looked_at: int = 0
    is_whole: bool = True


def old_turns(
    night: Night,
    see: StoreReader,
    rules: ArchivalRules,
    *,
    reached: Mapping[str, str],
    most: int,
) -> OldTurns:
    """The turns that leave recall, so many at most; `reached` is where the last dream stopped."""
    found = OldTurns(dict(reached))
    if most <= 0:
        return found
    seen: set[int] = set()
    for name, days in _idleness(rules).items():
        since = _place(reached.get(name))
        room = night.options.rows_per_pass - found.looked_at
        until = night.now - timedelta(days=days / rules.haste)
        idle = see.aging.idle_turns(night.scope, since=since, until=until, limit=room + 1)
        found.is_whole = found.is_whole and len(idle) <= room
        looked_at = idle[: max(0, room)]
        for some in _groups([each for each in looked_at if each.number not in seen]):
            seen.update(each.number for each in some)
            for turn, grounds in _judged(night, see, rules, some):
                found.looked_at += 1
                found.leaving += [(turn, grounds)] if grounds else []
                found.reached[name] = _written(last_touched(turn), turn.number)
                if len(found.leaving) >= most:
                    return found
            night.breathe()
        if looked_at:
            found.reached[name] = _written(looked_at[-1].touched_at, looked_at[-1].number)
    return found


def _idleness(rules: ArchivalRules) -> dict[str, int]:
    """After how many idle days a turn is looked at, by name."""
    return {
        "small_talk": rules.chatter_days,
        "passing": rules.passing_turn_days,
        "told_elsewhere": rules.drawn_turn_days,
        "plain": rules.faded.days,
        "particular": rules.turn_days,
    }


def _judged(
    night: Night, see: StoreReader, rules: ArchivalRules, idle: Sequence[IdleTurn]
) -> Iterator[tuple[Memory, Grounds | None]]:
    """Some turns in their order, each with why it leaves."""
    numbers = [each.number for each in idle]
    told = see.aging.told_of(numbers)
    turns = {each.number: each for each in see.aging.listed(numbers)}
    for turn in (turns[number] for number in numbers if number in turns):
        yield turn, grounds_to_archive_turn(turn, told.get(turn.number), night.now, rules)


def _groups(idle: Sequence[IdleTurn]) -> list[Sequence[IdleTurn]]:
    return [idle[start : start + _AT_ONCE] for start in range(0, len(idle), _AT_ONCE)]


def _written(touched_at: datetime, number: int) -> str:
    return f"{to_micros(touched_at)} {number}"


def _place(written: str | None) -> IdleTurn | None:
    """Where the last dream stopped; None, from the start, when that cannot be read."""
    try:
        touched_at, number = map(int, (written or "").split())
        return IdleTurn(number, from_micros(touched_at))
    except (ValueError, OverflowError):
        return None
