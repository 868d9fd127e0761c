"""An episode told in a few lines, so that what finds any memory finds episodes too."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import assert_never

from engram.memory.episodes.episode import Participant
from engram.memory.episodes.events import (
    AgentResponse,
    BeliefUpdate,
    Custom,
    Decision,
    ErrorOccurred,
    Event,
    GoalAchieved,
    GoalFailed,
    Happening,
    PlanCreated,
    PlanModified,
    StateChange,
    SystemMessage,
    ToolCall,
    ToolResult,
    UserMessage,
)
from engram.memory.episodes.outcomes import (
    Abandoned,
    EpisodeOutcome,
    Failure,
    Ongoing,
    Partial,
    Success,
)
from engram.memory.jsons import Json
from engram.memory.situation import Situation
from engram.text.strings import clipped

_SITUATION = 500  # characters, as the others
_PEOPLE = 160
_EVENT = 100
_EVENTS = 800
_ENDING = 400
_VALUE = 60
_UNNAMED = "Something was done"


@dataclass(frozen=True, slots=True)
class Story:
    """The parts of a story; its text is always shorter than 2,000 characters."""

    opening: str
    people: str
    happenings: tuple[str, ...]
    ending: str
    when: str  # so that no two episodes tell the same, however alike they went

    @property
    def text(self) -> str:
        """The story as it is kept."""
        told = "; ".join(_within(self.happenings, _EVENTS))
        parts = (self.opening, self.people, told and f"{told}.", self.ending, self.when)
        return "\n".join(part for part in parts if part)


def tell(
    situation: Situation,
    participants: Sequence[Participant],
    events: Sequence[Event],
    outcome: EpisodeOutcome,
    span: tuple[datetime, datetime | None],
) -> Story:
    """The story of an episode, of which `events` are those that matter."""
    moments = [f"{moment:%Y-%m-%d %H:%M}" for moment in span if moment is not None]
    names = ", ".join(each.identifier for each in participants)
    return Story(
        opening=_sentence(clipped(situation.summary or _UNNAMED, _SITUATION)),
        people=f"With {clipped(names, _PEOPLE)}." if names else "",
        happenings=tuple(clipped(_told(each.happening), _EVENT) for each in events),
        ending=_sentence(clipped(_end(outcome), _ENDING)),
        when=" to ".join(moments),
    )


def _end(outcome: EpisodeOutcome) -> str:
    match outcome:
        case Success():
            return _with("It succeeded", _value(outcome.result))
        case Failure():
            learned = f". Learnt: {outcome.learned}" if outcome.learned else ""
            return f"It failed: {outcome.error}{learned}"
        case Partial():
            return "; ".join(
                part
                for part in (
                    _with("It was done in part", ", ".join(outcome.completed)),
                    outcome.remaining and "left to do: " + ", ".join(outcome.remaining),
                    outcome.blockers and "in the way: " + ", ".join(outcome.blockers),
                )
                if part
            )
        case Abandoned():
            return f"It was given up: {outcome.reason}"
        case Ongoing():
            return "It goes on"
        case _:
            assert_never(outcome)


def _told(happening: Happening) -> str:
    match happening:
        case UserMessage() | AgentResponse() | SystemMessage():
            return _said(happening)
        case ToolCall():
            return _with(f"called {happening.tool}", _value(happening.args))
        case ToolResult():
            way = "answered" if happening.success else "failed"
            return _with(f"{happening.tool} {way}", _value(happening.result))
        case StateChange():
            return f"{happening.key} became {_value(happening.current) or 'nothing'}"
        case BeliefUpdate():
            return f"about {happening.memory_id}: {happening.change}"
        case Custom():
            return _with(happening.type_name, _value(happening.content))
        case _:
            return _decided(happening)


def _said(happening: UserMessage | AgentResponse | SystemMessage) -> str:
    speakers = {UserMessage: "the user said", AgentResponse: "the agent said"}
    return f"{speakers.get(type(happening), 'the system said')}: {happening.content}"


def _decided(
    happening: Decision | PlanCreated | PlanModified | GoalAchieved | GoalFailed | ErrorOccurred,
) -> str:
    match happening:
        case Decision():
            return _with(f"decided: {happening.options[happening.chosen]}", happening.reasoning)
        case PlanCreated():
            return f"planned: {', '.join(happening.steps)}"
        case PlanModified():
            return f"changed the plan: {happening.modification}"
        case GoalAchieved():
            return f"reached: {happening.goal}"
        case GoalFailed():
            return _with(f"missed: {happening.goal}", happening.reason)
        case ErrorOccurred():
            return f"error: {happening.error}"
        case _:
            assert_never(happening)


def _value(value: Json) -> str:
    if value in (None, "") or (isinstance(value, Mapping | list | tuple) and not value):
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return clipped(text, _VALUE)


def _with(told: str, more: str) -> str:
    return f"{told} ({more})" if more else told


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def _within(lines: Sequence[str], most: int) -> list[str]:
    """As many lines from both ends as there is room for; what is left out lies in the middle."""
    head: list[str] = []
    tail: list[str] = []
    rest, room = list(lines), most
    while rest and len(rest[0]) + 2 <= room:
        side = head if len(head) <= len(tail) else tail
        line = rest.pop(0 if side is head else -1)
        room -= len(line) + 2
        side.append(line)
    return [*head, *(["…"] if rest else []), *reversed(tail)]
