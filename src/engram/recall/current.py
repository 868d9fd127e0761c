"""The current statement before the one it replaced, also when nobody has marked it replaced.

Two hits of the same speaker speak of the same value when they share what the question asks for; the
later one then comes first. It only changes the order of what was found: it finds nothing and
drops nothing, and it acts on questions for what holds now, never on questions about the past.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engram.memory.record import Memory
from engram.memory.stems import stem
from engram.memory.traits import Mark, marks_of

AMONG = 10  # hits that are looked at: farther down, resemblance is chance
LIKELY = 0.8  # measured: less moves more without putting more of them right
_SCORE_SCALE = 4.0
_NUMBER = re.compile(r"\d[\d,.:]*\d|\d")
_AMOUNT = re.compile(r"([$€£])? ?\d[\d,.:/]* ?(%|[A-Za-z-]+)?(?: ([A-Za-z-]+))?")
_CHANGE = re.compile(
    r"\b(?:now|currently|recent(?:ly)?|updat\w*|chang\w*|increas\w*|decreas\w*|mov(?:e|ed|ing)"
    r"|re-?schedul\w*|extend\w*|shorten\w*|latest|new|no longer|instead|actually|reach\w*"
    r"|improv\w*|switch\w*|already|add(?:ed|ing)|rais\w*|dropp\w*|grow\w*|grew|cut|postpon\w*"
    r"|delay\w*|push\w*|from \S+ to|up to|down to|total of|scored|boost\w*|adjust\w*|revis\w*)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """One hit as the rule sees it: what it says, how well it matches, which terms it holds."""

    memory: Memory
    total: float  # the weighed sum of its signals
    terms: frozenset[int]


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
) -> tuple[list[int], dict[int, int]]:
    """The order to show the hits in, and for each that was moved the one it goes before."""
    pairs = [
        (likelihood(pair.figures), pair)
        for pair in rival_pairs(statements[:AMONG], rarity, nearness)
    ]
    order = list(range(len(statements)))
    moved: dict[int, int] = {}
    for probability, pair in sorted(pairs, key=lambda each: -each[0]):
        if probability < LIKELY:
            break
        if order.index(pair.later) > order.index(pair.earlier):
            order.remove(pair.later)
            order.insert(order.index(pair.earlier), pair.later)
            moved[pair.later] = pair.earlier
    return order, moved


def rival_pairs(
    statements: Sequence[Statement],
    rarity: Sequence[float],
    nearness: Callable[[Memory, Memory], float],
) -> list[Pair]:
    """The pairs in which a later statement stands below an earlier one of the same speaker."""
    found = []
    for place, earlier in enumerate(statements):
        for other in range(place + 1, len(statements)):
            later = statements[other]
            if _may_replace(later.memory, earlier.memory):
                figures = _figures(place, earlier, later, rarity)
                figures["nearness"] = nearness(earlier.memory, later.memory)
                found.append(Pair(place, other, figures))
    return found


def _may_replace(later: Memory, earlier: Memory) -> bool:
    return (
        (later.at, later.number) > (earlier.at, earlier.number)
        and later.speaker == earlier.speaker
        and later.source_class == earlier.source_class
        and earlier.is_vouched_for == later.is_vouched_for
        and bool(marks_of(later.content) & (Mark.NUMBER | Mark.CHANGE))
    )


def _figures(
    place: int, earlier: Statement, later: Statement, rarity: Sequence[float]
) -> dict[str, float]:
    total = sum(rarity) or 1.0
    own = sum(rarity[term] for term in earlier.terms)
    shared = sum(rarity[term] for term in earlier.terms & later.terms)
    before, after = earlier.memory.content, later.memory.content
    return {
        "shared terms": shared / own if own else 0.0,
        "terms of the earlier": own / total,
        "change is told": float(_CHANGE.search(after) is not None),
        "same unit": float(bool(_units(before) & _units(after))),
        "score gap": (earlier.total - later.total) / _SCORE_SCALE,
        "place": place / AMONG,
        "both have numbers": float(bool(marks_of(before) & marks_of(after) & Mark.NUMBER)),
        "another number": float(bool(set(_NUMBER.findall(after)) - set(_NUMBER.findall(before)))),
    }


def _units(text: str) -> set[str]:
    found: set[str] = set()
    for currency, unit, thing in _AMOUNT.findall(text):
        found |= {currency, unit, stem(thing.lower())}
    return found - {""}
