"""The calendar as people speak of it: periods, named days, steps back and forth.

Everything here is wall-clock time of the asker, without a zone; `when.py` turns it into UTC.
"""

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum

DAY = timedelta(days=1)


def _wall(year: int, month: int, day: int) -> datetime:
    return datetime(year, month, day)  # noqa: DTZ001  # the zone is added in `when.py`


FIRST_MOMENT = _wall(1, 1, 1)
LAST_MOMENT = _wall(9999, 12, 31)
_SEASON_STARTS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
_YEARS_TO_TRY = 9  # a leap day is at most eight years away
_MONTHS_TO_TRY = 28  # a Friday the 13th is at most fourteen months away


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


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of wall-clock time: from its start up to, and not including, its end."""

    start: datetime
    end: datetime
    grain: Grain


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
    minute: int = 0
    second: int = 0
    is_exact: bool = True


def midnight(moment: datetime) -> datetime:
    """The beginning of that day."""
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def shifted(moment: datetime, unit: str, count: int) -> datetime:
    """The same time of day so many units later, or earlier; the last of a month stays one."""
    months = {"month": 1, "quarter": 3, "year": 12, "decade": 120}.get(unit)
    try:
        if months is None:
            return moment + count * timedelta(**{f"{_plain_unit(unit)}s": _unit_size(unit)})
        number = moment.year * 12 + moment.month - 1 + count * months
        return _clamped(moment, number // 12, number % 12 + 1)
    except (OverflowError, ValueError):
        return FIRST_MOMENT if count < 0 else LAST_MOMENT


def _plain_unit(unit: str) -> str:
    return {"weekend": "week", "fortnight": "week"}.get(unit, unit)


def _unit_size(unit: str) -> int:
    return 2 if unit == "fortnight" else 1


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


def month_of(year: int, month: int) -> Period:
    """One month."""
    return Period(_month_start(year, month), _month_start(year, month + 1), Grain.MONTH)


def quarter_of(year: int, quarter: int) -> Period:
    """Three months, counted from January."""
    start = _month_start(year, 3 * quarter - 2)
    return Period(start, shifted(start, "month", 3), Grain.QUARTER)


def half_of(year: int, half: int) -> Period:
    """Six months, counted from January."""
    start = _month_start(year, 6 * half - 5)
    return Period(start, shifted(start, "month", 6), Grain.QUARTER)


def years_from(year: int, count: int = 1) -> Period:
    """One year, or a decade."""
    grain = Grain.YEAR if count == 1 else Grain.DECADE
    return Period(_month_start(year, 1), _month_start(year + count, 1), grain)


def season_of(name: str, year: int) -> Period:
    """A season of the northern half of the world; a winter begins in the December of its year."""
    start = _month_start(year, _SEASON_STARTS[name])
    return Period(start, shifted(start, "month", 3), Grain.QUARTER)


def unit_period(unit: str, moment: datetime) -> Period:
    """The calendar unit that a moment falls in."""
    match unit:
        case "week" | "fortnight":
            return week_of(moment)
        case "weekend":
            return weekend_of(moment)
        case "month":
            return month_of(moment.year, moment.month)
        case "quarter":
            return quarter_of(moment.year, (moment.month + 2) // 3)
        case "year":
            return years_from(moment.year)
        case "decade":
            return years_from(moment.year // 10 * 10, 10)
        case "hour" | "minute" | "second":
            return Period(moment, shifted(moment, unit, 1), Grain.MINUTE)
        case _:
            return day_of(moment)


def nearest(named: Named, now: datetime, *, is_future: bool) -> Period | None:
    """The period a name means: the most recent one, or the next when the words look ahead."""
    if named.year is not None:
        return _complete(named)
    if named.month is not None:
        return _pick(_yearly(named, now), now, is_future=is_future)
    if named.day is not None:
        return _day_of_month(named, now, is_future=is_future)
    if named.weekday is not None:
        return _weekday(named.weekday, now, is_future=is_future)
    return None


def _complete(named: Named) -> Period | None:
    year = named.year or 0
    try:
        if named.month is None:
            return years_from(year)
        if named.day is None:
            return month_of(year, named.month)
        return day_of(_wall(year, named.month, named.day))
    except (OverflowError, ValueError):
        return None


def _yearly(named: Named, now: datetime) -> list[Period]:
    years = range(now.year - _YEARS_TO_TRY, now.year + _YEARS_TO_TRY + 1)
    found = [_complete(replace(named, year=year)) for year in years]
    return [period for period in found if period is not None]


def _day_of_month(named: Named, now: datetime, *, is_future: bool) -> Period | None:
    found = []
    for step in range(-_MONTHS_TO_TRY, _MONTHS_TO_TRY + 1):
        month = shifted(midnight(now).replace(day=1), "month", step)
        period = _complete(Named(month.year, month.month, named.day))
        if period and named.weekday in (None, period.start.weekday()):
            if named.weekday is not None and step == 0:
                return period  # "Friday the 26th" of this month is meant, be it past or ahead
            found.append(period)
    return _pick(found, now, is_future=is_future)


def _pick(periods: list[Period], now: datetime, *, is_future: bool) -> Period | None:
    if is_future:
        return next((period for period in periods if period.end > now), None)
    return next((period for period in reversed(periods) if period.start <= now), None)


def _weekday(weekday: int, now: datetime, *, is_future: bool) -> Period:
    if is_future:
        return day_of(now + ((weekday - now.weekday()) % 7) * DAY)
    # Whoever asks on a Friday says "today" for today; "on Friday" is a week ago.
    return day_of(now - ((now.weekday() - weekday - 1) % 7 + 1) * DAY)


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
    """The so-manieth day, week, month or quarter of a period; -1 is its last."""
    if unit == "week" and within.grain is Grain.YEAR and number > 0:
        return week_number(within.start.year, number)
    first = unit_period(unit, within.start)
    if unit == "week" and first.start < within.start and first.start + 4 * DAY <= within.start:
        first = unit_period(unit, first.end)  # a week belongs to the month of its Thursday
    if number > 0:
        found = unit_period(unit, shifted(first.start, unit, number - 1))
    else:
        found = unit_period(unit, within.end - DAY)
    return found if found.start < within.end else None


def holiday_of(name: str, year: int) -> datetime:
    """The day of a holiday in a year."""
    rule = HOLIDAYS[name]
    if isinstance(rule, int):
        return _easter(year) + rule * DAY
    month, day, weekday = rule
    start = _month_start(year, month)
    if weekday is None:
        return start + (day - 1) * DAY
    if day < 0:
        last = _month_start(year, month + 1) - DAY
        return last - ((last.weekday() - weekday) % 7) * DAY
    return start + ((weekday - start.weekday()) % 7 + 7 * (day - 1)) * DAY


# Days from Easter; or month, day; or month, which one, and of which weekday (-1: the last).
HOLIDAYS: dict[str, int | tuple[int, int, int | None]] = {
    "easter": 0,
    "good friday": -2,
    "easter monday": 1,
    "christmas": (12, 25, None),
    "xmas": (12, 25, None),
    "christmas day": (12, 25, None),
    "christmas eve": (12, 24, None),
    "boxing day": (12, 26, None),
    "new year's eve": (12, 31, None),
    "new year's day": (1, 1, None),
    "new year's": (1, 1, None),
    "halloween": (10, 31, None),
    "valentine's day": (2, 14, None),
    "valentine's": (2, 14, None),
    "independence day": (7, 4, None),
    "juneteenth": (6, 19, None),
    "st patrick's day": (3, 17, None),
    "veterans day": (11, 11, None),
    "martin luther king day": (1, 3, 0),
    "mlk day": (1, 3, 0),
    "presidents day": (2, 3, 0),
    "mother's day": (5, 2, 6),
    "memorial day": (5, -1, 0),
    "father's day": (6, 3, 6),
    "labor day": (9, 1, 0),
    "labour day": (5, 1, None),
    "columbus day": (10, 2, 0),
    "thanksgiving": (11, 4, 3),
    "thanksgiving day": (11, 4, 3),
    "earth day": (4, 22, None),
    "april fools": (4, 1, None),
}


def _easter(year: int) -> datetime:
    """Easter Sunday, by the computation of Meeus, Jones and Butcher."""
    century, year_of_century = divmod(year, 100)
    golden = year % 19
    moon = (19 * golden + century - century // 4 - (8 * century + 13) // 25 + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (year_of_century // 4) - moon - year_of_century % 4) % 7
    correction = (golden + 11 * moon + 22 * weekday) // 451
    month, day = divmod(moon + weekday - 7 * correction + 114, 31)
    return _wall(year, month, day + 1)
