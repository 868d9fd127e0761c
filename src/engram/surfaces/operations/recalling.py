"""Operations that ask: what is known about a question, and why a memory was or was not found."""

from typing import Annotated, TypedDict

from pydantic import Field

from engram.engine import Engram
from engram.memory.scopes import Scope
from engram.memory.vocabulary import RecallMode
from engram.surfaces.documents import Document, explanation_document, recall_document
from engram.surfaces.operations import telling
from engram.surfaces.operations.fields import Budget, Id, Limit, ModeName, Name, Query, Time
from engram.surfaces.operations.memories import Filters
from engram.surfaces.operations.operation import READING, ScopedArguments, operation


class Circumstances(TypedDict):
    """What may be said beside a question, as the engine takes it."""

    limit: int | None
    budget: int | None
    mode: RecallMode
    now: str | None
    as_of: str | None
    known_at: str | None
    filters: dict[str, object] | None
    automatic: bool
    session: str | None
    scope: Scope | None


class Asked(ScopedArguments):
    """A question and what may be said beside it."""

    query: Query
    limit: Limit | None = None
    budget: Budget | None = None
    mode: ModeName = RecallMode.FULL_CONTEXT
    now: Annotated[Time | None, Field(description="The time at which it is asked.")] = None
    as_of: Annotated[Time | None, Field(description="What held at that time.")] = None
    known_at: Annotated[Time | None, Field(description="What was known at that time.")] = None
    filters: Filters | None = None
    automatic: Annotated[
        bool, Field(description="Nobody looks at the answer before a model does.")
    ] = False
    session: Annotated[
        Name | None,
        Field(
            description="The conversation it is part of: what was said there tells what it means."
        ),
    ] = None

    @property
    def circumstances(self) -> Circumstances:
        """All of it but the question, and what is asked about."""
        return {
            "limit": self.limit,
            "budget": self.budget,
            "mode": self.mode,
            "now": self.now,
            "as_of": self.as_of,
            "known_at": self.known_at,
            "filters": self.filters.conditions() if self.filters else None,
            "automatic": self.automatic,
            "session": self.session,
            "scope": self.part,
        }


@operation(
    "recall", Asked, kind=READING, route="POST /recall", gives="Recall", tells=telling.recall
)
def recall(engram: Engram, given: Asked) -> Document:
    """Find what is known about a question, best first."""
    return recall_document(engram.recall(given.query, **given.circumstances))


class Why(Asked):
    """What `why` takes."""

    memory_id: Id


@operation("why", Why, kind=READING, route="POST /why", gives="Explanation", tells=telling.why)
def why(engram: Engram, given: Why) -> Document:
    """Why a memory was or was not recalled for a question, stage by stage."""
    found = engram.why(given.query, given.memory_id, **given.circumstances)
    return explanation_document(found)
