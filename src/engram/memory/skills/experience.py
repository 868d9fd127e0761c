"""What an episode tells about how something is done: its actions, and how it went as a run."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta

from engram.memory.episodes.episode import Episode, WholeEpisode
from engram.memory.episodes.events import (
    Custom,
    Decision,
    ErrorOccurred,
    Event,
    GoalFailed,
    ToolCall,
    ToolResult,
)
from engram.memory.episodes.outcomes import Failure
from engram.memory.jsons import Json
from engram.memory.skills.signature import error_signature
from engram.memory.skills.skill import SkillRun

# What of an episode is looked at; the rest is not read.
TELLING_KINDS = (
    "tool_call", "tool_result", "decision", "custom", "error_occurred", "goal_failed",
)  # fmt: skip
ActionEvent = ToolCall | Decision | Custom


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that went wrong in an episode, and what was done until it worked."""

    error: str
    tool: str | None
    remedy: tuple[str, ...] = ()  # tools called between the failure and the same tool's success


def worked_actions(events: Iterable[Event]) -> list[ActionEvent]:
    """What was done in an episode and did not fail: an attempt that failed is no step."""
    listed = list(events)
    failed = {place for place, _ in _failed_calls(listed)}
    return [
        event.happening
        for place, event in enumerate(listed)
        if isinstance(event.happening, ToolCall | Decision | Custom)
        and event.success is not False
        and place not in failed
    ]


def faults(events: Iterable[Event]) -> list[Fault]:
    """What went wrong in an episode, in order."""
    listed = list(events)
    found: list[Fault] = []
    for place, event in enumerate(listed):
        match event.happening:
            case ToolResult(tool, result, False):
                error = told_error(result) or _explained(listed[place + 1 :])
                found.append(Fault(error, tool, _remedy(tool, listed[place + 1 :])))
            case ErrorOccurred(error) if not _is_wordless(listed[:place]):
                found.append(Fault(error, _last_tool(listed[:place])))
            case GoalFailed(_, reason):
                found.append(Fault(reason, _last_tool(listed[:place])))
            case _:
                continue
    return found


def told_error(result: Json) -> str:
    """The error in what a tool answered: a text, or the part of it that is called so."""
    if isinstance(result, dict):
        for key in ("error", "message", "stderr", "reason", "detail"):
            if isinstance(result.get(key), str) and result[key]:
                return str(result[key])
    return result if isinstance(result, str) else str(result if result is not None else "")


def _explained(later: list[Event]) -> str:
    """The words for a tool that failed without one: those of an error told right after it."""
    following = later[0].happening if later else None
    return following.error if isinstance(following, ErrorOccurred) else ""


def _is_wordless(earlier: list[Event]) -> bool:
    """Whether the last thing was a tool that failed and did not say why."""
    last = earlier[-1].happening if earlier else None
    return isinstance(last, ToolResult) and not last.success and not told_error(last.result)


def run_of(whole: WholeEpisode) -> SkillRun:
    """An episode as one run of whatever was followed in it."""
    episode = whole.episode
    outcome = episode.outcome
    tool = _failing_tool(whole, outcome) if isinstance(outcome, Failure) else None
    return SkillRun(
        at=episode.ended_at or episode.started_at,
        outcome=outcome,
        duration=_duration(episode),
        episode=episode.id,
        tool=tool,
        context=episode.situation,
    )


def _duration(episode: Episode) -> timedelta | None:
    if episode.ended_at is None or episode.ended_at <= episode.started_at:
        return None
    return episode.ended_at - episode.started_at


def _failing_tool(whole: WholeEpisode, failure: Failure) -> str | None:
    """The tool whose error the episode ended with, else the last that failed and never worked."""
    named = [fault for fault in faults(whole.events) if fault.tool]
    ended = error_signature(failure.error)
    told = [fault for fault in named if error_signature(fault.error) == ended]
    found = told or [fault for fault in named if not fault.remedy]
    return found[-1].tool if found else None


def _failed_calls(events: list[Event]) -> Iterator[tuple[int, str]]:
    """The calls whose answer was a failure; an answer belongs to the last open call of its tool."""
    open_calls: dict[str, list[int]] = {}
    for place, event in enumerate(events):
        match event.happening:
            case ToolCall(tool):
                open_calls.setdefault(tool, []).append(place)
            case ToolResult(tool, _, success) if open_calls.get(tool):
                answered = open_calls[tool].pop()
                if not success:
                    yield answered, tool
            case _:
                continue


def _remedy(tool: str, later: list[Event]) -> tuple[str, ...]:
    """The tools called before the same tool worked; none when it never did."""
    called: list[str] = []
    for event in later:
        match event.happening:
            case ToolResult(name, _, True) if name == tool:
                return tuple(dict.fromkeys(each for each in called if each != tool)) or (tool,)
            case ToolCall(name):
                called.append(name)
            case _:
                continue
    return ()


def _last_tool(earlier: list[Event]) -> str | None:
    for event in reversed(earlier):
        if isinstance(event.happening, ToolCall | ToolResult):
            return event.happening.tool
    return None
