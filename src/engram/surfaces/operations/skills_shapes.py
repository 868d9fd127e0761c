"""The shapes of what operations on skills give."""

from typing import get_args

from engram.memory.skills.conditions import Condition, Verdict
from engram.memory.skills.failures import FailureMode
from engram.memory.skills.procedure import Action, Procedure
from engram.memory.skills.refinements import Refinement
from engram.memory.skills.skill import Skill, SkillRun
from engram.memory.skills.statistics import SkillStats, Stage
from engram.memory.skills.triggers import TriggerPattern
from engram.memory.skills.warnings import FailureWarning
from engram.surfaces.operations.schemas import (
    CHANGE_ID,
    COUNT,
    FLAG,
    NUMBER,
    SHARE,
    TEXT,
    JsonSchema,
    listed,
    maybe,
    ref,
    whole,
)
from engram.surfaces.operations.tagged_schemas import tagged_schema, untagged_schema
from engram.surfaces.skills_documents import HISTORY, SINGLE

_NAMED: dict[type, str] = {
    Procedure: "Procedure", TriggerPattern: "SkillTrigger", SkillRun: "SkillRun",
}  # fmt: skip


def skill_shapes() -> dict[str, JsonSchema]:
    """Every shape of skills by its name."""
    told = _told()
    return {
        **_value_shapes(told),
        "SkillFailure": whole({**_properties(FailureMode, told), "remedy": TEXT}),
        "SkillRefinement": _with_text(Refinement, told),
        "Skill": whole(_skill_fields(told)),
        "Skills": whole({"skills": listed(ref("Skill"))}),
        "SkillKept": whole({
            "kind": _word("stored", "confirmed", "held", "refused"),
            "reason": TEXT,
            "change_id": maybe(CHANGE_ID),
            "skill": maybe(ref("Skill")),
        }),
        "SkillChanged": whole({"change_id": CHANGE_ID, "skill": ref("Skill")}),
        "SkillMatches": whole({"matches": listed(_match())}),
        "SkillRuns": whole({"runs": listed(ref("SkillRun"))}),
        "SkillFeedback": whole({
            "is_repeat": FLAG,
            "change_id": maybe(CHANGE_ID),
            "run": ref("SkillRun"),
            "failure_mode": maybe(ref("SkillFailure")),
            "added_refinements": listed(ref("SkillRefinement")),
            "skill": ref("Skill"),
        }),
        "FailureWarnings": whole({"warnings": listed(_with_text(FailureWarning, told))}),
        "FlowRecorded": whole({
            "episode_id": TEXT, "is_first": FLAG, "noted": ref("SkillFeedback"),
        }),
    }  # fmt: skip


def _told() -> dict[object, JsonSchema]:
    """What stands for the types inside: actions and conditions hold others of their kind."""
    told: dict[object, JsonSchema] = {
        Action: ref("SkillAction"), Condition: ref("SkillCondition"),
    }  # fmt: skip
    for kind in SINGLE:  # each after those that it holds
        told[kind] = ref(_NAMED[kind]) if kind in _NAMED else untagged_schema(kind, told)
    return told


def _value_shapes(told: dict[object, JsonSchema]) -> dict[str, JsonSchema]:
    """The values that a skill is put together from."""
    return {
        "SkillAction": {"anyOf": [tagged_schema(each, told) for each in get_args(Action)]},
        "SkillCondition": {"anyOf": [tagged_schema(each, told) for each in get_args(Condition)]},
        **{name: untagged_schema(kind, told) for kind, name in _NAMED.items()},
    }


def _skill_fields(told: dict[object, JsonSchema]) -> dict[str, JsonSchema]:
    parts = _properties(Skill, told)
    step = {
        "step": COUNT, "description": TEXT, "does": TEXT, "expected": maybe(TEXT),
        "on_failure": TEXT, "is_learnt": FLAG,
    }  # fmt: skip
    current = {name: parts[name] for name in ("trigger", "preconditions", "procedure")}
    return {
        "id": TEXT,
        "label": TEXT,
        "name": TEXT,
        "stage": _word(*Stage),
        "evidence": TEXT,
        "proposes_retirement": FLAG,
        "stats": untagged_schema(SkillStats, told),
        "needs": listed(TEXT),
        "steps": listed(whole(step)),
        "failure_modes": listed(ref("SkillFailure")),
        "refinements": listed(ref("SkillRefinement")),
        "current": whole(current),
        "skill": whole({name: each for name, each in parts.items() if name not in HISTORY}),
        **{name: parts[name] for name in HISTORY},
        "memory": ref("Memory"),
    }


def _match() -> JsonSchema:
    reading = {"feature": TEXT, "importance": NUMBER, "score": maybe(SHARE), "reason": TEXT}
    precondition = {"precondition": TEXT, "verdict": _word(*Verdict), "reason": TEXT}
    return whole({
        "score": NUMBER,
        "match_score": SHARE,
        "is_ready": FLAG,
        "readings": listed(whole(reading)),
        "preconditions": listed(whole(precondition)),
        "skill": ref("Skill"),
    })  # fmt: skip


def _with_text(kind: type, told: dict[object, JsonSchema]) -> JsonSchema:
    return whole({**_properties(kind, told), "text": TEXT})


def _properties(kind: type, told: dict[object, JsonSchema]) -> dict[str, JsonSchema]:
    found = untagged_schema(kind, told)["properties"]
    return dict(found) if isinstance(found, dict) else {}


def _word(*words: str) -> JsonSchema:
    return {"type": "string", "enum": [str(word) for word in words]}
