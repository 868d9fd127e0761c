"""Values with a form of their own inside: objects that the library reads, and situations.

A schema cannot say all that holds for them: how deep and how large they may be, and which fields
go with which type. The library refuses what does not hold, and names the place.
"""

from typing import Annotated

from pydantic import BeforeValidator, Field, WithJsonSchema

from engram.surfaces.operations.fields import Id, Name, Text, formed
from engram.surfaces.operations.operation import Arguments

_SITUATION_LENGTH = 16_384
_MOST_LISTED = 200
_FORM = ("maxLength", "pattern")

FreeObject = Annotated[
    dict[str, object], Field(description="Any JSON; at most 10,000 values, 32 levels deep.")
]


class SituationGiven(Arguments):
    """Where somebody stands: what is wanted, known and at hand."""

    text: Annotated[
        str,
        *formed(
            r"(?:[^\x00]*[^\s\x00-\x1f][^\x00]*)?",
            "is empty, or not blank and without a NUL character",
            "What it is about, in words.",
            most=_SITUATION_LENGTH,
        ),
    ] = ""
    goal: Annotated[Text, Field(max_length=_SITUATION_LENGTH)] | None = None
    task: Name | None = None
    beliefs: Annotated[
        list[Id], Field(max_length=_MOST_LISTED, description="Memories in mind, by id.")
    ] = []  # noqa: RUF012  # pydantic copies it, and the model is frozen
    tools: Annotated[
        list[Name], Field(max_length=_MOST_LISTED, description="What can be called.")
    ] = []  # noqa: RUF012
    environment: FreeObject = {}  # noqa: RUF012

    def as_document(self) -> dict[str, object]:
        """The situation as the library reads it."""
        return self.model_dump()


def _from_words(value: object) -> object:
    return {"text": value} if isinstance(value, str) else value


_WHOLE = SituationGiven.model_json_schema()
_WORDS = {"type": "string", **{key: _WHOLE["properties"]["text"][key] for key in _FORM}}
# Words alone are a situation too.
SituationPart = Annotated[
    SituationGiven,
    BeforeValidator(_from_words),
    WithJsonSchema({
        "description": "Words, or an object that tells more.",
        "anyOf": [_WORDS, _WHOLE],
    }),
]  # fmt: skip
