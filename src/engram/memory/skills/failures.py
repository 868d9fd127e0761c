"""How a skill fails: the same error counted as one, when it comes, and what helped."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from engram.memory.episodes.outcomes import Failure, Success
from engram.memory.jsons import Json
from engram.memory.skills.conditions import is_equal
from engram.memory.skills.signature import error_signature
from engram.memory.skills.skill import KnownFailure, Recovery, Skill, SkillRun

_Value = TypeVar("_Value", int, str)
_FEWEST_FOR_CONDITIONS = 2  # one failure tells nothing about when it comes
_MOST_CONDITIONS = 5


@dataclass(frozen=True, slots=True)
class When:
    """Something of the environment that was so each time it failed, and never when it worked."""

    key: str
    value: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureMode:
    """One way in which a skill fails."""

    signature: str
    error: str  # as it was told last
    occurrences: int  # 0: known beforehand, and never seen
    last_at: datetime | None = None
    step: int | None = None  # of the procedure as written, where most often
    tool: str | None = None
    conditions: tuple[When, ...] = ()
    learnt: tuple[str, ...] = ()  # what was to be learnt from it, last first
    episodes: tuple[str, ...] = ()
    recovery: Recovery | None = None


def failure_modes(skill: Skill, runs: Sequence[SkillRun]) -> tuple[FailureMode, ...]:
    """The ways in which a skill fails, the most frequent first."""
    met = modes_as_met(skill, runs)
    return tuple(sorted(met, key=lambda mode: (-mode.occurrences, mode.signature)))


def modes_as_met(skill: Skill, runs: Sequence[SkillRun]) -> tuple[FailureMode, ...]:
    """The same in the order in which they first came; those never seen are last."""
    every = (*skill.learnt_from, *runs)
    seen: dict[str, list[SkillRun]] = {}
    for run in every:
        if isinstance(run.outcome, Failure):
            seen.setdefault(signature_of(run.outcome), []).append(run)
    known = {error_signature(each.error): each for each in skill.known_failures}
    worked = [run for run in every if isinstance(run.outcome, Success)]
    found = [_mode(name, failed, worked, known.get(name)) for name, failed in seen.items()]
    return (*found, *(_unseen(name, each) for name, each in known.items() if name not in seen))


def signature_of(failure: Failure) -> str:
    """What makes two failures one; those that say nothing are one of their own."""
    return error_signature(failure.error) or "unknown"


def _mode(
    signature: str,
    failed: Sequence[SkillRun],
    worked: Sequence[SkillRun],
    known: KnownFailure | None,
) -> FailureMode:
    last = failed[-1]
    errors = [run.outcome.error for run in failed if isinstance(run.outcome, Failure)]
    learnt = [
        run.outcome.learned
        for run in reversed(failed)
        if isinstance(run.outcome, Failure) and run.outcome.learned
    ]
    if known is not None and known.description:
        learnt.append(known.description)
    return FailureMode(
        signature=signature,
        error=errors[-1],
        occurrences=len(failed),
        last_at=last.at,
        step=_most_frequent(run.step for run in failed),
        tool=_most_frequent(run.tool for run in failed),
        conditions=_conditions(failed, worked),
        learnt=tuple(dict.fromkeys(learnt)),
        episodes=tuple(run.episode for run in reversed(failed) if run.episode),
        recovery=known.recovery if known else None,
    )


def _unseen(signature: str, known: KnownFailure) -> FailureMode:
    return FailureMode(
        signature=signature,
        error=known.error,
        occurrences=0,
        learnt=(known.description,) if known.description else (),
        recovery=known.recovery,
    )


def _most_frequent(values: Iterable[_Value | None]) -> _Value | None:
    """The value that comes most often; of equals the last."""
    counts: dict[_Value, int] = {}
    for value in values:
        if value is not None:
            counts[value] = counts.pop(value, 0) + 1
    return max(reversed(counts), key=counts.__getitem__, default=None)


def _conditions(failed: Sequence[SkillRun], worked: Sequence[SkillRun]) -> tuple[When, ...]:
    """What all failures have in their environment and no success has."""
    if len(failed) < _FEWEST_FOR_CONDITIONS:
        return ()
    first, *rest = (run.context.environment for run in failed)
    found = [
        When(key, value)
        for key, value in sorted(first.items())
        if all(key in each and is_equal(each[key], value) for each in rest)
        and not any(
            key in run.context.environment and is_equal(run.context.environment[key], value)
            for run in worked
        )
    ]
    return tuple(found[:_MOST_CONDITIONS])
