"""Counts over time, read off the states and the changes that dreams made."""

from collections.abc import Mapping
from datetime import datetime
from typing import cast

from engram.memory.dreams.growth import NightCount
from engram.memory.record import Memory
from engram.memory.scopes import Reach
from engram.memory.times import to_micros
from engram.storage.database import Row, Transaction, Value, stored_time
from engram.storage.part_readers import reach_parameters
from engram.storage.rows import memory_from_row


class GrowthReader:
    """How what is in reach grew."""

    def __init__(self, transaction: Transaction, reach: Reach) -> None:
        self._transaction = transaction
        self._reach = reach_parameters(reach)

    def moves(self) -> list[tuple[int, str, int]]:
        """Day, status, and by how many memories of it there were more or, below 0, fewer."""
        return [
            (cast(int, day), cast(str, status), cast(int, added))
            for day, status, added in self._rows("state_moves", {})
        ]

    def learned(self) -> dict[int, int]:
        """How many memories were learned on each day."""
        rows = self._rows("learned_by_day", {})
        return {cast(int, day): cast(int, count) for day, count in rows}

    def nights(self, since: datetime | None, *, limit: int) -> list[NightCount]:
        """What the last dreams decided that still stands, oldest first."""
        bounds: dict[str, Value] = {"since": to_micros(since) if since else None, "limit": limit}
        found: dict[str, tuple[datetime, dict[str, int]]] = {}
        for dream, at, action, count in self._rows("decisions_by_dream", bounds):
            _, actions = found.setdefault(cast(str, dream), (stored_time(at), {}))
            actions[cast(str, action)] = cast(int, count)
        nights = (NightCount(dream, at, actions) for dream, (at, actions) in found.items())
        return sorted(nights, key=lambda each: (each.at, each.id))

    def in_use(self, *, limit: int) -> list[Memory]:
        """The memories that can be recalled, newest first."""
        return [memory_from_row(row) for row in self._rows("memories_in_use", {"limit": limit})]

    def _rows(self, query: str, parameters: Mapping[str, Value]) -> list[Row]:
        return self._transaction.rows(query, {**self._reach, **parameters})
