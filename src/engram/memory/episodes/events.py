"""What can happen in an episode: a closed set of events, each with what belongs to it."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from engram.errors import InvalidInput
from engram.memory.jsons import Json, JsonObject
from engram.memory.tagged import from_json
from engram.memory.texts import checked_name


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


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A tool answered."""

    tool: str
    result: Json
    success: bool


@dataclass(frozen=True, slots=True)
class StateChange:
    """Something in the world or in the program became another."""

    key: str
    old: Json
    current: Json


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


def read_happening(value: object, *, name: str = "event") -> Happening:
    """What happened, as callers hand it in: one of the classes, or its JSON."""
    happening: Happening = from_json(Happening, value, name=name)
    return happening
