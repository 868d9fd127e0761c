"""How a skill does: figures and stage, always counted anew from its runs in their order."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from engram.memory.episodes.outcomes import (
    EpisodeOutcome,
    Failure,
    Partial,
    Success,
    outcome_kind,
)
from engram.memory.skills.skill import SkillRun
from engram.memory.status import RECALLABLE
from engram.memory.vocabulary import Status

SMOOTHING = 0.1  # the reference's: the last ten runs or so decide
# Of a skill nobody has followed yet: as likely to work as not. The reference starts at 0, which
# would rank every skill that was never tried behind those that keep failing.
UNTRIED_RATE = 0.5
RUNS_FOR_ACTIVE, RATE_FOR_ACTIVE = 3, 0.6
RUNS_FOR_RETIREMENT, RATE_FOR_RETIREMENT = 5, 0.2


class Stage(StrEnum):
    """Where a skill stands in its life."""

    HELD = "held"  # waits for a person's approval
    PROBATION = "probation"
    ACTIVE = "active"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillStats:
    """Counts of runs, and what follows from their order."""

    runs: int = 0
    successes: int = 0
    failures: int = 0
    partial: int = 0
    abandoned: int = 0
    episodes: int = 0  # it was learnt from; they are no runs of it
    success_rate: float = UNTRIED_RATE
    average_duration: timedelta | None = None
    last_used: datetime | None = None
    last_outcome: str | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """The stage of a skill and the evidence for it."""

    stage: Stage
    evidence: str
    proposes_retirement: bool = False


def run_score(outcome: EpisodeOutcome) -> float | None:
    """How well a run went; None for one that says nothing about the skill, as when given up."""
    match outcome:
        case Success():
            return 1.0
        case Failure():
            return 0.0
        case Partial():
            return outcome.share
        case _:
            return None


def statistics(learnt_from: Sequence[SkillRun], runs: Sequence[SkillRun]) -> SkillStats:
    """The figures of a skill from all its runs, oldest first.

    The rate begins with the share of successes among the episodes it was learnt from, else with
    its first run, and every later run moves it by a tenth. How long it takes is the plain mean of
    the runs that tell it, and before there are any, of the episodes.
    """
    kinds = [outcome_kind(run.outcome) for run in runs]
    took = _duration(runs)
    return SkillStats(
        runs=len(runs),
        successes=kinds.count("success"),
        failures=kinds.count("failure"),
        partial=kinds.count("partial"),
        abandoned=kinds.count("abandoned"),
        episodes=len(learnt_from),
        success_rate=_rate(learnt_from, runs),
        average_duration=_duration(learnt_from) if took is None else took,
        last_used=runs[-1].at if runs else None,
        last_outcome=kinds[-1] if runs else None,
    )


def _rate(learnt_from: Sequence[SkillRun], runs: Sequence[SkillRun]) -> float:
    begun = [value for each in learnt_from if (value := run_score(each.outcome)) is not None]
    rate = sum(begun) / len(begun) if begun else None
    for run in runs:
        value = run_score(run.outcome)
        if value is not None:
            rate = value if rate is None else _moved(rate, value)
    return UNTRIED_RATE if rate is None else rate


def _duration(runs: Sequence[SkillRun]) -> timedelta | None:
    took = [run.duration for run in runs if run.duration is not None]
    return sum(took, timedelta()) / len(took) if took else None


def _moved(mean: float, value: float) -> float:
    return (1.0 - SMOOTHING) * mean + SMOOTHING * value


def standing(stats: SkillStats, status: Status) -> Standing:
    """Where a skill stands; nothing is retired but by somebody's decision."""
    runs = "1 run" if stats.runs == 1 else f"{stats.runs} runs"
    told = f"{runs}, success rate {stats.success_rate:.2f}"
    if status is Status.PENDING:
        return Standing(Stage.HELD, "waits for a person's approval")
    if status not in RECALLABLE:
        return Standing(Stage.RETIRED, f"{status}; {told}")
    counted = stats.runs - stats.abandoned
    if counted >= RUNS_FOR_ACTIVE and stats.success_rate >= RATE_FOR_ACTIVE:
        return Standing(Stage.ACTIVE, told)
    fails = counted >= RUNS_FOR_RETIREMENT and stats.success_rate <= RATE_FOR_RETIREMENT
    advice = "; it nearly always fails: retire it?" if fails else ""
    return Standing(Stage.PROBATION, told + advice, proposes_retirement=fails)
