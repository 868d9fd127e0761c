"""Minds that were put away, and the memories that a session without a past starts with."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from engram.errors import EngramError, StoreCorrupt
from engram.memory.people import person_named
from engram.memory.record import Memory
from engram.memory.times import to_micros
from engram.memory.working.snapshot import Snapshot, as_document, from_document
from engram.storage.audit_chain import the_row
from engram.storage.database import Row, Transaction, Value, stored_time
from engram.storage.rows import memory_from_row

_MORNING = (
    "morning_promises", "morning_recent", "morning_used", "morning_pinned", "morning_important",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class MindKey:
    """Whose mind it is: who holds it, in which place, for which session."""

    holder: str
    place: str  # the path of a scope
    session: str  # empty: the one without a name

    def parameters(self) -> dict[str, Value]:
        """The key as queries name it."""
        return {"holder": self.holder, "scope": self.place, "session": self.session}


class WorkingReader:
    """What was put away and what there is to start with, seen through one caller's reach."""

    def __init__(self, transaction: Transaction, reach: Mapping[str, Value]) -> None:
        self._transaction = transaction
        self._reach = reach

    def snapshot(self, key: MindKey) -> Snapshot | None:
        """What was put away under a key."""
        found = self._rows("snapshot", key.parameters())
        return _snapshot(found[0]) if found and found[0][1] else None

    def to_start_with(self, now: datetime, *, limit: int) -> list[Memory]:
        """Recent, weighty, promised and lately used memories that can be recalled now."""
        asked: dict[str, Value] = {"instant": to_micros(now), "limit": limit}
        found: dict[str, Memory] = {}
        for query in _MORNING:
            for row in self._rows(query, asked):
                memory = memory_from_row(row)
                found.setdefault(memory.id, memory)
        return list(found.values())

    def rules(self, now: datetime, *, limit: int) -> list[Memory]:
        """Instructions and pinned statements that can be recalled now."""
        asked: dict[str, Value] = {"instant": to_micros(now), "limit": limit}
        found = [*self._rows("standing_instructions", asked), *self._rows("morning_pinned", asked)]
        return [memory_from_row(row) for row in found]

    def memories(self, ids: Iterable[str], now: datetime) -> list[Memory]:
        """Those of some memories that can be recalled now."""
        listed: dict[str, Value] = {"ids": json.dumps(list(ids)), "instant": to_micros(now)}
        return [memory_from_row(row) for row in self._rows("standing_memories", listed)]

    def turn_said(self, text: str, session: str, now: datetime) -> Memory | None:
        """The turn of a session that has these words, if it was kept."""
        asked: dict[str, Value] = {
            "content": text, "session": session, "instant": to_micros(now),
        }  # fmt: skip
        found = (memory_from_row(row) for row in self._rows("turn_said", asked))
        return next((turn for turn in found if turn.content == text), None)

    def audit_length(self) -> int:
        """How far the audit goes."""
        found = the_row(self._transaction.rows("audit_length", {}))
        return cast(int, found[0])

    def withdrawn_since(self, line: int) -> list[str]:
        """What memories said that were taken back after a line of the audit."""
        return [str(content) for (content,) in self._rows("withdrawn_since", {"line": line})]

    def _rows(self, query: str, parameters: Mapping[str, Value]) -> list[Row]:
        return self._transaction.rows(query, {**self._reach, **parameters})


def keep_snapshot(transaction: Transaction, key: MindKey, snapshot: Snapshot) -> None:
    """Put a mind away: sealed, since nobody can tell what its words were drawn from."""
    text = json.dumps(as_document(snapshot), ensure_ascii=False, sort_keys=True)
    body = transaction.seal(text, [person_named(key.place, None)])
    saved_at = to_micros(snapshot.saved_at)
    transaction.run("keep_snapshot", {**key.parameters(), "saved_at": saved_at, "body": body})


def drop_snapshot(transaction: Transaction, key: MindKey) -> None:
    """Let go of what was put away under a key."""
    transaction.run("drop_snapshot", key.parameters())


def drop_old_snapshots(transaction: Transaction, before: datetime) -> None:
    """Let go of what nobody came back for."""
    transaction.run("drop_old_snapshots", {"before": to_micros(before)})


def _snapshot(row: Row) -> Snapshot:
    saved_at, body = row
    try:
        return from_document(json.loads(str(body)), stored_time(saved_at))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise StoreCorrupt from None
    except EngramError as error:
        raise StoreCorrupt from error
