"""The times that a text names, as ranges.

Rules alone: the same words and the same `now` always give the same ranges. What names no place on
the calendar gives none: a length ("for two weeks"), a habit ("every Friday", "in the morning"),
"now", and words that only look like times ("you may ask", "a second try").
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from functools import cache
from importlib.resources import files
from itertools import chain

from engram.language.when import clocks, named_dates, readings
from engram.language.when.cascade import Reader, Rule, apply, read_rules
from engram.language.when.lexicons import lexicon_of
from engram.language.when.named_dates import in_month_named_before
from engram.language.when.tense import Tenses
from engram.language.when.words import Piece, pieces_of
from engram.text.calendar import DAYS, FIRST_MOMENT, LAST_MOMENT, Grain, Period, Tense, day_of

EARLIEST = FIRST_MOMENT.replace(tzinfo=UTC)
LATEST = LAST_MOMENT.replace(tzinfo=UTC)
_LONGEST_TEXT = 32_768  # longer texts are documents; reading their times takes too long
_RECURRING = frozenset("WwPpKAnIT~NMmor;.-cf&DHSO")  # tags of times that come back again and again
_NUMBERS = frozenset("nor")
_OF_TIME = frozenset("MmvWwPSHUpoyCKkQJERDr!年月日")


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """A time that a text names: from `start` up to, and not including, `end`, both in UTC."""

    start: datetime
    end: datetime
    text: str
    place: tuple[int, int]
    grain: Grain

    is_bound: bool = False

    @property
    def is_open(self) -> bool:
        """Whether one side has no bound, as in "since March"."""
        return self.is_bound or self.start == EARLIEST or self.end == LATEST


def find_times(
    text: str, now: datetime, *, is_query: bool = False, keeps_parts: bool = False
) -> tuple[TimeSpan, ...]:
    """Every time the text names, in order; days begin at midnight in the zone of `now`.

    A name without a year ("in March", "on Friday") means the nearest one that the tense of the
    verb beside it allows. Of "from May to July" July is a part. Statements are taken narrowly,
    questions and queries widely: "since 1988" and "before 1988" tell of that year, and ask for all
    that followed or went before.
    A part of a day tells of the day, unless parts are to be kept, and asks for the part.
    Only the first 32,768 characters are read.
    """
    read = text[:_LONGEST_TEXT]
    words = lexicon_of(read)
    pieces = pieces_of(read, words)
    if _OF_TIME.isdisjoint(piece.tag for piece in pieces):
        return ()
    reader = Reader(now.replace(tzinfo=None, fold=0), Tenses(read, words), is_query)
    names, periods = _rules()
    pieces = in_month_named_before(apply(names, pieces, reader), reader)
    found = []
    for piece, period in _periods(apply(periods, pieces, reader), reader):
        is_part = is_query or keeps_parts or reader.tenses.is_question(piece.start)
        if period.grain is Grain.PART and not is_part:
            period = day_of(period.start)
        place = (piece.start, piece.end)
        start, end = (_in_utc(bound, now.tzinfo or UTC) for bound in (period.start, period.end))
        span = TimeSpan(start, end, text[slice(*place)], place, period.grain, period.is_bound)
        found.append(span)
    return tuple(found)


def _periods(pieces: list[Piece], reader: Reader) -> Iterator[tuple[Piece, Period]]:
    day: Period | None = None
    told = reader.now, 0
    for place, piece in enumerate(pieces):
        is_date = told[1] > 0 and piece.tag == "D"
        is_later = is_date and reader.tenses.is_told_after(told[1], piece.start, piece.end)
        teller = replace(reader, now=told[0], tense=Tense.FUTURE) if is_later else reader
        period = _period(pieces, place, day, teller)
        if period is not None and period.start < period.end:
            yield piece, period
            told = period.start, piece.end
            exact = day_of(period.start) if period.grain is Grain.MINUTE else period
            day = exact if day is None or exact.grain in DAYS else day


@cache
def _rules() -> tuple[tuple[Rule, ...], tuple[Rule, ...]]:
    """The rules for names of dates, and those for what is said with them."""
    grammar = files("engram.language.when").joinpath("grammar.txt").read_text("utf-8")
    known = vars(clocks) | vars(readings) | vars(named_dates)
    names, *others = read_rules(grammar, known).values()
    return names, tuple(chain(*others))


def _period(pieces: list[Piece], place: int, day: Period | None, reader: Reader) -> Period | None:
    piece = pieces[place]
    with suppress(OverflowError, ValueError):  # next to the years 1 and 9999 nothing is beside
        if piece.tag in clocks.TAGS:
            return clocks.lone_clock(pieces, place, day, reader)
        if piece.tag == "D" and not _is_habit(piece, reader.tenses):
            return reader.period_of(piece)
    return None


def _is_habit(piece: Piece, tenses: Tenses) -> bool:
    """Whether a time comes back again and again: every Friday, usually in March."""
    if not piece.made_of or not _RECURRING.issuperset(piece.made_of):
        return False
    is_date = "M" in piece.made_of.upper() and not _NUMBERS.isdisjoint(piece.made_of)
    is_past = tenses.at(piece.start, piece.end) is Tense.PAST
    return tenses.is_habit(piece.start, in_clause=is_date) and not is_past


def _in_utc(moment: datetime, zone: tzinfo) -> datetime:
    with suppress(OverflowError):
        if FIRST_MOMENT < moment < LAST_MOMENT:
            return moment.replace(tzinfo=zone).astimezone(UTC)
    return EARLIEST if moment.year < 5000 else LATEST


def names_time(text: str) -> bool:
    """Whether a text names a time at all, seen from any day."""
    return bool(find_times(text[:_LONGEST_QUESTION], _ANY_DAY))


_ANY_DAY = datetime(2024, 6, 15, tzinfo=UTC)
_LONGEST_QUESTION = 2_000
