"""How a task is done: steps, each with what to do, what to expect and what to do when it fails."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import assert_never

from engram.errors import InvalidInput
from engram.memory.jsons import JsonObject
from engram.memory.skills.conditions import (
    TEXT_BYTES,
    Condition,
    check_depth,
    condition_depth,
    condition_text,
)
from engram.text.strings import checked_name, checked_text

MOST_STEPS = 100
_MOST_ATTEMPTS = 100
_MOST_ITERATIONS = 1_000
_MOST_LISTED = 50


@dataclass(frozen=True, slots=True)
class CallTool:
    """Call a tool. A `{name}` in the arguments is to be filled in from the situation."""

    tool: str
    arguments: JsonObject = field(default_factory=dict)

    def __post_init__(self) -> None:
        checked_name(self.tool, name="tool")


@dataclass(frozen=True, slots=True)
class AskUser:
    """Ask the person; as an action, and as what to do when a step fails."""

    question: str

    def __post_init__(self) -> None:
        checked_text(self.question, name="question", max_bytes=TEXT_BYTES)


@dataclass(frozen=True, slots=True)
class Respond:
    """Say something."""

    template: str

    def __post_init__(self) -> None:
        checked_text(self.template, name="template", max_bytes=TEXT_BYTES)


@dataclass(frozen=True, slots=True)
class Recall:
    """Look something up in memory."""

    query: str

    def __post_init__(self) -> None:
        checked_text(self.query, name="query", max_bytes=TEXT_BYTES)


@dataclass(frozen=True, slots=True)
class Learn:
    """Keep something in memory."""

    statement: str

    def __post_init__(self) -> None:
        checked_text(self.statement, name="statement", max_bytes=TEXT_BYTES)


@dataclass(frozen=True, slots=True)
class If:
    """Do one thing or another."""

    condition: Condition
    then: "Action"
    otherwise: "Action | None" = None

    def __post_init__(self) -> None:
        check_depth(action_depth(self))


@dataclass(frozen=True, slots=True)
class Loop:
    """Do something as long as a condition is met, and at most so many times."""

    condition: Condition
    body: "Action"
    max_iterations: int = 10

    def __post_init__(self) -> None:
        if not 1 <= self.max_iterations <= _MOST_ITERATIONS:
            raise InvalidInput(hint=f"`max_iterations` lies between 1 and {_MOST_ITERATIONS}.")
        check_depth(action_depth(self))


@dataclass(frozen=True, slots=True)
class Sequence:
    """Do several things one after the other."""

    actions: "tuple[Action, ...]"

    def __post_init__(self) -> None:
        if not 1 <= len(self.actions) <= MOST_STEPS:
            raise InvalidInput(hint=f"`actions` holds 1 to {MOST_STEPS} of them.")
        check_depth(action_depth(self))


@dataclass(frozen=True, slots=True)
class InvokeSkill:
    """Follow another skill, by its name."""

    skill: str

    def __post_init__(self) -> None:
        checked_name(self.skill, name="skill")


@dataclass(frozen=True, slots=True)
class CustomAction:
    """Something of the caller's own, under a name that the caller's code knows."""

    name: str
    arguments: JsonObject = field(default_factory=dict)

    def __post_init__(self) -> None:
        checked_name(self.name, name="name")


Action = (
    CallTool
    | AskUser
    | Respond
    | Recall
    | Learn
    | If
    | Loop
    | Sequence
    | InvokeSkill
    | CustomAction
)


@dataclass(frozen=True, slots=True)
class Retry:
    """Try the step again, each time after a longer pause."""

    max_attempts: int = 3
    backoff: timedelta = timedelta(seconds=1)

    def __post_init__(self) -> None:
        if not 1 <= self.max_attempts <= _MOST_ATTEMPTS:
            raise InvalidInput(hint=f"`max_attempts` lies between 1 and {_MOST_ATTEMPTS}.")


@dataclass(frozen=True, slots=True)
class Fallback:
    """Do something else instead."""

    action: Action


@dataclass(frozen=True, slots=True)
class Skip:
    """Leave the step out and go on."""


@dataclass(frozen=True, slots=True)
class Abort:
    """Stop here."""

    error: str = ""


OnFailure = Retry | Fallback | Skip | Abort | AskUser


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureStep:
    """One step."""

    description: str
    action: Action
    expected: str | None = None
    on_failure: OnFailure = Abort()

    def __post_init__(self) -> None:
        checked_text(self.description, name="description", max_bytes=TEXT_BYTES)
        if self.expected is not None:
            checked_text(self.expected, name="expected", max_bytes=TEXT_BYTES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure:
    """The steps in their order, how long they take and what they need."""

    steps: tuple[ProcedureStep, ...]
    estimated_duration: timedelta | None = None
    resources: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= len(self.steps) <= MOST_STEPS:
            raise InvalidInput(hint=f"A procedure has 1 to {MOST_STEPS} steps.")
        if len(self.resources) > _MOST_LISTED:
            raise InvalidInput(hint=f"At most {_MOST_LISTED} resources are listed.")
        for resource in self.resources:
            checked_name(resource, name="resource")


def action_depth(action: Action) -> int:
    """How many actions and conditions lie inside each other."""
    match action:
        case If(condition, then, otherwise):
            branches = [action_depth(then), condition_depth(condition)]
            return 1 + max(*branches, action_depth(otherwise) if otherwise else 0)
        case Loop(condition, body):
            return 1 + max(action_depth(body), condition_depth(condition))
        case Sequence(actions):
            return 1 + max(map(action_depth, actions))
        case _:
            return 1


def actions_in(step: ProcedureStep) -> Iterator[Action]:
    """Every action that a step may come to, those inside others and those on failure too."""
    yield from _with_inner(step.action)
    if isinstance(step.on_failure, Fallback):
        yield from _with_inner(step.on_failure.action)


def _with_inner(action: Action) -> Iterator[Action]:
    yield action
    match action:
        case If(_, then, otherwise):
            yield from _with_inner(then)
            if otherwise is not None:
                yield from _with_inner(otherwise)
        case Loop(_, body):
            yield from _with_inner(body)
        case Sequence(actions):
            for each in actions:
                yield from _with_inner(each)
        case _:
            return


def tools_in(procedure: Procedure) -> tuple[str, ...]:
    """The tools that a procedure may call, in the order of its steps."""
    called = (
        action.tool
        for step in procedure.steps
        for action in actions_in(step)
        if isinstance(action, CallTool)
    )
    return tuple(dict.fromkeys(called))


def action_text(action: Action) -> str:
    """An action in words."""
    match action:
        case If(condition, then, otherwise):
            rest = f"; else {action_text(otherwise)}" if otherwise else ""
            return f"if {condition_text(condition)}: {action_text(then)}{rest}"
        case Loop(condition, body, most):
            return f"while {condition_text(condition)} (at most {most}): {action_text(body)}"
        case Sequence(actions):
            return ", then ".join(map(action_text, actions))
        case _:
            return _plain_text(action)


def _plain_text(
    action: CallTool | AskUser | Respond | Recall | Learn | InvokeSkill | CustomAction,
) -> str:
    match action:
        case CallTool(tool, arguments):
            told = ", ".join(f"{key}={value}" for key, value in sorted(arguments.items()))
            return f"call {tool}({told})"
        case AskUser(question):
            return f"ask: {question}"
        case Respond(template):
            return f"say: {template}"
        case Recall(query):
            return f"look up: {query}"
        case Learn(statement):
            return f"keep: {statement}"
        case InvokeSkill(skill):
            return f"follow the skill {skill}"
        case CustomAction(name):
            return f"do {name}"
        case _:
            assert_never(action)
