"""What the store needs of a database engine: named queries inside transactions."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Protocol, cast

from engram.errors import StoreCorrupt
from engram.memory.people import Person
from engram.memory.times import from_micros
from engram.storage.vault import Vault

if TYPE_CHECKING:
    from engram.storage.place import Scrubber

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
        """All rows of a named query; a column named `sealable_…` comes unsealed.

        Where a key is gone, or the caller is veiled, it reads as an empty text.
        """
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

    def vault(self) -> Vault:
        """The keys of persons, as they are since this transaction first asked."""
        ...

    def seal(self, text: str, people: Sequence[Person]) -> str:
        """A sealed text, for a column for text; `rows` gives it unsealed where it is sealable."""
        ...

    def seal_bytes(self, content: bytes, people: Sequence[Person]) -> bytes:
        """Sealed bytes, for a column for bytes."""
        ...

    def veil(self) -> None:
        """From now on what is sealed reads as nothing, whatever keys there are."""
        ...


class Database(Protocol):
    """An engine with many readers and one writer at a time."""

    def reading(self, timeout_seconds: float) -> AbstractContextManager[Transaction]:
        """A read transaction: a snapshot that writers do not disturb."""
        ...

    def writing(self) -> AbstractContextManager[Transaction]:
        """A write transaction: durable when the block ends, undone when it raises."""
        ...

    def scrubber(self) -> "Scrubber":
        """What cleans a database that has no place of its own of what was erased."""
        ...

    def match_expression(self, terms: Sequence[Sequence[str]]) -> str:
        """Any of these terms, in the engine's own full-text language."""
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...
