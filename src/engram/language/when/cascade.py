"""How tagged pieces become times: rules over tags, applied in turn like a cascade.

Each rule of `grammar.txt` names a pattern of tags and a reading. A reading takes what was
matched and gives the meaning of the whole, or nothing when the words do not mean a time after all;
then they stay as they are for the rules after it.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from engram.language.when.lexicons import Value
from engram.language.when.tense import Tenses
from engram.language.when.words import Piece
from engram.text import calendar as cal
from engram.text.calendar import Named, Period, Tense


@dataclass(frozen=True, slots=True)
class Reader:
    """From where a text is read: the speaker's time, and the tenses of the text."""

    now: datetime
    tenses: Tenses
    is_query: bool = False
    tense: Tense | None = None  # of all that is read, whatever the words say

    def period(self, value: Value | None, tense: Tense, start: int) -> Period | None:
        """The period that a date, a month or a year, named at a place, means from here."""
        if isinstance(value, Named):
            is_asked = self.is_query or self.tenses.is_question(start)
            is_over = tense is Tense.PAST and not self.tenses.is_led_by("back", start)
            soon = cal.arranged(value, self.now) if is_over and not is_asked else None
            return soon or cal.nearest(value, self.now, tense)
        return value if isinstance(value, Period) else None

    def period_of(self, piece: Piece) -> Period | None:
        """The period that a piece of the text means."""
        tense = self.tense or self.tenses.at(piece.start, piece.end)
        return self.period(piece.value, tense, piece.start)


@dataclass(frozen=True, slots=True)
class Match:
    """The pieces that a pattern has found, by the names of its groups."""

    found: re.Match[str]
    pieces: list[Piece]
    reader: Reader

    @property
    def now(self) -> datetime:
        """The time of the speaker."""
        return self.reader.now

    @property
    def start(self) -> int:
        """Where in the text the match begins."""
        return self.pieces[self.found.start()].start

    @property
    def tense(self) -> Tense:
        """The tense of the words around."""
        return self.reader.tenses.at(self.start, self.pieces[self.found.end() - 1].end)

    def is_led_by(self, pattern: str) -> bool:
        """Whether the words before fit a pattern of the language."""
        return self.reader.tenses.is_led_by(pattern, self.start)

    @property
    def is_asked(self) -> bool:
        """Whether a question or a query names the time, and means all that its words allow."""
        return self.reader.is_query or self.reader.tenses.is_question(self.start)

    def meant(self, value: Value | None) -> Period | None:
        """The period that a date means where the match begins."""
        return self.reader.period(value, self.tense, self.start)

    def value(self, name: str) -> Value | None:
        """The meaning of a named piece, if the pattern has found it."""
        piece = self._piece(name)
        return piece.value if piece else None

    def period(self, name: str) -> Period | None:
        """The period that a named piece means."""
        piece = self._piece(name)
        return self.reader.period_of(piece) if piece else None

    @property
    def day(self) -> Period | None:
        """The period of the date, if it is a day or a part of one."""
        found = self.period("date")
        return found if found and found.grain in cal.DAYS else None

    def tag(self, name: str) -> str:
        """The tag of a named piece."""
        piece = self._piece(name)
        return piece.tag if piece else ""

    def number(self, name: str) -> int | None:
        """A named piece as a number."""
        value = self.value(name)
        return value if isinstance(value, int) else None

    def word(self, name: str) -> str:
        """A named piece as a word."""
        value = self.value(name)
        return value if isinstance(value, str) else ""

    def _piece(self, name: str) -> Piece | None:
        place = self.found.start(name) if name in self.found.re.groupindex else -1
        return self.pieces[place] if place >= 0 else None

    @property
    def count(self) -> int:
        """So many of a unit; "a week" is one."""
        return self.number("count") or 1

    @property
    def step(self) -> int:
        """Whether the last one, this one or the next one is meant."""
        return _STEPS.get(self.word("way"), 0)

    def follows(self, tags: str) -> bool:
        """Whether the piece after the match has one of these tags."""
        return any(piece.tag in tags for piece in self._next)

    @property
    def is_before_verb(self) -> bool:
        """Whether the piece after the match is a verb."""
        return any(self.reader.tenses.is_verb(piece.start) for piece in self._next)

    @property
    def _next(self) -> list[Piece]:
        return self.pieces[self.found.end() : self.found.end() + 1]


_STEPS = {"last": -1, "past": -1, "next": 1, "coming": 1}
Reading = Callable[[Match], Value | None]


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern of tags, the tag of the whole, and how it is read."""

    pattern: re.Pattern[str]
    tag: str
    read: Reading


def read_rules(grammar: str, readings: Mapping[str, Reading]) -> dict[str, tuple[Rule, ...]]:
    """The rules of a grammar by section; see the head of `grammar.txt`."""
    parts: dict[str, str] = {}
    rules: dict[str, tuple[Rule, ...]] = {}
    section = ""
    for line in grammar.splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif " = " in line and not section and not line.startswith("#"):
            name, _, parts[name] = line.partition(" = ")
        elif line and not line.startswith("#"):
            name, tag, pattern = line.split()
            whole = _GROUP.sub(r"(?P<\1>\2)", _PART.sub(lambda part: parts[part[1]], pattern))
            same = partial(Match.value, name=name.removeprefix(_SAME))
            read = same if name.startswith(_SAME) else readings[f"_{name}"]
            rule = Rule(re.compile(whole), tag, read)
            rules[section] = (*rules.get(section, ()), rule)
    return rules


_SAME = "same_"
_PART = re.compile(r"\{(\w+)\}")
_GROUP = re.compile(r"<(\w+):(\[[^]]*\]|.)>")


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
            taken = pieces[found.start() : found.end()]
            made_of = "".join(piece.made_of or piece.tag for piece in taken)
            replaced += pieces[done : found.start()]
            replaced.append(Piece(each.tag, value, taken[0].start, taken[-1].end, made_of))
            done = found.end()
        if replaced:
            pieces = replaced + pieces[done:]
            shape = "".join(piece.tag for piece in pieces)
    return pieces


def _read(each: Rule, match: Match) -> Value | None:
    try:
        return each.read(match)
    except (IndexError, OverflowError, StopIteration, ValueError):
        return None  # outside the years 1 to 9999 there is no time to speak of
