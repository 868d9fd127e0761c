"""A flow's run: which nodes it went through, and what that says as episode and as skill."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from engram.errors import InvalidInput
from engram.memory.episodes.events import Event, ToolCall, ToolResult
from engram.memory.episodes.outcomes import EpisodeOutcome, Failure
from engram.memory.jsons import Json, JsonObject
from engram.memory.situation import Situation
from engram.memory.skills.procedure import MOST_STEPS, CallTool, Procedure, ProcedureStep
from engram.memory.skills.skill import Skill
from engram.memory.skills.triggers import Feature, GoalMatches, KeywordPresent, TriggerPattern
from engram.memory.tagged import read_as
from engram.text.strings import checked_name

_TELLING = 50  # characters: a shorter output says no more than that it went well


@dataclass(frozen=True, slots=True)
class FlowNode:
    """One node that a flow went through."""

    name: str
    tool: str | None = None  # None: the node itself
    arguments: JsonObject = field(default_factory=dict)
    output: Json = None

    def __post_init__(self) -> None:
        checked_name(self.name, name="node")
        if self.tool is not None:
            checked_name(self.tool, name="tool")

    @property
    def called(self) -> str:
        """What was called in it."""
        return self.tool or self.name


def read_nodes(value: object) -> tuple[FlowNode, ...]:
    """The nodes as callers hand them in: names, nodes, or their JSON."""
    if not isinstance(value, list | tuple) or not 1 <= len(value) <= MOST_STEPS:
        raise InvalidInput(hint=f"`nodes` is a list of 1 to {MOST_STEPS} nodes.")
    return tuple(
        FlowNode(each) if isinstance(each, str) else read_as(FlowNode, each, name=f"nodes[{place}]")
        for place, each in enumerate(value)
    )


def failing_place(
    nodes: Sequence[FlowNode], failing_node: str | None, outcome: EpisodeOutcome
) -> int | None:
    """At which node it failed, from 1; where nobody says, at the last that was reached."""
    if failing_node is None:
        return len(nodes) if isinstance(outcome, Failure) else None
    if not isinstance(outcome, Failure):
        raise InvalidInput(hint="A failing node goes with an outcome that is a failure.")
    names = [node.name for node in nodes]
    if failing_node not in names:
        raise InvalidInput(hint="`failing_node` is none of the nodes.")
    return names.index(failing_node) + 1


def flow_situation(name: str) -> Situation:
    """What a flow's run is about."""
    return Situation(text=f"flow {name}", goal=f"run the flow {name}")


def flow_events(
    nodes: Sequence[FlowNode], outcome: EpisodeOutcome, failed_at: int | None, at: datetime
) -> list[Event]:
    """What happened in a flow's run: each node called, and its answer; none after the failure."""
    found: list[Event] = []
    for place, node in enumerate(nodes, start=1):
        if failed_at is not None and place > failed_at:
            break
        has_failed = place == failed_at
        error = outcome.error if isinstance(outcome, Failure) else ""
        answer = error if has_failed else _telling(node.output)
        found.append(Event(happening=ToolCall(node.called, node.arguments), at=at))
        result = ToolResult(node.called, answer, not has_failed)
        found.append(Event(happening=result, at=at, success=not has_failed))
    return found


def _telling(output: Json) -> Json:
    return None if len(str(output)) < _TELLING else output


def flow_skill(name: str, nodes: Sequence[FlowNode]) -> Skill:
    """The skill that a flow is, when none of its name is known."""
    steps = tuple(
        ProcedureStep(description=f"Node {node.name}", action=CallTool(node.called, node.arguments))
        for node in nodes
    )
    return Skill(
        name=name,
        description=f"The flow {name}, as it was run.",
        trigger=TriggerPattern(
            features=(
                Feature("names the flow", KeywordPresent((name,)), 2.0),
                Feature("wants the flow", GoalMatches(f"run the flow {name}"), 1.0),
            ),
            description=f"run the flow {name}",
        ),
        procedure=Procedure(steps=steps),
    )
