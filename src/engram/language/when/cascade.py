"""How tagged words become times: rules over tags, applied in turn like a cascade.

Each rule names a pattern of tags (see `when_words.py`) and a reading. A reading takes what was
matched and gives the meaning of the whole, or nothing when the words do not mean a time after all;
then they stay as they are for the rules after it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from engram.language.when import calendar as cal
from engram.language.when.calendar import Grain, Named, Period
from engram.language.when.words import PART_HOURS, Piece, Value


@dataclass(frozen=True, slots=True)
class Reader:
    """From where a text is read: the asker's time, and whether its words look ahead or back."""

    now: datetime
    is_future: bool = False
    is_past: bool = False

    def period(self, value: Value | None) -> Period | None:
        """The period that a date, a month or a year means from here."""
        if isinstance(value, Period):
            return value
        if isinstance(value, Named):
            return cal.nearest(value, self.now, is_future=self.is_future)
        return None


@dataclass(frozen=True, slots=True)
class Match:
    """The pieces that a pattern has found, by the names of its groups."""

    found: re.Match[str]
    pieces: list[Piece]
    reader: Reader

    def value(self, name: str) -> Value | None:
        """The meaning of a named piece, if the pattern has found it."""
        place = self._place(name)
        return None if place is None else self.pieces[place].value

    def tag(self, name: str) -> str:
        """The tag of a named piece."""
        place = self._place(name)
        return "" if place is None else self.pieces[place].tag

    def number(self, name: str) -> int | None:
        """A named piece as a number."""
        value = self.value(name)
        return value if isinstance(value, int) else None

    def word(self, name: str) -> str:
        """A named piece as a word."""
        value = self.value(name)
        return value if isinstance(value, str) else ""

    def follows(self, tags: str) -> bool:
        """Whether the piece after the match has one of these tags."""
        place = self.found.end()
        return place < len(self.pieces) and self.pieces[place].tag in tags

    def is_spelled(self, name: str) -> bool:
        """Whether a number was written as a word."""
        place = self._place(name) or 0
        return self.pieces[place].end - self.pieces[place].start > 2

    def _place(self, name: str) -> int | None:
        groups = self.found.re.groupindex
        if name not in groups or self.found.start(name) < 0:
            return None
        return self.found.start(name)


Reading = Callable[[Match], Value | None]


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern of tags, the tag of the whole, and how it is read."""

    pattern: re.Pattern[str]
    tag: str
    read: Reading


def rule(pattern: str, read: Reading, tag: str = "D") -> Rule:
    """A rule; blanks in its pattern are for the eye only."""
    return Rule(re.compile(pattern.replace(" ", "")), tag, read)


def apply(rules: tuple[Rule, ...], pieces: list[Piece], reader: Reader) -> list[Piece]:
    """Replace what each rule finds, from left to right, one rule after the other."""
    shape = "".join(piece.tag for piece in pieces)
    for each in rules:
        replaced: list[Piece] = []
        done = place = 0
        while (found := each.pattern.search(shape, place)) is not None:
            value = _read(each, Match(found, pieces, reader))
            if value is None:
                place = found.start() + 1
                continue
            place = found.end()
            first, last = pieces[found.start()], pieces[found.end() - 1]
            replaced += pieces[done : found.start()]
            replaced.append(Piece(each.tag, value, first.start, last.end))
            done = found.end()
        if replaced:
            pieces = replaced + pieces[done:]
            shape = "".join(piece.tag for piece in pieces)
    return pieces


def _read(each: Rule, match: Match) -> Value | None:
    try:
        return each.read(match)
    except (OverflowError, ValueError):
        return None  # outside the years 1 to 9999 there is no time to speak of


def part_of(day: Period, part: str) -> Period:
    """The morning, afternoon, evening or night of a day."""
    first, last = PART_HOURS[part]
    start = cal.midnight(day.start)
    hour = (cal.DAY) / 24
    return Period(start + first * hour, start + last * hour, Grain.PART)
