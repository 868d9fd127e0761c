"""Operations that listen: turns of conversations, results of work, and what was learnt of them."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from engram.engine import Engram
from engram.language.affect import TaskOutcome
from engram.memory.roles import Need
from engram.memory.vocabulary import ResultKind
from engram.surfaces.documents import (
    Document,
    extracted_document,
    memory_documents,
    observed_document,
    plain,
    record,
    source_document,
)
from engram.surfaces.operations import telling, turns_telling
from engram.surfaces.operations.fields import (
    MOST_ITEMS,
    CategoryName,
    Id,
    MetadataValues,
    Name,
    SecrecyName,
    Share,
    SourceName,
    Text,
    Time,
)
from engram.surfaces.operations.memories import OneMemory
from engram.surfaces.operations.operation import (
    ADDING,
    CONTROLLING,
    READING,
    Arguments,
    Effect,
    Kind,
    Progress,
    ScopedArguments,
    long_operation,
    operation,
)

_FACT_LENGTH = 1_000
_RESULT_NAME_LENGTH = 150  # it becomes part of the source, which is a name itself
_FORESEEING = Kind(Need.WRITE, Effect.READS, is_repeatable=True)  # the turns must be the caller's


class TurnRole(StrEnum):
    """Who speaks in a turn."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"
    RESULT = "result"


class Fact(Arguments):
    """A statement that the caller has read in a turn itself."""

    text: Annotated[Text, Field(max_length=_FACT_LENGTH)]
    category: CategoryName | None = None
    confidence: Share | None = None
    subject: Name | None = None
    predicate: Name | None = None
    object: Name | None = None
    turn: Name | None = None
    replaces: Id | None = None
    valid_from: Time | None = None
    deadline: Time | None = None


class Turn(ScopedArguments):
    """One turn of a conversation."""

    text: Text
    role: Annotated[TurnRole, Field(strict=False)] = TurnRole.USER
    speaker: Name | None = None
    subject: Name | None = None
    session: Name | None = None
    at: Time | None = None
    reference: Name | None = None
    source: SourceName | None = None
    metadata: MetadataValues | None = None
    idempotency_key: Name | None = None
    secrecy: SecrecyName | None = None

    def as_item(self) -> dict[str, object]:
        """The turn as the engine takes it among many."""
        said = self.model_dump(exclude={"scope", "facts"}, exclude_none=True)
        return {**said, "scope": self.part}


class Observe(Turn):
    """What `observe` takes."""

    facts: Annotated[
        list[Fact] | None,
        Field(max_length=MOST_ITEMS, description="What it states, if you have read it yourself."),
    ] = None


@operation(
    "observe",
    Observe,
    kind=ADDING,
    route="POST /turns",
    gives="Observed",
    tells=turns_telling.observed,
)
def observe(engram: Engram, given: Observe) -> Document:
    """Take in one turn of a conversation: kept word for word, and read for what it states."""
    facts = given.facts
    observed = engram.observe(
        given.text,
        role=given.role,
        speaker=given.speaker,
        subject=given.subject,
        session=given.session,
        at=given.at,
        reference=given.reference,
        source=given.source,
        metadata=given.metadata,
        facts=None if facts is None else [fact.model_dump(exclude_none=True) for fact in facts],
        idempotency_key=given.idempotency_key,
        secrecy=given.secrecy,
        scope=given.part,
    )
    return observed_document(observed)


class ManyTurns(Arguments):
    """What operations on many turns take."""

    turns: Annotated[list[Turn], Field(max_length=MOST_ITEMS)]


@long_operation(
    "observe_many", ManyTurns, kind=ADDING, route="POST /turns/bulk", gives="Observations",
    tells=turns_telling.observations,
)  # fmt: skip
def observe_many(engram: Engram, given: ManyTurns, progress: Progress) -> Document:
    """Take in many turns; all are checked before the first is kept."""
    observed = engram.observe_many([turn.as_item() for turn in given.turns], progress=progress)
    return {"turns": [observed_document(each) for each in observed]}


class Estimate(ManyTurns, ScopedArguments):
    """What `estimate` takes."""


@operation("estimate", Estimate, kind=_FORESEEING, route="POST /turns/estimate", gives="Estimate")
def estimate(engram: Engram, given: Estimate) -> Document:
    """What having the language model read these turns would take at most; nobody is asked."""
    plan = engram.estimate([turn.as_item() for turn in given.turns], scope=given.part)
    return {"turns": len(given.turns), "plan": plain(plan)}


class TurnBefore(Arguments):
    """A turn that came before the one that is read."""

    text: Text
    speaker: Name | None = None


class Read(Arguments):
    """What `read` takes."""

    text: Text
    role: Annotated[TurnRole, Field(strict=False)] = TurnRole.USER
    speaker: Name | None = None
    at: Time | None = None
    before: Annotated[
        list[TurnBefore], Field(max_length=MOST_ITEMS, description="The turns before it.")
    ] = []  # noqa: RUF012  # pydantic gives each its own


@operation(
    "read",
    Read,
    kind=READING,
    route="POST /turns/read",
    gives="Reading",
    tells=turns_telling.reading,
)
def read(engram: Engram, given: Read) -> Document:
    """What would be learnt from a turn, and why the rest would not be; nothing is kept."""
    found = engram.read(
        given.text,
        speaker=given.speaker,
        role=given.role,
        at=given.at,
        before=[turn.model_dump(exclude_none=True) for turn in given.before],
    )
    return record(found)


class ObserveResult(ScopedArguments):
    """What `observe_result` takes."""

    kind: Annotated[ResultKind, Field(strict=False)]
    text: Text
    name: Annotated[Name, Field(max_length=_RESULT_NAME_LENGTH)] | None = None
    outcome: Annotated[TaskOutcome, Field(strict=False)] | None = None
    speaker: Name | None = None
    subject: Name | None = None
    session: Name | None = None
    at: Time | None = None
    reference: Name | None = None
    metadata: MetadataValues | None = None


@operation(
    "observe_result", ObserveResult, kind=ADDING, route="POST /results", gives="Result",
    tells=turns_telling.result,
)  # fmt: skip
def observe_result(engram: Engram, given: ObserveResult) -> Document:
    """Take in what work came to: a compaction summary, the result of a task, a finding."""
    observed = engram.observe_result(
        given.kind,
        given.text,
        name=given.name,
        outcome=given.outcome,
        speaker=given.speaker,
        subject=given.subject,
        session=given.session,
        at=given.at,
        reference=given.reference,
        metadata=given.metadata,
        scope=given.part,
    )
    return {"is_kept": observed is not None, "turn": observed and observed_document(observed)}


@long_operation(
    "flush", Arguments, kind=ADDING, route="POST /turns/flush", gives="Extracted",
    tells=turns_telling.extracted,
)  # fmt: skip
def flush(engram: Engram, given: Arguments, progress: Progress) -> Document:  # noqa: ARG001  # none
    """Read every turn that waits to be read, here and now; says what was learnt."""
    return extracted_document(engram.flush(progress=progress))


class RereadTurns(Arguments):
    """What `reread` takes."""

    dry_run: Annotated[bool, Field(description="Only say what would change.")] = True


@long_operation(
    "reread", RereadTurns, kind=CONTROLLING, route="POST /turns/reread", gives="Reread",
    tells=turns_telling.reread,
)  # fmt: skip
def reread(engram: Engram, given: RereadTurns, progress: Progress) -> Document:
    """Learn anew from all kept turns; a dry run, the default, says what would change."""
    return record(engram.reread(dry_run=given.dry_run, progress=progress))


@operation("unread", ScopedArguments, kind=READING, route="GET /turns/unread", gives="Unread")
def unread(engram: Engram, given: ScopedArguments) -> Document:
    """How many turns wait to be read."""
    return {"unread": engram.unread(scope=given.part)}


@operation(
    "sources", OneMemory, kind=READING, route="GET /memories/{memory_id}/sources", gives="Sources",
    tells=telling.sources,
)  # fmt: skip
def sources(engram: Engram, given: OneMemory) -> Document:
    """The turns that a memory was drawn from, and which of their words."""
    found = engram.sources(given.memory_id, scope=given.part)
    return {"sources": [source_document(source) for source in found]}


class Drawn(ScopedArguments):
    """What `drawn` takes."""

    turn_ids: Annotated[list[Id], Field(min_length=1, max_length=100)]


@operation(
    "drawn", Drawn, kind=READING, route="POST /turns/drawn", gives="Memories",
    tells=telling.memories,
)  # fmt: skip
def drawn(engram: Engram, given: Drawn) -> Document:
    """The memories that were drawn from these turns, each once."""
    found = engram.drawn(*given.turn_ids, scope=given.part)
    return {"memories": memory_documents(found), "next": None}
