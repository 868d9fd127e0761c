"""How an episode can end: a closed set, each with what belongs to it."""

from dataclasses import dataclass

from engram.memory.jsons import Json
from engram.memory.record import check_share
from engram.memory.tagged import from_json, tag_of


@dataclass(frozen=True, slots=True)
class Success:
    """What was wanted came about."""

    result: Json = None
    goal_alignment: float = 1.0  # how well the result matches the goal

    def __post_init__(self) -> None:
        check_share(self.goal_alignment, name="goal_alignment")


@dataclass(frozen=True, slots=True)
class Failure:
    """It did not come about."""

    error: str
    recoverable: bool = True
    learned: str | None = None  # what is to be learnt from it


@dataclass(frozen=True, slots=True)
class Partial:
    """Some of it came about."""

    completed: tuple[str, ...] = ()
    remaining: tuple[str, ...] = ()
    blockers: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """How much of it is done."""
        whole = len(self.completed) + len(self.remaining)
        return len(self.completed) / whole if whole else 0.5


@dataclass(frozen=True, slots=True)
class Abandoned:
    """It was given up."""

    reason: str
    progress: float = 0.0

    def __post_init__(self) -> None:
        check_share(self.progress, name="progress")


@dataclass(frozen=True, slots=True)
class Ongoing:
    """It has not ended yet."""


EpisodeOutcome = Success | Failure | Partial | Abandoned | Ongoing
OUTCOME_KINDS = tuple(tag_of(kind) for kind in (Success, Failure, Partial, Abandoned, Ongoing))


def outcome_kind(outcome: EpisodeOutcome) -> str:
    """What sort of end it is: success, failure, partial, abandoned or ongoing."""
    return tag_of(type(outcome))


def read_outcome(value: object, *, name: str = "outcome") -> EpisodeOutcome:
    """How it ended, as callers hand it in: one of the classes, its JSON, or "success"."""
    if isinstance(value, str):
        value = {"type": value}
    outcome: EpisodeOutcome = from_json(EpisodeOutcome, value, name=name)
    return outcome
