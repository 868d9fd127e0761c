"""Turns skills into plain JSON documents; every surface shows the same ones."""

import dataclasses
from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from engram.memory.jsons import Json
from engram.memory.situation import Situation
from engram.memory.skills.conditions import Precondition
from engram.memory.skills.failures import FailureMode, When
from engram.memory.skills.procedure import Procedure, ProcedureStep, action_text
from engram.memory.skills.refinements import Refinement
from engram.memory.skills.skill import KnownFailure, Skill, SkillRun
from engram.memory.skills.statistics import SkillStats
from engram.memory.skills.triggers import Feature, TriggerPattern
from engram.memory.skills.warnings import FailureWarning
from engram.memory.tagged import TAG, as_json, tag_of
from engram.surfaces.documents import Document, memory_document
from engram.surfaces.skills_words import modification_text, recourse_text, recovery_text

if TYPE_CHECKING:
    from engram.engine.skills import FlowRecorded
    from engram.memory.skills.conditions import PreconditionReport
    from engram.memory.skills.known import FeedbackNoted, KnownSkill, SkillKept, SkillMatch
    from engram.memory.skills.triggers import FeatureReading

# Where such a one stands there can be no other: it needs no tag. Each after those that it holds.
SINGLE: tuple[type, ...] = (
    Situation, When, ProcedureStep, Procedure, Feature, TriggerPattern, Precondition, KnownFailure,
    SkillRun, SkillStats, FailureMode, Refinement, FailureWarning, Skill,
)  # fmt: skip
_DIGITS = 4  # of a figure that was worked out
HISTORY = ("source_episodes", "learnt_from")  # of a skill: where it comes from, not what it says


def written(value: object) -> Json:
    """A value of skills as JSON; it carries a tag only where it could be another."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = (field.name for field in dataclasses.fields(value))
        told = {name: written(getattr(value, name)) for name in names}
        return told if isinstance(value, SINGLE) else {TAG: tag_of(type(value)), **told}
    if isinstance(value, tuple):
        return [written(each) for each in value]
    return as_json(value)


def _figure(value: float) -> float:
    """A score as precisely as it means something."""
    return round(value, _DIGITS)


def _fields(value: object) -> Document:
    return cast("Document", written(value))  # a dataclass becomes an object


def _stats(stats: SkillStats) -> Document:
    figures = _fields(stats)
    return {
        name: _figure(each) if isinstance(each, float) else each for name, each in figures.items()
    }


def skill_document(known: "KnownSkill") -> Document:
    """One skill: how it is done now, how it went, what was learnt, and as it was written."""
    skill = _fields(known.skill)
    current = _fields(known.current)
    return {
        "id": known.id,
        "label": known.label,
        "name": known.name,
        "stage": known.stage.value,
        "evidence": known.evidence,
        "proposes_retirement": known.proposes_retirement,
        "stats": _stats(known.stats),
        "needs": [each.told for each in known.current.preconditions],
        "steps": _steps(known),
        "failure_modes": [failure_document(each) for each in known.failure_modes],
        "refinements": [refinement_document(each) for each in known.refinements],
        "current": {name: current[name] for name in ("trigger", "preconditions", "procedure")},
        "skill": {name: each for name, each in skill.items() if name not in HISTORY},
        **{name: skill[name] for name in HISTORY},
        "memory": memory_document(known.memory),
    }


def _steps(known: "KnownSkill") -> list[Document]:
    """The steps to follow now, in words; `is_learnt`: it is not as it was written."""
    as_written = known.skill.procedure.steps
    return [
        {
            "step": place,
            "description": step.description,
            "does": action_text(step.action),
            "expected": step.expected,
            "on_failure": recourse_text(step.on_failure),
            "is_learnt": step not in as_written,
        }
        for place, step in enumerate(known.procedure.steps, start=1)
    ]


def failure_document(mode: FailureMode) -> Document:
    """One way in which a skill fails; its remedy in words, where somebody wrote one down."""
    return {**_fields(mode), "remedy": recovery_text(mode.recovery) if mode.recovery else ""}


def refinement_document(refinement: Refinement) -> Document:
    """One change that was learnt, also in words."""
    return {**_fields(refinement), "text": modification_text(refinement.modification)}


def skills_document(found: "Iterable[KnownSkill]") -> Document:
    """Many skills."""
    return {"skills": [skill_document(each) for each in found]}


def skill_kept_document(kept: "SkillKept") -> Document:
    """What became of a skill that was handed in or learnt."""
    return {
        "kind": kept.kind,
        "reason": kept.reason,
        "change_id": kept.change_id,
        "skill": None if kept.skill is None else skill_document(kept.skill),
    }


def skill_changed_document(known: "KnownSkill") -> Document:
    """A skill as a change left it, and what takes the change back."""
    return {"change_id": known.memory.change_id, "skill": skill_document(known)}


def matches_document(found: "Iterable[SkillMatch]") -> Document:
    """The skills that fit a situation: how well, why, and whether they can be begun."""
    return {"matches": [_match(each) for each in found]}


def _match(found: "SkillMatch") -> Document:
    return {
        "score": _figure(found.score),
        "match_score": _figure(found.match_score),
        "is_ready": found.is_ready,
        "readings": [_reading(each) for each in found.features],
        "preconditions": [_precondition(each) for each in found.preconditions],
        "skill": skill_document(found.skill),
    }


def _reading(found: "FeatureReading") -> Document:
    return {
        "feature": found.feature.name,
        "importance": _figure(found.feature.importance),
        "score": None if found.value is None else _figure(found.value),
        "reason": found.reason,
    }


def _precondition(found: "PreconditionReport") -> Document:
    told = found.precondition.told
    return {"precondition": told, "verdict": found.verdict.value, "reason": found.reason}


def runs_document(found: "Iterable[SkillRun]") -> Document:
    """How a skill went."""
    return {"runs": [_fields(each) for each in found]}


def skill_feedback_document(noted: "FeedbackNoted") -> Document:
    """What became of a word on how a skill went, and what it taught."""
    mode = noted.failure_mode
    return {
        "is_repeat": noted.is_repeat,
        "change_id": noted.change_id,
        "run": _fields(noted.run),
        "failure_mode": None if mode is None else failure_document(mode),
        "added_refinements": [refinement_document(each) for each in noted.added_refinements],
        "skill": skill_document(noted.skill),
    }


def warnings_document(found: "Iterable[FailureWarning]") -> Document:
    """What failed before, each also in words."""
    return {"warnings": [{**_fields(each), "text": each.text} for each in found]}


def flow_document(recorded: "FlowRecorded") -> Document:
    """What became of a flow's run."""
    return {
        "episode_id": recorded.episode_id,
        "is_first": recorded.is_first,
        "noted": skill_feedback_document(recorded.noted),
    }
