"""How much an episode means: by how it ended, what was expected, what was wanted, what is novel."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from engram.memory.episodes.outcomes import (
    Abandoned,
    EpisodeOutcome,
    Failure,
    Ongoing,
    Partial,
    Success,
    outcome_kind,
)

ALIKE = 0.6  # from this similarity on, an earlier episode says what to expect of a later one
UNKNOWN_SURPRISE = 0.5  # nothing like it is known, so nothing was expected
COMPARED = 5  # of the most similar earlier episodes

# The weighted average of the design: outcome, surprise, goal, novelty.
_WEIGHTS = (0.4, 0.3, 0.2, 0.1)
_GOAL_RELEVANCE = 0.3

_SUCCESS_VALENCE = 0.8  # when the result is just what was wanted
_FAILURE_VALENCE = {True: -0.8, False: -1.0}  # by whether it can be made good
_PARTIAL_VALENCE = 0.5  # from minus this, when nothing is done, to plus this
_ABANDONED_VALENCE = -0.4  # when it was given up at the very start


@dataclass(frozen=True, slots=True)
class Precedent:
    """An earlier episode: how much it is like this one, from 0 to 1, and how it ended."""

    number: int
    similarity: float
    outcome: str


@dataclass(frozen=True, slots=True)
class Worth:
    """What an episode means, fixed when it ends."""

    significance: float
    surprise: float
    valence: float
    novelty: float


def worth(outcome: EpisodeOutcome, *, has_goal: bool, precedents: Sequence[Precedent]) -> Worth:
    """The values of an episode that ended so, among what is known from before."""
    felt = valence(outcome)
    surprised = surprise(outcome_kind(outcome), precedents)
    novel = 1.0 - max((each.similarity for each in precedents), default=0.0)
    parts = (abs(felt), surprised, _GOAL_RELEVANCE if has_goal else 0.0, novel)
    total = sum(weight * part for weight, part in zip(_WEIGHTS, parts, strict=True))
    return Worth(min(1.0, max(0.0, total)), surprised, felt, novel)


def valence(outcome: EpisodeOutcome) -> float:
    """How good an end is, from -1 to 1; the further from 0, the more it signifies."""
    match outcome:
        case Success():
            return _SUCCESS_VALENCE * outcome.goal_alignment
        case Failure():
            return _FAILURE_VALENCE[outcome.recoverable]
        case Partial():
            return _PARTIAL_VALENCE * (2 * outcome.share - 1)
        case Abandoned():
            return _ABANDONED_VALENCE * (1 - outcome.progress)
        case Ongoing():
            return 0.0
        case _:
            assert_never(outcome)


def surprise(outcome: str, precedents: Sequence[Precedent]) -> float:
    """The share of the most similar earlier episodes that ended otherwise."""
    alike = [each for each in precedents if each.similarity >= ALIKE]
    nearest = sorted(alike, key=lambda each: (-each.similarity, -each.number))[:COMPARED]
    if not nearest:
        return UNKNOWN_SURPRISE
    return sum(each.outcome != outcome for each in nearest) / len(nearest)
