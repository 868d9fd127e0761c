"""The values that operations on what is known take: names, relations, grounds, steps of a path."""

from typing import Annotated, Literal, get_args

from pydantic import BeforeValidator, Field, WithJsonSchema

from engram.memory.knowledge.epistemic import (
    Axiomatic,
    Computed,
    Consensus,
    Hearsay,
    Hypothetical,
    Inferred,
    Observed,
    Reported,
    Unknown,
)
from engram.memory.knowledge.paths import MOST_HOPS, MOST_STEPS
from engram.memory.knowledge.relations import BY_INVERSE, BY_NAME
from engram.memory.tagged import TAG, tag_of
from engram.surfaces.operations.fields import Name, Share, formed
from engram.surfaces.operations.operation import Arguments
from engram.surfaces.operations.tagged_schemas import spelled

_WORD = "[a-z][a-z0-9_]*"
_WORD_RULE = "is a name of lower-case letters, digits and underscores"
# Whether something is contested or withdrawn follows from what is said; nobody hands it in.
_Said = (
    Axiomatic
    | Observed
    | Computed
    | Reported
    | Inferred
    | Consensus
    | Hypothetical
    | Hearsay
    | Unknown
)
_KINDS = tuple(tag_of(kind) for kind in get_args(_Said))
_NEEDS_NOTHING = ("axiomatic", "computed", "hypothetical", "unknown")

NodeNamed = Annotated[
    Name, Field(description="A name, as Ada or Alex (the plumber), or the id of a node.")
]
FactRelation = Annotated[
    str,
    *formed(
        _WORD,
        _WORD_RULE,
        f"{', '.join(BY_NAME)}; from the other end {', '.join(BY_INVERSE)}; or your own.",
        least=1,
        most=40,
    ),
]
SomeRelation = Annotated[
    str, *formed(_WORD, _WORD_RULE, "As of `learn`, also your own.", least=1, most=40)
]
NodeTypeName = Annotated[
    str,
    *formed(_WORD, _WORD_RULE, "person, place, tool, project … or your own.", least=1, most=40),
]
GroundsName = Literal[
    "axiomatic", "observed", "computed", "reported", "inferred", "consensus", "hypothetical",
    "hearsay", "contested", "unknown", "retracted", "certain", "uncertain",
]  # fmt: skip
DirectionName = Literal["out", "in", "both"]
Hops = Annotated[int, Field(ge=1, le=MOST_HOPS)]
AnyJson = Annotated[
    object, Field(description="Any JSON; at most 10,000 values and 65,536 characters.")
]


def _from_word(value: object) -> object:
    return {TAG: value} if isinstance(value, str) else value


GroundsGiven = Annotated[
    dict[str, object],
    BeforeValidator(_from_word),
    WithJsonSchema({
        "description": f"On which grounds; {TAG} with its fields: "
        f"{spelled(_Said)}. Without it: reported by the caller.",
        "anyOf": [
            {"type": "string", "enum": list(_NEEDS_NOTHING)},
            {
                "type": "object",
                "properties": {TAG: {"type": "string", "enum": list(_KINDS)}},
                "required": [TAG],
                "additionalProperties": True,
            },
        ],
    }),
]  # fmt: skip


class StepGiven(Arguments):
    """One step of a path: along what, and what must hold of where it comes to."""

    relation: SomeRelation | None = None
    direction: DirectionName = "out"
    type: Annotated[NodeTypeName | None, Field(description="Only to what is of this type.")] = None
    label: Annotated[Name | None, Field(description="Only to what is called so.")] = None
    confidence: Annotated[Share | None, Field(description="Only by what is as sure.")] = None
    epistemic: Annotated[GroundsName | None, Field(description="Only on such grounds.")] = None


Steps = Annotated[list[StepGiven], Field(min_length=1, max_length=MOST_STEPS)]
