"""Operations over several memories: what follows from them together, and what happened in order."""

from typing import Annotated

from pydantic import Field

from engram.engine import Engram
from engram.surfaces.documents import Document, reasoning_document, timeline_document
from engram.surfaces.operations import telling
from engram.surfaces.operations.fields import Budget, Limit, Query, Time
from engram.surfaces.operations.operation import READING, ScopedArguments, operation

_MOST_DEPTH = 5


class Reason(ScopedArguments):
    """What `reason` takes."""

    query: Query
    depth: Annotated[int, Field(ge=1, le=_MOST_DEPTH, description="Hops at most.")] | None = None
    limit: Limit | None = None
    budget: Budget | None = None
    automatic: bool = False


@operation(
    "reason", Reason, kind=READING, route="POST /reason", gives="Reasoning",
    tells=telling.reasoning,
)  # fmt: skip
def reason(engram: Engram, given: Reason) -> Document:
    """Answer a question that no single memory answers: follow what each find names."""
    found = engram.reason(
        given.query,
        depth=given.depth,
        limit=given.limit,
        budget=given.budget,
        automatic=given.automatic,
        scope=given.part,
    )
    return reasoning_document(found)


class Timeline(ScopedArguments):
    """What `timeline` takes."""

    topic: Query
    since: Time | None = None
    until: Time | None = None
    limit: Limit = 100


@operation(
    "timeline", Timeline, kind=READING, route="POST /timeline", gives="Timeline",
    tells=telling.timeline,
)  # fmt: skip
def timeline(engram: Engram, given: Timeline) -> Document:
    """What happened around a topic, oldest first, with what was reworded and replaced."""
    found = engram.timeline(
        given.topic, limit=given.limit, since=given.since, until=given.until, scope=given.part
    )
    return {"entries": [timeline_document(entry) for entry in found]}
