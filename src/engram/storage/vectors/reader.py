"""What of the derived rows can be read: numbers, marks and vectors of the whole store.

There is no reach here, and that is safe for one reason: only the indexes in this process's memory
are made of it. What they find are numbers, and every number goes through a scoped query of
`StoreReader` before a memory is seen by anybody. No text and no id of a memory is read here.
"""

import json
from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from engram.errors import StoreCorrupt, VectorRefused
from engram.storage.audit_chain import the_row
from engram.storage.database import Row, Transaction, Value
from engram.storage.vectors.encoding import comparable, read_vectors
from engram.storage.vectors.spaces import Space, SpaceFill, fill_of, read_spaces


@dataclass(frozen=True, slots=True)
class VectorPage:
    """Some vectors of a space in order of their ids, and the wordings they belong to."""

    ids: NDArray[np.int64]
    numbers: NDArray[np.int64]
    versions: NDArray[np.int64]
    parts: NDArray[np.int64]
    matrix: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.ids)


class WordingPage(NamedTuple):
    """States of memories as recall's table in memory needs them: one tuple per column, parallel.

    By columns, since a store has many rows and what is done to a whole column is done quickly.
    """

    states: tuple[int, ...]
    numbers: tuple[int, ...]
    versions: tuple[int, ...]
    scopes: tuple[str, ...]
    statuses: tuple[str, ...]
    sessions: tuple[str | None, ...]
    speakers: tuple[str | None, ...]
    source_classes: tuple[str, ...]
    happened_at: tuple[int, ...]  # microseconds, as are the ends of record time
    recorded_until: tuple[int | None, ...]
    tokens: tuple[bytes | None, ...]  # None: protected text, not derived yet, or damaged
    flags: tuple[int | None, ...]
    is_lacking: tuple[int, ...]  # 1: readable, and yet its tokens are missing or damaged


class StatePosition(NamedTuple):
    """How far the states and the audit go; what happens later lies beyond."""

    state: int
    audit: int


class VectorReader:
    """Reads derived rows within one transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def space_states(self) -> list[Space]:
        """Every space, the one that answers first; few and small, so cheap to ask each time."""
        return read_spaces(self._transaction)

    def pending_count(self, space: Space) -> SpaceFill:
        """How many wordings wait in a space."""
        return fill_of(self._transaction, space)

    def vectors_after(self, space: Space, after: int, *, limit: int) -> VectorPage:
        """The next vectors of a space above an id."""
        rows = self._transaction.rows(
            "vectors_after", {"after": after, "space": space.space, "limit": limit}
        )
        numbers = np.array([row[:4] for row in rows], dtype=np.int64).reshape(len(rows), 4)
        matrix = _compared([row[4] for row in rows], [row[5] for row in rows], space)
        return VectorPage(numbers[:, 0], numbers[:, 1], numbers[:, 2], numbers[:, 3], matrix)

    def vector_places_after(self, space: Space, after: int, *, limit: int) -> NDArray[np.int64]:
        """Ids, numbers, versions and parts of the next vectors: four rows, one column each."""
        rows = self._transaction.rows(
            "vector_places_after", {"after": after, "space": space.space, "limit": limit}
        )
        return np.array(rows, dtype=np.int64).reshape(len(rows), 4).T

    def vectors_by_id(
        self, space: Space, ids: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Those of these vectors that are there, in order of id."""
        wanted: dict[str, Value] = {"ids": json.dumps(ids.tolist())}
        rows = self._transaction.rows("vectors_by_id", wanted)
        found = np.array([row[0] for row in rows], dtype=np.int64)
        return found, _compared([row[1] for row in rows], [row[2] for row in rows], space)

    def first_vectors(
        self, space: Space, wordings: dict[int, int]
    ) -> dict[int, NDArray[np.float32]]:
        """The vector of each memory's whole wording, for those that have one in this version."""
        wanted: dict[str, Value] = {
            "space": space.space,
            "numbers": f"[{','.join(map(str, wordings))}]",
        }
        rows = [
            row
            for row in self._transaction.rows("first_vectors", wanted)
            if wordings[cast(int, row[0])] == row[1]
        ]
        matrix = _matrix([row[2] for row in rows], [row[3] for row in rows], space)
        return {cast(int, row[0]): vector for row, vector in zip(rows, matrix, strict=True)}

    def answering_vectors(
        self, wordings: dict[int, int]
    ) -> tuple[Space, dict[int, NDArray[np.float32]]] | None:
        """The same in the space that answers; None where there is none, or its vectors are damaged:
        who asks here can do without, and they are made anew from the words."""
        spaces = self.space_states()
        if not spaces or spaces[0].dimension is None:
            return None
        try:
            return spaces[0], self.first_vectors(spaces[0], wordings)
        except (VectorRefused, StoreCorrupt):
            return None

    def vector_place(self, space: Space, vector_id: int) -> Row | None:
        """The wording a vector belongs to, in how many bits it is, and its bytes."""
        rows = self._transaction.rows("vector_place", {"id": vector_id, "space": space.space})
        return tuple(rows[0]) if rows else None

    def wordings_after(self, state: int, *, limit: int) -> WordingPage | None:
        """The next states of all memories, present and past, in their order; None behind the last.

        What cannot be told by their columns (a number where there should be text) is for the
        reader of the page to notice.
        """
        rows = self._transaction.rows("wordings_after", {"after": state, "limit": limit})
        return WordingPage(*zip(*rows, strict=True)) if rows else None

    def states_closed_after(self, position: int) -> list[tuple[int, int]]:
        """States closed since a position of the audit, with the end of their record time."""
        rows = self._transaction.rows("states_closed_after", {"after": position})
        return [(cast(int, state), cast(int, until)) for state, until in rows]

    def have_tiers_moved_after(self, position: int) -> bool:
        """Whether a memory was protected more or less since a position of the audit."""
        return bool(the_row(self._transaction.rows("tiers_moved_after", {"after": position}))[0])

    def position(self) -> StatePosition:
        """How far states and audit go now: equal positions mean that nothing was changed."""
        state, audit = the_row(self._transaction.rows("state_position", {}))
        return StatePosition(cast(int, state), cast(int, audit))


def _compared(blobs: list[Value], bits: list[Value], space: Space) -> NDArray[np.float32]:
    """Rows that questions are compared with."""
    return comparable(_matrix(blobs, bits, space), cast("list[int | None]", bits))


def _matrix(blobs: list[Value], bits: list[Value], space: Space) -> NDArray[np.float32]:
    """Rows of length one, as memories are compared with each other."""
    dimension = space.sound_dimension
    if not blobs:
        return np.empty((0, dimension), dtype=np.float32)
    kinds, stored = cast("list[int | None]", bits), cast("list[bytes]", blobs)
    if all(stored):
        return read_vectors(stored, kinds, space.precision, dimension)
    return _with_gaps(stored, kinds, space.precision, dimension)


def _with_gaps(
    blobs: list[bytes], bits: list[int | None], precision: str, dimension: int
) -> NDArray[np.float32]:
    """The same where keys are gone: such a row keeps its place, and points nowhere in particular.

    What it finds is left out when the memory itself turns out to be unreadable.
    """
    matrix = np.zeros((len(blobs), dimension), dtype=np.float32)
    matrix[:, 0] = 1.0
    places = [place for place, blob in enumerate(blobs) if blob]
    if places:
        some = [blobs[place] for place in places]
        matrix[places] = read_vectors(some, [bits[place] for place in places], precision, dimension)
    return matrix
