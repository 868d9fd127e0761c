"""Reads the first hits beside the question: does one of them answer it?

Words and nearness tell what a statement is about, and not whether it holds what is asked for. The
reader in the package looks at both together. What it says of the first few hits enters the
probability that there is an answer, and tells which of two hits is the current one; of a single
hit it says too little to change the order.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from engram.errors import ReaderUnavailable
from engram.memory.record import Memory
from engram.recall.confidence import Scored, answer_figures, settled
from engram.recall.presentation import Ranked
from engram.recall.trace import Trace
from engram.recall.weights import Weights

READ = 4  # hits; more costs time, and an answer below these is not seen as one
# A question whose words nearly all stand in a hit that is near and that reading does not rule out.
_PLAIN, _PLAIN_COVERAGE, _PLAIN_NEARNESS, _PLAIN_READ = 0.7, 0.8, 0.45, -6.0
_CHANGES = 0.3  # of the reader's comparison; with the next one set on data/confidence
_ABOUT_AS_WELL = 4.0  # what a later statement may answer worse than the earlier one
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
    first = ranked[:READ]
    if not first or scored.found.plan.asks_for_time:
        return None
    terms = [match.term.text.lower() for match in scored.found.matches.terms]
    try:
        texts = [_said(each.memory, terms) for each in first]
        found = reader.answers(question, texts)
        read = _rescored(ranked, found, scored, question, weights)
        changes = () if scored.found.plan.asks_about_past else _changes(read.ranked, reader)
    except ReaderUnavailable as error:
        trace.fail("read", f"{error.code}: {error.hint}")
        return None
    return replace(read, changes=changes)


def _changes(ranked: Sequence[Ranked], reader: AnswerReader) -> tuple[tuple[int, int], ...]:
    """Of the hits that were read, which later ones change an earlier one that stands before them.

    Both answer the same question about as well, so less is asked of the reader than of statements
    that are merely near to each other.
    """
    places = [
        (place, other)
        for place, one in enumerate(ranked[:READ])
        for other in range(place + 1, min(READ, len(ranked)))
        if _may_change(one, ranked[other])
    ]
    pairs = [(_whole(ranked[one].memory), _whole(ranked[other].memory)) for one, other in places]
    return tuple(
        each
        for each, chances in zip(places, reader.compare(pairs), strict=True)
        if chances["replaces"] + chances["ends"] >= _CHANGES
    )


def _may_change(earlier: Ranked, later: Ranked) -> bool:
    one, other = earlier.memory, later.memory
    is_later = (other.at, other.number) > (one.at, one.number) and other.speaker == one.speaker
    if not is_later or earlier.read is None or later.read is None:
        return False
    return later.read >= earlier.read - _ABOUT_AS_WELL


def _whole(memory: Memory) -> str:
    return f"{memory.speaker}: {memory.content}" if memory.speaker else memory.content


def scaled(read: float) -> float:
    """What the reader says of a hit, from -1 to 1."""
    return max(-1.0, min(1.0, read / _SCALE))


def read_figures(figures: dict[str, float], told: Sequence[float]) -> dict[str, float]:
    """What tells whether an answer is there, with what the reader says of the first hits.

    That some words of the question stand in a hit and another one does not is a bad sign: "how many
    dogs do I have" of "I have two cats".
    """
    best = sorted(told, reverse=True)
    return {
        **figures,
        "read first": told[0],
        "read best": best[0],
        "read second": best[1] if len(best) > 1 else -1.0,
        "partly covered": _partly(figures["coverage of the first"]),
        "partly covered by any": _partly(figures["best coverage"]),
    }


def _partly(coverage: float) -> float:
    return 4 * coverage * (1 - coverage)


def _rescored(
    ranked: Sequence[Ranked],
    found: Sequence[float],
    scored: Scored,
    question: str,
    weights: Weights,
) -> Read:
    figures = answer_figures(scored, weights.signals, question)
    told = [scaled(each) for each in found]
    probability = settled(weights.answer_read(read_figures(figures, told)), scored)
    if _is_plain(ranked, found, scored):
        probability = max(probability, _PLAIN)
    highest, least = max(each.total for each in ranked), 1.0
    rescored = []
    for place, each in enumerate(ranked):
        chance = weights.hit_read({"behind": highest - each.total, "answer": probability})
        least = min(least, chance * each.adjusted.factor)  # the order stays
        read = found[place] if place < len(found) else None
        rescored.append(replace(each, probability=chance, score=least, read=read))
    return Read(tuple(rescored), probability, ())


def _is_plain(ranked: Sequence[Ranked], found: Sequence[float], scored: Scored) -> bool:
    """Whether a hit plainly answers, whatever else is in the store: "Who is my dentist?"."""
    coverage, similarity = scored.found.text.coverage, scored.found.similarity
    return any(
        coverage[each.place] >= _PLAIN_COVERAGE
        and similarity[each.place] >= _PLAIN_NEARNESS
        and read >= _PLAIN_READ
        for each, read in zip(ranked, found, strict=False)
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
