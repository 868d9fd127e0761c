"""Operations on what is in mind: what should be, what is, how it comes and goes."""

from typing import Annotated, Literal

from pydantic import Field

from engram.engine import Engram
from engram.surfaces.documents import Document, record, records
from engram.surfaces.operations import telling, working_telling
from engram.surfaces.operations.fields import Budget, Id, Limit, Name, Share, Text
from engram.surfaces.operations.operation import (
    ADDING,
    CHANGING,
    READING,
    REMOVING,
    ScopedArguments,
    operation,
)
from engram.surfaces.operations.tagged_fields import SituationPart
from engram.surfaces.working_documents import exported_document, ticked_document

SessionName = Annotated[
    Name | None, Field(description="Which conversation; without it the one without a name.")
]
SlotName = Annotated[Id, Field(description="The id of a slot, as slot-0a1b2c3d4e.")]
_MOST_BUDGET = 10_000_000


class Gather(ScopedArguments):
    """What `gather` takes."""

    situation: SituationPart
    limit: Limit = 12
    budget: Budget | None = None


@operation(
    "gather", Gather, kind=READING, route="POST /working/gather", gives="WorkingItems",
    tells=telling.working_items,
)  # fmt: skip
def gather(engram: Engram, given: Gather) -> Document:
    """What memories, episodes, beliefs and skills offer for a situation, best first."""
    found = engram.working.gather(
        given.situation.as_document(), limit=given.limit, budget=given.budget, scope=given.part
    )
    return {"items": records(found)}


class OfSession(ScopedArguments):
    """What concerns one session's mind."""

    session: SessionName = None


class Attend(OfSession):
    """What `attend` takes."""

    content: Annotated[
        Text | None,
        Field(description="What to keep in mind; with a memory_id one of its lengths, or nothing."),
    ] = None
    relevance: Share = 0.7
    source: Annotated[
        Literal["user", "assistant", "agent", "tool", "system", "web"],
        Field(description="Who said it; it is believed as far as that one, if it is kept."),
    ] = "user"
    memory_id: Annotated[Id | None, Field(description="The memory behind it.")] = None
    pinned: bool = False


@operation(
    "attend", Attend, kind=ADDING, route="POST /working/slots", gives="Slot",
    tells=working_telling.attended,
)  # fmt: skip
def attend(engram: Engram, given: Attend) -> Document:
    """Bring something to mind; what is weakest makes room, and what mattered of it is kept."""
    slot = engram.working.attend(
        given.content or "", relevance=given.relevance, source=given.source,
        memory_id=given.memory_id, pinned=given.pinned, session=given.session, scope=given.part,
    )  # fmt: skip
    return record(slot)


@operation(
    "active", OfSession, kind=READING, route="GET /working/slots", gives="Slots",
    tells=working_telling.slots,
)  # fmt: skip
def active(engram: Engram, given: OfSession) -> Document:
    """What is in mind in a session now, the most active first."""
    return {"slots": records(engram.working.active(session=given.session, scope=given.part))}


class Export(OfSession):
    """What `export_working` takes."""

    form: Literal["plain", "structured", "xml"] = "plain"
    budget: Annotated[
        int | None, Field(ge=1, le=_MOST_BUDGET, description="The most tokens of the text.")
    ] = None


@operation(
    "export_working", Export, kind=READING, route="GET /working/export", gives="ExportedMind",
    tells=working_telling.exported,
)  # fmt: skip
def export_working(engram: Engram, given: Export) -> Document:
    """What is in mind as text for a model, never above the budget."""
    made = engram.working.export(
        given.form, budget=given.budget, session=given.session, scope=given.part
    )
    return exported_document(made)


class Refresh(OfSession):
    """What `refresh` takes."""

    slot_id: SlotName
    boost: Share = 0.2


@operation(
    "refresh", Refresh, kind=CHANGING, route="POST /working/slots/{slot_id}/refresh", gives="Slot",
    tells=working_telling.attended,
)  # fmt: skip
def refresh(engram: Engram, given: Refresh) -> Document:
    """Come back to something in mind: it is more active, at most 1."""
    return record(
        engram.working.refresh(
            given.slot_id, given.boost, session=given.session, scope=given.part
        )
    )  # fmt: skip


class Dismiss(OfSession):
    """What `dismiss` takes."""

    slot_id: SlotName


@operation(
    "dismiss", Dismiss, kind=REMOVING, route="DELETE /working/slots/{slot_id}", gives="Slot",
    tells=working_telling.dismissed,
)  # fmt: skip
def dismiss(engram: Engram, given: Dismiss) -> Document:
    """Put something out of mind; nothing is made of it."""
    return record(engram.working.dismiss(given.slot_id, session=given.session, scope=given.part))


class Hear(OfSession):
    """What `hear` takes."""

    text: Text
    role: Literal["user", "assistant", "tool", "system", "result"] = "user"


@operation(
    "hear", Hear, kind=ADDING, route="POST /working/turns", gives="Slots",
    tells=working_telling.slots,
)  # fmt: skip
def hear(engram: Engram, given: Hear) -> Document:
    """Take in a turn word for word, never on disk; after half a minute its key fact stays."""
    engram.working.hear(given.text, given.role, session=given.session, scope=given.part)
    return {"slots": records(engram.working.active(session=given.session, scope=given.part))}


@operation(
    "tick", OfSession, kind=CHANGING, route="POST /working/tick", gives="Ticked",
    tells=working_telling.ticked,
)  # fmt: skip
def tick(engram: Engram, given: OfSession) -> Document:
    """Let time pass: what has faded goes, what was said a while ago comes to mind."""
    return ticked_document(engram.working.tick(session=given.session, scope=given.part))


class ChangeTopic(OfSession):
    """What `change_topic` takes."""

    shift: Literal["continuation", "drift", "switch"]


@operation(
    "change_topic", ChangeTopic, kind=CHANGING, route="POST /working/topic", gives="Ticked",
    tells=working_telling.ticked,
)  # fmt: skip
def change_topic(engram: Engram, given: ChangeTopic) -> Document:
    """Say that the talk drifts or leaves its topic: a switch keeps what is active and clears."""
    return ticked_document(
        engram.working.topic(given.shift, session=given.session, scope=given.part)
    )


@operation(
    "suspend", OfSession, kind=CHANGING, route="POST /working/suspend", gives="Suspended",
    tells=working_telling.suspended,
)  # fmt: skip
def suspend(engram: Engram, given: OfSession) -> Document:
    """Put a session away: what is in mind is kept in the store until it is taken up again."""
    return record(engram.working.suspend(session=given.session, scope=given.part))


@operation(
    "resume", OfSession, kind=CHANGING, route="POST /working/resume", gives="Resumed",
    tells=working_telling.resumed,
)  # fmt: skip
def resume(engram: Engram, given: OfSession) -> Document:
    """Take a session up again: within 4 hours whole, within 24 paler, later afresh."""
    return record(engram.working.resume(session=given.session, scope=given.part))


@operation(
    "clear_working", OfSession, kind=REMOVING, route="DELETE /working/slots", gives="Cleared",
    tells=working_telling.cleared,
)  # fmt: skip
def clear_working(engram: Engram, given: OfSession) -> Document:
    """Put everything out of a session's mind, also what was put away."""
    return {"slots": engram.working.clear(session=given.session, scope=given.part)}
