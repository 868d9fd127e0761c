"""Guesses that two things have to do with each other which were never told of together.

A guess is kept with so little confidence that it expires after a month unless somebody confirms it,
and the same two are not guessed at again: whatever became of it, it was said once.
"""

from collections.abc import Callable

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
    RULE_CONFIDENCE,
    Joint,
    Side,
    Span,
    joint,
    spans,
    told_by_rule,
    word_counts,
)
from engram.memory.dreams.cards import centroids
from engram.memory.dreams.report import Step
from engram.memory.record import Memory
from engram.storage.reader import StoreReader
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
    wanted = night.options.bridges_per_night - today
    statements = night.statements(see)
    if wanted <= 0 or not statements:
        return Planned(looked_at=len(statements))
    told = {each.metadata[BRIDGE] for each in earlier}
    open_spans = [each for each in _spans(night, see) if each.key not in told]
    asking = Asking(night.model)
    guess = _by_model(asking) if asking.has_model else _by_rule(statements)
    decisions: list[Decision] = []
    most_asked = wanted * _ASKED_FOR_EACH if asking.has_model else len(open_spans)
    for span in open_spans[:most_asked]:
        night.breathe()
        found = guess(span)
        if found is not None:
            decisions.append(_decision(night, span, found))
        if len(decisions) >= wanted:
            break
    return Planned(tuple(decisions), looked_at=len(statements), skipped=asking.skipped)


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


def _by_rule(statements: tuple[Memory, ...]) -> Callable[[Span], Guess | None]:
    counts = word_counts(statements)

    def guess(span: Span) -> Guess | None:
        found: Joint | None = joint(span, counts, len(statements))
        if found is None:
            return None
        return told_by_rule(span, found), found.sources, RULE_CONFIDENCE

    return guess


def _by_model(asking: Asking) -> Callable[[Span], Guess | None]:
    """A model has to say so, in words that the memories carry; its silence joins nothing."""

    def guess(span: Span) -> Guess | None:
        first, second = span.first.members[-_SHOWN:], span.second.members[-_SHOWN:]
        found = asking.bridge(
            (span.first.name, [each.content for each in first]),
            (span.second.name, [each.content for each in second]),
        )
        if found is None or not found.is_related:
            return None
        return found.text, (*first, *second), MODEL_CONFIDENCE

    return guess


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
