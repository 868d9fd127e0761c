"""Reads the first hits beside the question: does this statement answer it?

Words and nearness tell what a statement is about, and not whether it holds what is asked for:
"Jonas' sister is called Mia" is near to "What is Jonas' mother called?". The reader in the package
looks at both together. What it says of the first few hits enters their probability, their order
and the probability that there is an answer at all.
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
_CHANGES = 0.3  # of the reader's comparison; with the next one set on data/confidence
_ABOUT_AS_WELL = 4.0  # what a later statement may answer worse than the earlier one
_LONGEST = 280  # characters of a hit: of a longer one the part that holds most of the question
_SCALE = 8.0  # brings the reader's scores to about -1 to 1
# What reading adds to the weighed sum of a hit. More helps everyday facts among much else, and
# costs long messages to assistants, of which the reader knows little.
READ_WEIGHT = 1.6
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
    """The hits in the order that reading gives them, and how likely one of them is an answer."""

    order: tuple[int, ...]  # places in the ranking before
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
        read = _reordered(ranked, found, scored, question, weights)
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


def read_figures(figures: dict[str, float], told: Sequence[float]) -> dict[str, float]:
    """What tells whether an answer is there, with what the reader says of the first hits."""
    best = sorted(told, reverse=True)
    second = best[1] if len(best) > 1 else -1.0
    return {**figures, "read first": told[0], "read best": best[0], "read second": second}


def _reordered(
    ranked: Sequence[Ranked],
    found: Sequence[float],
    scored: Scored,
    question: str,
    weights: Weights,
) -> Read:
    told = [max(-1.0, min(1.0, each / _SCALE)) for each in found]
    figures = read_figures(answer_figures(scored, weights.signals, question), told)
    probability = settled(weights.answer_read(figures), scored)
    first = ranked[: len(found)]
    sums = [each.total + READ_WEIGHT * read for each, read in zip(first, told, strict=True)]
    rescored = []
    for each, total, read in zip(first, sums, found, strict=True):
        chance = weights.hit_read({"behind": max(sums) - total, "answer": probability})
        score = min(1.0, chance * each.adjusted.factor)
        rescored.append(replace(each, total=total, probability=chance, score=score, read=read))
    order = sorted(range(len(rescored)), key=lambda place: -rescored[place].score)
    least = min(each.score for each in rescored)
    rest = [replace(each, score=min(each.score, least)) for each in ranked[len(rescored) :]]
    places = (*order, *range(len(rescored), len(ranked)))
    return Read(places, (*(rescored[place] for place in order), *rest), probability, ())


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
