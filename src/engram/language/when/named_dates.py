"""What the rules of `grammar.txt` read as names of dates: days, months and years as written."""

from dataclasses import replace

from engram.language.when.cascade import Match, Reader
from engram.language.when.words import Piece
from engram.text import calendar as cal
from engram.text.calendar import Grain, Named, Period, Tense

_NEAR = 40  # pieces beside a day in which a month may be named
_HOURS = 24
_MOST_RANKED = 12  # numbers up to this one are often those of floors, places and attempts
_NEAR_DAYS = 32  # a weekday with a number is of this month, or of the one beside it


def _joined_number(match: Match) -> int | None:
    tens, ones = match.number("tens") or 0, match.number("ones") or 0
    last = match.pieces[match.found.end() - 1]
    is_one = tens in range(20, 100, 10) and ones < 10 and last.end - last.start > 2  # no "20-3"
    return tens + ones if is_one else None


def _named(match: Match) -> Named | None:
    day, month = match.number("day"), match.number("month")
    units = ("", "year" if day is None else "day")
    if (day is not None and not 1 <= day <= 31) or match.word("unit") not in units:
        return None
    return Named(match.number("year"), month, day, match.number("weekday"))


def _led_month(match: Match) -> Named | None:
    """Booked for June; but "a cake for June"."""
    return _named(match) if match.is_led_by("ahead") else None


def _starting_month(match: Match) -> Period | Named | None:
    """ "Signed up from May" is ahead; but "the pictures from May"."""
    named = Named(month=match.number("month"))
    is_near = match.tense is Tense.PAST and not (match.is_asked or match.is_led_by("back"))
    return cal.nearest(named, match.now, Tense.UNKNOWN) if is_near else named


def _weekday_and_day(match: Match) -> Named | None:
    """Friday 20; but in "Friday 10 to 12" the number is an hour, or the day would be far off."""
    named = _named(match)
    found = match.meant(named) if named and match.tag("day") == "n" else None
    is_far = found is not None and abs(found.start - match.now) > _NEAR_DAYS * cal.DAY
    is_hour = is_far and not match.tag("the") and (match.number("day") or 0) <= _HOURS
    return None if is_hour else named


def _days_of_month(match: Match) -> Period | None:
    first, last = match.number("day"), match.number("last")
    if first is None or last is None or not first < last <= 31:
        return None
    if match.word("and") == "or" or (match.tag("and") and last != first + 1):
        return None
    if not match.tag("month") and match.is_led_by("moved"):
        return None
    named = Named(match.number("year"), match.number("month"), first)
    begin = match.meant(named)
    end = begin and begin.start.replace(day=last) + cal.DAY
    return Period(begin.start, end, Grain.RANGE) if begin and end else None


def _dotted(match: Match) -> Named | None:
    month, _, day = match.word("pair").partition(".")
    is_date = 1 <= int(month) <= 12 and 1 <= int(day) <= 31
    is_version = match.tag("on") and not match.is_asked and match.tense is not Tense.FUTURE
    if not is_date or is_version:
        return None
    named = Named(month=int(month), day=int(day))
    weekday, found = match.number("weekday"), match.meant(named)
    is_other = weekday is not None and found and found.start.weekday() != weekday
    return None if is_other else named  # "born on Tuesday 3.4 kilos", "Friday 12.30"


def _late_day(match: Match) -> Named | None:
    """ "The 24th", but "the 3rd" only where a month is named beside it: it may be a floor."""
    first, last = match.found.span()
    near = match.pieces[max(0, first - _NEAR) : last + _NEAR]
    is_told = any(piece.tag in "DM" for piece in near) or match.is_led_by("moved")
    is_told &= not match.follows("_")
    return _named(match) if is_told or (match.number("day") or 0) > _MOST_RANKED else None


def in_month_named_before(pieces: list[Piece], reader: Reader) -> list[Piece]:
    """The pieces with "the 24th" as a day of the month that the text has named before."""
    month: Period | None = None
    found: list[Piece] = []
    for piece in pieces:
        value = piece.value
        if piece.tag == "D" and isinstance(value, Named):
            is_day_only = value.day is not None and value.month is None and value.weekday is None
            if is_day_only and month is not None:
                is_over = month.grain is Grain.DAY and (value.day or 0) < month.start.day
                is_over &= all(each.tag != "Y" for each in found[-2:])  # not "by the 10th"
                start = cal.shifted(month.start.replace(day=1), "month", is_over)
                value = replace(value, year=start.year, month=start.month)
                piece = replace(piece, value=value)
            near = reader.period_of(piece) if value.month is not None or is_day_only else None
            month = near if near and (value.month or near.start > reader.now) else month
        elif isinstance(value, Period):
            month = value if value.grain is Grain.RANGE else month
        found.append(piece)
    return found


# Years


def _plausible_year(match: Match) -> Named | None:
    """A year; but not "1984 is a great book", and not "the 2000 pages"."""
    year = match.number("year") or match.number("told") or 0
    if match.tag("told") and match.tense not in (Tense.PAST, Tense.FUTURE):
        return None
    is_near = 1950 <= year <= match.now.year + 10 and year % 1000
    is_count = match.word("noun").endswith("s") and not match.is_before_verb
    return Named(year=year) if is_near and not is_count else None


def _year_or_count(match: Match) -> Named | None:
    """In 2019; but not "in 2000 words" or "at 2500 metres"."""
    year = match.number("year") or 0
    is_near = 1900 < year <= match.now.year + 20 and year % 100
    return None if match.follows("U%" if is_near else "_U%") else Named(year=year)
