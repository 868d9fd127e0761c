"""What must hold for a skill or one of its steps: conditions that are met, failed or unknown.

A condition that cannot be checked where it is asked is unknown and never counts as met.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, assert_never

from engram.errors import InvalidInput
from engram.memory.ids import checked_id
from engram.memory.jsons import Json
from engram.memory.situation import Situation
from engram.text.strings import checked_name, checked_text

TEXT_BYTES = 4_096
DEEPEST = 8  # how far conditions and actions may be nested
_MOST_JOINED = 20


class Verdict(StrEnum):
    """What became of a check."""

    MET = "met"
    FAILED = "failed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class ToolAvailable:
    """The agent can call this tool."""

    tool: str

    def __post_init__(self) -> None:
        checked_name(self.tool, name="tool")


@dataclass(frozen=True, slots=True)
class EnvironmentHas:
    """The environment tells something under this key."""

    key: str

    def __post_init__(self) -> None:
        checked_name(self.key, name="key")


@dataclass(frozen=True, slots=True)
class EnvironmentEquals:
    """The environment tells exactly this under the key."""

    key: str
    expected: Json

    def __post_init__(self) -> None:
        checked_name(self.key, name="key")


@dataclass(frozen=True, slots=True)
class BeliefHeld:
    """A memory is there and holds."""

    memory_id: str

    def __post_init__(self) -> None:
        checked_id(self.memory_id)


@dataclass(frozen=True, slots=True)
class CustomCheck:
    """A predicate of the caller's own, registered in code under this name."""

    name: str

    def __post_init__(self) -> None:
        checked_name(self.name, name="name")


@dataclass(frozen=True, slots=True)
class Described:
    """Said in words, for the agent to judge."""

    text: str

    def __post_init__(self) -> None:
        checked_text(self.text, name="text", max_bytes=TEXT_BYTES)


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite of another condition."""

    condition: "Condition"

    def __post_init__(self) -> None:
        check_depth(condition_depth(self))


@dataclass(frozen=True, slots=True)
class AllOf:
    """Several conditions at once."""

    conditions: "tuple[Condition, ...]"

    def __post_init__(self) -> None:
        _check_several(self.conditions)
        check_depth(condition_depth(self))


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one of several conditions."""

    conditions: "tuple[Condition, ...]"

    def __post_init__(self) -> None:
        _check_several(self.conditions)
        check_depth(condition_depth(self))


Check = ToolAvailable | EnvironmentHas | EnvironmentEquals | BeliefHeld | CustomCheck
Condition = (
    ToolAvailable
    | EnvironmentHas
    | EnvironmentEquals
    | BeliefHeld
    | CustomCheck
    | Described
    | Not
    | AllOf
    | AnyOf
)


@dataclass(frozen=True, slots=True)
class Precondition:
    """What must hold before a skill is begun, and what to say when it does not."""

    check: Check
    description: str = ""
    error_if_failed: str = ""

    def __post_init__(self) -> None:
        for name in ("description", "error_if_failed"):
            if getattr(self, name):
                checked_text(getattr(self, name), name=name, max_bytes=TEXT_BYTES)

    @property
    def told(self) -> str:
        """What is asked for, in words."""
        return self.description or condition_text(self.check)


@dataclass(frozen=True, slots=True)
class PreconditionReport:
    """How one precondition stands in a situation, and why."""

    precondition: Precondition
    verdict: Verdict
    reason: str


class Means(Protocol):
    """What checks need beyond the situation: what is believed, and what was registered."""

    def is_believed(self, memory_id: str, /) -> bool | None:
        """Whether a memory holds; None when it is not in sight."""

    def holds(self, name: str, situation: Situation, /) -> bool | None:
        """What a registered predicate says; None when it is not known here or cannot say."""


def verdict(condition: Condition, situation: Situation, means: Means) -> Verdict:
    """Whether a condition is met in a situation, as far as that can be told here."""
    match condition:
        case ToolAvailable(tool):
            # Who names no tools at all has not said which there are.
            return _as_verdict(tool in situation.tools if situation.tools else None)
        case EnvironmentHas(key):
            return _has(situation.environment, key)
        case EnvironmentEquals(key, expected):
            return _equals(situation.environment, key, expected)
        case BeliefHeld(memory_id):
            return _as_verdict(means.is_believed(memory_id))
        case CustomCheck(name):
            return _as_verdict(means.holds(name, situation))
        case Described():
            return Verdict.UNKNOWN
        case Not(inner):
            return _OPPOSITE[verdict(inner, situation, means)]
        case AllOf(several):
            return _joined(several, situation, means, settles=Verdict.FAILED)
        case AnyOf(several):
            return _joined(several, situation, means, settles=Verdict.MET)
        case _:
            assert_never(condition)


def report(precondition: Precondition, situation: Situation, means: Means) -> PreconditionReport:
    """How a precondition stands, with the words its author wanted said when it fails."""
    found = verdict(precondition.check, situation, means)
    if found is Verdict.FAILED:
        reason = precondition.error_if_failed or f"not so: {precondition.told}"
    elif found is Verdict.UNKNOWN:
        reason = f"cannot be checked here: {precondition.told}"
    else:
        reason = precondition.told
    return PreconditionReport(precondition, found, reason)


def condition_text(condition: Condition) -> str:
    """A condition in words."""
    match condition:
        case ToolAvailable(tool):
            return f"the tool {tool} is available"
        case EnvironmentHas(key):
            return f"{key} is set"
        case EnvironmentEquals(key, expected):
            return f"{key} is {expected}"
        case BeliefHeld(memory_id):
            return f"{memory_id} holds"
        case CustomCheck(name):
            return f"the check {name} passes"
        case Described(text):
            return text
        case Not(inner):
            return f"not: {condition_text(inner)}"
        case AllOf(several):
            return " and ".join(map(condition_text, several))
        case AnyOf(several):
            return " or ".join(map(condition_text, several))
        case _:
            assert_never(condition)


def condition_depth(condition: Condition) -> int:
    """How many conditions lie inside each other."""
    if isinstance(condition, Not):
        return 1 + condition_depth(condition.condition)
    if isinstance(condition, AllOf | AnyOf):
        return 1 + max(map(condition_depth, condition.conditions))
    return 1


def check_depth(depth: int) -> None:
    """Refuse what is nested too deep to be followed; inner ones were looked at when made."""
    if depth > DEEPEST:
        raise InvalidInput(hint=f"Conditions and actions are nested at most {DEEPEST} deep.")


def _check_several(conditions: "tuple[Condition, ...]") -> None:
    if not 1 <= len(conditions) <= _MOST_JOINED:
        raise InvalidInput(hint=f"`conditions` holds 1 to {_MOST_JOINED} of them.")


def _has(environment: Mapping[str, Json], key: str) -> Verdict:
    return Verdict.MET if key in environment else Verdict.FAILED


def _equals(environment: Mapping[str, Json], key: str, expected: Json) -> Verdict:
    is_so = key in environment and is_equal(environment[key], expected)
    return Verdict.MET if is_so else Verdict.FAILED


def is_equal(one: Json, other: Json) -> bool:
    """Whether two values say the same; true is not 1, and text is compared without case."""
    if isinstance(one, str) and isinstance(other, str):
        return one.strip().casefold() == other.strip().casefold()
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _as_verdict(is_met: bool | None) -> Verdict:
    if is_met is None:
        return Verdict.UNKNOWN
    return Verdict.MET if is_met else Verdict.FAILED


def _joined(
    several: "tuple[Condition, ...]", situation: Situation, means: Means, *, settles: Verdict
) -> Verdict:
    """One that settles it decides, whatever the rest; else all must be known."""
    found = [verdict(each, situation, means) for each in several]
    if settles in found:
        return settles
    return Verdict.UNKNOWN if Verdict.UNKNOWN in found else _OPPOSITE[settles]


_OPPOSITE = {
    Verdict.MET: Verdict.FAILED,
    Verdict.FAILED: Verdict.MET,
    Verdict.UNKNOWN: Verdict.UNKNOWN,
}
