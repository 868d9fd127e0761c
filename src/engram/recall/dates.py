"""Dates that stand in the words of rows: what was said in spring may be about next February."""

from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

import numpy as np
from numpy.typing import NDArray

from engram.language.when.lexicons import LANGUAGES, lexicon, month_names
from engram.language.when.spans import TimeSpan
from engram.memory.times import from_micros, to_micros
from engram.memory.traits import token_of
from engram.recall.selection import Selection
from engram.text.calendar import Grain

Rows = NDArray[np.int64]
_MOST_READ = 400  # rows that are read for their dates
_MOST_DAYS = 7
_WITHIN = timedelta(days=400)  # a date without a year is of about the year it was said in
_TAG_DAYS = {"J": 3, "E": 3, "p": 3, "W": 15, "w": 15}
_UNIT_DAYS = {"day": 15, "weekend": 15, "week": 62, "fortnight": 62, "month": 366, "year": 800}
_AMBIGUOUS = frozenset(map(token_of, ("may", "march", "mar")))
_YEARS = range(1900, 2100)


@dataclass(frozen=True, slots=True)
class _Named:
    """A date as far as it is written."""

    year: int | None
    month: int
    day: int | None


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The dates of a span: its month, and its days where it is short."""

    year: int | None  # None: the question names none
    months: frozenset[int]
    days: frozenset[tuple[int, int]] | None  # month and day; None: any day of the month
    middle: date


def rows_naming(span: TimeSpan, selection: Selection) -> Rows:
    """The selected rows whose words name a day or a month of a span."""
    wanted = _wanted(span)
    if wanted is None or not len(selection):
        return selection.rows[:0]
    wordings = selection.wordings
    tokens = [token for token, month in _months().items() if month in wanted.months]
    tokens += [token_of(f"{month:02d}") for month in wanted.months]
    found = [wordings.postings.find(token).rows for token in tokens]
    rows = np.unique(np.concatenate(found))
    rows = rows[rows < len(selection.mask)]
    rows = rows[selection.mask[rows]][-_MOST_READ:]
    return np.array([row for row in rows.tolist() if _names(row, wanted, selection)], np.int64)


def rows_counting_to(span: TimeSpan, selection: Selection) -> Rows:
    """The selected rows that count from when they were said, and may come to a span.

    "On Friday" is told in the days around that Friday, "in two months" within a year of it.
    """
    wordings, start, end = selection.wordings, to_micros(span.start), to_micros(span.end)
    days = min(7, (span.end - span.start).days + 2)  # one more, as days begin elsewhere too
    weekdays = {(span.start.weekday() + step) % 7 for step in range(days)}
    found = [np.empty(0, np.int64)]
    for token, (reach, weekday) in _counted().items():
        if weekday is None or weekday in weekdays:
            rows = wordings.postings.find(token).rows
            rows = rows[rows < len(selection.mask)]
            at = wordings.at[rows]
            found.append(rows[(at > start - reach) & (at < end + reach) & selection.mask[rows]])
    every = np.unique(np.concatenate(found))
    nearest = np.abs(wordings.at[every] - start).argsort(kind="stable")[:_MOST_READ]
    return np.sort(every[nearest])


def is_naming(row: int, span: TimeSpan, selection: Selection) -> bool:
    """Whether the words of one row name a day or a month of a span."""
    wanted = _wanted(span)
    return wanted is not None and _names(row, wanted, selection)


def _wanted(span: TimeSpan) -> _Wanted | None:
    length = span.end - span.start
    middle = (span.start + length / 2).date()  # noon, or the middle of the month, in any zone
    has_year = any(part.isdigit() and len(part) == 4 for part in _parts(span.text))
    is_dated = any(token_of(part.lower()) in _months() for part in _parts(span.text))
    year = middle.year if has_year or not is_dated else None
    if span.grain is Grain.MONTH and length > timedelta(days=27):
        return _Wanted(year, frozenset({middle.month}), None, middle)
    if length > timedelta(days=_MOST_DAYS) or span.grain in (Grain.YEAR, Grain.DECADE):
        return None
    noon = span.start + timedelta(hours=12)
    days = [(noon + timedelta(days=step)).date() for step in range(max(1, length.days))]
    return _Wanted(
        year,
        frozenset(day.month for day in days),
        frozenset((day.month, day.day) for day in days),
        middle,
    )


def _parts(text: str) -> list[str]:
    return "".join(letter if letter.isalnum() else " " for letter in text).split()


def _names(row: int, wanted: _Wanted, selection: Selection) -> bool:
    wordings = selection.wordings
    start = int(wordings.starts[row])
    tokens = wordings.stream[start : start + int(wordings.words[row])].tolist()
    said = from_micros(int(wordings.at[row])).date()
    return any(_is_meant(named, wanted, said) for named in _dates(tokens))


def _is_meant(named: _Named, wanted: _Wanted, said: date) -> bool:
    if wanted.days is None:
        is_in = named.month in wanted.months
    else:
        is_in = named.day is not None and (named.month, named.day) in wanted.days
    if wanted.year is None or not is_in:
        return is_in
    if named.year is None:
        return abs(said - wanted.middle) < _WITHIN
    return named.year == wanted.year


def _dates(tokens: list[int]) -> list[_Named]:
    """The dates in a row's words: 3 February 2027, February 3rd, 2027-02-03."""
    found = []
    padded = [0, 0, *tokens, 0, 0]
    for place in range(2, len(padded) - 2):
        token, after, then = padded[place], padded[place + 1], padded[place + 2]
        if token in _months():
            day = _days().get(padded[place - 1]) or _day_before_of(padded, place)
            follows = _days().get(after) if day is None else None
            year = _years().get(then if follows else after)
            if day or follows or year or token not in _AMBIGUOUS:
                found.append(_Named(year, _months()[token], day or follows))
        elif token in _years() and after in _figures() and then in _days():
            found.append(_Named(_years()[token], _figures()[after], _days()[then]))
    return found


def _day_before_of(padded: list[int], place: int) -> int | None:
    """The third of "the 3rd of February"."""
    return _days().get(padded[place - 2]) if padded[place - 1] == token_of("of") else None


@cache
def _months() -> dict[int, int]:
    return {token_of(word): month for word, month in month_names().items()}


@cache
def _counted() -> dict[int, tuple[int, int | None]]:
    """Words that count from today: how far, in microseconds, and to which weekday."""
    found: dict[int, tuple[int, int | None]] = {}
    for language in LANGUAGES:
        for word, ((tag, value), *_) in lexicon(language).words.items():
            days = _UNIT_DAYS.get(str(value), 0) if tag == "U" else _TAG_DAYS.get(tag, 0)
            if days:
                weekday = value if tag in "Ww" and isinstance(value, int) else None
                found[token_of(word)] = (days * 86_400_000_000, weekday)
    return found


@cache
def _figures() -> dict[int, int]:
    return {token_of(f"{month:02d}"): month for month in range(1, 13)}


@cache
def _days() -> dict[int, int]:
    endings = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}
    written = {
        day: (f"{day}", f"{day:02d}", f"{day}{endings.get(day, 'th')}") for day in range(1, 32)
    }
    return {token_of(word): day for day, words in written.items() for word in words}


@cache
def _years() -> dict[int, int]:
    return {token_of(str(year)): year for year in _YEARS}
