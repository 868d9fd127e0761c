"""Periods seen from today or as parts of others, as rules over tagged words."""

from dataclasses import replace
from datetime import datetime

from engram.language.when import calendar as cal
from engram.language.when.calendar import Grain, Named, Period
from engram.language.when.cascade import Match, part_of, rule
from engram.language.when.names import named

_TOO_SHORT = frozenset({"second", "minute"})


def _direction(word: str) -> int:
    if word in ("last", "past", "previous", "prior", "preceding"):
        return -1
    return 0 if word in ("this", "current") else 1


def _unit_from_now(match: Match, direction: str = "way", unit: str = "unit") -> Period | None:
    name, step = match.word(unit), _direction(match.word(direction))
    if name in _TOO_SHORT or (step and name == "day") or (name == "hour" and step == 0):
        return None
    if match.word(direction) == "past" or (name == "hour" and step < 0):
        return _rolling(match.reader.now, name, -1) if name != "weekend" else _weekend(match, -1)
    if name == "weekend":
        return _weekend(match, step)
    return cal.unit_period(name, cal.shifted(match.reader.now, name, step if name != "hour" else 0))


def _weekend(match: Match, step: int) -> Period:
    """Last weekend is the one that is over, or under way; the next is in the week to come."""
    return cal.weekend_of(cal.shifted(match.reader.now, "week", step))


def _rolling(now: datetime, unit: str, count: int) -> Period:
    grain = Grain.RANGE if abs(count) > 1 else Grain(cal.unit_period(unit, now).grain)
    if unit in (*_TOO_SHORT, "hour"):
        ends = sorted((now, cal.shifted(now, unit, count)))
        return Period(ends[0], ends[1], Grain.HOUR)
    today = cal.midnight(now)
    if count < 0:
        return Period(cal.shifted(today, unit, count), today + cal.DAY, grain)
    tomorrow = today + cal.DAY
    return Period(tomorrow, cal.shifted(tomorrow, unit, count), grain)


def _several_units(match: Match) -> Period | None:
    count, way = match.number("count") or 0, _direction(match.word("way"))
    if not way:
        return None
    span = _rolling(match.reader.now, match.word("unit"), way * count)
    more, other = match.number("more"), match.word("other")
    if more is None or way > 0:
        return span
    return replace(span, start=cal.shifted(span.start, other, -more))


def _last_rolling(match: Match) -> Period | None:
    unit = match.word("unit")
    is_usual = unit in ("week", "month", "year", "quarter", "decade", "fortnight", "hour")
    return _rolling(match.reader.now, unit, -1) if is_usual else _unit_from_now(match)


def _moved(moment: datetime, unit: str, count: int) -> Period:
    if unit in (*_TOO_SHORT, "hour"):
        there = cal.shifted(moment, unit, count).replace(microsecond=0)
        return Period(there, cal.shifted(there, "minute", 1), Grain.HOUR)
    if unit == "weekend":
        return cal.weekend_of(cal.shifted(moment, unit, count))
    # "Two months ago" is said of one day, and meant as loosely as its unit.
    grain = cal.unit_period(unit, moment).grain
    return cal.day_of(cal.shifted(moment, unit, count), grain)


def _ago(match: Match) -> Period:
    count = -(match.number("count") or 1)
    start = match.reader.now
    if (more := match.number("more")) is not None:
        start = cal.shifted(start, match.word("other"), -more)
    return _moved(start, match.word("unit"), count)


def _ahead(match: Match) -> Period | None:
    if match.reader.is_past or (match.value("count") is None and not match.reader.is_future):
        return None  # "how far did I run in 3 weeks" tells a length, not a time
    return _moved(match.reader.now, match.word("unit"), match.number("count") or 1)


def _beside(match: Match) -> Period | None:
    """So many units before or after a date."""
    date = match.value("date")
    anchor = match.reader.period(date)
    if match.word("side") == "from" and isinstance(date, Named):
        anchor = cal.nearest(date, match.reader.now, is_future=True)
    if anchor is None or match.word("unit") in (*_TOO_SHORT, "hour"):
        return None
    count = match.number("count") or 1
    sign = -1 if match.word("side") == "before" else 1
    return _moved(anchor.start, match.word("unit"), sign * count)


def _next_to(match: Match) -> Period | None:
    """The day, week or month right before or after a date."""
    anchor, unit = match.reader.period(match.value("date")), match.word("unit")
    is_before = match.word("side") == "before"
    if anchor is None or unit in (*_TOO_SHORT, "hour"):
        return None
    if unit == "weekend":
        edge = anchor.start - 7 * cal.DAY if is_before else anchor.end
        return cal.weekend_of(edge + (0 if anchor.start.weekday() < 5 else 1) * cal.DAY)
    grain = cal.unit_period(unit, anchor.start).grain
    if is_before:
        return Period(cal.shifted(anchor.start, unit, -1), anchor.start, grain)
    return Period(anchor.end, cal.shifted(anchor.end, unit, 1), grain)


def _weekday_beside(match: Match) -> Period | None:
    """The Friday before a date."""
    anchor, weekday = match.reader.period(match.value("date")), match.number("weekday") or 0
    if anchor is None:
        return None
    if match.word("side") == "before":
        return cal.nearest(Named(weekday=weekday), anchor.start, is_future=False)
    return cal.nearest(Named(weekday=weekday), anchor.end, is_future=True)


def _one_further(match: Match) -> Period | None:
    """The week before last, the year after next."""
    unit, step = match.word("unit"), _direction(match.word("way"))
    if unit in (*_TOO_SHORT, "hour", "day") or (step < 0) != (match.word("side") == "before"):
        return None
    return cal.unit_period(unit, cal.shifted(match.reader.now, unit, 2 * step))


def _half_ago(match: Match) -> Period | None:
    """A year and a half ago."""
    smaller = {"year": ("month", 6), "month": ("day", 15), "week": ("day", 3), "day": ("hour", 12)}
    unit = match.word("unit")
    if match.word("half") != "half" or unit not in smaller:
        return None
    name, count = smaller[unit]
    start = cal.shifted(match.reader.now, name, -count)
    return _moved(start, unit, -(match.number("count") or 1))


def _numbered_weekday(match: Match) -> Period | None:
    """The second Tuesday of March."""
    whole, weekday = _whole(match), match.number("weekday") or 0
    if whole is None or whole.grain is not Grain.MONTH:
        return None
    first = whole.start + ((weekday - whole.start.weekday()) % 7) * cal.DAY
    number = match.number("number")
    if number is None:
        number = 5 if first + 28 * cal.DAY < whole.end else 4
    found = cal.day_of(first + 7 * (number - 1) * cal.DAY)
    return found if found.start < whole.end else None


def _fixed_day(match: Match) -> Period:
    return cal.day_of(match.reader.now + (match.number("day") or 0) * cal.DAY)


def _tonight(match: Match) -> Period:
    return part_of(cal.day_of(match.reader.now), "night")


def _weekdays_ago(match: Match) -> Period:
    count = match.number("count") or 1
    last = cal.nearest(Named(weekday=match.number("weekday")), match.reader.now, is_future=False)
    start = last.start if last else match.reader.now
    return cal.day_of(start - 7 * (count - 1) * cal.DAY)


def _weekday_from_now(match: Match) -> Period | None:
    """Last Friday is the latest one before today; next Friday is the one of next week."""
    weekday, way, now = match.number("weekday") or 0, match.word("way"), match.reader.now
    if _direction(way) < 0:
        return cal.nearest(Named(weekday=weekday), now, is_future=False)
    start = cal.week_of(now).start + weekday * cal.DAY
    if way in ("coming", "upcoming"):
        return cal.nearest(Named(weekday=weekday), now, is_future=True)
    return cal.day_of(start + 7 * _direction(way) * cal.DAY)


def _weekday_of_week(match: Match) -> Period | None:
    if match.word("unit") != "week":
        return None
    week = cal.shifted(cal.week_of(match.reader.now).start, "week", _direction(match.word("way")))
    return cal.day_of(week + (match.number("weekday") or 0) * cal.DAY)


def _name_of_year(match: Match) -> Period | None:
    """A month, a date or a quarter of last, this or next year."""
    if match.word("unit") != "year":
        return None
    year = match.reader.now.year + _direction(match.word("way"))
    date = match.value("date")
    if isinstance(date, Named) and date.year is None and date.month is not None:
        return match.reader.period(replace(date, year=year))
    if (month := match.number("month")) is not None:
        return cal.month_of(year, month)
    return _seasonal(match, year)


def _seasonal(match: Match, year: int) -> Period | None:
    if season := match.word("season"):
        return cal.season_of(season, year)
    if holiday := match.word("holiday"):
        return cal.day_of(cal.holiday_of(holiday, year))
    if (quarter := match.number("quarter")) is not None:
        return cal.quarter_of(year, quarter) if quarter > 0 else cal.half_of(year, -quarter)
    return None


def _of_year(match: Match) -> Period | None:
    year = match.number("year") or 0
    return _seasonal(match, year) if 1 < year < 9999 else None


def _nearest_seasonal(match: Match) -> Period | None:
    """The latest season, holiday or quarter of that name that has begun, or the next to come."""
    now, way = match.reader.now, match.word("way")
    is_future = match.reader.is_future if not way else _direction(way) > 0
    periods = [_seasonal(match, now.year + step) for step in (-2, -1, 0, 1, 2)]
    found = [period for period in periods if period]
    if way in ("this", "current"):
        return _seasonal(match, now.year)
    if is_future:
        return next((period for period in found if period.start > now), None)
    # "Last summer" said in July is the one before; "in the summer" is the one under way.
    limit = now if not way else now.replace(day=1)
    is_over = [p for p in found if (p.end if way else p.start) <= limit]
    return is_over[-1] if is_over else None


def _month_from_now(match: Match) -> Period | None:
    month, way, now = match.number("month"), match.word("way"), match.reader.now
    if match.tag("month") == "v" and way == "this" and match.follows("_F"):
        return None  # "this may be", "this may help"
    if _direction(way) == 0:
        return match.reader.period(Named(now.year, month))
    found = cal.nearest(Named(month=month), now, is_future=_direction(way) > 0)
    if found and found.start <= now < found.end:
        return match.reader.period(Named(now.year + _direction(way), month))
    return found


def _part_from_now(match: Match) -> Period | None:
    part, way = match.word("part"), _direction(match.word("way"))
    return part_of(cal.day_of(match.reader.now + way * cal.DAY), part)


def _whole(match: Match) -> Period | None:
    """What "the end of ..." or "the first week of ..." is a part of."""
    reader = match.reader
    if match.word("whole_unit"):
        name = match.word("whole_unit")
        if name in (*_TOO_SHORT, "hour", "day"):
            return None
        return _unit_from_now(match, "way", "whole_unit") if match.word("way") else (
            cal.unit_period(name, reader.now)
        )  # fmt: skip
    if (month := match.number("month")) is not None:
        return reader.period(Named(month=month))
    if (year := match.number("year")) is not None:
        return reader.period(Named(year=year))
    if (decade := match.number("decade")) is not None:
        return cal.years_from(decade, 10)
    return reader.period(match.value("date"))


_EDGES = {
    "early": "early", "earlier": "early", "later": "late", "late": "late", "mid": "mid",
    "middle": "mid", "start": "start", "beginning": "start", "end": "end",
}  # fmt: skip


def _edge(match: Match) -> Period | None:
    whole, edge = _whole(match), _EDGES.get(match.word("edge"))
    if whole is None or edge is None:
        return None
    if whole.end - whole.start <= cal.DAY:
        return whole if match.word("edge") in ("early", "earlier", "late", "later") else None
    part = cal.edge_of(whole, edge)
    today = cal.midnight(match.reader.now)
    is_rest = match.word("edge") == "later" and part.start < today < part.end
    return replace(part, start=today) if is_rest else part


def _before_end(match: Match) -> Period | None:
    """Before the end of May is before June."""
    whole = _whole(match)
    return Period(cal.FIRST_MOMENT, whole.end, Grain.RANGE) if whole else None


def _this_unit(match: Match) -> Period | None:
    """The week, weekend or month that is spoken of: the one now, or the weekend just over."""
    unit, now = match.word("unit"), match.reader.now
    is_habit = unit == "week" and match.pieces[match.found.start() - 1].tag == "V"
    if unit not in ("week", "weekend", "month") or is_habit:
        return None  # "during the week" is said of every week
    is_weekend_over = unit == "weekend" and now.weekday() < 5 and match.reader.is_past
    return cal.unit_period(unit, now - 7 * cal.DAY if is_weekend_over else now)


def _half_of(match: Match) -> Period | None:
    """The first or second half of a year or month."""
    whole, number = _whole(match), match.number("number")
    if whole is None or match.word("part") != "half" or number not in (1, 2):
        return None
    return cal.edge_of(whole, "early" if number == 1 else "late")


def _rest_of(match: Match) -> Period | None:
    """What is left of a week, month or year."""
    whole = _whole(match)
    today = cal.midnight(match.reader.now)
    if whole is None or match.word("part") not in ("rest", "remainder"):
        return None
    return replace(whole, start=today) if whole.start <= today < whole.end else None


def _year_by_word(match: Match) -> Named | None:
    return Named(year=match.number("year")) if match.word("unit") == "year" else None


def _numbered(match: Match) -> Period | None:
    whole, unit = _whole(match), match.word("unit")
    if whole is None or unit not in ("day", "week", "weekend", "month", "quarter"):
        return None
    number = -1 if match.tag("number") == "l" else match.number("number") or 1
    if match.word("number") not in ("", "last"):
        return None
    return cal.numbered(unit, number, whole)


def _quarter_alone(match: Match) -> Period | None:
    number = match.number("number") or 0
    if match.word("unit") != "quarter" or not 1 <= number <= 4:
        return None
    year = match.reader.now.year
    found = cal.quarter_of(year, number)
    is_ahead = found.start > match.reader.now and not match.reader.is_future
    return cal.quarter_of(year - 1, number) if is_ahead else found


def _week_numbered(match: Match) -> Period | None:
    if match.word("unit") != "week" or match.follows("OU"):
        return None
    return cal.week_number(match.reader.now.year, match.number("number") or 0)


def _week_around(match: Match) -> Period | None:
    date = match.reader.period(match.value("date"))
    unit = match.word("unit")
    is_count = match.word("side") == "from"  # "two weeks from Friday"
    if date is None or date.grain is not Grain.DAY or unit not in ("week", "weekend") or is_count:
        return None
    return cal.unit_period(unit, date.start)


def _other_day(match: Match) -> Period | None:
    if match.word("other") != "other" or match.word("unit") not in ("day", "night", "week"):
        return None
    today = cal.midnight(match.reader.now)
    return Period(today - 7 * cal.DAY, today, Grain.WEEK)


def _plausible_year(match: Match) -> Named | None:
    year = match.number("year") or 0
    is_near = 1950 <= year <= match.reader.now.year + 10 and year % 1000
    return Named(year=year) if is_near and not match.word("noun").endswith("s") else None


def _year_or_count(match: Match) -> Named | None:
    return None if match.follows("_U%") else Named(year=match.number("year"))


def _decade(match: Match) -> Period | None:
    return cal.years_from(match.number("decade") or 1900, 10)


def _calendar_unit(match: Match) -> Period | None:
    """Last week, this calendar year."""
    between = match.pieces[match.found.start() + 1]
    if between.tag == "_" and between.value != "calendar":
        return None
    return _unit_from_now(match)


def _past_weekday(match: Match) -> Period | None:
    """This past Friday."""
    return cal.nearest(Named(weekday=match.number("weekday")), match.reader.now, is_future=False)


_SEASONAL = "(?:(?P<season>S)|(?P<holiday>H)|(?P<quarter>Q))"
_COUNT = "(?: Z?(?P<count>n)O? | Z )"
_WHOLE = (
    "(?: (?P<date>D) | (?P<month>[Mmv]) | (?P<year>y) | (?P<decade>C)"
    " | (?P<way>[lxt])(?P<whole_unit>U) )"
)
PERIODS = (
    # The week before last; the day before yesterday; a year and a half ago; two Fridays ago.
    rule("T?(?P<unit>U)(?P<side>[ba])(?P<way>[lx])(?!U)", _one_further),
    rule("(?P<day>J)", _fixed_day),
    rule("(?<!n)T?(?P<unit>U)(?P<side>[ba])(?P<date>D)", _next_to),
    rule("T?(?P<weekday>[Ww])(?P<side>[ba])(?P<date>D)", _weekday_beside),
    rule(f"{_COUNT}(?P<unit>U)&Z(?P<half>_)g", _half_ago),
    rule(f"T?(?P<number>[orl])(?P<weekday>[W]) [OI]T? {_WHOLE}", _numbered_weekday),
    rule("(?P<night>E)", _tonight),
    rule("(?P<count>n)(?P<weekday>[WP])g", _weekdays_ago),
    # The last two weeks; three days ago; five days from now; in two months; the other day.
    rule(
        "(?P<way>[lx])(?P<count>n)O?(?P<unit>U)(?!g) (?:&(?P<more>n)(?P<other>U)(?!g))?",
        _several_units,
    ),
    rule(f"{_COUNT}(?P<unit>U)(?:&?Z?(?P<more>n)(?P<other>U))?g", _ago),
    rule(f"{_COUNT}(?P<unit>U) fj", _ahead),
    rule(f"I{_COUNT}(?P<unit>U)(?![_O])", _ahead),
    rule("T(?P<other>_)(?P<unit>[Up])", _other_day),
    # Next year's first quarter; the second week of May; Monday of last week.
    rule("(?P<way>[lxt])(?P<whole_unit>U)(?P<number>[or])(?P<unit>U)", _numbered),
    rule(f"T?(?P<number>[orl])(?P<unit>U) [OI]T? {_WHOLE}", _numbered),
    rule("T?(?P<number>[orl])(?P<unit>U) O T(?P<whole_unit>U)", _numbered),
    rule("(?P<weekday>[Ww])[-;O]?(?P<way>[lxt])(?P<unit>U)", _weekday_of_week),
    rule("(?P<way>[lxt])(?P<unit>U)[-;]?N?(?P<weekday>[Ww])", _weekday_of_week),
    # Before the end of May; early June; the beginning of the year; over the weekend.
    rule(f"bT?X OT? {_WHOLE}", _before_end),
    rule(f"T?(?P<edge>[edzGXL])[-O]?I? {_WHOLE}", _edge),
    rule(f"T?(?P<edge>[edzGXLf])OT? {_WHOLE}", _edge),
    rule("T?(?P<edge>[edzGXLf])OT(?P<whole_unit>U)", _edge),
    rule("(?<=[INAVi])T(?P<unit>U)(?![O_nf])", _this_unit),
    # March of last year; winter 2023; 2024-Q1; the year 2020; the second half of 2024.
    rule("(?P<month>[Mmv])[;O]?(?P<way>[lxt])(?P<unit>U)", _name_of_year),
    rule("(?P<date>D)[;O]?(?P<way>[lxt])(?P<unit>U)", _name_of_year),
    rule("(?P<season>S)[;O]?(?P<way>[lxt])(?P<unit>U)", _name_of_year),
    rule("(?P<holiday>H)[;O]?(?P<way>[lxt])(?P<unit>U)", _name_of_year),
    rule("(?P<quarter>Q)[;O]?(?P<way>[lxt])(?P<unit>U)", _name_of_year),
    rule(f"{_SEASONAL} [;O-]?(?P<year>y)", _of_year),
    rule(f"(?P<year>y) [-/]? {_SEASONAL}", _of_year),
    rule(f"(?P<way>[lxt])(?P<unit>U) {_SEASONAL}", _name_of_year),
    rule("(?P<unit>U)(?P<year>y)", _year_by_word),
    rule(f"T?(?P<number>[or])(?P<part>_)OT? {_WHOLE}", _half_of),
    rule("T?(?P<number>[or])(?P<part>_)OT(?P<whole_unit>U)", _half_of),
    rule(f"T?(?P<part>_)OT? {_WHOLE}", _rest_of),
    rule("T?(?P<part>_)OT(?P<whole_unit>U)", _rest_of),
    # Last Friday; on Tue; next March; last summer; at Christmas; this morning.
    rule("tl(?P<weekday>[Ww])", _past_weekday),
    rule("t?(?P<way>[lxt])(?P<weekday>[Ww])", _weekday_from_now),
    rule("(?<=[NY])(?P<weekday>w)(?![_])", named),
    rule("(?P<weekday>w)(?=[A]?K)", named),
    rule("t?(?P<way>[lxt])(?P<month>[Mmv])", _month_from_now),
    rule(f"t?(?P<way>[lxt]) {_SEASONAL}", _nearest_seasonal),
    rule(f"(?<=[INAVisbauY]) T? {_SEASONAL} (?![_U])", _nearest_seasonal),
    rule("(?P<way>[lxt])(?P<part>p)", _part_from_now),
    # Over the last year; this past week; last month; the third quarter; week 7.
    rule("(?<=[IVi]T)(?P<way>l)(?P<unit>U)", _last_rolling),
    rule("t(?P<way>[lx])(?P<unit>U)", _unit_from_now),
    rule("(?P<way>[lxt])_?(?P<unit>U)(?!O)", _calendar_unit),
    rule("(?<=[IV]T)(?P<number>[or])(?P<unit>U)", _quarter_alone),
    rule("T?(?P<unit>U)(?P<number>n)", _week_numbered),
    rule("T?(?P<unit>U)(?P<side>[Of])T?(?P<date>D)", _week_around),
    # In 2019; the 2019 report; the 90s.
    rule("(?<=[INVAsbauYBf])(?P<year>y)(?!U)", _year_or_count),
    rule("(?<=D[&;])(?P<year>y)(?![_U])", named),
    rule("(?<=[OYc&])(?P<year>y)(?![_U])", named),
    rule("(?<=[TF])(?P<year>y)(?=(?P<noun>_))", _plausible_year),
    rule("(?<=[IVT])(?P<decade>C)", _decade),
    # Months and weekdays that nothing above has taken: a weak one needs a word before it.
    rule("(?P<month>[Mmv])(?=[c-]D)", named),
    rule("(?<=[fBI])(?P<month>[Mmv])(?=[cu&-](?:[Mmv]|D))", named),
    rule("(?<=D[cu&-])(?P<month>[Mmv])", named),
    rule("(?<=[INVsbauYO])(?P<month>[Mmv])", named),
    rule("(?<=IT)(?P<month>[Mm])", named),
    rule("(?P<month>M)", named),
    rule("(?<!q)(?P<weekday>W)(?!q)", named),
    rule("T?(?P<weekday>[Ww])(?P<side>[ba])(?P<date>D)", _weekday_beside),
    # Ten days before Christmas; the week after Easter.
    rule(f"{_COUNT}(?P<unit>U)(?P<side>[baf])(?P<date>D)", _beside),
    rule("T?(?P<unit>U)(?P<side>[ba])(?P<date>D)", _next_to),
)  # fmt: skip
