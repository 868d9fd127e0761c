"""What the rules of `grammar.txt` read: periods seen from today, or from other dates."""

from dataclasses import replace

from engram.language.when.cascade import Match
from engram.text import calendar as cal
from engram.text.calendar import Grain, Named, Period, Tense

_NEAR = 40  # pieces back to the time that "the day before" goes by
_OWNERS = frozenset({"my", "your", "his", "her", "our", "their"})
_WIDE = {"earlier": "early", "later": "late"}  # halves of what is asked for
_NARROW = {**_WIDE, "early": "start", "late": "end"}  # and thirds of what is told
_HALVES = {
    "year": ("month", 6), "month": ("day", 15), "week": ("day", 3), "day": ("hour", 12),
    "hour": ("minute", 30),
}  # fmt: skip


# Seen from now: last week, the next three days, two months ago


def _unit_from_now(match: Match, unit: str = "unit") -> Period | None:
    name, way, step = match.word(unit), match.word("way"), match.step
    if (way == "past" and name != "weekend") or (name == "hour" and step):
        return cal.rolling(match.now, name, step)
    if name in cal.SHORT_UNITS or (step and name == "day"):
        return None
    is_this = name == "weekend" and way == "coming" and match.now.weekday() < 5
    return cal.unit_period(name, cal.shifted(match.now, name, 0 if is_this else step))


def _several_units(match: Match) -> Period:
    return cal.rolling(match.now, match.word("unit"), match.step * match.count)


def _last_rolling(match: Match) -> Period | None:
    is_usual = match.word("unit") in ("week", "month", "year", "decade", "hour")
    return _several_units(match) if is_usual else _unit_from_now(match)


def _ago(match: Match) -> Period:
    start, unit = match.now, match.word("unit")
    is_exact = match.is_asked or any(map(match.tag, ("more", "half", "half_of", "today")))
    if unit == "year" and not is_exact:
        return cal.unit_period(unit, cal.shifted(start, unit, -match.count))
    smaller, count = _HALVES.get(unit, (unit, 0))
    if match.tag("half_of"):
        return cal.moved(start, smaller, -count)
    if (more := match.number("more")) is not None:
        start = cal.shifted(start, match.word("other"), -more)
    start = cal.shifted(start, smaller, -count * bool(match.tag("half")))
    return cal.moved(start, unit, -match.count)


def _seasons_ago(match: Match) -> Period:
    """Two summers ago."""
    over = [_seasonal(match, match.now.year - step) for step in range(match.count + 2)]
    return [period for period in over if period.end <= match.now][match.count - 1]


def _ahead(match: Match) -> Period | None:
    tense, unit = match.tense, match.word("unit")
    is_rate = match.tag("in") and match.value("count") is None and match.is_led_by("rate")
    is_often = match.reader.tenses.is_habit(match.start) or unit == "second"
    if unit == "minute" and match.value("count") is None:
        return None  # "back in a minute"
    if tense is Tense.PAST or is_rate or (is_often and tense is not Tense.FUTURE):
        return None  # "how far did I run in 3 weeks" tells a length, not a time
    if unit == "year" and not match.is_asked:
        return cal.unit_period(unit, cal.shifted(match.now, unit, match.count))
    return cal.moved(match.now, unit, match.count)


def _one_further(match: Match) -> Period | None:
    """The week before last, the Saturday after next, the night before last."""
    unit, step, weekday = match.word("unit"), match.step, match.number("weekday")
    if unit in (*cal.SHORT_UNITS, "day") or (step < 0) != (match.word("side") == "before"):
        return None
    if part := match.word("part"):
        return cal.part_of(cal.day_of(match.now + 2 * step * cal.DAY), part)
    if weekday is None:
        is_near = unit == "weekend" and step > 0 and match.now.weekday() < 5
        return cal.unit_period(unit, cal.shifted(match.now, unit, step if is_near else 2 * step))
    near = cal.weekday_of(weekday, match.now, Tense.PAST if step < 0 else Tense.FUTURE)
    return cal.day_of(near.start + 7 * step * cal.DAY)


def _fixed_day(match: Match) -> Period:
    return cal.day_of(match.now + (match.number("day") or 0) * cal.DAY)


def _other_day(match: Match) -> Period | None:
    today = cal.midnight(match.now)
    is_one = match.word("unit") in ("day", "night", "week")
    return Period(today - 7 * cal.DAY, today, Grain.WEEK) if is_one else None


def _day_of_that_month(match: Match) -> Named | None:
    """The 10th of next month."""
    month = cal.shifted(match.now.replace(day=1), "month", match.step)
    date = match.value("date")
    day = date.day if isinstance(date, Named) else match.number("day")
    return Named(month.year, month.month, day) if day and match.word("unit") == "month" else None


def _part_from_now(match: Match) -> Period:
    day = cal.day_of(match.now + match.step * cal.DAY)
    return cal.part_of(day, match.word("part") or "night")


def _this_unit(match: Match) -> Period | None:
    """The week, weekend or month that is spoken of: the one now, or the weekend just over."""
    unit = match.word("unit")
    is_habit = unit != "weekend" and match.pieces[match.found.start() - 1].tag in "VbausY"
    if unit not in ("week", "weekend", "month") or is_habit:
        return None  # "during the week" is said of every week
    is_over = unit == "weekend" and match.now.weekday() < 5 and match.tense is Tense.PAST
    return cal.unit_period(unit, match.now - 7 * cal.DAY if is_over else match.now)


# Weekdays and months seen from now


def _weekday_from_now(match: Match) -> Period | None:
    """Last Friday is the latest one before today, next Friday that of next week; 2 Fridays ago."""
    weekday, step, unit = match.number("weekday") or 0, match.step, match.word("unit")
    if unit not in ("", "week"):
        return None
    if not unit and (step < 0 or match.tag("count") or match.word("way") == "coming"):
        found = cal.weekday_of(weekday, match.now, Tense.FUTURE if step > 0 else Tense.PAST)
        return cal.day_of(found.start - 7 * (match.count - 1) * cal.DAY)
    day = cal.week_of(match.now).start + (weekday + 7 * step) * cal.DAY
    is_gone = step == 0 and day < cal.midnight(match.now) and match.tense is Tense.FUTURE
    return cal.day_of(day + 7 * is_gone * cal.DAY)


def _often(match: Match) -> str | None:
    """My Saturday shifts, Sunday best; "The Thursday Murder Club" and "Mr Friday" are names."""
    noun = match.word("noun")
    is_name = noun.endswith("s") or noun.istitle() or match.is_led_by("title")
    return noun if is_name else None


def _weekly(match: Match) -> str | None:
    """ "Training Mon, Wed, Fri" is of every week, unless a verb tells of one."""
    is_work = (match.number("first"), match.number("last")) in ((0, 4), (None, None))
    is_event = not (is_work or match.is_led_by("hours")) or match.tense is Tense.PAST
    return None if is_event or match.tense is Tense.FUTURE else ""


# Seasons, holidays and quarters


def _seasonal(match: Match, year: int) -> Period:
    quarter, rule = match.number("quarter") or 0, match.value("holiday")
    if month := match.number("month"):
        return cal.months_from(year, month)
    if rule is None:
        count = 3 if quarter >= 0 else 6
        first = match.number("season") or (abs(quarter) - 1) * count + 1
        return cal.months_from(year, first, count)
    numbers = [each for each in rule if isinstance(each, int)] if isinstance(rule, tuple) else []
    return cal.day_of(cal.holiday_of(numbers or match.number("holiday") or 0, year))


def _of_year(match: Match) -> Period | None:
    """A month, a date or a quarter of last, this or next year, or of one with a number."""
    if match.word("unit") not in ("", "year"):
        return None
    year, date = match.number("year") or match.now.year + match.step, match.value("date")
    if isinstance(date, Named) and date.year is None and date.month is not None:
        return match.reader.period(replace(date, year=year), Tense.UNKNOWN, match.start)
    return None if date else _seasonal(match, year)


def _nearest_seasonal(match: Match) -> Period | None:
    """The season, holiday or quarter of that name that the tense or "last" and "next" allow."""
    now, way = match.now, match.word("way")
    if match.word("noun").endswith("s"):
        return None  # "at Christmas parties", but "at Christmas Ida rang"
    found = [_seasonal(match, now.year + step) for step in (-2, -1, 0, 1, 2)]
    begun = [period for period in found if period.start <= now < period.end]
    if way == "this" and (begun or match.tense is not Tense.PAST):
        return (begun or found[2:])[0]  # "this winter" in January began last year
    if not match.step:
        return cal.pick(found, now, match.tense)
    if match.step > 0:
        return next(period for period in found if period.start > now)
    # "Last summer" said in July is the one before.
    return next(
        period for end in (now.replace(day=1), now) for period in found[::-1] if period.end <= end
    )


def _told_holiday(match: Match) -> Period | None:
    """Christmas without a preposition, where a verb says which: "we spent Christmas in Wales"."""
    is_told = match.tense in (Tense.PAST, Tense.FUTURE)
    is_told |= match.found.start() == 0 and match.follows("FT")
    is_part = match.follows("_") and not match.is_before_verb  # "the Christmas tree"
    return _nearest_seasonal(match) if is_told and not is_part else None


# Parts of other periods


def _whole(match: Match) -> Period | None:
    """What "the end of ..." or "the first week of ..." is a part of."""
    if name := match.word("whole_unit"):
        if name in cal.SHORT_UNITS or (name == "day" and match.tag("edge") != "X"):
            return None
        step_of = _unit_from_now(match, "whole_unit")
        return step_of if match.word("way") else cal.unit_period(name, match.now)
    if (decade := match.number("decade")) is not None:
        before = match.pieces[max(0, match.found.start() - 1)].value
        return None if before in _OWNERS else cal.months_from(decade, 1, 120)  # "her late 40s"
    month, year = match.number("month"), match.number("year")
    if month is not None or year is not None:
        return match.meant(Named(year, month))
    return match.period("date")


def _edge(match: Match) -> Period | None:
    whole, edge = _whole(match), match.word("edge")
    if whole is None or edge == "from" or whole.end - whole.start <= cal.DAY:
        return whole if edge != "from" else None
    if edge in ("start", "end") and not match.is_asked:  # "by the end of May" is by its last day
        last = whole.start if edge == "start" else whole.end - cal.DAY
        return cal.day_of(last, whole.grain)
    part = cal.edge_of(whole, (_WIDE if match.is_asked else _NARROW).get(edge, edge))
    today = cal.midnight(match.now)
    is_rest = edge == "later" and part.start < today < part.end
    return replace(part, start=today) if is_rest else part


def _before_end(match: Match) -> Period | None:
    """Before the end of May is before June."""
    whole = _whole(match) if match.is_asked else None
    return Period(cal.FIRST_MOMENT, whole.end, Grain.RANGE) if whole else None


def _half_of(match: Match) -> Period | None:
    """The first or second half of a year or month."""
    whole, edge = _whole(match), {1: "early", 2: "late"}.get(match.number("number") or 0)
    return cal.edge_of(whole, edge) if whole and edge else None


def _rest_of(match: Match) -> Period | None:
    """What is left of a week, month or year."""
    whole, today = _whole(match), cal.midnight(match.now)
    return replace(whole, start=today) if whole and whole.start <= today < whole.end else None


def _numbered(match: Match) -> Period | None:
    """The second week of May."""
    whole, unit, number = _whole(match), match.word("unit"), match.number("number") or -1
    is_known = match.word("number") in ("", "last")
    if whole is None or unit in (*cal.SHORT_UNITS, "year", "decade", "fortnight") or not is_known:
        return None
    if unit == "week" and whole.grain is Grain.MONTH and not match.is_asked:
        first, step = (whole.start, number - 1) if number > 0 else (whole.end, -1)
        start = first + 7 * step * cal.DAY  # the first week is its first seven days
        return Period(start, start + 7 * cal.DAY, Grain.WEEK)
    return cal.numbered(unit, number, whole)


def _numbered_units(match: Match) -> Period | None:
    """The first two weeks of May."""
    whole, unit = _whole(match), match.word("unit")
    if whole is None or unit in cal.SHORT_UNITS or match.number("number") not in (1, None):
        return None
    edge, step = (whole.start, 1) if match.number("number") else (whole.end, -1)
    first, last = sorted((edge, cal.shifted(edge, unit, step * match.count)))
    return Period(first, last, Grain.RANGE)


def _numbered_weekday(match: Match) -> Period | None:
    """The second Tuesday of March."""
    whole, weekday = _whole(match), match.number("weekday") or 0
    if whole is None or whole.grain is not Grain.MONTH:
        return None
    return cal.numbered_weekday(match.number("number"), weekday, whole)


def _quarter(match: Match) -> int | None:
    """The third quarter."""
    return match.number("number") if match.word("unit") == "quarter" else None


def _week_numbered(match: Match) -> Period | None:
    is_week = match.word("unit") == "week" and not match.follows("OU")
    return cal.week_number(match.now.year, match.number("number") or 0) if is_week else None


# Beside other dates


def _anchor(match: Match) -> Period | None:
    """The date beside; without one what was named last, or today when it is asked."""
    date, side = match.value("date"), match.word("side")
    if side in ("from", "") and isinstance(date, Named):
        return cal.nearest(date, match.now, Tense.FUTURE)
    if match.word("unit") in cal.SHORT_UNITS:
        return None
    if match.tag("date"):
        return match.period("date")
    start = match.found.start()
    before = reversed(match.pieces[max(0, start - _NEAR) : start])
    named = next(filter(None, map(match.reader.period_of, before)), None)
    is_today = named is None and match.is_asked and side != "later"
    return cal.day_of(match.now) if is_today else named


def _beside(match: Match) -> Period | None:
    """So many units before or after a date; a week on Friday, Monday week; three days later."""
    side, unit, anchor = match.word("side"), match.word("unit"), _anchor(match)
    before = match.pieces[max(0, match.found.start() - 2) : match.found.start()]
    is_rate = not match.tag("count") and any(each.tag in "nky" for each in before)
    if anchor is None or (is_rate and before[-1].tag != ";"):
        return None  # "54 a month from January"
    is_of_day = side or (unit in ("week", "fortnight") and match.tense is not Tense.PAST)
    if not is_of_day or (side == "later" and anchor.grain is not Grain.DAY):
        return None
    return cal.moved(anchor.start, unit, -match.count if side == "before" else match.count)


def _next_to(match: Match) -> Period | None:
    """The day, week or month right before or after a date."""
    anchor, unit, is_before = _anchor(match), match.word("unit"), match.word("side") == "before"
    return cal.next_to(anchor, unit, is_before=is_before) if anchor else None


def _weekday_beside(match: Match) -> Period | None:
    """The Friday before a date."""
    anchor, weekday = match.period("date"), match.number("weekday") or 0
    if anchor is None:
        return None
    is_before = match.word("side") == "before"
    edge = anchor.start if is_before else anchor.end - cal.DAY
    return cal.weekday_of(weekday, edge, Tense.PAST if is_before else Tense.FUTURE)


def _week_around(match: Match) -> Period | None:
    date, unit = match.period("date"), match.word("unit")
    is_count = match.word("side") == "from"  # "two weeks from Friday"
    if date is None or date.grain is not Grain.DAY or unit not in ("week", "weekend") or is_count:
        return None
    return cal.unit_period(unit, date.start)
