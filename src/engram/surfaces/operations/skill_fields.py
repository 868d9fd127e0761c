"""A skill as callers hand it in: its parts are read here, what they hold by the library.

Actions, conditions and the like are closed sets of objects that hold each other. A schema in one
piece cannot tell that, so each says which types there are and with which fields.
"""

from typing import Annotated, get_args

from pydantic import BeforeValidator, Field, WithJsonSchema

from engram.memory.skills.changes import MOST_LISTED, Modification
from engram.memory.skills.conditions import TEXT_BYTES, Check, Condition
from engram.memory.skills.procedure import MOST_STEPS, Action, OnFailure
from engram.memory.skills.skill import Recovery
from engram.memory.skills.triggers import Extractor
from engram.memory.tagged import TAG, tag_of
from engram.surfaces.operations.fields import Id, Name, Share, Text, formed
from engram.surfaces.operations.operation import Arguments
from engram.surfaces.operations.tagged_fields import FreeObject
from engram.surfaces.operations.tagged_schemas import spelled

_MOST_SOURCES = 200
_MOST_SECONDS = 3_153_600_000  # a hundred years, as far as the library counts


def _tagged(union: object, what: str, more: str = "") -> dict[str, object]:
    """The schema of an object of a closed set, as far as one piece can tell it."""
    return {
        "type": "object",
        "description": f"{what}: `{TAG}` with its fields, {spelled(union)}.{more}",
        "properties": {TAG: {"type": "string", "enum": [tag_of(each) for each in get_args(union)]}},
        "required": [TAG],
        "additionalProperties": True,
    }


_CONDITIONS = f" A condition is one of: {spelled(Condition)}."
_CHANGES = f" A modification is one of: {spelled(Modification)}."
_Object = dict[str, object]
ExtractorGiven = Annotated[_Object, WithJsonSchema(_tagged(Extractor, "How it is read"))]
CheckGiven = Annotated[_Object, WithJsonSchema(_tagged(Check, "What must hold"))]
ActionGiven = Annotated[_Object, WithJsonSchema(_tagged(Action, "What to do", _CONDITIONS))]
RecourseGiven = Annotated[_Object, WithJsonSchema(_tagged(OnFailure, "What to do when it fails"))]
RecoveryGiven = Annotated[_Object, WithJsonSchema(_tagged(Recovery, "What to do then", _CHANGES))]
LongText = Annotated[Text, Field(max_length=TEXT_BYTES)]
Remark = Annotated[
    str,
    *formed(
        r"(?:[^\x00]*[^\s\x00-\x1f][^\x00]*)?",
        "is empty, or not blank and without a NUL character",
        most=TEXT_BYTES,
    ),
]
Seconds = Annotated[
    float, Field(ge=0, lt=_MOST_SECONDS, allow_inf_nan=False, description="In seconds.")
]
SkillName = Annotated[Name, Field(description="Its name, or the id or label of its memory.")]


class FeatureGiven(Arguments):
    """One thing to look for in a situation."""

    name: Name
    extractor: ExtractorGiven
    importance: Annotated[
        float, Field(gt=0, le=100, allow_inf_nan=False, description="Its weight among the others.")
    ] = 1.0


class TriggerGiven(Arguments):
    """When a skill fits."""

    features: Annotated[list[FeatureGiven], Field(max_length=MOST_LISTED)] = []  # noqa: RUF012  # pydantic copies it, and the model is frozen
    threshold: Annotated[Share, Field(description="The share of features that is enough.")] = 0.6
    description: Annotated[
        LongText | None,
        Field(description="Without features, this alone is compared, by meaning."),
    ] = None


class PreconditionGiven(Arguments):
    """What must hold before a skill is begun."""

    check: CheckGiven
    description: Remark = ""
    error_if_failed: Remark = ""


class StepGiven(Arguments):
    """One step of a procedure."""

    description: LongText
    action: ActionGiven
    expected: LongText | None = None
    on_failure: RecourseGiven = {TAG: "abort"}  # noqa: RUF012  # as above


class ProcedureGiven(Arguments):
    """How a task is done."""

    steps: Annotated[list[StepGiven], Field(min_length=1, max_length=MOST_STEPS)]
    estimated_duration: Seconds | None = None
    resources: Annotated[list[Name], Field(max_length=MOST_LISTED)] = []  # noqa: RUF012  # as above


class FailureGiven(Arguments):
    """Something that is known to go wrong."""

    error: LongText
    description: Remark = ""
    recovery: RecoveryGiven | None = None


Preconditions = Annotated[list[PreconditionGiven], Field(max_length=MOST_LISTED)]
Expected = Annotated[
    list[LongText],
    Field(max_length=MOST_LISTED, description="What should have come about in the end."),
]
KnownFailures = Annotated[list[FailureGiven], Field(max_length=MOST_LISTED)]


class SkillGiven(Arguments):
    """A skill; what the library gives as `skill` can be handed in again."""

    name: Name
    description: LongText
    trigger: TriggerGiven
    procedure: ProcedureGiven
    preconditions: Preconditions = []  # noqa: RUF012  # as above
    expected: Expected = []  # noqa: RUF012  # as above
    known_failures: KnownFailures = []  # noqa: RUF012  # as above
    source_episodes: Annotated[list[Id], Field(max_length=_MOST_SOURCES)] = []  # noqa: RUF012  # as above


class NodeGiven(Arguments):
    """One node that a flow went through."""

    name: Name
    tool: Annotated[Name | None, Field(description="What it called; else the node itself.")] = None
    arguments: FreeObject = {}  # noqa: RUF012  # as above
    output: Annotated[object, Field(description="What it gave: any JSON.")] = None


def _named(value: object) -> object:
    return {"name": value} if isinstance(value, str) else value


_NODE = NodeGiven.model_json_schema()
Nodes = Annotated[
    list[
        Annotated[
            NodeGiven,
            BeforeValidator(_named),
            WithJsonSchema({"anyOf": [_NODE["properties"]["name"], _NODE]}),
        ]
    ],
    Field(
        min_length=1, max_length=MOST_STEPS,
        description="What the flow went through, in order: names, or objects that tell more.",
    ),
]  # fmt: skip


def as_written(given: Arguments) -> dict[str, object]:
    """What was handed in as the library reads it; what was left out is its to choose."""
    return given.model_dump(exclude_unset=True)
