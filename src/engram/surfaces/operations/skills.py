"""Operations on skills: how tasks are done, when that fits, how it went and what failed before."""

from typing import Annotated

from pydantic import Field

from engram.engine import Engram
from engram.memory.scopes import Scope
from engram.memory.skills.procedure import MOST_STEPS
from engram.memory.skills.statistics import Stage
from engram.surfaces.documents import Document
from engram.surfaces.operations import skills_telling as telling
from engram.surfaces.operations.episodes import EndGiven
from engram.surfaces.operations.fields import Id, Limit, Name, Reason, Text, Time
from engram.surfaces.operations.memories import home_of
from engram.surfaces.operations.operation import (
    ADDING,
    CHANGING,
    READING,
    REMOVING,
    ScopedArguments,
    operation,
)
from engram.surfaces.operations.skill_fields import (
    Expected,
    KnownFailures,
    LongText,
    Nodes,
    Preconditions,
    ProcedureGiven,
    Seconds,
    SkillGiven,
    SkillName,
    TriggerGiven,
    as_written,
)
from engram.surfaces.operations.tagged_fields import SituationGiven, SituationPart
from engram.surfaces.skills_documents import (
    flow_document,
    matches_document,
    runs_document,
    skill_changed_document,
    skill_document,
    skill_feedback_document,
    skill_kept_document,
    skills_document,
    warnings_document,
)

_MOST_EPISODES = 200
_ERROR_LENGTH = 65_536
StageName = Annotated[Stage, Field(strict=False)]


class OneSkill(ScopedArguments):
    """What an operation on one skill takes."""

    name: SkillName

    def place(self, engram: Engram) -> Scope | None:
        """The scope that is meant; an owner who names an id or label means the skill's own."""
        is_id = self.name.isprintable()  # as every id and label is; names may be anything
        return self.part or (home_of(engram, self.name) if is_id else None)


class SkillList(ScopedArguments):
    """What `skills` takes."""

    stage: StageName | None = None
    limit: Limit = 100


@operation(
    "skills", SkillList, kind=READING, route="GET /skills", gives="Skills", tells=telling.skills
)
def skills(engram: Engram, given: SkillList) -> Document:
    """The skills that are known, with how they do; those on probation, say, by their stage."""
    found = engram.skills.list(given.stage, limit=given.limit, scope=given.part)
    return skills_document(found)


class SkillThen(OneSkill):
    """What `skill` takes."""

    known_at: Annotated[Time | None, Field(description="As it was known at that time.")] = None


@operation(
    "skill", SkillThen, kind=READING, route="GET /skills/{name}", gives="Skill",
    tells=telling.skill,
)  # fmt: skip
def skill(engram: Engram, given: SkillThen) -> Document:
    """One skill: how it is done now, how it went, how it fails and what that taught."""
    found = engram.skills.get(given.name, known_at=given.known_at, scope=given.place(engram))
    return skill_document(found)


class SkillRuns(OneSkill):
    """What `skill_runs` takes."""

    limit: Limit = 50


@operation(
    "skill_runs", SkillRuns, kind=READING, route="GET /skills/{name}/runs", gives="SkillRuns",
    tells=telling.runs,
)  # fmt: skip
def skill_runs(engram: Engram, given: SkillRuns) -> Document:
    """How a skill went each time, the last first."""
    found = engram.skills.runs(given.name, limit=given.limit, scope=given.place(engram))
    return runs_document(found)


class AddSkill(ScopedArguments):
    """What `add_skill` takes."""

    skill: SkillGiven


@operation(
    "add_skill", AddSkill, kind=ADDING, route="POST /skills", gives="SkillKept", tells=telling.kept
)
def add_skill(engram: Engram, given: AddSkill) -> Document:
    """Keep how a task is done; it is on probation until runs have shown that it works."""
    return skill_kept_document(engram.skills.add(as_written(given.skill), scope=given.part))


class ReviseSkill(OneSkill):
    """What `revise_skill` takes; what is left out stays as it is."""

    description: LongText | None = None
    trigger: TriggerGiven | None = None
    preconditions: Preconditions | None = None
    procedure: ProcedureGiven | None = None
    expected: Expected | None = None
    known_failures: KnownFailures | None = None
    reason: Reason = ""


@operation(
    "revise_skill", ReviseSkill, kind=CHANGING, route="PATCH /skills/{name}", gives="SkillChanged",
    tells=telling.changed,
)  # fmt: skip
def revise_skill(engram: Engram, given: ReviseSkill) -> Document:
    """Give a skill its next version: any of its parts but its name; its runs stay with it."""
    said = given.model_dump(exclude={"name", "reason", "scope"}, exclude_unset=True)
    changes = {part: value for part, value in said.items() if value is not None}
    known = engram.skills.revise(
        given.name, reason=given.reason, scope=given.place(engram), **changes
    )
    return skill_changed_document(known)


class RetireSkill(OneSkill):
    """What `retire_skill` takes."""

    reason: Annotated[Reason, Field(min_length=1)]


@operation(
    "retire_skill", RetireSkill, kind=REMOVING, route="DELETE /skills/{name}",
    gives="SkillChanged", tells=telling.changed,
)  # fmt: skip
def retire_skill(engram: Engram, given: RetireSkill) -> Document:
    """Take a skill out of use: it is matched no more, and comes back by `undo`."""
    known = engram.skills.retire(given.name, given.reason, scope=given.place(engram))
    return skill_changed_document(known)


class MatchSkills(ScopedArguments):
    """What `match_skills` takes."""

    situation: SituationPart
    limit: Limit = 3


@operation(
    "match_skills", MatchSkills, kind=READING, route="POST /skills/match", gives="SkillMatches",
    tells=telling.matches,
)  # fmt: skip
def match_skills(engram: Engram, given: MatchSkills) -> Document:
    """The skills that fit a situation, best first: why, what must hold, and how it is done."""
    found = engram.skills.match(given.situation.as_document(), given.limit, scope=given.part)
    return matches_document(found)


class SkillFeedback(OneSkill):
    """What `skill_feedback` takes: an outcome, or an episode that tells it."""

    outcome: EndGiven | None = None
    episode: Annotated[
        Id | None, Field(description="The episode that tells the run; it counts once.")
    ] = None
    duration: Seconds | None = None
    context: SituationPart | None = None
    step: Annotated[
        int | None,
        Field(ge=1, le=MOST_STEPS, description="Which step failed, as the steps are shown now."),
    ] = None
    tool: Annotated[Name | None, Field(description="What failed in it.")] = None
    at: Time | None = None


@operation(
    "skill_feedback", SkillFeedback, kind=ADDING, route="POST /skills/{name}/feedback",
    gives="SkillFeedback", tells=telling.feedback,
)  # fmt: skip
def skill_feedback(engram: Engram, given: SkillFeedback) -> Document:
    """Say how a skill went; a failure is counted and changes how it is done next time."""
    noted = engram.skills.feedback(
        given.name,
        given.outcome,
        episode=given.episode,
        duration=given.duration,
        context=_told(given.context),
        step=given.step,
        tool=given.tool,
        at=given.at,
        scope=given.place(engram),
    )
    return skill_feedback_document(noted)


class SkillWarnings(ScopedArguments):
    """What `skill_warnings` takes; one of the three at least."""

    tool: Annotated[Name | None, Field(description="What is about to be called.")] = None
    error: Annotated[
        Annotated[Text, Field(max_length=_ERROR_LENGTH)] | None,
        Field(description="What just came; numbers, paths and ids in it do not count."),
    ] = None
    situation: SituationPart | None = None
    limit: Limit = 5


@operation(
    "skill_warnings", SkillWarnings, kind=READING, route="POST /skills/warnings",
    gives="FailureWarnings", tells=telling.warnings,
)  # fmt: skip
def skill_warnings(engram: Engram, given: SkillWarnings) -> Document:
    """Whether this failed before, by tool, error or situation, and what helped."""
    found = engram.skills.warnings(
        tool=given.tool,
        error=given.error,
        situation=_told(given.situation),
        limit=given.limit,
        scope=given.part,
    )
    return warnings_document(found)


class LearnSkill(ScopedArguments):
    """What `learn_skill` takes."""

    episode_ids: Annotated[
        list[Id],
        Field(
            min_length=1,
            max_length=_MOST_EPISODES,
            description="Episodes that went alike; at least three of them successes.",
        ),
    ]
    name: Annotated[Name | None, Field(description="Its name; else made of what it does.")] = None


@operation(
    "learn_skill", LearnSkill, kind=ADDING, route="POST /skills/learn", gives="SkillKept",
    tells=telling.kept,
)  # fmt: skip
def learn_skill(engram: Engram, given: LearnSkill) -> Document:
    """Draw a skill from episodes that went alike: what they share, in the same order."""
    kept = engram.skills.learn_from(given.episode_ids, name=given.name, scope=given.part)
    return skill_kept_document(kept)


class RecordFlow(ScopedArguments):
    """What `record_flow` takes."""

    name: Annotated[Name, Field(description="The flow's name; the skill has the same.")]
    nodes: Nodes
    outcome: EndGiven
    failing_node: Annotated[
        Name | None, Field(description="With a failure: where; else the last node.")
    ] = None
    duration: Seconds | None = None


@operation(
    "record_flow", RecordFlow, kind=ADDING, route="POST /skills/flows", gives="FlowRecorded",
    tells=telling.flow,
)  # fmt: skip
def record_flow(engram: Engram, given: RecordFlow) -> Document:
    """Record a run of a flow: an episode, and a run of the skill that the flow is."""
    recorded = engram.skills.record_flow(
        given.name,
        [as_written(node) for node in given.nodes],
        given.outcome,
        failing_node=given.failing_node,
        duration=given.duration,
        scope=given.part,
    )
    return flow_document(recorded)


def _told(situation: SituationGiven | None) -> dict[str, object] | None:
    return None if situation is None else situation.as_document()
