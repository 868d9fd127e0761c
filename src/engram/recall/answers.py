"""Reads the first hits beside the question: does one of them answer it?

Words and nearness tell what a statement is about, and not whether it holds what is asked for. The
reader in the package looks at both together. What it says of the first hits enters their order, the
probability that there is an answer, and which of two hits is the current one.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain
from statistics import fmean
from typing import Protocol

from engram.errors import ReaderUnavailable
from engram.language.changes import tells_change
from engram.memory.record import Memory
from engram.recall.confidence import Scored, answer_figures, settled
from engram.recall.presentation import Ranked
from engram.recall.trace import Trace
from engram.recall.weights import Weights

READ, READ_AT_MOST = 4, 12  # hits; the further ones where none of the first ones answers
_CHARACTERS = 1_200  # of all hits that are read: reading is what a recall spends most time on
ANSWERS = 2.0  # of the reader: no other hit is looked for
COMPARED = 5  # of the first hits, for changes
_MAY_ANSWER = -5.0  # of the reader, below which nobody asks which of two hits is the current one
# A question whose words nearly all stand in a hit that is near and that reading does not rule out.
_PLAIN, _PLAIN_COVERAGE, _PLAIN_NEARNESS, _PLAIN_READ = 0.7, 0.8, 0.45, -6.0
_ABOUT_AS_WELL = 5.0  # what a later statement may answer worse than the earlier one
# How likely a later hit changes an earlier one, so that it goes before it: where the question asks
# for what holds now, and where it does not.
_LIKELY, _NEARLY_SURE = 0.7, 0.9
_LONGEST = 280  # characters of a hit: of a longer one the part that holds most of the question
_SCALE = 8.0  # brings the reader's scores to about -1 to 1
_SENTENCE = re.compile(r"(?<=[.!?\n])\s+")


class AnswerReader(Protocol):
    """The model that reads a question beside a text."""

    def answers(self, question: str, texts: Sequence[str]) -> list[float]:
        """How far each text answers the question: above 0 is more likely than not."""
        ...

    def compare(self, pairs: Sequence[tuple[str, str]]) -> list[dict[str, float]]:
        """How likely each relation of a later statement to an earlier one is."""
        ...


@dataclass(frozen=True, slots=True)
class Read:
    """The hits with what reading says of the first ones, and how likely there is an answer."""

    ranked: tuple[Ranked, ...]
    probability: float
    changes: tuple[tuple[int, int], ...]  # places of an earlier hit, and of one that changes it


def read_answers(
    ranked: Sequence[Ranked],
    scored: Scored,
    question: str,
    reader: AnswerReader,
    weights: Weights,
    trace: Trace,
) -> Read | None:
    """Read the first hits; None where there are none, or the reader cannot be used."""
    if not ranked or scored.found.plan.asks_for_time:
        return None
    terms = terms_of(scored)
    texts = {place: _said(ranked[place].memory, terms) for place in _to_read(ranked, scored)}
    places = _within_budget(texts)
    found: dict[int, float] = {}
    try:
        for few in (places[:READ], places[READ:]):
            if few and max(found.values(), default=0.0) < ANSWERS:
                said = [texts[place] for place in few]
                found.update(zip(few, reader.answers(question, said), strict=True))
        read = _rescored(ranked, found, scored, question, weights)
        changes = _changes(read.ranked, reader, weights, scored)
    except ReaderUnavailable as error:
        trace.fail("read", f"{error.code}: {error.hint}")
        return None
    return replace(read, changes=changes)


def terms_of(scored: Scored) -> list[str]:
    """The words of the question that were looked for."""
    return [match.term.text.lower() for match in scored.found.matches.terms]


def _to_read(ranked: Sequence[Ranked], scored: Scored) -> list[int]:
    """The places of the hits to read: the first ones, and between them the nearest in meaning.

    An answer often has no word of its question; then others stand before it that have one.
    """
    similarity = scored.found.similarity
    nearest = sorted(range(len(ranked)), key=lambda place: -similarity[ranked[place].place])
    by_turns = chain.from_iterable(zip(range(len(ranked)), nearest, strict=True))
    return list(dict.fromkeys(by_turns))[:READ_AT_MOST]


def _within_budget(texts: Mapping[int, str]) -> list[int]:
    """The first few places, and as many of the others as there is time to read."""
    lengths = accumulate(len(text) for text in texts.values())
    return [
        place
        for number, (place, length) in enumerate(zip(texts, lengths, strict=True))
        if number < READ or length <= _CHARACTERS
    ]


def _changes(
    ranked: Sequence[Ranked], reader: AnswerReader, weights: Weights, scored: Scored
) -> tuple[tuple[int, int], ...]:
    """Which later hits change an earlier one that stands before them."""
    plan = scored.found.plan
    if plan.asks_about_past:
        return ()
    least = _LIKELY if plan.asks_current_value else _NEARLY_SURE
    return tuple(
        (place, other)
        for place, other, figures in compared(ranked, reader, terms_of(scored))
        if weights.change_read(figures) >= least
    )


def compared(
    ranked: Sequence[Ranked],
    reader: AnswerReader,
    terms: Sequence[str],
    *,
    in_any_order: bool = False,
) -> list[tuple[int, int, dict[str, float]]]:
    """The places of an earlier hit and of a later one behind it, and what tells of a change.

    Both answer one question, so less is asked of the reader than of statements that are merely near
    to each other.
    """
    first = ranked[:COMPARED]
    places = [
        (place, other)
        for place, one in enumerate(first)
        for other, two in enumerate(first)
        if (in_any_order or place < other) and _may_change(one, two)
    ]
    texts = [_said(each.memory, terms) for each in first]
    pairs = [(texts[one], texts[other]) for one, other in places]
    return [
        (one, other, change_figures(ranked[one], ranked[other], chances))
        for (one, other), chances in zip(places, reader.compare(pairs), strict=True)
    ]


def _may_change(earlier: Ranked, later: Ranked) -> bool:
    one, other = earlier.memory, later.memory
    if (
        (other.at, other.number) <= (one.at, one.number)
        or earlier.read is None
        or later.read is None
    ):
        return False
    return later.read >= max(_MAY_ANSWER, earlier.read - _ABOUT_AS_WELL)


def change_figures(
    earlier: Ranked, later: Ranked, chances: Mapping[str, float]
) -> dict[str, float]:
    """What tells that of two hits that answer alike the later one is the current one."""
    change = min(max(chances["replaces"] + chances["ends"], 0.001), 0.999)
    return {
        "change": math.log(change / (1.0 - change)),
        "same": chances["same"],
        "read of the earlier": scaled(earlier.read or 0.0),
        "read of the later": scaled(later.read or 0.0),
        "change is told": float(tells_change(later.memory.content)),
        "one speaker": float(earlier.memory.speaker == later.memory.speaker),
    }


def scaled(read: float) -> float:
    """What the reader says of a hit, from -1 to 1."""
    return max(-1.0, min(1.0, read / _SCALE))


def read_figures(
    figures: dict[str, float], told: Sequence[float], totals: Sequence[float]
) -> dict[str, float]:
    """What tells whether an answer is there, with what the reader says of the first hits.

    That some words of the question stand in a hit and another one does not is a bad sign: "how many
    dogs do I have" of "I have two cats".
    """
    best = sorted(told, reverse=True)
    return {
        **figures,
        "read first": told[max(range(len(told)), key=lambda place: totals[place])],
        "read best": best[0],
        "read second": best[1] if len(best) > 1 else -1.0,
        "partly covered": _partly(figures["coverage of the first"]),
        "partly covered by any": _partly(figures["best coverage"]),
    }


def _partly(coverage: float) -> float:
    return 4 * coverage * (1 - coverage)


def _rescored(
    ranked: Sequence[Ranked],
    found: Mapping[int, float],
    scored: Scored,
    question: str,
    weights: Weights,
) -> Read:
    figures = answer_figures(scored, weights.signals, question)
    told = {place: scaled(read) for place, read in found.items()}
    figures = read_figures(figures, list(told.values()), [ranked[place].total for place in told])
    is_read = max(found.values()) >= ANSWERS
    probability = settled(weights.answer_read(figures), scored, is_read=is_read)
    if _is_plain([(ranked[place], read) for place, read in found.items()], scored):
        probability = max(probability, _PLAIN)
    highest, usual = max(each.total for each in ranked), fmean(told.values())
    similarity = scored.found.similarity
    nearest = max(float(similarity[each.place]) for each in ranked)
    rescored = []
    for place, each in enumerate(ranked):
        distances = hit_figures(
            highest - each.total,
            nearest - float(similarity[each.place]),
            max(told.values()) - told.get(place, usual),
        )
        chance = probability * weights.hit_read(distances)
        score = min(1.0, chance * each.adjusted.factor)
        rescored.append(replace(each, probability=chance, score=score, read=found.get(place)))
    rescored.sort(key=lambda each: (-each.score, -each.total))
    return Read(tuple(rescored), probability, ())


def hit_figures(behind: float, less_near: float, read_behind: float) -> dict[str, float]:
    """What tells, where there is an answer, that a hit holds it: how far it is from the best."""
    return {"behind": math.log1p(behind), "less near": less_near, "read behind": read_behind}


def _is_plain(read: Sequence[tuple[Ranked, float]], scored: Scored) -> bool:
    """Whether a hit plainly answers, whatever else is in the store: "Who is my dentist?"."""
    coverage, similarity = scored.found.text.coverage, scored.found.similarity
    return any(
        coverage[each.place] >= _PLAIN_COVERAGE
        and similarity[each.place] >= _PLAIN_NEARNESS
        and answers >= _PLAIN_READ
        for each, answers in read
    )


def _said(memory: Memory, terms: Sequence[str]) -> str:
    """A hit as the reader was trained on it: who said it, then the words."""
    text = _part(memory.content, terms)
    return f"{memory.speaker}: {text}" if memory.speaker else text


def _part(text: str, terms: Sequence[str]) -> str:
    """Of a long text what begins with the sentence from which most terms stand in reach."""
    if len(text) <= _LONGEST:
        return text
    lower = text.lower()
    starts = [0, *(each.end() for each in _SENTENCE.finditer(text))]

    def held(start: int) -> int:
        return sum(term in lower[start : start + _LONGEST] for term in terms)

    begin = max(starts, key=held)
    return text[begin : begin + _LONGEST]
