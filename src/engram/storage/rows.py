"""Turns memories into rows and rows into memories."""

import json
from datetime import datetime
from functools import lru_cache
from typing import cast

from engram.memory.changes import Action, Change
from engram.memory.ids import ChangeId, MemoryId
from engram.memory.record import Memory, Usage
from engram.memory.scopes import Scope
from engram.memory.staleness import stale_at
from engram.memory.times import from_micros, to_micros
from engram.memory.vocabulary import (
    Kind,
    Layer,
    LearnedBy,
    MemoryType,
    Secrecy,
    SourceClass,
    Status,
)
from engram.storage.database import Row, Value

MEMORY_COLUMNS = 42  # the length of the `columns` fragment; what follows belongs to the query
_NO_METADATA = "{}"
_UNUSED = Usage()


@lru_cache(maxsize=4096)
def scope_at(path: str) -> Scope:
    """The scope a stored path stands for."""
    return Scope.parse(path)


def memory_from_row(row: Row) -> Memory:
    """Read the columns of the `columns` fragment, in its order."""
    (
        id_, number, scope, content, category, memory_type, layer, kind, status,
        source, source_class, learned_by, speaker, subject, session, reference,
        confidence, base_importance, trust, valence, arousal, surprise, is_pinned,
        happened_at, valid_from, valid_until, learned_at, last_verified_at, horizon,
        recorded_at, recorded_until, version, superseded_by, change_id, summary, metadata,
        secrecy, identity, accesses, spaced_accesses, last_accessed_at, confirmations,
    ) = cast("tuple[object, ...]", row[:MEMORY_COLUMNS])  # fmt: skip
    return Memory(
        id=MemoryId(cast(str, id_)),
        number=cast(int, number),
        scope=scope_at(cast(str, scope)),
        content=cast(str, content) if content is not None else "",
        category=cast(str, category),
        memory_type=MemoryType(cast(str, memory_type)),
        layer=Layer(cast(str, layer)),
        kind=Kind(cast(str, kind)),
        status=Status(cast(str, status)),
        source=cast(str, source),
        source_class=SourceClass(cast(str, source_class)),
        learned_by=LearnedBy(cast(str, learned_by)),
        speaker=cast("str | None", speaker),
        subject=cast("str | None", subject),
        session=cast("str | None", session),
        reference=cast("str | None", reference),
        confidence=cast(float, confidence),
        base_importance=cast(float, base_importance),
        trust=cast(float, trust),
        valence=cast(float, valence),
        arousal=cast(float, arousal),
        surprise=cast("float | None", surprise),
        is_pinned=bool(is_pinned),
        at=from_micros(cast(int, happened_at)),
        valid_from=_time(valid_from),
        valid_until=_time(valid_until),
        learned_at=from_micros(cast(int, learned_at)),
        last_verified_at=_time(last_verified_at),
        horizon=cast("str | None", horizon),
        recorded_at=from_micros(cast(int, recorded_at)),
        recorded_until=_time(recorded_until),
        version=cast(int, version),
        superseded_by=cast("MemoryId | None", superseded_by),
        change_id=ChangeId(cast(str, change_id)),
        summary=cast("str | None", summary),
        metadata=json.loads(cast(str, metadata)) if metadata != _NO_METADATA else {},
        secrecy=Secrecy(cast(str, secrecy)),
        identity=cast(bytes, identity),
        usage=_UNUSED
        if accesses is None
        else Usage(
            cast(int, accesses),
            cast(int, spaced_accesses),
            _time(last_accessed_at),
            cast(int, confirmations),
        ),
    )


def row_from_memory(memory: Memory) -> tuple[Value, ...]:
    """The values of `insert_state`, in its order."""
    deadline = stale_at(memory)
    return (
        memory.number,
        memory.id,
        memory.scope.path,
        memory.status.value,
        memory.category,
        memory.memory_type.value,
        memory.layer.value,
        memory.kind.value,
        memory.secrecy.value,
        int(memory.is_pinned),
        to_micros(memory.at),
        to_micros(memory.valid_from) if memory.valid_from else None,
        to_micros(memory.valid_until) if memory.valid_until else None,
        to_micros(memory.learned_at),
        to_micros(memory.last_verified_at) if memory.last_verified_at else None,
        to_micros(deadline) if deadline else None,
        to_micros(memory.recorded_at),
        memory.change_id,
        memory.version,
        memory.superseded_by,
        memory.confidence,
        memory.base_importance,
        memory.trust,
        memory.valence,
        memory.arousal,
        memory.surprise,
        memory.horizon,
        memory.source_class.value,
        memory.learned_by.value,
        memory.source,
        memory.speaker,
        memory.subject,
        memory.session,
        memory.reference,
        memory.identity,
        memory.summary,
        metadata_text(dict(memory.metadata)),
        memory.content,
    )


def metadata_text(metadata: dict[str, object]) -> str:
    """Metadata as it is stored: sorted, so that equal metadata is equal text."""
    if not metadata:
        return _NO_METADATA
    return json.dumps(metadata, ensure_ascii=False, sort_keys=True)


def change_from_row(row: Row) -> Change:
    """Read the columns id, action, at, actor, scope, reason, undoes, undone_by."""
    id_, action, at, actor, scope, reason, undoes, undone_by = cast("tuple[object, ...]", row[:8])
    return Change(
        id=ChangeId(cast(str, id_)),
        action=Action(cast(str, action)),
        at=from_micros(cast(int, at)),
        actor=cast(str, actor),
        scope=cast(str, scope),
        reason=cast(str, reason),
        undoes=cast("ChangeId | None", undoes),
        undone_by=cast("ChangeId | None", undone_by),
    )


def _time(value: object) -> datetime | None:
    return None if value is None else from_micros(cast(int, value))
