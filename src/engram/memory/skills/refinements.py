"""What a skill's failures teach: changes to its procedure, inferred anew from its runs each time.

Nothing of this is stored. Taking back the word about a run therefore takes back what it taught.
"""

import dataclasses
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from engram.memory.episodes.outcomes import Failure, Success
from engram.memory.skills.changes import (
    AddPrecondition,
    AdjustTrigger,
    InsertStep,
    Modification,
    ModifyStep,
    modified,
)
from engram.memory.skills.conditions import EnvironmentHas, Precondition, ToolAvailable
from engram.memory.skills.failures import FailureMode, When, modes_as_met
from engram.memory.skills.procedure import (
    Abort,
    AskUser,
    CallTool,
    Procedure,
    ProcedureStep,
    Recall,
    Retry,
    actions_in,
    tools_in,
)
from engram.memory.skills.skill import RetryWith, Skill, SkillRun
from engram.memory.skills.triggers import Means, readings
from engram.text.strings import clipped, folded

_MOST_TEXT = 300
_FAILS_AGAIN = 2  # times after which the person is asked at that step
_MOST_LESSONS = 10  # failures that change a procedure
_LOOKED_AT = 200  # of the last runs
_MISLEADS = 3  # failures, without a success, after which a feature weighs half
_RETRY = Retry(max_attempts=3, backoff=timedelta(seconds=2))
_LACKING = re.compile(
    r"not (?:be )?(?:found|set|defined|installed|available|configured|provided)|missing|undefined"
    r"|no such|required|unset|lacks?\b|unknown command"
)
_PASSING = re.compile(
    r"timed?[ -]?out|temporar|try again|too many requests|rate.?limit|unavailable"
    r"|connection (?:was )?(?:reset|refused|aborted|closed)|\b(?:429|502|503|504)\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refinement:
    """One change to a skill, why it is made, and from what it was learnt."""

    modification: Modification
    reason: str
    signature: str = ""  # of the failure that taught it
    conditions: tuple[When, ...] = ()  # when that failure comes
    learnt_from: str | None = None  # the id of an episode
    added_at: datetime | None = None


def refinements(skill: Skill, runs: Sequence[SkillRun]) -> tuple[Refinement, ...]:
    """What is to be changed in a skill by what happened, the most frequent failures first."""
    every = (*skill.learnt_from, *runs)
    met = [mode for mode in modes_as_met(skill, runs) if mode.occurrences]
    # One that fails in ever other ways would else become a list of checks alone.
    met = sorted(met, key=lambda mode: -mode.occurrences)[:_MOST_LESSONS]
    found = [each for mode in met for each in _from_failure(skill, mode, every)]
    return (*_one_for_each_step(found), *_from_misleading_features(skill, runs))


def _one_for_each_step(found: Sequence[Refinement]) -> list[Refinement]:
    """Of several that change one step the first, by the most frequent failure: one can be in force,
    and none is told that is not."""
    places: set[int] = set()
    kept = []
    for each in found:
        if isinstance(each.modification, ModifyStep):
            if each.modification.place in places:
                continue
            places.add(each.modification.place)
        kept.append(each)
    return kept


def refined(skill: Skill, found: Sequence[Refinement]) -> Skill:
    """The skill as it is to be followed now."""
    return modified(skill, tuple(each.modification for each in found))


def _from_failure(skill: Skill, mode: FailureMode, runs: Sequence[SkillRun]) -> list[Refinement]:
    found = [_refinement(mode, *each) for each in _changes(skill, mode, runs)]
    if mode.occurrences >= _FAILS_AGAIN:
        asked = _asking(skill.procedure, mode)
        found += [_refinement(mode, *asked)] if asked else []
    return found


def _refinement(mode: FailureMode, modification: Modification, reason: str) -> Refinement:
    return Refinement(
        modification=modification,
        reason=reason,
        signature=mode.signature,
        conditions=mode.conditions,
        learnt_from=mode.episodes[0] if mode.episodes else None,
        added_at=mode.last_at,
    )


def _changes(
    skill: Skill, mode: FailureMode, runs: Sequence[SkillRun]
) -> list[tuple[Modification, str]]:
    """What one failure teaches: what its author wrote down for it, else what it lacks, else to try
    again, else to look before that step."""
    if isinstance(mode.recovery, RetryWith):
        return [
            (each, f"known remedy for: {_short(mode.error)}")
            for each in mode.recovery.modifications
        ]
    lacking = _lacking(skill, mode, runs)
    if lacking is not None:
        return [lacking]
    place = _place(skill.procedure, mode)
    if place is not None and _PASSING.search(folded(mode.error)):
        step = skill.procedure.steps[place - 1]
        if isinstance(step.on_failure, Abort):
            again = dataclasses.replace(step, on_failure=_RETRY)
            return [(ModifyStep(place, again), f"it passes: {_short(mode.error)}")]
    return [(InsertStep((place or 1) - 1, _check(skill, mode)), f"it failed: {_short(mode.error)}")]


def _lacking(
    skill: Skill, mode: FailureMode, runs: Sequence[SkillRun]
) -> tuple[Modification, str] | None:
    """A precondition, when the error names a tool or a part of the environment as not there."""
    error = folded(mode.error)
    if not _LACKING.search(error):
        return None
    reason = f"it was lacking: {_short(mode.error)}"
    for tool in tools_in(skill.procedure):
        if _is_named(tool, error):
            return _required(skill, ToolAvailable(tool), mode, reason)
    for key in _known_keys(runs):
        if _is_named(key, error):
            return _required(skill, EnvironmentHas(key), mode, reason)
    return None


def _required(
    skill: Skill, check: ToolAvailable | EnvironmentHas, mode: FailureMode, reason: str
) -> tuple[Modification, str] | None:
    if any(each.check == check for each in skill.preconditions):
        return None  # it was asked for and went wrong all the same
    return AddPrecondition(Precondition(check, error_if_failed=_short(mode.error))), reason


def _known_keys(runs: Sequence[SkillRun]) -> list[str]:
    """What an environment is known to tell when the skill works."""
    worked = (run.context.environment for run in runs if isinstance(run.outcome, Success))
    return sorted({key for environment in worked for key in environment})


def _is_named(name: str, error: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(folded(name))}(?!\w)", error) is not None


def _check(skill: Skill, mode: FailureMode) -> ProcedureStep:
    """A step that looks before the one that failed."""
    lesson = _short(
        mode.learnt[0] if mode.learnt else f"make sure that this does not come: {mode.error}"
    )
    return ProcedureStep(
        description=f"Check first: {lesson}",
        action=Recall(_short(f"{skill.name}: {mode.error}")),
    )


def _asking(procedure: Procedure, mode: FailureMode) -> tuple[Modification, str] | None:
    """A recovery for a step that keeps failing in one way and would simply stop."""
    place = _place(procedure, mode)
    if place is None or _PASSING.search(folded(mode.error)):
        return None
    step = procedure.steps[place - 1]
    if not isinstance(step.on_failure, Abort) or step.on_failure.error:
        return None
    question = f"This has failed {mode.occurrences} times: {_short(mode.error)} How to go on?"
    asked = dataclasses.replace(step, on_failure=AskUser(question))
    return ModifyStep(place, asked), f"it failed {mode.occurrences} times in the same way"


def _place(procedure: Procedure, mode: FailureMode) -> int | None:
    """The step a failure belongs to: the one that was named, else the one that calls the tool."""
    if mode.step is not None and mode.step <= len(procedure.steps):
        return mode.step
    for place, step in enumerate(procedure.steps, start=1):
        calls = (each.tool for each in actions_in(step) if isinstance(each, CallTool))
        if mode.tool is not None and mode.tool in calls:
            return place
    return None


def _from_misleading_features(skill: Skill, runs: Sequence[SkillRun]) -> list[Refinement]:
    """A feature that spoke for the skill only when it failed weighs half as much."""
    told = [run for run in runs[-_LOOKED_AT:] if run.context.summary]
    if len(skill.trigger.features) == 1:
        return []  # the only reason there is stays as it is
    failed = [_shown(skill, run) for run in told if isinstance(run.outcome, Failure)]
    worked = [_shown(skill, run) for run in told if isinstance(run.outcome, Success)]
    found = []
    for feature in skill.trigger.features:
        misled = sum(feature.name in each for each in failed)
        if worked and misled >= _MISLEADS and not any(feature.name in each for each in worked):
            change = AdjustTrigger(feature.name, -feature.importance / 2)
            reason = f"{feature.name} was there {misled} times it failed, and never when it worked"
            found.append(Refinement(modification=change, reason=reason))
    return found


def _shown(skill: Skill, run: SkillRun) -> frozenset[str]:
    """The features that a run's situation showed, as far as words and environment tell."""
    found = readings(skill.trigger, run.context, Means())
    return frozenset(each.feature.name for each in found if each.value)


def _short(text: str) -> str:
    return clipped(text, _MOST_TEXT)
