"""Boxes of statements and the traces they belong to."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, cast

from engram.memory.boxes import OpenBox
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.memory.times import to_micros
from engram.storage.database import Row, Transaction, Value, stored_time
from engram.storage.rows import memory_from_row, scope_at

if TYPE_CHECKING:
    from engram.memory.dreams.traces import Boxed


@dataclass(frozen=True, slots=True)
class Box:
    """A box as it is kept."""

    id: str
    scope: Scope
    session: str
    trace: str
    opened_at: datetime
    last_at: datetime
    sealed_at: datetime | None
    sealed_for: str
    topics: Mapping[str, int]
    members: int

    @property
    def as_open(self) -> OpenBox:
        """What decides where the next statement goes."""
        return OpenBox(self.topics, self.last_at, self.members)


class BoxReader:
    """Boxes seen through one caller's reach."""

    def __init__(self, transaction: Transaction, reach: Mapping[str, Value]) -> None:
        self._transaction = transaction
        self._reach = reach

    def open_box(self, scope: Scope, session: str) -> Box | None:
        """The box of a session that is still open."""
        found = self._rows("open_box", {"scope": scope.path, "session": session})
        return _box(found[0]) if found else None

    def recent(self, scope: Scope, *, limit: int) -> list[Box]:
        """The last boxes of a scope, newest first."""
        return [
            _box(row) for row in self._rows("recent_boxes", {"scope": scope.path, "limit": limit})
        ]

    def all(self, *, limit: int) -> list[Box]:
        """The last boxes in sight, newest first."""
        return [_box(row) for row in self._rows("boxes", {"limit": limit})]

    def members(self, box: str) -> list[Memory]:
        """What lies in a box, in its order."""
        return [memory_from_row(row) for row in self._rows("box_members", {"box": box})]

    def boxed(self, scope: Scope, *, limit: int) -> "list[Boxed]":
        """The last boxes of a scope with the numbers of what lies in them, oldest first."""
        from engram.memory.dreams.traces import Boxed

        members: dict[str, list[int]] = {}
        for box, number in self._rows("numbers_in_boxes", {"scope": scope.path}):
            members.setdefault(cast(str, box), []).append(cast(int, number))
        found = self.recent(scope, limit=limit)
        return [
            Boxed(box.trace, box.session, box.opened_at, box.last_at, box.topics,
                  tuple(members.get(box.id, ())))
            for box in reversed(found)
        ]  # fmt: skip

    def _rows(self, query: str, parameters: Mapping[str, Value]) -> list[Row]:
        return self._transaction.rows(query, {**self._reach, **parameters})


def keep_box(transaction: Transaction, box: Box) -> None:
    """Keep a box as it is now."""
    transaction.run(
        "keep_box",
        {
            "id": box.id,
            "scope": box.scope.path,
            "session": box.session,
            "trace": box.trace,
            "opened_at": to_micros(box.opened_at),
            "last_at": to_micros(box.last_at),
            "sealed_at": None if box.sealed_at is None else to_micros(box.sealed_at),
            "sealed_for": box.sealed_for,
            "topics": json.dumps(dict(box.topics), ensure_ascii=False, sort_keys=True),
            "members": box.members,
        },
    )


def put_in_box(transaction: Transaction, number: int, box: str) -> None:
    """Lay a statement into a box; one that lies in another stays there."""
    transaction.run("put_in_box", {"number": number, "box": box})


def _box(row: Row) -> Box:
    id_, scope, session, trace, opened, last, sealed, reason, topics, members = row
    return Box(
        cast(str, id_), scope_at(cast(str, scope)), cast(str, session), cast(str, trace),
        stored_time(opened), stored_time(last),
        None if sealed is None else stored_time(sealed), cast(str, reason),
        _topics(cast(str, topics)), cast(int, members),
    )  # fmt: skip


def _topics(text: str) -> dict[str, int]:
    found = json.loads(text)
    return {str(topic): int(count) for topic, count in found.items()}


def known_by(boxes: Collection[Box]) -> dict[str, frozenset[str]]:
    """The topics that each trace is known by."""
    found: dict[str, set[str]] = {}
    for box in boxes:
        found.setdefault(box.trace, set()).update(box.topics)
    return {trace: frozenset(topics) for trace, topics in found.items()}
