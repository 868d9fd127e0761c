"""Operations that have the store dream, and tell what it did."""

from typing import Annotated

from pydantic import Field

from engram.engine import Engram
from engram.memory.dreams.report import Step
from engram.memory.roles import Need
from engram.surfaces.documents import Document
from engram.surfaces.dreams_documents import dream_document, dream_record_document
from engram.surfaces.operations import dreams_telling
from engram.surfaces.operations.fields import ChangeName, Limit
from engram.surfaces.operations.operation import (
    READING,
    Effect,
    Kind,
    Progress,
    ScopedArguments,
    long_operation,
    operation,
)

_DREAMING = Kind(Need.CURATE, Effect.CHANGES, is_repeatable=True)
StepName = Annotated[Step, Field(strict=False)]


class Dream(ScopedArguments):
    """What `dream` takes."""

    steps: Annotated[
        list[StepName] | None,
        Field(min_length=1, max_length=len(Step), description="Only these passes."),
    ] = None
    dry_run: Annotated[bool, Field(description="Only tell what would be decided.")] = False
    rebuild: Annotated[
        bool, Field(description="Make everything that was made of memories anew.")
    ] = False


@long_operation(
    "dream", Dream, kind=_DREAMING, route="POST /dreams", gives="Dream", tells=dreams_telling.dream
)
def dream(engram: Engram, given: Dream, progress: Progress) -> Document:
    """Let memories fade, merge and be made sense of, once; every decision can be undone."""
    report = engram.dream(
        steps=given.steps,
        dry_run=given.dry_run,
        rebuild=given.rebuild,
        scope=given.part,
        progress=progress,
    )
    return dream_document(report)


class Dreams(ScopedArguments):
    """What `dreams` takes."""

    limit: Limit = 20


@operation(
    "dreams", Dreams, kind=READING, route="GET /dreams", gives="Dreams",
    tells=dreams_telling.dreams,
)  # fmt: skip
def dreams(engram: Engram, given: Dreams) -> Document:
    """The last dreams, newest first, and how much of each still stands."""
    found = engram.dreams(limit=given.limit, scope=given.part)
    return {"dreams": [dream_record_document(each) for each in found]}


class OneDream(ScopedArguments):
    """What `dream_report` takes."""

    dream_id: ChangeName


@operation(
    "dream_report", OneDream, kind=READING, route="GET /dreams/{dream_id}", gives="Dream",
    tells=dreams_telling.dream,
)  # fmt: skip
def dream_report(engram: Engram, given: OneDream) -> Document:
    """What a dream did, pass by pass, and the changes that take it back."""
    return dream_document(engram.dream_report(given.dream_id, scope=given.part))
