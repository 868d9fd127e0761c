"""The parts of a skill in words, for people and models alike."""

from datetime import timedelta
from typing import assert_never

from engram.memory.skills.changes import (
    AddPrecondition,
    AdjustTrigger,
    InsertStep,
    Modification,
    ModifyStep,
    RemoveStep,
)
from engram.memory.skills.procedure import (
    Abort,
    AskUser,
    Fallback,
    OnFailure,
    Retry,
    Skip,
    action_text,
)
from engram.memory.skills.skill import Alternative, Recovery, RetryWith


def recourse_text(recourse: OnFailure) -> str:
    """What to do when a step fails."""
    match recourse:
        case Retry(most, pause):
            return f"try again, at most {most} times, after {seconds(pause)}"
        case Fallback(action):
            return f"instead {action_text(action)}"
        case Skip():
            return "leave it out"
        case Abort(error):
            return f"stop: {error}" if error else "stop"
        case AskUser(question):
            return f"ask: {question}"
        case _:
            assert_never(recourse)


def modification_text(change: Modification) -> str:
    """One change to a procedure; places are those of the procedure as written."""
    match change:
        case InsertStep(after, step):
            place = f"after step {after}" if after else "first of all"
            return f"{place}: {step.description}"
        case RemoveStep(place):
            return f"without step {place}"
        case ModifyStep(place, step):
            recourse = recourse_text(step.on_failure)
            return f"step {place} is: {step.description}; when it fails: {recourse}"
        case AddPrecondition(precondition):
            return f"needs: {precondition.told}"
        case AdjustTrigger(feature, adjustment):
            return f"{feature} weighs {adjustment:+.2f}"
        case _:
            assert_never(change)


def recovery_text(recovery: Recovery) -> str:
    """What to do when a skill fails in a way that is known."""
    match recovery:
        case RetryWith(modifications):
            return f"try again: {'; '.join(map(modification_text, modifications))}"
        case Alternative(skill):
            return f"follow the skill {skill} instead"
        case AskUser() | Abort():
            return recourse_text(recovery)
        case _:
            assert_never(recovery)


def seconds(span: timedelta | float) -> str:
    """How long, in the unit that says most."""
    whole = span.total_seconds() if isinstance(span, timedelta) else span
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if whole >= size:
            return f"{whole / size:.1f}".removesuffix(".0") + f" {unit}"
    return f"{whole:.2f}".rstrip("0").rstrip(".") + " s"
