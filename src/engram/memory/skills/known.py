"""A skill as it is read: the memory that tells it, how it went, and how to follow it now."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engram.memory.ids import ChangeId, MemoryId
from engram.memory.record import Memory
from engram.memory.skills.conditions import PreconditionReport, Verdict
from engram.memory.skills.failures import FailureMode, failure_modes
from engram.memory.skills.procedure import Procedure
from engram.memory.skills.refinements import Refinement, refined, refinements
from engram.memory.skills.skill import Skill, SkillRun
from engram.memory.skills.statistics import SkillStats, Stage, standing, statistics
from engram.memory.skills.triggers import FeatureReading


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownSkill:
    """One skill with everything that follows from its runs."""

    memory: Memory
    skill: Skill  # as written
    stats: SkillStats
    stage: Stage
    evidence: str
    proposes_retirement: bool
    failure_modes: tuple[FailureMode, ...]
    refinements: tuple[Refinement, ...]
    current: Skill  # as it is to be followed, after what was learnt

    @property
    def id(self) -> MemoryId:
        """The id of the memory that tells it."""
        return self.memory.id

    @property
    def label(self) -> str:
        """The short name of that memory."""
        return self.memory.label

    @property
    def name(self) -> str:
        """What it is called."""
        return self.skill.name

    @property
    def procedure(self) -> Procedure:
        """How it is done now, after what was learnt."""
        return self.current.procedure


def known_skill(memory: Memory, skill: Skill, runs: Sequence[SkillRun]) -> KnownSkill:
    """Put a skill together from what is kept of it; its runs are in their order."""
    stats = statistics(skill.learnt_from, runs)
    stands = standing(stats, memory.status)
    found = refinements(skill, runs)
    return KnownSkill(
        memory=memory,
        skill=skill,
        stats=stats,
        stage=stands.stage,
        evidence=stands.evidence,
        proposes_retirement=stands.proposes_retirement,
        failure_modes=failure_modes(skill, runs),
        refinements=found,
        current=refined(skill, found),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillMatch:
    """A skill that fits a situation: how well, why, and whether it can be begun."""

    skill: KnownSkill
    match_score: float  # the weighted share of its features
    score: float  # the same times its success rate: what it is ranked by
    features: tuple[FeatureReading, ...]
    preconditions: tuple[PreconditionReport, ...]

    @property
    def name(self) -> str:
        """What the skill is called."""
        return self.skill.name

    @property
    def procedure(self) -> Procedure:
        """How it is to be done, with what was learnt put in."""
        return self.skill.procedure

    @property
    def is_ready(self) -> bool:
        """Whether every precondition is known to be met."""
        return all(each.verdict is Verdict.MET for each in self.preconditions)

    @property
    def failed_preconditions(self) -> tuple[PreconditionReport, ...]:
        """Those that are not met."""
        return tuple(each for each in self.preconditions if each.verdict is Verdict.FAILED)

    @property
    def unknown_preconditions(self) -> tuple[PreconditionReport, ...]:
        """Those that cannot be checked here."""
        return tuple(each for each in self.preconditions if each.verdict is Verdict.UNKNOWN)

    @property
    def why(self) -> str:
        """The reasons in one line."""
        told = [each.reason for each in self.features if each.value]
        stats = self.skill.stats
        tried = f"success rate {stats.success_rate:.2f}" if stats.runs else "not tried yet"
        return "; ".join([*told, tried])


@dataclass(frozen=True, slots=True)
class SkillKept:
    """What became of a skill that was handed in or learnt."""

    kind: Literal["stored", "confirmed", "held", "refused"]
    skill: KnownSkill | None  # None: nothing was kept
    reason: str
    change_id: ChangeId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackNoted:
    """What became of a word on how a skill went."""

    skill: KnownSkill
    run: SkillRun
    change_id: ChangeId | None  # takes it back; None: it was noted before
    failure_mode: FailureMode | None = None
    added_refinements: tuple[Refinement, ...] = ()
    is_repeat: bool = False
