"""Values with a form of their own inside: objects that the library reads, and situations.

A schema cannot say all that holds for them: how deep and how large they may be, and which fields
go with which type. The library refuses what does not hold, and names the place.
"""

from typing import Annotated

from pydantic import BeforeValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from engram.surfaces.operations.fields import Id, Name, Text, formed
from engram.surfaces.operations.operation import Arguments

_SITUATION_LENGTH = 16_384
_MOST_LISTED = 200
_NOT_BLANK = r"[^\x00]*[^\s\x00-\x1f][^\x00]*"

FreeObject = Annotated[
    dict[str, object], Field(description="Any JSON; at most 10,000 values, 32 levels deep.")
]


class SituationGiven(Arguments):
    """Where somebody stands: what is wanted, known and at hand."""

    text: Annotated[
        str,
        *formed(
            f"(?:{_NOT_BLANK})?",
            "is empty, or not blank and without a NUL character",
            "What it is about, in words.",
            most=_SITUATION_LENGTH,
        ),
    ] = ""
    goal: Annotated[Text, Field(max_length=_SITUATION_LENGTH)] | None = None
    task: Name | None = None
    beliefs: Annotated[
        list[Id], Field(max_length=_MOST_LISTED, description="Memories in mind, by id.")
    ] = Field(default_factory=list)
    tools: Annotated[
        list[Name], Field(max_length=_MOST_LISTED, description="What can be called.")
    ] = Field(default_factory=list)
    environment: FreeObject = Field(default_factory=dict)

    def as_document(self) -> dict[str, object]:
        """The situation as the library reads it."""
        return self.model_dump()


def _from_words(value: object) -> object:
    if not isinstance(value, str):
        return value
    if not value.strip():
        raise PydanticCustomError("form", "{rule}", {"rule": "is not blank"})
    return {"text": value}


_WHOLE = SituationGiven.model_json_schema()
_WORDS = {
    "type": "string",
    "minLength": 1,
    "maxLength": _SITUATION_LENGTH,
    "pattern": f"^(?:{_NOT_BLANK})$",
}
# Words alone are a situation too.
SituationPart = Annotated[
    SituationGiven,
    BeforeValidator(_from_words),
    WithJsonSchema({
        "description": "Words, or an object that tells more.",
        "anyOf": [_WORDS, _WHOLE],
    }),
]  # fmt: skip
