"""Operations that decide about memories: what is kept, pinned, moved, judged and taken back."""

from typing import Annotated, Self

from pydantic import ConfigDict, Field, JsonValue, model_validator
from pydantic_core import PydanticCustomError

from engram.engine import Engram
from engram.memory.outcomes import kept_of
from engram.memory.roles import Need
from engram.surfaces.documents import (
    Document,
    changed_document,
    feedback_document,
    memory_documents,
    tier_document,
)
from engram.surfaces.operations import telling
from engram.surfaces.operations.fields import (
    ChangeName,
    Limit,
    Reason,
    SecrecyName,
    StatusName,
    Text,
)
from engram.surfaces.operations.memories import OneMemory, ReasonedChange
from engram.surfaces.operations.operation import (
    CHANGING,
    CURATING,
    REVIEWING,
    Effect,
    Kind,
    ScopedArguments,
    operation,
)

_QUESTION_LENGTH = 4_096  # 16,384 bytes at most, whatever the letters
_HELPFUL_AND_WRONG: dict[str, JsonValue] = {
    "properties": {"helpful": {"const": True}, "correction": {"type": "string"}},
    "required": ["helpful", "correction"],
}
_SHIFTING = Kind(Need.CURATE, Effect.CHANGES)  # each time by one layer more
_MEMORY = "/memories/{memory_id}"


@operation(
    "pin", ReasonedChange, kind=CURATING, route=f"PUT {_MEMORY}/pin", gives="Changed",
    tells=telling.changed,
)  # fmt: skip
def pin(engram: Engram, given: ReasonedChange) -> Document:
    """Keep a memory from fading."""
    found = engram.pin(given.memory_id, reason=given.reason, scope=given.part)
    return changed_document(found)


@operation(
    "unpin", ReasonedChange, kind=CURATING, route="DELETE /memories/{memory_id}/pin",
    gives="Changed", tells=telling.changed,
)  # fmt: skip
def unpin(engram: Engram, given: ReasonedChange) -> Document:
    """Let a memory fade like any other again."""
    found = engram.unpin(given.memory_id, reason=given.reason, scope=given.part)
    return changed_document(found)


@operation(
    "promote", ReasonedChange, kind=_SHIFTING, route=f"POST {_MEMORY}/promote", gives="Changed",
    tells=telling.changed,
)  # fmt: skip
def promote(engram: Engram, given: ReasonedChange) -> Document:
    """Move a memory to the next more lasting layer."""
    found = engram.promote(given.memory_id, reason=given.reason, scope=given.part)
    return changed_document(found)


@operation(
    "demote", ReasonedChange, kind=_SHIFTING, route=f"POST {_MEMORY}/demote", gives="Changed",
    tells=telling.changed,
)  # fmt: skip
def demote(engram: Engram, given: ReasonedChange) -> Document:
    """Move a memory to the next less lasting layer."""
    found = engram.demote(given.memory_id, reason=given.reason, scope=given.part)
    return changed_document(found)


@operation(
    "verify", ReasonedChange, kind=CURATING, route=f"POST {_MEMORY}/verify", gives="Changed",
    tells=telling.changed,
)  # fmt: skip
def verify(engram: Engram, given: ReasonedChange) -> Document:
    """Note that a memory still holds."""
    found = engram.verify(given.memory_id, reason=given.reason, scope=given.part)
    return changed_document(found)


@operation(
    "approve", ReasonedChange, kind=CURATING, route=f"POST {_MEMORY}/approve", gives="Changed",
    tells=telling.changed,
)  # fmt: skip
def approve(engram: Engram, given: ReasonedChange) -> Document:
    """Let a memory that was held be recalled; only people may."""
    found = engram.approve(given.memory_id, reason=given.reason, scope=given.part)
    return changed_document(found)


@operation(
    "reject", ReasonedChange, kind=CURATING, route=f"POST {_MEMORY}/reject", gives="Changed",
    tells=telling.changed,
)  # fmt: skip
def reject(engram: Engram, given: ReasonedChange) -> Document:
    """Turn a held memory away; the same statement is refused from then on."""
    found = engram.reject(given.memory_id, reason=given.reason, scope=given.part)
    return changed_document(found)


class SetStatus(ReasonedChange):
    """What `set_status` takes."""

    status: StatusName


@operation(
    "set_status", SetStatus, kind=CURATING, route=f"PUT {_MEMORY}/status", gives="Changed",
    tells=telling.changed,
)  # fmt: skip
def set_status(engram: Engram, given: SetStatus) -> Document:
    """Move a memory to another status, where the table of legal moves allows it."""
    found = engram.set_status(given.memory_id, given.status, reason=given.reason, scope=given.part)
    return changed_document(found)


class SetTier(ReasonedChange):
    """What `set_tier` takes."""

    tier: SecrecyName


@operation(
    "set_tier", SetTier, kind=CHANGING, route=f"PUT {_MEMORY}/tier", gives="Changed",
    tells=telling.changed,
)  # fmt: skip
def set_tier(engram: Engram, given: SetTier) -> Document:
    """Protect a memory more, or as a person or a curator less, with all that belongs to it."""
    before = engram.get(given.memory_id, scope=given.part)
    found = engram.set_tier(given.memory_id, given.tier, reason=given.reason, scope=given.part)
    return tier_document(before, found)


class Review(ScopedArguments):
    """What `review` takes."""

    limit: Limit = 100


@operation(
    "review", Review, kind=REVIEWING, route="GET /review", gives="Waiting",
    tells=telling.waiting,
)  # fmt: skip
def review(engram: Engram, given: Review) -> Document:
    """What waits for a person's decision, oldest first."""
    return {"memories": memory_documents(engram.review(limit=given.limit, scope=given.part))}


class Undo(ScopedArguments):
    """What `undo` takes."""

    change_id: ChangeName
    reason: Reason = ""


@operation(
    "undo", Undo, kind=CHANGING, route="POST /changes/{change_id}/undo", gives="Undone",
    tells=telling.undone,
)  # fmt: skip
def undo(engram: Engram, given: Undo) -> Document:
    """Take back any change of yours, exactly; an undo can be undone too."""
    found = engram.undo(given.change_id, reason=given.reason, scope=given.part)
    return {"memories": memory_documents(found), "kept": memory_documents(kept_of(found))}


class GiveFeedback(OneMemory):
    """What `feedback` takes; a correction says that the memory is wrong."""

    model_config = ConfigDict(json_schema_extra={"not": _HELPFUL_AND_WRONG})

    helpful: bool
    query: Annotated[
        Annotated[Text, Field(max_length=_QUESTION_LENGTH)] | None,
        Field(description="The question it was, or was not, an answer to."),
    ] = None
    correction: Annotated[
        Text | None, Field(description="What is right instead; only with helpful=false.")
    ] = None
    reason: Reason = ""

    @model_validator(mode="after")
    def _is_one_or_the_other(self) -> Self:
        if self.helpful and self.correction is not None:
            rule = "cannot both be helpful and need a correction"
            raise PydanticCustomError("form", "{rule}", {"rule": rule})
        return self


@operation(
    "feedback", GiveFeedback, kind=CHANGING, route=f"POST {_MEMORY}/feedback", gives="Feedback",
    tells=telling.feedback,
)  # fmt: skip
def feedback(engram: Engram, given: GiveFeedback) -> Document:
    """Say whether a memory helped with a question, or what is right instead."""
    found = engram.feedback(
        given.memory_id,
        given.helpful,
        query=given.query,
        correction=given.correction,
        reason=given.reason,
        scope=given.part,
    )
    return feedback_document(found)
