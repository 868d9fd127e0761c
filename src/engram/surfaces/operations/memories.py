"""Operations on memories: keep, find, read, correct and archive them."""

from typing import Annotated

from pydantic import Field

from engram.engine import Engram
from engram.errors import MemoryNotFound
from engram.memory.roles import Need
from engram.surfaces.documents import (
    Document,
    memory_document,
    memory_documents,
    outcome_document,
    recall_document,
)
from engram.surfaces.operations.operation import (
    ADDING,
    READING,
    Effect,
    Kind,
    ScopedArguments,
    operation,
)

_ARCHIVING = Kind(Need.WRITE, Effect.REMOVES, is_repeatable=True)
MemoryId = Annotated[str, Field(min_length=1, max_length=100, description="An id or mem-0001.")]
Text = Annotated[str, Field(min_length=1, max_length=200_000)]
Reason = Annotated[str, Field(max_length=2_000, description="Why; it is kept in the history.")]


class Remember(ScopedArguments):
    """What `remember` takes."""

    text: Text
    category: str | None = None
    importance: Annotated[float, Field(ge=0, le=1)] | None = None


@operation("remember", Remember, kind=ADDING, route="POST /memories", gives="Outcome")
def remember(engram: Engram, given: Remember) -> Document:
    """Keep one statement."""
    outcome = engram.remember(
        given.text, category=given.category, importance=given.importance, scope=given.part
    )
    return outcome_document(outcome)


class Recall(ScopedArguments):
    """What `recall` takes."""

    query: Annotated[str, Field(min_length=1, max_length=20_000)]
    limit: Annotated[int, Field(ge=1, le=1_000)] | None = None


@operation("recall", Recall, kind=READING, route="POST /recall", gives="Recall")
def recall(engram: Engram, given: Recall) -> Document:
    """Find what is known about a question, best first."""
    return recall_document(engram.recall(given.query, limit=given.limit, scope=given.part))


class OneMemory(ScopedArguments):
    """What an operation on one memory takes."""

    memory_id: MemoryId


@operation("get", OneMemory, kind=READING, route="GET /memories/{memory_id}", gives="Memory")
def get(engram: Engram, given: OneMemory) -> Document:
    """Read one memory."""
    memory = engram.get(given.memory_id, scope=given.part)
    if memory is None:
        raise MemoryNotFound
    return memory_document(memory)


class ListMemories(ScopedArguments):
    """What `list` takes."""

    limit: Annotated[int, Field(ge=1, le=1_000)] = 100
    before: MemoryId | None = None


@operation("list", ListMemories, kind=READING, route="GET /memories", gives="Memories")
def list_memories(engram: Engram, given: ListMemories) -> Document:
    """List memories, newest first."""
    found = engram.list(limit=given.limit, before=given.before, scope=given.part)
    following = found[-1].id if len(found) == given.limit else None
    return {"memories": memory_documents(found), "next": following}


class Forget(OneMemory):
    """What `forget` takes."""

    reason: Reason = ""


@operation("forget", Forget, kind=_ARCHIVING, route="DELETE /memories/{memory_id}", gives="Changed")
def forget(engram: Engram, given: Forget) -> Document:
    """Archive a memory: it is no longer recalled, and can be brought back."""
    memory = engram.forget(given.memory_id, reason=given.reason, scope=given.part)
    return {"change_id": memory.change_id, "memory": memory_document(memory)}
