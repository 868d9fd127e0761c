"""Operations that erase: what they take is gone, and no undo brings it back."""

from typing import Annotated, Self

from pydantic import ConfigDict, Field, JsonValue, model_validator
from pydantic_core import PydanticCustomError

from engram.engine import Engram
from engram.memory.roles import Need
from engram.surfaces.documents import Document
from engram.surfaces.erasing_documents import erasure_document
from engram.surfaces.operations.fields import Id, Name, Reason
from engram.surfaces.operations.lines import bounded, on_one_line
from engram.surfaces.operations.operation import (
    ENDING,
    INSPECTING,
    Arguments,
    Effect,
    Kind,
    ScopedArguments,
    operation,
)
from engram.surfaces.operations.telling import documents_in

_CHOSEN_BY = ("memory_id", "subject", "source", "session")
_EXACTLY_ONE: list[JsonValue] = [
    {"properties": {name: {"type": "string"}}, "required": [name]} for name in _CHOSEN_BY
]
_ERASING = Kind(Need.CURATE, Effect.REMOVES, is_repeatable=True)


class Erase(ScopedArguments):
    """What `erase` takes: exactly one of the first four."""

    model_config = ConfigDict(json_schema_extra={"oneOf": _EXACTLY_ONE})

    memory_id: Annotated[
        Id | None, Field(description="Erase this memory and what was made of it.")
    ] = None
    subject: Annotated[
        Name | None, Field(description="Erase whatever is about, by or names this person.")
    ] = None
    source: Annotated[Name | None, Field(description="Erase whatever came from here.")] = None
    session: Annotated[Name | None, Field(description="Erase this whole session.")] = None
    with_sources: Annotated[
        bool, Field(description="Also the turns that a memory was drawn from.")
    ] = False
    dry_run: Annotated[bool, Field(description="Only tell what would go.")] = False
    reason: Reason = ""

    @model_validator(mode="after")
    def _says_one(self) -> Self:
        if sum(getattr(self, name) is not None for name in _CHOSEN_BY) != 1:
            rule = f"name exactly one of {', '.join(_CHOSEN_BY)}"
            raise PydanticCustomError("form", "{rule}", {"rule": rule})
        return self


def told_erasure(document: Document) -> str:
    """How many went, and whether that is proven."""
    count = document["memories"]
    if document["state"] == "preview":
        return f"{count} memories would be erased, for ever."
    lines = [f"Erased {count} memories; {document['state']}. Nothing brings them back."]
    lines += [
        on_one_line(f"Still there: {each['what']} in {each['place']}.")
        for each in documents_in(document["remains"])
    ]
    told_by = ", ".join(map(str, document["also_told_by"]))  # type: ignore[call-overload]  # a list
    return bounded([*lines, *([f"Also told by {told_by}."] if told_by else [])])


@operation(
    "erase", Erase, kind=_ERASING, route="POST /erasures", gives="Erasure", tells=told_erasure
)
def erase(engram: Engram, given: Erase) -> Document:
    """Erase a memory, a person, a source or a session for ever; only people may."""
    found = engram.erase(
        given.memory_id, subject=given.subject, source=given.source, session=given.session,
        with_sources=given.with_sources, dry_run=given.dry_run, reason=given.reason,
        scope=given.part,
    )  # fmt: skip
    return erasure_document(found)


def told_erasures(document: Document) -> str:
    """Which erasures there were, and which are not proven yet."""
    found = documents_in(document["erasures"])
    lines = [
        on_one_line(f"{each['id']} {each['at']} {each['state']}: {each['memories']} memories")
        for each in found
    ]
    return bounded(lines) if lines else "Nothing was erased."


@operation(
    "erasures", Arguments, kind=INSPECTING, route="GET /erasures", gives="Erasures",
    tells=told_erasures,
)  # fmt: skip
def erasures(engram: Engram, given: Arguments) -> Document:  # noqa: ARG001  # it takes nothing
    """What was erased from this store: counts and verdicts, never what it was."""
    return {"erasures": [erasure_document(each) for each in engram.erasures()]}


@operation(
    "finish_erasures", Arguments, kind=ENDING, route="POST /erasures/finish", gives="Erasures",
    tells=told_erasures,
)  # fmt: skip
def finish_erasures(engram: Engram, given: Arguments) -> Document:  # noqa: ARG001  # takes nothing
    """Finish erasures that something was in the way of."""
    return {"erasures": [erasure_document(each) for each in engram.finish_erasures()]}
