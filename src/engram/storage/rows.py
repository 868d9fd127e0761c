"""Turns memories into rows and rows into memories."""

import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, cast

from engram.errors import StoreCorrupt
from engram.memory.changes import Action, Change
from engram.memory.feedback import Feedback
from engram.memory.figures import RecallFigures
from engram.memory.ids import ChangeId
from engram.memory.record import Memory, MetadataValue, Usage
from engram.memory.scopes import Scope
from engram.memory.secrecy import shown
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
from engram.storage.database import Row, Value, stored_time

_NO_METADATA = "{}"


@lru_cache(maxsize=4096)
def scope_at(path: str) -> Scope:
    """The scope a stored path stands for."""
    return Scope.parse(path)


def _metadata(text: str) -> dict[str, MetadataValue]:
    return {} if text in (_NO_METADATA, "") else json.loads(text)  # "": its key is gone


# A Memory's fields in the order of the `columns` fragment, and how each is read from its column.
_FIELDS: tuple[tuple[str, Callable[[Any], object] | None], ...] = (
    ("id", None), ("number", None), ("scope", scope_at), ("content", None), ("category", None),
    ("memory_type", MemoryType), ("layer", Layer), ("kind", Kind), ("status", Status),
    ("source", None), ("source_class", SourceClass), ("learned_by", LearnedBy),
    ("speaker", None), ("subject", None), ("session", None), ("reference", None),
    ("confidence", None), ("base_importance", None), ("trust", None), ("valence", None),
    ("arousal", None), ("surprise", None), ("is_pinned", bool), ("at", from_micros),
    ("valid_from", from_micros), ("valid_until", from_micros), ("learned_at", from_micros),
    ("last_verified_at", from_micros), ("horizon", None), ("recorded_at", from_micros),
    ("recorded_until", from_micros), ("version", None), ("superseded_by", None),
    ("change_id", None), ("summary", None), ("metadata", _metadata), ("secrecy", Secrecy),
    ("identity", None),
)  # fmt: skip
_USAGE_COLUMNS = 5
MEMORY_COLUMNS = len(_FIELDS) + _USAGE_COLUMNS  # what follows belongs to the query


def memory_from_row(row: Row) -> Memory:
    """Read the columns of the `columns` fragment, in its order; what cannot be read is damage."""
    try:
        return _memory(row)
    except (ValueError, TypeError, OverflowError):
        raise StoreCorrupt from None  # the cause would show what stood there


def _memory(row: Row) -> Memory:
    fields: dict[str, Any] = {
        name: value if read is None or value is None else read(value)
        for (name, read), value in zip(_FIELDS, row, strict=False)
    }
    accesses, spaced_accesses, last_accessed_at, confirmations, rehearsed_at = row[
        len(_FIELDS) : MEMORY_COLUMNS
    ]
    if accesses is not None:
        fields["usage"] = Usage(
            cast(int, accesses),
            cast(int, spaced_accesses),
            None if last_accessed_at is None else from_micros(cast(int, last_accessed_at)),
            cast(int, confirmations),
            None if rehearsed_at is None else from_micros(cast(int, rehearsed_at)),
        )
    if not fields["content"]:  # sealed, and not for this caller
        fields["summary"] = fields["summary"] or None
        fields["content"] = shown("", fields["summary"], fields["secrecy"])
    return Memory(**fields)


class SealedParts(NamedTuple):
    """What of a protected memory is kept sealed; the summary as far as it may be known."""

    summary: str | None
    metadata: bytes | None
    content: bytes


def row_from_memory(memory: Memory, sealed: SealedParts | None = None) -> tuple[Value, ...]:
    """The values of `insert_state`, in its order; of a protected memory nothing but sealed text."""
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
        memory.summary if sealed is None else sealed.summary,
        metadata_text(dict(memory.metadata)) if sealed is None else _NO_METADATA,
        memory.content if sealed is None else None,
        None if sealed is None else sealed.metadata,
        None if sealed is None else sealed.content,
    )


def metadata_text(metadata: dict[str, object]) -> str:
    """Metadata as it is stored: sorted, so that equal metadata is equal text."""
    if not metadata:
        return _NO_METADATA
    return json.dumps(metadata, ensure_ascii=False, sort_keys=True)


def numbers_from_text(text: Value) -> tuple[int, ...]:
    """The numbers of the memories a change touched."""
    try:
        return tuple(int(number) for number in json.loads(cast(str, text)))
    except (ValueError, TypeError):
        raise StoreCorrupt from None


def _action(value: Value) -> Action:
    try:
        return Action(cast(str, value))
    except ValueError:
        raise StoreCorrupt from None


def change_from_row(row: Row) -> Change:
    """Read the columns id, action, at, actor, scope, reason, undoes, undone_by."""
    id_, action, at, actor, scope, reason, undoes, undone_by = row[:8]
    return Change(
        id=ChangeId(cast(str, id_)),
        action=_action(action),
        at=stored_time(at),
        actor=cast(str, actor),
        scope=cast(str, scope),
        reason=cast(str, reason),
        undoes=cast("ChangeId | None", undoes),
        undone_by=cast("ChangeId | None", undone_by),
    )


def feedback_from_row(row: Row) -> Feedback:
    """Read the columns number, is_helpful, query, at, actor, change_id."""
    number, is_helpful, query, at, actor, change_id = row
    return Feedback(
        number=cast(int, number),
        is_helpful=bool(is_helpful),
        query=cast("str | None", query) or None,  # "": its key is gone
        at=stored_time(at),
        actor=cast(str, actor),
        change_id=ChangeId(cast(str, change_id)),
    )


def row_from_figures(scope: str, figures: RecallFigures) -> tuple[Value, ...]:
    """The values of `insert_recall`, in its order."""
    return (
        to_micros(figures.at),
        scope,
        figures.milliseconds,
        figures.candidates,
        figures.returned,
        figures.tokens,
        figures.relevance,
        figures.consistency,
        figures.confidence,
        figures.assessment,
        figures.level,
        int(figures.is_degraded),
    )


def figures_from_row(row: Row) -> RecallFigures:
    """Read the columns of `recall_figures`, in its order."""
    at, *figures = row
    values: list[Any] = [stored_time(at), *figures[:-1], bool(figures[-1])]
    return RecallFigures(*values)
