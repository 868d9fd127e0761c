"""What can happen in an episode: a closed set of events, each with what belongs to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from engram.errors import InvalidInput
from engram.memory.jsons import Json, JsonObject
from engram.memory.tagged import TAG, from_json, read_as, tag_of
from engram.text.strings import checked_name


@dataclass(frozen=True, slots=True)
class UserMessage:
    """A person said something."""

    content: str


@dataclass(frozen=True, slots=True)
class AgentResponse:
    """The agent answered."""

    content: str


@dataclass(frozen=True, slots=True)
class SystemMessage:
    """The program around the agent said something."""

    content: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool was called."""

    tool: str
    args: JsonObject = field(default_factory=dict)

    def __post_init__(self) -> None:
        checked_name(self.tool, name="tool")


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A tool answered."""

    tool: str
    result: Json
    success: bool

    def __post_init__(self) -> None:
        checked_name(self.tool, name="tool")


@dataclass(frozen=True, slots=True)
class StateChange:
    """Something in the world or in the program became another."""

    key: str
    old: Json
    current: Json

    def __post_init__(self) -> None:
        checked_name(self.key, name="key")


@dataclass(frozen=True, slots=True)
class BeliefUpdate:
    """A memory was learnt, confirmed, doubted or given up."""

    memory_id: str
    change: str


@dataclass(frozen=True, slots=True)
class Decision:
    """One of several ways was chosen."""

    options: tuple[str, ...]
    chosen: int
    reasoning: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.chosen < len(self.options):
            raise InvalidInput(hint="`chosen` is the place of one of the options, from 0.")


@dataclass(frozen=True, slots=True)
class PlanCreated:
    """A plan was made."""

    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlanModified:
    """A plan was changed."""

    modification: str


@dataclass(frozen=True, slots=True)
class GoalAchieved:
    """A goal was reached."""

    goal: str


@dataclass(frozen=True, slots=True)
class GoalFailed:
    """A goal was missed."""

    goal: str
    reason: str


@dataclass(frozen=True, slots=True)
class ErrorOccurred:
    """Something went wrong."""

    error: str
    recoverable: bool = True


@dataclass(frozen=True, slots=True)
class Custom:
    """Anything else, under a name of the caller's own."""

    type_name: str
    content: Json = None

    def __post_init__(self) -> None:
        checked_name(self.type_name, name="type_name")


Happening = (
    UserMessage
    | AgentResponse
    | SystemMessage
    | ToolCall
    | ToolResult
    | StateChange
    | BeliefUpdate
    | Decision
    | PlanCreated
    | PlanModified
    | GoalAchieved
    | GoalFailed
    | ErrorOccurred
    | Custom
)

# What a story tells: what went wrong, what was decided, what was reached.
_KEY_HAPPENINGS = (Decision, GoalAchieved, GoalFailed, ErrorOccurred)
# What somebody did, of which a way to do it can be learnt.
ACTION_KINDS = ("tool_call", "decision", "plan_created", "plan_modified", "agent_response")


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened at one moment of an episode."""

    happening: Happening
    at: datetime
    actor: str | None = None
    target: str | None = None
    duration: timedelta | None = None
    success: bool | None = None

    def __post_init__(self) -> None:
        for name in ("actor", "target"):
            if getattr(self, name) is not None:
                checked_name(getattr(self, name), name=name)


def kind_of(happening: Happening) -> str:
    """What sort of thing happened, as JSON calls it: tool_call, decision and so on."""
    return tag_of(type(happening))


def is_key_event(event: Event) -> bool:
    """Whether a story tells of it: errors, failed calls, decisions, goals."""
    if isinstance(event.happening, ToolResult) and not event.happening.success:
        return True
    return event.success is False or isinstance(event.happening, _KEY_HAPPENINGS)


def read_happening(value: object, *, name: str = "event") -> Happening:
    """What happened, as callers hand it in: one of the classes, or its JSON."""
    happening: Happening = from_json(Happening, value, name=name)
    return happening


def read_event(
    value: object, *, at: datetime, actor: str | None = None, name: str = "event"
) -> Event:
    """An event as callers hand it in: whole, or only what happened; then it was just now."""
    if isinstance(value, Event):
        return read_as(Event, value, name=name)
    if isinstance(value, Mapping) and ("happening" in value or value.get(TAG) == tag_of(Event)):
        given = {"at": at, "actor": actor, **value}
        return read_as(Event, given, name=name)
    return Event(happening=read_happening(value, name=name), at=at, actor=actor)


def read_events(
    values: object, *, at: datetime, actor: str | None = None, name: str = "events"
) -> tuple[Event, ...]:
    """Several events in their order; an error names which is wrong."""
    if not isinstance(values, list | tuple):
        raise InvalidInput(hint=f"`{name}` is a list of events.")
    return tuple(
        read_event(each, at=at, actor=actor, name=f"{name}[{place}]")
        for place, each in enumerate(values)
    )
