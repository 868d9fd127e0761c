"""A transaction that can be told to end early: for what reads much in the background."""

from collections.abc import Callable, Sequence

from engram.errors import StoreClosed
from engram.memory.people import Person
from engram.storage.database import Parameters, Row, Transaction
from engram.storage.vault import Vault


class StoppableTransaction:
    """Asks before each statement whether to go on; refuses where the store is being closed."""

    def __init__(self, transaction: Transaction, is_stopped: Callable[[], bool]) -> None:
        self._transaction = transaction
        self._is_stopped = is_stopped

    def rows(self, query: str, parameters: Parameters) -> list[Row]:
        """All rows of a named query."""
        return self._going_on().rows(query, parameters)

    def run(self, query: str, parameters: Parameters) -> None:
        """A named statement that returns nothing."""
        self._going_on().run(query, parameters)

    def insert(self, query: str, parameters: Parameters) -> int:
        """A named INSERT; returns the new row's key."""
        return self._going_on().insert(query, parameters)

    def changed(self) -> int:
        """How many rows the last statement altered."""
        return self._going_on().changed()

    def vault(self) -> Vault:
        """The keys of persons."""
        return self._going_on().vault()

    def seal(self, text: str, people: Sequence[Person]) -> str:
        """A sealed text, for a column for text."""
        return self._going_on().seal(text, people)

    def seal_bytes(self, content: bytes, people: Sequence[Person]) -> bytes:
        """Sealed bytes, for a column for bytes."""
        return self._going_on().seal_bytes(content, people)

    def veil(self) -> None:
        """From now on what is sealed reads as nothing."""
        self._going_on().veil()

    def _going_on(self) -> Transaction:
        if self._is_stopped():
            raise StoreClosed
        return self._transaction
