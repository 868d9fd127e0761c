"""What is asked about: memories much used, when each was last said again, what was asked when."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.memory.times import to_micros
from engram.storage.database import Row, Transaction, Value, stored_time
from engram.storage.rows import memory_from_row


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that was put: about which gap, in which session, when."""

    gap: str
    session: str
    at: datetime


class QuestionReader:
    """What was asked, and what there is to ask about, seen through one caller's reach."""

    def __init__(self, transaction: Transaction, reach: Mapping[str, Value]) -> None:
        self._transaction = transaction
        self._reach = reach

    def much_used(self, scope: Scope, *, uses: int, limit: int) -> list[Memory]:
        """The statements of a scope that were used at least so often, also those gone stale."""
        asked: dict[str, Value] = {"scope": scope.path, "uses": uses, "limit": limit}
        return [memory_from_row(row) for row in self._rows("much_used_memories", asked)]

    def last_confirmed(self, numbers: Iterable[int]) -> dict[int, datetime]:
        """When each of these memories was last said again; those that never were are left out."""
        listed: dict[str, Value] = {"numbers": f"[{','.join(map(str, numbers))}]"}
        rows = self._rows("last_confirmed", listed)
        return {cast(int, number): stored_time(at) for number, at in rows}

    def asked(self, *, since: datetime, session: str) -> list[Asked]:
        """What was asked since a moment, and all that was asked in a session."""
        wanted: dict[str, Value] = {"since": to_micros(since), "session": session}
        return [
            Asked(cast(str, gap), cast(str, where), stored_time(at))
            for gap, where, at in self._rows("asked_questions", wanted)
        ]

    def _rows(self, query: str, parameters: Mapping[str, Value]) -> list[Row]:
        return self._transaction.rows(query, {**self._reach, **parameters})


def note_question(transaction: Transaction, scope: Scope, asked: Asked) -> None:
    """Keep that a question was put."""
    transaction.run(
        "note_question",
        {
            "scope": scope.path,
            "gap": asked.gap,
            "session": asked.session,
            "at": to_micros(asked.at),
        },
    )
