"""Which memories of a scope have vectors, and in how many bits these are kept."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import cast

from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.storage.database import Transaction, Value
from engram.storage.rows import memory_from_row
from engram.storage.vectors.spaces import Space


@dataclass(frozen=True, slots=True)
class HeldVector:
    """One vector of a memory: of which version's wording, in how many bits (None: all of them)."""

    id: int
    number: int
    version: int
    bits: int | None
    is_waiting: bool  # whether its wording waits to be embedded anew


class HeldVectorReader:
    """Memories that have vectors, through one caller's reach."""

    def __init__(self, transaction: Transaction, reach: Mapping[str, Value]) -> None:
        self._transaction = transaction
        self._reach = reach

    def memories_after(self, space: Space, scope: Scope, after: int, *, limit: int) -> list[Memory]:
        """The next memories of a scope that have a vector, by number, whatever their status."""
        wanted: dict[str, Value] = {
            "space": space.space, "scope": scope.path, "after": after, "limit": limit,
        }  # fmt: skip
        rows = self._transaction.rows("embedded_memories", {**self._reach, **wanted})
        return [memory_from_row(row) for row in rows]

    def of(self, space: Space, memories: Iterable[Memory]) -> list[HeldVector]:
        """The vectors of memories that were read here, by number."""
        listed = ",".join(str(each.number) for each in memories)
        wanted: dict[str, Value] = {"space": space.space, "numbers": f"[{listed}]"}
        return [
            HeldVector(
                cast(int, id_), cast(int, number), cast(int, version), cast("int | None", bits),
                bool(waits),
            )
            for id_, number, version, bits, waits in self._transaction.rows("held_vectors", wanted)
        ]  # fmt: skip
