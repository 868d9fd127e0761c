"""Skills: how a task is done, when that fits, and how it went.

A skill is put together from many small values; all that callers need are named here.
"""

from engram.memory.skills.changes import (
    AddPrecondition,
    AdjustTrigger,
    InsertStep,
    Modification,
    ModifyStep,
    RemoveStep,
)
from engram.memory.skills.conditions import (
    AllOf,
    AnyOf,
    BeliefHeld,
    CustomCheck,
    Described,
    EnvironmentEquals,
    EnvironmentHas,
    Not,
    Precondition,
    ToolAvailable,
    Verdict,
)
from engram.memory.skills.flows import FlowNode
from engram.memory.skills.known import FeedbackNoted, KnownSkill, SkillKept, SkillMatch
from engram.memory.skills.procedure import (
    Abort,
    AskUser,
    CallTool,
    CustomAction,
    Fallback,
    If,
    InvokeSkill,
    Learn,
    Loop,
    Procedure,
    ProcedureStep,
    Recall,
    Respond,
    Retry,
    Sequence,
    Skip,
)
from engram.memory.skills.skill import Alternative, KnownFailure, RetryWith, Skill, SkillRun
from engram.memory.skills.statistics import SkillStats, Stage
from engram.memory.skills.triggers import (
    ContextProperty,
    CustomExtractor,
    EntityType,
    Feature,
    GoalMatches,
    KeywordPresent,
    SemanticSimilarity,
    TriggerPattern,
)
from engram.memory.skills.warnings import FailureWarning

__all__ = [
    "Abort", "AddPrecondition", "AdjustTrigger", "AllOf", "Alternative", "AnyOf", "AskUser",
    "BeliefHeld", "CallTool", "ContextProperty", "CustomAction", "CustomCheck", "CustomExtractor",
    "Described", "EntityType", "EnvironmentEquals", "EnvironmentHas", "FailureWarning", "Fallback",
    "Feature", "FeedbackNoted", "FlowNode", "GoalMatches", "If", "InsertStep", "InvokeSkill",
    "KeywordPresent", "KnownFailure", "KnownSkill", "Learn", "Loop", "Modification", "ModifyStep",
    "Not", "Precondition", "Procedure", "ProcedureStep", "Recall", "RemoveStep", "Respond",
    "Retry", "RetryWith", "SemanticSimilarity", "Sequence", "Skill", "SkillKept", "SkillMatch",
    "SkillRun", "SkillStats", "Skip", "Stage", "ToolAvailable", "TriggerPattern", "Verdict",
]  # fmt: skip
