"""The current statement before the one it replaced, also when nobody has marked it replaced.

Two hits of the same speaker speak of the same value when they share what the question asks for; the
later one then comes first. It only changes the order of what was found: it finds nothing and
drops nothing, and it acts on questions for what holds now, never on questions about the past.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from engram.language.changes import tells_change
from engram.language.stems import stem
from engram.memory.record import Memory
from engram.memory.traits import Mark, marks_of

AMONG = 10  # hits that are looked at: farther down, resemblance is chance
LIKELY = 0.8  # measured: less moves more without putting more of them right
_SCORE_SCALE = 4.0
_NUMBER = re.compile(r"\d[\d,.:]*\d|\d")
_AMOUNT = re.compile(r"([$€£])? ?\d[\d,.:/]* ?(%|[A-Za-z-]+)?(?: ([A-Za-z-]+))?")
_Reading = TypeVar("_Reading")
_OF_CHANGE = Mark.NUMBER | Mark.CHANGE


_Wording = tuple[str, int, int]  # a memory and its version
_MOST_READ = 65_536


@dataclass(frozen=True, slots=True)
class Statement:
    """One hit as the rule sees it: what it says, how well it matches, which terms it holds."""

    memory: Memory
    total: float  # the weighed sum of its signals
    terms: frozenset[int]
    identifiers: frozenset[int] = frozenset()  # those of the terms that name one thing exactly


@dataclass(frozen=True, slots=True)
class Pair:
    """An earlier statement and a later one that may replace it."""

    earlier: int  # their places among the hits
    later: int
    figures: dict[str, float]


def current_first(
    statements: Sequence[Statement],
    rarity: Sequence[float],
    nearness: Callable[[Memory, Memory], float],
    likelihood: Callable[[dict[str, float]], float],
    readings: "Readings | None" = None,
    decided: Sequence[tuple[int, int]] = (),
) -> tuple[list[int], dict[int, int]]:
    """The order to show the hits in, and for each that was moved the one it goes before.

    `decided` are the places of an earlier and a later statement that the judge took for a change.
    """
    looked_at, read = statements[:AMONG], readings or Readings()
    rivals = rival_pairs(looked_at, rarity, nearness, read)
    likely = sorted(
        ((likelihood(pair.figures), pair) for pair in rivals), key=lambda each: -each[0]
    )
    anew = [Pair(earlier, later, {}) for earlier, later in decided]
    order = list(range(len(statements)))
    moved: dict[int, int] = {}
    # Who was moved by resemblance must not stand before what says outright that it is over.
    for pair in (*anew, *(pair for chance, pair in likely if chance >= LIKELY), *anew):
        if order.index(pair.later) > order.index(pair.earlier):
            order.remove(pair.later)
            order.insert(order.index(pair.earlier), pair.later)
            moved[pair.later] = pair.earlier
    places = {each: place for place, each in enumerate(order)}
    # What it went before may have been moved in front of it for the sake of a third.
    return order, {one: other for one, other in moved.items() if places[one] < places[other]}


def rival_pairs(
    statements: Sequence[Statement],
    rarity: Sequence[float],
    nearness: Callable[[Memory, Memory], float],
    readings: "Readings | None" = None,
) -> list[Pair]:
    """The pairs in which a later statement stands below an earlier one of the same speaker."""
    read = (readings or Readings()).words
    found = []
    for place, earlier in enumerate(statements):
        for other in range(place + 1, len(statements)):
            later = statements[other]
            if _may_replace(later, earlier) and read(later.memory).marks & _OF_CHANGE:
                figures = _figures(place, earlier, later, rarity)
                figures |= _told(read(earlier.memory), read(later.memory))
                figures["nearness"] = nearness(earlier.memory, later.memory)
                found.append(Pair(place, other, figures))
    return found


def _may_replace(later: Statement, earlier: Statement) -> bool:
    # Error 4013 says nothing of error 4012.
    is_of_the_same = earlier.identifiers <= later.identifiers
    return is_of_the_same and _is_later(later.memory, earlier.memory)


def _is_later(later: Memory, earlier: Memory) -> bool:
    """Whether one could replace the other at all: said later, by the same, as well vouched for."""
    return (
        (later.at, later.number) > (earlier.at, earlier.number)
        and later.speaker == earlier.speaker
        and later.source_class == earlier.source_class
        and earlier.is_vouched_for == later.is_vouched_for
    )


def _figures(
    place: int, earlier: Statement, later: Statement, rarity: Sequence[float]
) -> dict[str, float]:
    total = sum(rarity) or 1.0
    own = sum(rarity[term] for term in earlier.terms)
    shared = sum(rarity[term] for term in earlier.terms & later.terms)
    return {
        "shared terms": shared / own if own else 0.0,
        "terms of the earlier": own / total,
        "score gap": (earlier.total - later.total) / _SCORE_SCALE,
        "place": place / AMONG,
    }


@dataclass(frozen=True, slots=True)
class _Words:
    """What the words of one hit tell; it stands in several pairs."""

    marks: int
    units: frozenset[int]
    numbers: frozenset[int]
    tells_change: bool


def _read(memory: Memory) -> _Words:
    text = memory.content
    return _Words(
        marks_of(text),
        frozenset(map(hash, _units(text))),
        frozenset(map(hash, _NUMBER.findall(text))),
        tells_change(text),
    )


class Readings:
    """What was read in wordings that come up again and again: hashes and flags, never words."""

    def __init__(self) -> None:
        self._words: dict[_Wording, _Words] = {}

    def words(self, memory: Memory) -> _Words:
        """What the words of a wording tell."""
        return _known(self._words, memory, _read)


def _known(
    readings: dict[tuple[str, int, int], _Reading],
    memory: Memory,
    read: Callable[[Memory], _Reading],
) -> _Reading:
    wording = memory.id, memory.number, memory.version  # never those of another wording
    try:
        return readings[wording]
    except KeyError:
        if len(readings) >= _MOST_READ:
            readings.clear()
        return readings.setdefault(wording, read(memory))


def _told(before: _Words, after: _Words) -> dict[str, float]:
    return {
        "change is told": float(after.tells_change),
        "same unit": float(bool(before.units & after.units)),
        "both have numbers": float(bool(before.marks & after.marks & Mark.NUMBER)),
        "another number": float(bool(after.numbers - before.numbers)),
    }


def _units(text: str) -> set[str]:
    found: set[str] = set()
    for currency, unit, thing in _AMOUNT.findall(text):
        found |= {currency, unit, stem(thing.lower())}
    return found - {""}
