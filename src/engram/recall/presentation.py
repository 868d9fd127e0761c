"""What of a ranking is shown, and in which order: each find once, the current one first."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engram.memory.categories import TURN
from engram.memory.record import Memory
from engram.memory.vocabulary import Status
from engram.recall.adjust import Adjusted
from engram.recall.confidence import Scored
from engram.recall.current import AMONG, Readings, Statement, current_first
from engram.recall.drawn import in_whole, once_each
from engram.recall.signals import Candidates
from engram.recall.weights import load_weights
from engram.storage.reader import StoreReader
from engram.text.strings import folded

_MOSTLY = 0.6  # of a turn's characters
_LIKE_THE_FIRST = 0.2  # of its score
_CHANGES = 20  # hits among which the judge's changes are looked up
Vectors = dict[int, NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Ranked:
    """One memory in its place, with what put it there."""

    memory: Memory
    place: int  # among the candidates
    total: float
    probability: float
    adjusted: Adjusted
    score: float
    goes_before: Memory | None = None  # the earlier statement this one seems to replace
    repeats: tuple[Memory, ...] = ()  # others that say the same in the same words
    read: float | None = None  # how far it answers, where it was read beside the question


@dataclass(frozen=True, slots=True)
class Shown:
    """What of a ranking is shown, and for each hit the whole turn it was drawn from, if ranked."""

    ranked: tuple[Ranked, ...]
    wholes: tuple[Ranked, ...]

    def in_order(self, ranked: Sequence[Ranked]) -> "Shown":
        """The same hits in another order."""
        shown = zip(self.ranked, self.wholes, strict=True)
        whole = {each.memory.number: one for each, one in shown}
        return Shown(tuple(ranked), tuple(whole[each.memory.number] for each in ranked))


def show_once(ranked: Sequence[Ranked], see: StoreReader) -> Shown:
    """Nothing twice: not the same words, and not a turn beside what was drawn from it.

    Beside what is told stands the turn it was drawn from, where that is ranked too.
    """
    kept = _without_repeats(ranked)
    drawn = [each.memory.number for each in kept if each.memory.is_drawn]
    if not drawn:
        return Shown(tuple(kept), tuple(kept))
    sources = {**_repeated_turns(kept), **see.turns.source_numbers(drawn)}
    told = [
        each if each is first else replace(
            each, total=first.total, probability=first.probability, score=first.score
        )
        for each, first in once_each(kept, sources)
    ]  # fmt: skip
    return Shown(tuple(told), tuple(in_whole(told, kept, sources)))


def without_replaced_turns(ranked: Sequence[Ranked], see: StoreReader) -> list[Ranked]:
    """No turn that says little but what was replaced since: its statement is not shown either."""
    turns = [each.memory.number for each in ranked if each.memory.category == TURN]
    replaced = see.turns.replaced_parts(turns) if turns else {}
    return [
        each
        for each in ranked
        if replaced.get(each.memory.number, 0) < _MOSTLY * len(each.memory.content)
        or each.memory.number not in replaced
    ]


def _repeated_turns(kept: Sequence[Ranked]) -> dict[int, list[int]]:
    """The turns that another memory stands for: what was drawn from them is told with it."""
    return {
        each.memory.number: turns
        for each in kept
        if (turns := [other.number for other in each.repeats if other.category == TURN])
    }


def _without_repeats(ranked: Sequence[Ranked]) -> list[Ranked]:
    """One of several memories that say the same in the same words, whatever their type."""
    kept: dict[tuple[str, str | None], Ranked] = {}
    for each in ranked:
        words = said_by(each.memory)
        first = kept.get(words)
        kept[words] = each if first is None else _in_place_of(first, each)
    return list(kept.values())


def _in_place_of(first: Ranked, again: Ranked) -> Ranked:
    """The one of two that is worth more, where the first stands and with its score."""
    better, other = (again, first) if _worth(again) > _worth(first) else (first, again)
    return replace(
        better,
        total=first.total,
        probability=first.probability,
        score=first.score,
        repeats=(*first.repeats, other.memory),
    )


def _worth(ranked: Ranked) -> tuple[bool, bool, float]:
    """A statement before the turn it was said in, what holds before what held, then by trust."""
    memory = ranked.memory
    return (
        memory.category != TURN,
        memory.status is Status.ACTIVE,
        ranked.adjusted.trust.accuracy,
    )


def said_by(memory: Memory) -> tuple[str, str | None]:
    """By whom what is said; two memories with the same are shown once."""
    return " ".join(folded(memory.content).split()), memory.speaker


def _judged_changes(ranked: Sequence[Ranked], see: StoreReader) -> list[tuple[int, int]]:
    """The places of hits of which the judge took a later one for a change of an earlier one.

    A turn stands for what was drawn from it, also where that is retired by now.
    """
    places = {
        each.memory.number: place for place, each in reversed(list(enumerate(ranked[:_CHANGES])))
    }
    for turn, statements in see.turns.drawn_numbers(list(places)).items():
        for statement in statements:
            places.setdefault(statement, places[turn])
    pairs = {
        (places[old], places[new])
        for old, new in see.links.changes_among(places)
        if old in places and new in places and places[old] != places[new]
    }
    latest = [(each.memory.at, each.memory.number) for each in ranked]
    return sorted(pairs, key=lambda pair: latest[pair[1]])


def put_current_first(
    shown: Shown,
    see: StoreReader,
    scored: Scored,
    vectors: Vectors,
    readings: Readings,
    read: Sequence[tuple[int, int]] = (),
) -> list[Ranked]:
    """The current statement before the one it replaced, or seems to, unless the past is asked for.

    `read` are places of an earlier and a later hit of which reading says that the later one changes
    the earlier one. Turns are compared whole, as they were when the rule was fitted.
    """
    ranked, wholes, found = list(shown.ranked), shown.wholes, scored.found
    if len(ranked) < 2:
        return ranked
    if found.plan.asks_latest:
        return _latest_first(ranked, found)
    decided = () if found.plan.asks_about_past else (*_judged_changes(ranked, see), *read)
    if not found.plan.asks_current_value and not decided:
        return ranked
    statements = [statement(each.memory, each.total, found, each.place) for each in wholes]
    rarity = [match.rarity for match in found.matches.terms]

    def nearness(one: Memory, other: Memory) -> float:
        first, second = vectors.get(one.number), vectors.get(other.number)
        return 0.0 if first is None or second is None else float(first @ second)

    likelihood = load_weights().replacement if found.plan.asks_current_value else _unlikely
    order, moved = current_first(statements, rarity, nearness, likelihood, readings, decided)
    placed: list[Ranked] = []
    for place in reversed(order):
        each = ranked[place]
        if place in moved:  # never less than what stands below it, which may have been moved too
            score = max(each.score, placed[-1].score)
            each = replace(each, score=score, goes_before=ranked[moved[place]].memory)
        placed.append(each)
    return placed[::-1]


def _unlikely(figures: dict[str, float]) -> float:  # noqa: ARG001  # nothing but what was decided
    return 0.0


def _latest_first(ranked: list[Ranked], found: Candidates) -> list[Ranked]:
    """Of the hits that match like the first one, the latest: "my last holiday" is one of many."""
    best = ranked[0]
    covered = found.text.coverage
    alike = [
        each
        for each in ranked[:AMONG]
        if each.score >= _LIKE_THE_FIRST * best.score
        and covered[each.place] >= covered[best.place] > 0
    ]
    ordered = sorted(alike, key=lambda each: (each.memory.at, each.memory.number), reverse=True)
    kept = {id(each) for each in alike}
    order = [*ordered, *(each for each in ranked if id(each) not in kept)]
    scores = sorted((each.score for each in ranked), reverse=True)
    return [replace(each, score=score) for each, score in zip(order, scores, strict=True)]


def statement(memory: Memory, total: float, found: Candidates, place: int) -> Statement:
    """A hit as the rule for what is current looks at it."""
    held = terms_in(found, place)
    exact = {index for index in held if found.matches.terms[index].term.is_identifier}
    return Statement(memory, total, held, frozenset(exact))


def terms_in(found: Candidates, place: int) -> frozenset[int]:
    """Which of the question's terms stand in a candidate."""
    row = found.rows[place]
    held = set()
    for index, match in enumerate(found.matches.terms):
        where = int(match.rows.searchsorted(row))
        if where < len(match.rows) and match.rows[where] == row:
            held.add(index)
    return frozenset(held)
