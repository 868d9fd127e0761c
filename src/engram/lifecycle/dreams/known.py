"""What the passes of one dream look at in one scope, read once as long as nothing changes."""

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.storage.reader import StoreReader

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engram.storage.vectors.reader import StatePosition


class Known:
    """The statements of a scope and their vectors, kept until a state of the store changes."""

    def __init__(self, scope: Scope, now: datetime, *, limit: int) -> None:
        self._scope = scope
        self._now = now
        self._limit = limit
        self._position: StatePosition | None = None
        self._statements: tuple[Memory, ...] = ()
        self._vectors: Mapping[int, NDArray[np.float32]] | None = None

    def statements(self, see: StoreReader) -> tuple[Memory, ...]:
        """What can be recalled: no turns, and nothing that dreams derived; oldest first."""
        position = see.derived.position()
        if position != self._position:
            found = see.dreams.statements(self._scope, self._now, limit=self._limit)
            self._statements, self._vectors, self._position = tuple(found), None, position
        return self._statements

    def vectors(self, see: StoreReader) -> "Mapping[int, NDArray[np.float32]]":
        """The vectors of the statements that have one, by number; none without an embedder."""
        statements = self.statements(see)
        if self._vectors is None:
            wordings = {each.number: each.version for each in statements}
            found = see.derived.answering_vectors(wordings)
            self._vectors = found[1] if found is not None else {}
        return self._vectors
