"""Times of day, and stretches from one time to another, as rules over tagged words."""

from dataclasses import replace
from datetime import datetime

from engram.language.when import calendar as cal
from engram.language.when.calendar import Clock, Grain, Named, Period
from engram.language.when.cascade import Match, part_of, rule

# Times of day


def _spelled_clock(match: Match) -> Clock | None:
    hour, minute = match.number("hour") or 0, match.number("minute") or 0
    if not 1 <= hour <= 23 or minute > 59:
        return None
    is_late = bool(match.word("half"))
    return Clock(hour % 12 + 12 if is_late else hour, minute, is_exact=is_late)


def _clock_of(match: Match, name: str) -> Clock | None:
    value = match.value(name)
    if isinstance(value, Clock):
        return value
    if isinstance(value, str) and "." in value:
        hour, _, minute = value.partition(".")
        is_time = int(hour) < 24 and int(minute) < 60
        return Clock(int(hour), int(minute), is_exact=False) if is_time else None
    is_hour = isinstance(value, int) and 1 <= value <= 23
    return Clock(value, is_exact=False) if isinstance(value, int) and is_hour else None


def _clock_range(match: Match) -> tuple[Clock, Clock] | None:
    first, last = _clock_of(match, "first"), _clock_of(match, "last")
    if first is None or last is None:
        return None
    if last.is_exact and not first.is_exact and first.hour < 12 <= last.hour:
        later = replace(first, hour=first.hour + 12, is_exact=True)
        is_before = (later.hour, later.minute) <= (last.hour, last.minute)
        first = later if is_before else replace(first, is_exact=True)
    if first.is_exact and not last.is_exact and last.hour <= first.hour and last.hour < 12:
        last = replace(last, hour=last.hour + 12, is_exact=True)
    return first, last


def _on_day(day: Period, clock: Clock) -> datetime:
    hour = clock.hour
    is_late = day.grain is Grain.PART and day.start.hour >= 12
    is_night = day.grain is Grain.PART and day.start.hour >= 20 and hour < 6
    if not clock.is_exact and not is_night and hour < 12:
        is_afternoon = is_late or (day.grain is Grain.DAY and 1 <= hour <= 6)
        hour += 12 if is_afternoon else 0
    start = cal.midnight(day.start)
    return start.replace(hour=hour, minute=clock.minute, second=clock.second)


def _at_clock(match: Match) -> Period | None:
    day, clock = match.reader.period(match.value("date")), _clock_of(match, "clock")
    if day is None or clock is None or day.grain not in (Grain.DAY, Grain.PART):
        return None
    start = _on_day(day, clock)
    return Period(start, cal.shifted(start, "minute", 1), Grain.MINUTE)


def _at_clocks(match: Match) -> Period | None:
    day, clocks = match.reader.period(match.value("date")), match.value("clocks")
    if day is None or not isinstance(clocks, tuple) or day.grain not in (Grain.DAY, Grain.PART):
        return None
    first, last = clocks
    start, end = _on_day(day, first), _on_day(day, last)
    if end <= start and not last.is_exact and end.hour < 12:
        end += cal.DAY / 2  # "from 6 to 8" names two hours, not fourteen
    return Period(start, end, Grain.HOUR) if start < end else None


def _in_part(match: Match) -> Period | None:
    day = match.reader.period(match.value("date"))
    return part_of(day, match.word("part")) if day and day.grain is Grain.DAY else None


CLOCKS = (
    rule("(?P<hour>n)!", _spelled_clock, "K"),
    rule("(?P<hour>n)-?(?P<minute>n)?(?P<half>%)", _spelled_clock, "K"),
    rule("(?<=A)(?P<hour>n)-?(?P<minute>n)", _spelled_clock, "K"),
    rule("(?P<date>D)(?:IT|;)?(?P<part>p)", _in_part),
    rule("(?P<part>p)[;NO](?P<date>D)", _in_part),
    rule("[fB]?(?P<first>[Knk])[cu-](?P<last>[Kk])", _clock_range, "~"),
    rule("[fB](?P<first>[Knk])[cu&-](?P<last>[Kkn])(?=[NO]?D)", _clock_range, "~"),
    rule("B(?P<first>[Knk])&(?P<last>[Kk])", _clock_range, "~"),
    rule("(?P<first>[Kn])[c-](?P<last>[Kn])(?=[NO]?D)", _clock_range, "~"),
    rule("(?<=D)f?(?P<first>[Kn])[c-](?P<last>[Kn])", _clock_range, "~"),
    rule("(?<=D)B(?P<first>[Kn])&(?P<last>[Kn])", _clock_range, "~"),
    rule("(?P<date>D)(?:[;Aif-])?(?P<clocks>~)", _at_clocks),
    rule("(?P<clocks>~)(?:[NO;]|OT|NT)?(?P<date>D)", _at_clocks),
    rule("(?P<date>D)(?:[;Ai-])?(?P<clock>K)(?!~)", _at_clock),
    rule("(?P<date>D)[Ai](?P<clock>[nk])(?![U_])", _at_clock),
    rule("A?(?P<clock>K)(?:[NO;])?(?P<date>D)", _at_clock),
)  # fmt: skip


# From one time to another


def _between(match: Match) -> Period | None:
    left, right = _bounds(match)
    if left is None or right is None or right.end <= left.start:
        return None
    return Period(left.start, right.end, Grain.RANGE)


def _bounds(match: Match) -> tuple[Period | None, Period | None]:
    """Both ends; an end without a year takes the one that makes it lie next to the other."""
    reader = match.reader
    first, last = match.value("first"), match.value("last")
    first = cal.day_of(reader.now) if match.tag("first") == "j" else first
    last = cal.day_of(reader.now) if match.tag("last") == "j" else last
    right = reader.period(last)
    left = reader.period(first)
    if isinstance(first, Named) and first.year is None and right is not None:
        left = cal.nearest(first, right.start, is_future=False)
    elif isinstance(last, Named) and last.year is None and left is not None:
        right = cal.nearest(last, left.start, is_future=True)
    return left, right


def _open(match: Match) -> Period | None:
    date = match.reader.period(match.value("date"))
    if date is None:
        return None
    match match.word("side"):
        case "before":
            return Period(cal.FIRST_MOMENT, date.start, Grain.RANGE)
        case "until" | "till" | "til":
            return Period(cal.FIRST_MOMENT, date.end, Grain.RANGE)
        case "after":
            return Period(date.end, cal.LAST_MOMENT, Grain.RANGE)
        case "from":
            return date
        case _:
            return Period(date.start, cal.LAST_MOMENT, Grain.RANGE)


def _clock_today(match: Match) -> Period | None:
    """Between now and a time of today, either way round."""
    now, clock = match.reader.now, match.value("clock") or match.value("clock_before")
    if not isinstance(clock, Clock):
        return None
    there = cal.midnight(now).replace(hour=clock.hour, minute=clock.minute)
    is_ahead = match.found[0][1] == "j"
    if is_ahead and there <= now and not clock.is_exact and clock.hour < 12:
        there += cal.DAY / 2
    start, end = (now, there) if is_ahead else (there, now)
    return Period(start, end, Grain.HOUR) if start < end else None


def _until_clock(match: Match) -> Period | None:
    """From a time of a day to a later one of the same day."""
    first, clock = match.value("first"), match.value("clock")
    if not isinstance(first, Period) or not isinstance(clock, Clock):
        return None
    end = cal.midnight(first.start).replace(hour=clock.hour, minute=clock.minute)
    if end <= first.start and not clock.is_exact and clock.hour < 12:
        end += cal.DAY / 2
    return Period(first.start, end, Grain.HOUR) if first.start < end else None


RANGES = (
    rule("[fB](?:j[&cu-]A?(?P<clock>K)|(?P<clock_before>K)[&cu-]j)", _clock_today),
    rule("[fB](?P<first>D)[&cu-]A?(?P<clock>K)", _until_clock),
    rule("[fB]T?(?P<first>[DRj]) [cu&-] T?(?P<last>[DRj])", _between),
    rule("(?P<first>[DR]) [c-] T?(?P<last>[DRj])", _between),
    rule("(?P<first>[DR]) u (?P<last>[DRj])", _between),
    rule("(?P<side>[sbauf])N?T?(?P<date>D)", _open),
)  # fmt: skip
