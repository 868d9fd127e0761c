"""Operations on memories: keep, read, list and reword them, archive them, tell their past."""

from typing import Annotated, Literal

from pydantic import Field

from engram.engine import Engram
from engram.errors import MemoryNotFound
from engram.memory.scopes import Scope
from engram.memory.vocabulary import Status
from engram.surfaces.documents import (
    Document,
    changed_document,
    history_document,
    memory_document,
    memory_documents,
    outcome_document,
    record,
    records,
)
from engram.surfaces.operations import telling
from engram.surfaces.operations.fields import (
    MOST_ITEMS,
    CategoryName,
    HorizonText,
    Id,
    KindName,
    Label,
    LayerName,
    Limit,
    MetadataValues,
    Name,
    Reason,
    SecrecyName,
    Share,
    SourceName,
    StatusName,
    Summary,
    Text,
    Time,
    TypeName,
)
from engram.surfaces.operations.operation import (
    ADDING,
    CHANGING,
    READING,
    REMOVING,
    Arguments,
    Progress,
    ScopedArguments,
    long_operation,
    operation,
)


class Statement(ScopedArguments):
    """One statement, with all that can be said about it."""

    text: Text
    category: CategoryName | None = None
    layer: LayerName | None = None
    memory_type: TypeName | None = None
    importance: Share | None = None
    confidence: Share | None = None
    at: Time | None = None
    valid_from: Time | None = None
    valid_until: Time | None = None
    speaker: Name | None = None
    subject: Name | None = None
    session: Name | None = None
    reference: Name | None = None
    source: SourceName | None = None
    metadata: MetadataValues | None = None
    pinned: bool = False
    summary: Summary | None = None
    replaces: Id | None = None
    idempotency_key: Name | None = None
    secrecy: SecrecyName | None = None
    horizon: HorizonText | None = None

    def as_item(self) -> dict[str, object]:
        """The statement as the engine takes it among many."""
        said = self.model_dump(exclude={"scope", "wait"}, exclude_none=True)
        return {**said, "scope": self.part}


class Remember(Statement):
    """What `remember` takes."""

    wait: Annotated[bool, Field(description="Return when it is found by its meaning too.")] = False


@operation(
    "remember", Remember, kind=ADDING, route="POST /memories", gives="Outcome",
    tells=telling.outcome,
)  # fmt: skip
def remember(engram: Engram, given: Remember) -> Document:
    """Keep one statement: a fact, a preference, a decision."""
    said = given.model_dump(exclude={"text", "scope"}, exclude_none=True)
    return outcome_document(engram.remember(given.text, **said, scope=given.part))


class RememberMany(Arguments):
    """What `remember_many` takes."""

    items: Annotated[list[Statement], Field(max_length=MOST_ITEMS)]
    wait: bool = False


@long_operation(
    "remember_many", RememberMany, kind=ADDING, route="POST /memories/bulk", gives="Outcomes",
    tells=telling.outcomes,
)  # fmt: skip
def remember_many(engram: Engram, given: RememberMany, progress: Progress) -> Document:
    """Keep many statements at once; all are checked before the first is kept."""
    items = [item.as_item() for item in given.items]
    outcomes = engram.remember_many(items, wait=given.wait, progress=progress)
    return {"outcomes": [outcome_document(outcome) for outcome in outcomes]}


class OneMemory(ScopedArguments):
    """What an operation on one memory takes."""

    memory_id: Id


def home_of(engram: Engram, memory_id: str) -> Scope | None:
    """Where a memory belongs, as the owner finds it by its id; others look where they are."""
    return engram.upkeep.scope_of(memory_id) if engram.principal.is_owner else None


def placed(engram: Engram, given: Arguments) -> Arguments:
    """The same arguments; an owner who names one memory and no scope means the memory's own."""
    if not isinstance(given, OneMemory) or given.scope is not None:
        return given
    home = home_of(engram, given.memory_id)
    return given if home is None else given.model_copy(update={"scope": home.path})


class Get(OneMemory):
    """What `get` takes."""

    as_of: Annotated[Time | None, Field(description="As it held at that time.")] = None
    known_at: Annotated[Time | None, Field(description="As it was known at that time.")] = None


@operation(
    "get", Get, kind=READING, route="GET /memories/{memory_id}", gives="Memory",
    tells=telling.memory,
)  # fmt: skip
def get(engram: Engram, given: Get) -> Document:
    """Read one memory by its id or label."""
    memory = engram.get(
        given.memory_id, as_of=given.as_of, known_at=given.known_at, scope=given.part
    )
    if memory is None:
        raise MemoryNotFound
    return memory_document(memory)


class Filters(Arguments):
    """The conditions by which memories are found."""

    category: CategoryName | None = None
    layer: LayerName | None = None
    memory_type: TypeName | None = None
    kind: KindName | None = None
    speaker: Name | None = None
    subject: Name | None = None
    session: Name | None = None
    reference: Name | None = None
    source: Name | None = None
    pinned: bool | None = None
    since: Annotated[Time | None, Field(description="What happened then or later.")] = None
    until: Annotated[Time | None, Field(description="What happened before then.")] = None
    metadata: MetadataValues | None = None

    def conditions(self) -> dict[str, object]:
        """Those that were named."""
        names = Filters.model_fields
        return {name: value for name in names if (value := getattr(self, name)) is not None}


class ListMemories(ScopedArguments, Filters):
    """What `list` takes."""

    status: StatusName | Literal["any"] = Status.ACTIVE
    as_of: Time | None = None
    known_at: Time | None = None
    before: Label | None = None
    limit: Limit = 100


@operation(
    "list", ListMemories, kind=READING, route="GET /memories", gives="Memories",
    tells=telling.memories, cursor="before",
)  # fmt: skip
def list_memories(engram: Engram, given: ListMemories) -> Document:
    """List memories by any condition, newest first; `next` continues a listing."""
    found = engram.list(
        limit=given.limit + 1,  # one more shows whether anything follows
        status=given.status,
        as_of=given.as_of,
        known_at=given.known_at,
        before=given.before,
        scope=given.part,
        **given.conditions(),
    )
    page = found[: given.limit]
    following = page[-1].label if len(found) > given.limit else None
    return {"memories": memory_documents(page), "next": following}


class Revise(OneMemory):
    """What `revise` takes."""

    text: Text
    reason: Reason = ""


@operation(
    "revise", Revise, kind=CHANGING, route="PATCH /memories/{memory_id}", gives="Changed",
    tells=telling.changed,
)  # fmt: skip
def revise(engram: Engram, given: Revise) -> Document:
    """Give a memory another wording; the old one stays in its history."""
    memory = engram.revise(given.memory_id, given.text, reason=given.reason, scope=given.part)
    return changed_document(memory)


class ReasonedChange(OneMemory):
    """What a change of one memory takes."""

    reason: Reason = ""


@operation(
    "forget", ReasonedChange, kind=REMOVING, route="DELETE /memories/{memory_id}", gives="Changed",
    tells=telling.changed,
)  # fmt: skip
def forget(engram: Engram, given: ReasonedChange) -> Document:
    """Archive a memory: it is no longer recalled, and can be brought back."""
    memory = engram.forget(given.memory_id, reason=given.reason, scope=given.part)
    return changed_document(memory)


@operation(
    "history", OneMemory, kind=READING, route="GET /memories/{memory_id}/history", gives="History",
    tells=telling.history,
)  # fmt: skip
def history(engram: Engram, given: OneMemory) -> Document:
    """Every state a memory has had, oldest first, with who changed it and why."""
    entries = engram.history(given.memory_id, scope=given.part)
    return {"entries": [history_document(entry) for entry in entries]}


@operation(
    "importance", OneMemory, kind=READING, route="GET /memories/{memory_id}/importance",
    gives="Importance", tells=telling.importance,
)  # fmt: skip
def importance(engram: Engram, given: OneMemory) -> Document:
    """How much a memory matters, factor by factor, and when it would leave if never used."""
    return record(engram.importance(given.memory_id, scope=given.part))


@operation(
    "status_history", OneMemory, kind=READING, route="GET /memories/{memory_id}/statuses",
    gives="Statuses", tells=telling.statuses,
)  # fmt: skip
def status_history(engram: Engram, given: OneMemory) -> Document:
    """The statuses a memory went through, oldest first."""
    return {"moves": records(engram.status_history(given.memory_id, scope=given.part))}
