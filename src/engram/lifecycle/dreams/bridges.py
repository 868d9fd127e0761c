"""Guesses that two things have to do with each other which were never told of together.

Without a model a guess is a link between a memory of each, on the strength of a rare word that
stands in both; nothing is written. A model's guess is a sentence, kept with so little confidence
that it expires after a month unless somebody confirms it. The same two are not guessed at again:
whatever became of it, it was said once.
"""

from collections.abc import Sequence

from engram.lifecycle.dreams.asked import Asking
from engram.lifecycle.dreams.derived import derive
from engram.lifecycle.dreams.made import labels
from engram.lifecycle.dreams.named import entities_in_scope
from engram.lifecycle.dreams.night import Decision, Night, Planned
from engram.lifecycle.dreams.tree import may_be_told
from engram.lifecycle.dreams.unchanged import are_unchanged
from engram.memory.dreams.bridging import (
    FEWEST,
    MODEL_CONFIDENCE,
    MOST_ENTITIES,
    Side,
    Span,
    joint,
    spans,
    word_counts,
)
from engram.memory.dreams.cards import centroids
from engram.memory.dreams.report import Step
from engram.memory.links import Relation
from engram.memory.record import Memory
from engram.storage.reader import StoreReader
from engram.storage.tied import tie
from engram.storage.unit import UnitOfWork

BRIDGE = "bridge"  # the name in the metadata under which the two sides stand
_MOST_EARLIER = 10_000
_SHOWN = 3  # memories of each side that a model is shown
_ASKED_FOR_EACH = 2  # pairs a model is asked about for each guess that is wanted
Guess = tuple[str, tuple[Memory, ...], float]


def bridges(night: Night, see: StoreReader) -> Planned:
    """The guesses of a night."""
    earlier = [
        each
        for each in see.dreams.derived(night.scope, limit=_MOST_EARLIER)
        if BRIDGE in each.metadata
    ]
    today = sum(each.learned_at.date() == night.now.date() for each in earlier)
    linked = _linked_today(night)
    wanted = night.options.bridges_per_night - today - linked
    statements = night.statements(see)
    if wanted <= 0 or not statements:
        return Planned(looked_at=len(statements), mark=night.mark)
    told = {each.metadata[BRIDGE] for each in earlier}
    open_spans = [each for each in _spans(night, see) if each.key not in told]
    asking = Asking(night.model)
    if asking.has_model:
        decisions = _by_model(night, asking, open_spans[: wanted * _ASKED_FOR_EACH], wanted)
    else:
        decisions = _by_rule(night, see, open_spans, wanted)
        linked += len(decisions)
    return Planned(
        tuple(decisions),
        looked_at=len(statements),
        skipped=asking.skipped,
        mark=f"{night.now.date()}:{linked}",
    )


def _linked_today(night: Night) -> int:
    """How many links were made by rule on this day: the mark of the last night says so."""
    day, _, count = (night.mark or "").partition(":")
    return int(count) if day == str(night.now.date()) else 0


def _spans(night: Night, see: StoreReader) -> list[Span]:
    """The pairs of things that nothing joins, as far as the store tells."""
    named = entities_in_scope(see, night, fewest=FEWEST)[:MOST_ENTITIES]
    centres = centroids(named, night.vectors(see), fewest=FEWEST)
    sides = []
    for each in named:
        members = tuple(memory for memory in each.members if may_be_told(memory))
        if each.entity.key in centres and len(members) >= FEWEST:
            sides.append(Side(each.entity.key, each.entity.name, members, centres[each.entity.key]))
    related = {frozenset((each.start, each.end)) for each in see.dreams.links(night.scope)}
    return spans(sides, related)


def _by_rule(
    night: Night, see: StoreReader, open_spans: Sequence[Span], wanted: int
) -> list[Decision]:
    """Links between memories of both sides that share a rare word."""
    statements = night.statements(see)
    counts = word_counts(statements)
    decisions: list[Decision] = []
    for span in open_spans:
        night.breathe()
        ends = joint(span, counts, len(statements))
        if ends is not None:
            decisions.append(_linked(span, *ends))
        if len(decisions) >= wanted:
            break
    return decisions


def _linked(span: Span, first: Memory, second: Memory) -> Decision:
    numbers = first.number, second.number
    why = f"{labels(numbers)} share a rare word ({span.similarity:.2f}); linked as a guess."

    def carry_out(unit: UnitOfWork) -> bool:
        if not are_unchanged(unit, (first, second)):
            return False
        return tie(unit, first, second, Relation.RELATED, why) is not None

    return Decision(f"bridge:{span.key}", why, numbers, carry_out)


def _by_model(
    night: Night, asking: Asking, open_spans: Sequence[Span], wanted: int
) -> list[Decision]:
    """A model has to say so, in words that the memories carry; its silence joins nothing."""
    decisions: list[Decision] = []
    for span in open_spans:
        night.breathe()
        first, second = span.first.members[-_SHOWN:], span.second.members[-_SHOWN:]
        found = asking.bridge(
            (span.first.name, [each.content for each in first]),
            (span.second.name, [each.content for each in second]),
        )
        if found is not None and found.is_related:
            guess = found.text, (*first, *second), MODEL_CONFIDENCE
            decisions.append(_decision(night, span, guess))
        if len(decisions) >= wanted:
            break
    return decisions


def _decision(night: Night, span: Span, guess: Guess) -> Decision:
    text, sources, confidence = guess
    numbers = tuple(sorted({each.number for each in sources}))
    why = (
        f"{labels(numbers)} seem to tell of things that have to do with each other "
        f"({span.similarity:.2f}); kept as a guess."
    )

    def carry_out(unit: UnitOfWork) -> bool:
        if not are_unchanged(unit, sources):
            return False
        derive(
            unit, night, text=text, sources=sources, step=Step.BRIDGES, category="relationship",
            confidence=confidence, metadata={BRIDGE: span.key},
        )  # fmt: skip
        return True

    return Decision(f"bridge:{span.key}", why, numbers, carry_out)
