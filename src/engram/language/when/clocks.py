"""Times of day, and stretches from one time to another, as rules over tagged words."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from engram.language.when.cascade import Match, Reader
from engram.language.when.lexicons import Value
from engram.language.when.words import Piece
from engram.text import calendar as cal
from engram.text.calendar import Clock, Grain, Named, Period, Tense

_NOON = 12


def _spelled_clock(match: Match) -> Clock | None:
    hour, minute = match.number("hour") or 0, match.number("minute")
    is_late = match.tag("half") != ""
    is_time = 1 <= hour <= 23 and (minute is None or 10 <= minute <= 59)
    return Clock(hour % 12 + 12 if is_late else hour, minute, 0, is_late) if is_time else None


def _past_hour(match: Match) -> Clock | None:
    """Half past six, a quarter to five, twenty minutes past eight."""
    hour, minutes = match.number("hour") or 0, match.number("minutes") or 0
    minutes = match.number("count") or minutes or (30 if match.tag("half") else 0)
    if (match.tag("past") or match.tag("to")) and (minutes % 5 or match.word("past") == "last"):
        return None
    minutes = -minutes if match.tag("to") else minutes
    is_time = 1 <= hour <= 23 and -30 <= minutes <= 59
    return Clock((hour - (minutes < 0)) % 24, minutes % 60, is_exact=False) if is_time else None


def _hour_of_part(match: Match) -> Clock | None:
    """Seven in the evening."""
    clock, is_late = _as_clock(match.value("hour")), match.word("part") != "morning"
    if clock is None or clock.hour > _NOON:
        return clock
    return replace(clock, hour=clock.hour % _NOON + _NOON * is_late, is_exact=True)


def _as_clock(value: Value | None) -> Clock | None:
    if isinstance(value, str) and "." in value:
        hour, _, minute = value.partition(".")
        is_time = int(hour) < 24 and int(minute) < 60 and len(minute) == 2
        return Clock(int(hour), int(minute), is_exact=False) if is_time else None
    if isinstance(value, int) and 100 <= value < 2400 and value % 100 < 60:  # "at 1730"
        return Clock(value // 100, value % 100)
    if isinstance(value, int) and 1 <= value <= 23:
        return Clock(value, is_exact=False)
    return value if isinstance(value, Clock) else None


def _clock_range(match: Match) -> tuple[Clock, Clock] | None:
    first, last = _as_clock(match.value("first")), _as_clock(match.value("last"))
    is_score = match.is_led_by("score") and match.tag("first") == "n"
    if first is None or last is None or is_score:
        return None
    if last.is_exact and not first.is_exact and first.hour < _NOON <= last.hour:
        is_late = (first.hour + _NOON, first.minute or 0) <= (last.hour, last.minute or 0)
        first = replace(first, hour=first.hour + _NOON * is_late, is_exact=True)
    if first.is_exact and not last.is_exact and last.hour <= first.hour and last.hour < _NOON:
        last = replace(last, hour=last.hour + _NOON, is_exact=True)
    return first, last


def _at_clock(match: Match) -> Period | None:
    day, clock = match.day, _as_clock(match.value("clock"))
    return _moment(day, clock, match.now, match.tense) if day and clock else None


def _moment(day: Period, clock: Clock, now: datetime, tense: Tense) -> Period:
    """A minute or an hour of a day; of today the one of the two halves that the tense allows."""
    start = cal.on_day(day, clock)
    if not clock.is_exact and day.grain is Grain.DAY and day.start == cal.midnight(now):
        early, late = sorted((start, start + (1 if start.hour < _NOON else -1) * cal.DAY / 2))
        if tense is Tense.PAST:
            start = early if start > now >= early else start
        else:
            start = next((each for each in (early, late) if each >= now), start)
    unit = "hour" if clock.minute is None else "minute"
    return Period(start, cal.shifted(start, unit, 1), Grain.MINUTE)


def lone_clock(
    pieces: Sequence[Piece], place: int, day: Period | None, reader: Reader
) -> Period | None:
    """A time of day by itself: of the day named before, or the nearest that the tense allows."""
    piece, lead = pieces[place], pieces[place - 1].tag if place else "."
    tense, now = reader.tenses.at(piece.start, piece.end), reader.now
    if day is not None and day.grain not in cal.DAYS:
        return None  # "born in 1990 at 3 am"
    if day is not None and (tense, now < day.start) not in _ELSEWHERE:
        after = pieces[place + 1].tag if place + 1 < len(pieces) else "."
        return _on_named_day(day, piece, lead + after, reader)
    is_told = tense in (Tense.PAST, Tense.FUTURE) and not reader.is_query
    if lead != "A" or not isinstance(piece.value, Clock) or not is_told:
        return None
    is_often = any(each.tag in "Pq" for each in pieces[max(0, place - _NEAR) : place + _NEAR])
    if is_often or reader.tenses.is_habit(piece.start) or reader.tenses.is_question(piece.start):
        return None
    found = _moment(cal.day_of(now), piece.value, now, tense)
    is_other = (found.start > now) != (tense is Tense.FUTURE)
    step = is_other * (cal.DAY if tense is Tense.FUTURE else -cal.DAY)
    return replace(found, start=found.start + step, end=found.end + step)


def _on_named_day(day: Period, piece: Piece, around: str, reader: Reader) -> Period | None:
    """ "The match is on Saturday, the bus leaves at 8"; `around` has the tags beside the hour."""
    if isinstance(piece.value, tuple):
        return _hours(day, piece.value)
    is_plain = piece.tag == "n" and around[0] == "A" and around[1] in ".;?&FN"
    is_exact = isinstance(piece.value, Clock) and piece.value.is_exact  # "John 3:16" is none
    is_score = reader.tenses.is_led_by("score", piece.start)
    is_free = around[0] in ("_F?.-" if is_exact else "F?.-") and not is_score
    is_clock = piece.tag == "K" and (around[0] in "AfYuibas;" or is_free)
    clock = _as_clock(piece.value) if is_plain or is_clock else None
    return _moment(day, clock, reader.now, Tense.UNKNOWN) if clock and clock.hour else None


_NEAR = 20  # pieces in which "every" or "Mondays" makes a time of day one of many
TAGS = "K~n"  # of what may be a time of day by itself
_ELSEWHERE = ((Tense.PAST, True), (Tense.FUTURE, False))


def _at_clocks(match: Match) -> Period | None:
    day, clocks = match.day, match.value("clocks")
    return _hours(day, clocks) if day and isinstance(clocks, tuple) else None


def _hours(day: Period, clocks: tuple[object, ...]) -> Period | None:
    first, last = (clock for clock in clocks if isinstance(clock, Clock))
    start, end = cal.on_day(day, first), cal.on_day(day, last)
    if end <= start and not last.is_exact and end.hour < _NOON:
        end += cal.DAY / 2  # "from 6 to 8" names two hours, not fourteen
    return Period(start, end, Grain.HOUR) if start < end else None


def _in_part(match: Match) -> Period | None:
    day = match.period("date")
    return cal.part_of(day, match.word("part")) if day and day.grain is Grain.DAY else None


def _between(match: Match) -> Period | None:
    left, right = _bounds(match)
    if left is None or right is None or match.is_led_by("moved"):
        return None
    return Period(left.start, right.end, Grain.RANGE) if left.start < right.end else None


def _bounds(match: Match) -> tuple[Period | None, Period | None]:
    """Both ends; an end without a year takes the one that makes it lie next to the other."""
    today, tense = cal.day_of(match.now), match.tense
    first, last = (
        today if match.tag(end) == "j" else match.value(end) for end in ("first", "last")
    )
    left, right = (match.reader.period(each, tense, match.start) for each in (first, last))
    is_last_vague = isinstance(last, Named) and last.year is None
    is_first_before = right is not None and (not is_last_vague or tense is Tense.PAST)
    if isinstance(first, Named) and first.year is None and right and is_first_before:
        return cal.nearest(first, right.start, Tense.PAST), right
    if isinstance(last, Named) and is_last_vague and left:
        return left, cal.nearest(last, left.start, Tense.FUTURE)
    return left, right


def _open(match: Match) -> Period | None:
    date, side = match.period("date"), match.word("side")
    if date is None or side == "from":
        return date
    is_all = match.found.end() - match.found.start() == len(match.pieces)
    if not (match.is_asked or is_all):
        return replace(date, is_bound=True)
    first, last = {
        "before": (cal.FIRST_MOMENT, date.start), "until": (cal.FIRST_MOMENT, date.end),
        "after": (date.end, cal.LAST_MOMENT),
    }.get(side, (date.start, cal.LAST_MOMENT))  # fmt: skip
    return Period(first, last, Grain.RANGE)


def _moved_from(match: Match) -> Period | None:
    """The day that something was moved from lies next to the one that it was moved to."""
    date, last = match.value("date"), match.period("last")
    if not (match.is_led_by("moved") and last and isinstance(date, Named)):
        return None
    return cal.nearest(date, last.start, Tense.UNKNOWN if date.month else Tense.PAST)


def _until_clock(match: Match) -> Period | None:
    """From a time of today till now, or from now to a later one."""
    clock = _as_clock(match.value("clock"))
    tense = Tense.FUTURE if match.tag("until") else Tense.PAST
    there = _moment(cal.day_of(match.now), clock, match.now, tense).start if clock else match.now
    first, last = sorted((match.now, there))
    return Period(first, last, Grain.HOUR)
