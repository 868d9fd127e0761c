"""The security events inside one transaction: counted by the minute, bounded in age and number."""

from collections.abc import Iterable
from datetime import datetime
from typing import cast

from engram.errors import StoreCorrupt
from engram.memory.record import Memory
from engram.memory.security_events import SecurityEvent, SecurityKind
from engram.memory.times import to_micros
from engram.storage.database import Row, Transaction, Value, stored_time

_MINUTE = 60_000_000  # microseconds


class SecurityEventTable:
    """Events are added to their minute, and go by age; nothing ever alters one."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def add(self, events: Iterable[SecurityEvent]) -> None:
        """Count some events."""
        for each in events:
            last_at = to_micros(each.last_at)
            row: dict[str, Value] = {
                "minute": last_at // _MINUTE,
                "kind": each.kind.value,
                "actor": each.actor,
                "scope": each.scope,
                "code": each.code,
                "first_at": to_micros(each.first_at),
                "last_at": last_at,
                "count": each.count,
            }
            self._transaction.run("count_security_event", row)

    def prune(self, *, before: datetime | None, kept: int) -> int:
        """Let go of what is older than a moment, and of what is more than may be kept."""
        limit: dict[str, Value] = {
            "before": None if before is None else to_micros(before), "kept": kept,
        }  # fmt: skip
        self._transaction.run("prune_security_events", limit)
        return self._transaction.changed()

    def newest(
        self, *, limit: int, kind: SecurityKind | None = None, since: datetime | None = None
    ) -> list[SecurityEvent]:
        """The newest first."""
        wanted: dict[str, Value] = {
            "kind": kind.value if kind else None,
            "since": None if since is None else to_micros(since),
            "limit": limit,
        }
        return [_event(row) for row in self._transaction.rows("security_events", wanted)]


def count_flagged(transaction: Transaction, memory: Memory, *, actor: str, at: datetime) -> None:
    """Count a memory that looks like an order to an agent, together with its row."""
    flags = memory.metadata.get("flags")
    if isinstance(flags, list) and "injection" in flags:
        scope = memory.scope.path
        kind = SecurityKind.INJECTION_FLAGGED
        SecurityEventTable(transaction).add([SecurityEvent(kind, at, at, actor, scope, "", 1)])


def _event(row: Row) -> SecurityEvent:
    try:
        kind = SecurityKind(cast(str, row[0]))
    except ValueError:
        raise StoreCorrupt from None
    return SecurityEvent(
        kind=kind,
        first_at=stored_time(row[1]),
        last_at=stored_time(row[2]),
        actor=cast(str, row[3]),
        scope=cast(str, row[4]),
        code=cast(str, row[5]),
        count=cast(int, row[6]),
    )
