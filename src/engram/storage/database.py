"""What the store needs of a database engine: named queries inside transactions."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol, cast

from engram.errors import StoreCorrupt
from engram.memory.times import from_micros

Value = str | int | float | bytes | None
Row = Sequence[Value]
# By name, or in the order in which the names first appear in the query: faster where it counts.
Parameters = Mapping[str, Value] | Sequence[Value]


def stored_time(value: Value) -> datetime:
    """The time of a stored integer; one that no clock can show is damage."""
    try:
        return from_micros(cast(int, value))
    except (OverflowError, TypeError):
        raise StoreCorrupt from None


class Transaction(Protocol):
    """One consistent view of the database, or one set of changes to it."""

    def rows(self, query: str, parameters: Parameters) -> list[Row]:
        """All rows of a named query."""
        ...

    def run(self, query: str, parameters: Parameters) -> None:
        """A named statement that returns nothing."""
        ...

    def insert(self, query: str, parameters: Parameters) -> int:
        """A named INSERT; returns the new row's key."""
        ...

    def changed(self) -> int:
        """How many rows the last statement altered."""
        ...


class Database(Protocol):
    """An engine with many readers and one writer at a time."""

    def reading(self, timeout_seconds: float) -> AbstractContextManager[Transaction]:
        """A read transaction: a snapshot that writers do not disturb."""
        ...

    def writing(self) -> AbstractContextManager[Transaction]:
        """A write transaction: durable when the block ends, undone when it raises."""
        ...

    def match_expression(self, terms: Sequence[Sequence[str]]) -> str:
        """Any of these terms, in the engine's own full-text language."""
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...
