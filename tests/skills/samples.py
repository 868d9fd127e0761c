"""Skills, episodes and runs that the tests of skills are made of."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from engram.memory.episodes.episode import Episode, WholeEpisode
from engram.memory.episodes.events import Event, Happening, ToolCall, ToolResult
from engram.memory.episodes.outcomes import EpisodeOutcome, Failure, Success
from engram.memory.ids import ChangeId, MemoryId
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.memory.situation import Situation
from engram.memory.skills import (
    CallTool,
    Feature,
    InvokeSkill,
    KeywordPresent,
    Precondition,
    Procedure,
    ProcedureStep,
    Skill,
    SkillRun,
    ToolAvailable,
    TriggerPattern,
)
from engram.memory.vocabulary import Kind, Layer, LearnedBy, MemoryType, SourceClass, Status

START = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


def step(tool: str, **more: object) -> ProcedureStep:
    return ProcedureStep(description=f"Call {tool}", action=CallTool(tool), **more)


def skill(name: str = "deploy the service", *tools: str, **more: object) -> Skill:
    steps = tuple(step(tool) for tool in tools or ("run_tests", "build", "push"))
    parts: dict[str, object] = {
        "name": name,
        "description": "Bring a service into production.",
        "trigger": TriggerPattern(
            features=(
                Feature("deploy", KeywordPresent(("deploy", "release")), 2.0),
                Feature("service", KeywordPresent(("service",)), 1.0),
            )
        ),
        "procedure": Procedure(steps=steps),
    }
    return Skill(**{**parts, **more})


def needing(*tools: str) -> tuple[Precondition, ...]:
    return tuple(Precondition(ToolAvailable(tool)) for tool in tools)


def invoking(name: str, *others: str) -> Skill:
    steps = tuple(
        ProcedureStep(description=f"Follow {other}", action=InvokeSkill(other)) for other in others
    )
    return skill(name, procedure=Procedure(steps=steps or (step("finish"),)))


def run(outcome: EpisodeOutcome | None = None, **more: object) -> SkillRun:
    return SkillRun(at=more.pop("at", START), outcome=outcome or Success(), **more)


def failed(error: str, **more: object) -> SkillRun:
    learned = more.pop("learned", None)
    return run(Failure(error, learned=learned), **more)


def told(environment: dict[str, object] | None = None, **more: object) -> Situation:
    return Situation(environment=environment or {}, **more)


def episode(
    number: int,
    goal: str,
    happenings: Sequence[Happening],
    outcome: EpisodeOutcome | None = None,
    environment: dict[str, object] | None = None,
) -> WholeEpisode:
    begun = START + timedelta(days=number)
    memory = Memory(
        id=MemoryId(f"{number:026d}"), number=number, scope=Scope(), content="An episode.",
        category="moment", memory_type=MemoryType.NARRATIVE, layer=Layer.EPISODIC,
        kind=Kind.EPISODE, status=Status.ACTIVE, source="manual",
        source_class=SourceClass.PERSON, learned_by=LearnedBy.MANUAL, confidence=1.0,
        base_importance=0.5, trust=1.0, at=begun, learned_at=begun, recorded_at=begun,
        change_id=ChangeId("chg-1"),
    )  # fmt: skip
    lived = Episode(
        memory=memory, situation=Situation(goal=goal, environment=environment or {}),
        participants=(), started_at=begun, ended_at=begun + timedelta(minutes=10),
        outcome=outcome or Success(), significance=0.5, surprise=0.5, valence=0.5,
        event_count=len(happenings), strength=1.0,
    )  # fmt: skip
    return WholeEpisode(lived, tuple(Event(happening=each, at=begun) for each in happenings))


def calls(*tools: str, **arguments: object) -> list[Happening]:
    """Each tool called and answered."""
    found: list[Happening] = []
    for tool in tools:
        found += [ToolCall(tool, dict(arguments)), ToolResult(tool, "ok", True)]
    return found
