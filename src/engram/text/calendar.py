"""Calendar arithmetic: periods, named days, steps back and forth, whatever words name them.

Every time is the asker's wall-clock time, without a zone; `language.when.spans` makes it UTC.
The names of units ("week", "fortnight") are those that each language's `times.json` maps to.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum

DAY = timedelta(days=1)


def _wall(year: int, month: int, day: int) -> datetime:
    return datetime(year, month, day)  # noqa: DTZ001  # the zone is added in `spans.py`


FIRST_MOMENT = _wall(1, 1, 1)
LAST_MOMENT = _wall(9999, 12, 31)
_YEARS_TO_TRY = 9  # a leap day is at most eight years away
_MONTHS_TO_TRY = 28  # a Friday the 13th is at most fourteen months away
# In the present tense a date is ahead, unless one has gone by that is so many times nearer.
_AHEAD_IN_PRESENT = 6
_ARRANGED_AHEAD = timedelta(days=92)  # nobody tells of a day nine months ago without its year


class Grain(StrEnum):
    """How exact a named time is; it decides how far off a memory may be and still be meant."""

    MINUTE = "minute"
    HOUR = "hour"
    PART = "part"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"
    DECADE = "decade"
    RANGE = "range"


DAYS = (Grain.DAY, Grain.PART)


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of wall-clock time: from its start up to, and not including, its end."""

    start: datetime
    end: datetime
    grain: Grain
    is_bound: bool = False  # it only tells where something began or ends: "since 1988"


@dataclass(frozen=True, slots=True)
class Named:
    """A date as far as it was said: the year, the month or the day may be missing."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day; `is_exact` tells that morning or afternoon was said too."""

    hour: int
    minute: int | None = None  # without one the whole hour is meant: "at 9"
    second: int = 0
    is_exact: bool = True


SHORT_UNITS = frozenset({"second", "minute", "hour"})
_NOON = 12
_EARLY = 6  # from one to six, an hour without "am" or "pm" is one of the afternoon
_PART_HOURS = {"morning": (5, 12), "afternoon": (12, 18), "evening": (17, 23), "night": (18, 28)}
_LENGTHS = {
    "second": timedelta(seconds=1), "minute": timedelta(minutes=1), "hour": timedelta(hours=1),
    "day": DAY, "week": 7 * DAY, "weekend": 7 * DAY, "fortnight": 14 * DAY,
}  # fmt: skip


def midnight(moment: datetime) -> datetime:
    """The beginning of that day."""
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def shifted(moment: datetime, unit: str, count: int) -> datetime:
    """The same time of day so many units later, or earlier; the last of a month stays one."""
    months = {"month": 1, "quarter": 3, "year": 12, "decade": 120}.get(unit)
    try:
        if months is None:
            return moment + count * _LENGTHS[unit]
        number = moment.year * 12 + moment.month - 1 + count * months
        return _clamped(moment, number // 12, number % 12 + 1)
    except (OverflowError, ValueError):
        return FIRST_MOMENT if count < 0 else LAST_MOMENT


def _clamped(moment: datetime, year: int, month: int) -> datetime:
    last = (_month_start(year, month + 1) - DAY).day
    return moment.replace(year=year, month=month, day=min(moment.day, last))


def _month_start(year: int, month: int) -> datetime:
    return _wall(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)


def day_of(moment: datetime, grain: Grain = Grain.DAY) -> Period:
    """The day a moment falls on."""
    start = midnight(moment)
    return Period(start, start + DAY, grain)


def week_of(moment: datetime) -> Period:
    """The week from Monday that a moment falls in."""
    start = midnight(moment) - moment.weekday() * DAY
    return Period(start, start + 7 * DAY, Grain.WEEK)


def weekend_of(moment: datetime) -> Period:
    """Saturday and Sunday of the week a moment falls in."""
    week = week_of(moment)
    return Period(week.start + 5 * DAY, week.end, Grain.DAY)


def months_from(year: int, month: int, count: int = 1) -> Period:
    """So many whole months: one, three of a quarter or season, twelve of a year."""
    grain = {1: Grain.MONTH, 3: Grain.QUARTER, 6: Grain.QUARTER, 12: Grain.YEAR}.get(count)
    start = _month_start(year, month)
    return Period(start, _month_start(year, month + count), grain or Grain.DECADE)


def unit_period(unit: str, moment: datetime) -> Period:
    """The calendar unit that a moment falls in."""
    year, month = moment.year, moment.month
    if unit in ("week", "fortnight"):
        return week_of(moment)
    if unit == "weekend":
        return weekend_of(moment)
    if unit in ("hour", "minute", "second"):
        return Period(moment, shifted(moment, unit, 1), Grain.MINUTE)
    months = {
        "month": (year, month, 1), "quarter": (year, (month - 1) // 3 * 3 + 1, 3),
        "year": (year, 1, 12), "decade": (year // 10 * 10, 1, 120),
    }.get(unit)  # fmt: skip
    return months_from(*months) if months else day_of(moment)


def rolling(now: datetime, unit: str, count: int) -> Period:
    """The last or next so many units, counted in whole days from today."""
    if unit in SHORT_UNITS:
        first, last = sorted((now, shifted(now, unit, count)))
        return Period(first, last, Grain.HOUR)
    grain = Grain.RANGE if abs(count) > 1 else unit_period(unit, now).grain
    tomorrow = midnight(now) + DAY
    if count < 0:
        return Period(shifted(tomorrow - DAY, unit, count), tomorrow, grain)
    return Period(tomorrow, shifted(tomorrow, unit, count), grain)


def moved(moment: datetime, unit: str, count: int) -> Period:
    """The day that lies so many units off, or the minute for short units."""
    there = shifted(moment, unit, count)
    if unit in SHORT_UNITS:
        there = there.replace(microsecond=0)
        return Period(there, shifted(there, "minute", 1), Grain.HOUR)
    if unit == "weekend":
        return weekend_of(there)
    # "Two months ago" is said of one day, and meant as loosely as its unit.
    return day_of(there, unit_period(unit, moment).grain)


def part_of(day: Period, part: str) -> Period:
    """The morning, afternoon, evening or night of a day."""
    first, last = (midnight(day.start) + hour * DAY / 24 for hour in _PART_HOURS[part])
    return Period(first, last, Grain.PART)


class Tense(StrEnum):
    """What the words around a time say of where it lies."""

    PAST = "past"
    PRESENT = "present"
    FUTURE = "future"
    UNKNOWN = "unknown"


def nearest(named: Named, now: datetime, tense: Tense) -> Period | None:
    """The period a name means: the nearest one that the tense allows."""
    if named.year is not None:
        return _complete(named)
    if named.month is not None:
        years = range(now.year - _YEARS_TO_TRY, now.year + _YEARS_TO_TRY + 1)
        return pick([_complete(replace(named, year=year)) for year in years], now, tense)
    if named.day is not None:
        return _day_of_month(named, now, tense)
    return None if named.weekday is None else weekday_of(named.weekday, now, tense)


def on_day(day: Period, clock: Clock) -> datetime:
    """When a time of day is on a day, or in a part of one: 3 is in the afternoon, and 7 is not."""
    is_part, hour = day.grain is Grain.PART, clock.hour
    is_night = is_part and day.start.hour >= 18 and hour < _EARLY
    if not clock.is_exact and not is_night and hour < _NOON:
        last_late = _EARLY - 2 if (clock.minute or 0) % 15 else _EARLY  # 6:50 is of a timetable
        is_late = day.start.hour >= _NOON if is_part else 1 <= hour <= last_late
        hour += _NOON * is_late
    start = midnight(day.start) + is_night * DAY
    return start.replace(hour=hour, minute=clock.minute or 0, second=clock.second)


def arranged(named: Named, now: datetime) -> Period | None:
    """A date that is soon: told in the past tense ("they gave us 2 April"), it was arranged."""
    is_date = named.year is None and named.month is not None and named.day is not None
    found = nearest(named, now, Tense.FUTURE) if is_date else None
    return found if found and found.start - now < _ARRANGED_AHEAD else None


def _complete(named: Named) -> Period | None:
    year = named.year or 0
    try:
        if named.month is None:
            return months_from(year, 1, 12)
        if named.day is None:
            return months_from(year, named.month)
        return day_of(_wall(year, named.month, named.day))
    except (OverflowError, ValueError):
        return None


def _day_of_month(named: Named, now: datetime, tense: Tense) -> Period | None:
    found = []
    for step in range(-_MONTHS_TO_TRY, _MONTHS_TO_TRY + 1):
        month = shifted(midnight(now).replace(day=1), "month", step)
        period = _complete(Named(month.year, month.month, named.day))
        if period and named.weekday in (None, period.start.weekday()):
            if named.weekday is not None and step == 0:
                return period  # "Friday the 26th" of this month is meant, be it past or ahead
            found.append(period)
    return pick(found, now, tense)


def pick(periods: Sequence[Period | None], now: datetime, tense: Tense) -> Period | None:
    """One of several periods in order: the nearest one that the tense allows."""
    begun = [period for period in periods if period and period.start <= now]
    ahead = [period for period in periods if period and period.end > now]
    if tense is Tense.PAST or not ahead:
        return begun[-1] if tense is not Tense.FUTURE and begun else None
    if tense is Tense.FUTURE or not begun:
        return ahead[0]
    behind = max(now - begun[-1].end, timedelta(0))
    to_come = max(ahead[0].start - now, timedelta(0))
    is_behind = behind * (_AHEAD_IN_PRESENT if tense is Tense.PRESENT else 1) < to_come
    return begun[-1] if is_behind else ahead[0]


def weekday_of(weekday: int, now: datetime, tense: Tense) -> Period:
    """A weekday is never today: on a Friday, Friday was a week ago or is a week ahead."""
    if tense is Tense.PAST:
        return day_of(now - ((now.weekday() - weekday - 1) % 7 + 1) * DAY)
    return day_of(now + ((weekday - now.weekday() - 1) % 7 + 1) * DAY)


def edge_of(period: Period, edge: str) -> Period:
    """The early, middle or late half of a period; its beginning and end are a third each."""
    first, last = _EDGE_SHARES[edge]
    months = {Grain.YEAR: 12, Grain.DECADE: 120}.get(period.grain)
    unit = "month" if months else "day"
    length = months or (period.end - period.start) // DAY
    bounds = [shifted(period.start, unit, int(length * share)) for share in (first, last)]
    return replace(period, start=bounds[0], end=bounds[1])


_EDGE_SHARES = {
    "early": (0, 1 / 2), "late": (1 / 2, 1), "start": (0, 1 / 3), "mid": (1 / 3, 2 / 3),
    "end": (2 / 3, 1),
}  # fmt: skip


def week_number(year: int, number: int) -> Period | None:
    """A week by its ISO number."""
    try:
        monday = date.fromisocalendar(year, number, 1)
    except ValueError:
        return None
    return week_of(_wall(monday.year, monday.month, monday.day))


def numbered(unit: str, number: int, within: Period) -> Period | None:
    """The day, week, month or quarter of a period with this number; -1 is its last."""
    if unit == "week" and within.grain is Grain.YEAR and number > 0:
        return week_number(within.start.year, number)
    first = unit_period(unit, within.start)
    if unit == "week" and first.start < within.start and first.start + 4 * DAY <= within.start:
        first = unit_period(unit, first.end)  # a week belongs to the month of its Thursday
    if unit == "weekend" and first.start < within.start:
        first = weekend_of(within.start + 7 * DAY)
    if number > 0:
        found = unit_period(unit, shifted(first.start, unit, number - 1))
    else:
        is_over = unit == "weekend" and within.end.weekday() != 0 and within.end.weekday() != 6
        found = unit_period(unit, within.end - (7 if is_over else 1) * DAY)
    return found if found.start < within.end else None


def numbered_weekday(number: int | None, weekday: int, within: Period) -> Period | None:
    """The first, second or, without a number, last of the days of one name in a month."""
    first = within.start + ((weekday - within.start.weekday()) % 7) * DAY
    number = number or (5 if first + 28 * DAY < within.end else 4)
    found = day_of(first + 7 * (number - 1) * DAY)
    return found if found.start < within.end else None


def next_to(anchor: Period, unit: str, *, is_before: bool) -> Period:
    """The day, week, weekend or month right before or after a period."""
    edge = anchor.start if is_before else anchor.end
    if unit == "weekend":
        edge -= 7 * is_before * DAY
        return weekend_of(edge + (0 if anchor.start.weekday() < 5 else 1) * DAY)
    first, last = sorted((edge, shifted(edge, unit, -1 if is_before else 1)))
    return Period(first, last, unit_period(unit, anchor.start).grain)


def holiday_of(rule: int | Sequence[int], year: int) -> datetime:
    """The day of a holiday in a year.

    The rule is a number of days from Easter; or month and day; or month, which one, and of which
    weekday (-1: the last), and how many days after that one.
    """
    if isinstance(rule, int):
        return _easter(year) + rule * DAY
    month, day, *weekdays = rule
    start = _month_start(year, month)
    if not weekdays:
        return start + (day - 1) * DAY
    if day < 0:
        last = _month_start(year, month + 1) - DAY
        return last + (sum(weekdays[1:]) - (last.weekday() - weekdays[0]) % 7) * DAY
    return start + ((weekdays[0] - start.weekday()) % 7 + 7 * (day - 1) + sum(weekdays[1:])) * DAY


def _easter(year: int) -> datetime:
    """Easter Sunday, by the computation of Meeus, Jones and Butcher."""
    century, year_of_century = divmod(year, 100)
    golden = year % 19
    moon = (19 * golden + century - century // 4 - (8 * century + 13) // 25 + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (year_of_century // 4) - moon - year_of_century % 4) % 7
    correction = (golden + 11 * moon + 22 * weekday) // 451
    month, day = divmod(moon + weekday - 7 * correction + 114, 31)
    return _wall(year, month, day + 1)
