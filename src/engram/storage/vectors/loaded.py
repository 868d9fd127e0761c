"""The vectors of the space that answers, held in memory and kept in step with the database."""

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engram.storage.database import Row
from engram.storage.vectors.cache import cached_index, save_index
from engram.storage.vectors.choose import FLAT_UP_TO, index_kind, make_index
from engram.storage.vectors.contract import Ids, Mask, Matrix, Neighbours, VectorIndex
from engram.storage.vectors.reader import VectorPage, VectorReader
from engram.storage.vectors.rows import GrowingRows
from engram.storage.vectors.spaces import Space, answering

_ITSELF = 0.99  # the cosine of a vector with itself, half precision allowed for
_PAGE = 5_000  # rows per read: what is read at once stays under 20 MB


class _Signature(NamedTuple):
    """What tells in one small row whether the vectors of a space are those that are held."""

    space: int
    generation: int
    recoded: int
    highest: int
    vectors: int

    @classmethod
    def of(cls, space: Space) -> "_Signature":
        return cls(space.space, space.generation, space.recoded, space.highest, space.vectors)

    @property
    def age(self) -> tuple[int, int, int]:
        """None of these ever goes back: what is less was seen earlier."""
        return self.generation, self.recoded, self.highest


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """A view of the vectors that are held; rows added later do not show in it."""

    space: Space
    index: VectorIndex
    ids: Ids
    numbers: NDArray[np.int64]  # parallel to ids: the memory,
    versions: NDArray[np.int64]  # the version of its wording,
    parts: NDArray[np.int64]  # and which part of that

    def search(
        self, derived: VectorReader, query: Matrix, k: int, allowed: Mask | None = None
    ) -> Neighbours:
        """The k nearest vectors among the allowed ones; `allowed` is parallel to `ids`."""
        if allowed is None and len(self.index) > len(self.ids):
            allowed = np.ones(len(self.ids), dtype=np.bool_)  # what came since is not in this view
        return self.index.search(
            query, k, allowed, lambda ids: derived.vectors_by_id(self.space, ids)
        )

    def __len__(self) -> int:
        return len(self.ids)


class _Held:
    """One index and, beside it, the wordings its vectors belong to."""

    def __init__(self, space: Space, index: VectorIndex) -> None:
        self.space = space
        self.index = index
        self._places = GrowingRows((4,), np.dtype(np.int64), axis=1)
        self.last_place: Row | None = None
        self.saved = 0  # how many vectors the cache file holds

    def adopt(self, places: NDArray[np.int64]) -> None:
        """Take down the wordings of vectors that the index has already."""
        self._places.append(places)

    def add(self, page: VectorPage) -> None:
        self.index.add(page.ids, page.matrix)
        self._places.append(np.stack([page.ids, page.numbers, page.versions, page.parts]))

    @property
    def last_id(self) -> int:
        places = self._places.view
        return int(places[0, -1]) if places.shape[1] else 0

    def __len__(self) -> int:
        return len(self._places)

    def view(self) -> Neighbourhood:
        ids, numbers, versions, parts = self._places.view
        return Neighbourhood(self.space, self.index, ids, numbers, versions, parts)


class LoadedVectors:
    """Loads when first asked, reads only what was added since, and begins anew on any doubt.

    Nothing here is canonical and nothing is written back: a process that dies loses no vector, and
    rows that were altered behind its back are noticed by their count, generation or last row.
    """

    def __init__(
        self, kind: Callable[[], str], cache: Callable[[], Path | None] = lambda: None
    ) -> None:
        self._kind = kind
        # Where an approximate index may be kept; None: nowhere. Asked each time, since a store
        # can be encrypted while it is open.
        self._cache = cache
        self.loads = 0  # how often it was read from the beginning
        self._start()

    def _start(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._signature: _Signature | None = None
        self._view: Neighbourhood | None = None
        self._held: _Held | None = None

    def refresh(self, derived: VectorReader) -> Neighbourhood | None:
        """The vectors as the reader's view of the database has them; None without any."""
        if os.getpid() != self._process:
            self._start()  # a forked child: a thread of the parent may have been in the middle
        space = answering(derived.space_states())
        if space is None or (space.dimension is None and not space.vectors):
            return None
        signature = _Signature.of(space)
        view = self._view
        if signature == self._signature and view is not None:
            return view
        with self._lock:
            if signature != self._signature or self._view is None:
                self._catch_up(derived, space, signature)
            return self._view

    def forget(self) -> None:
        """Let go of everything, as after a restore: ids may mean something else now."""
        with self._lock:
            self._signature = self._view = self._held = None

    def _catch_up(self, derived: VectorReader, space: Space, signature: _Signature) -> None:
        if self._is_of_the_past(signature):
            return  # a reader whose view is older than what is held: what is held serves it too
        held = self._held
        if held is None or not self._can_go_on(held, derived, space, signature):
            held = self._begin(space, derived)
        was_held = held is self._held
        _read_on(held, derived, space)
        if len(held) != signature.vectors and was_held:
            held = self._begin(space, derived)
            _read_on(held, derived, space)
        if held.index.name != index_kind(self._kind(), len(held)):
            held = self._begin(space, derived, count=len(held))
            _read_on(held, derived, space)
        held.space = space
        held.last_place = derived.vector_place(space, held.last_id)
        self._held, self._view, self._signature = held, held.view(), signature
        self._save(held)

    def _is_of_the_past(self, signature: _Signature) -> bool:
        mine = self._signature
        return mine is not None and signature.space == mine.space and signature.age < mine.age

    def _can_go_on(
        self, held: _Held, derived: VectorReader, space: Space, signature: _Signature
    ) -> bool:
        """Whether what is held is the beginning of what is there.

        Vectors that are in other bits now are no reason to read all of them anew, as long as only
        sketches are held: what these find is compared by the vectors as they are in the database.
        """
        mine = self._signature
        if mine is None or (mine.space, mine.generation) != (signature.space, signature.generation):
            return False
        place = derived.vector_place(space, held.last_id)
        if mine.recoded == signature.recoded:
            return place == held.last_place
        return held.index.is_sketch and _wording(place) == _wording(held.last_place)

    def _begin(self, space: Space, derived: VectorReader, count: int | None = None) -> _Held:
        """An empty index, or what a cache file holds if the database agrees with every id of it."""
        self.loads += 1
        kind = index_kind(self._kind(), space.vectors if count is None else count)
        path = self._cache() if kind == "ann" else None
        cached = cached_index(path, space) if path is not None else None
        if cached is not None:
            places = derived.vector_places_after(space, 0, limit=len(cached))
            if np.array_equal(places[0], cached.ids):
                held = _Held(space, cached)
                held.adopt(places)
                held.saved = len(cached)
                return held
        return _Held(space, make_index(kind, space.sound_dimension))

    def _save(self, held: _Held) -> None:
        """Keep an approximate index, which takes long to build, when it has grown by a fifth."""
        if 5 * len(held) <= 6 * held.saved:
            return
        path = self._cache()
        if path is not None:
            held.saved = save_index(path, held.space, held.index, held.last_id)

    def finds_itself(self, derived: VectorReader) -> bool:
        """Whether the last vector of the space is found by itself; True where there is none.

        Many vectors that nobody has needed yet are not loaded for this.
        """
        space = answering(derived.space_states())
        if self._view is None and space is not None and space.vectors > FLAT_UP_TO:
            return True
        view = self.refresh(derived)
        if view is None or not len(view):
            return True
        last = view.ids[-1:]
        found, rows = derived.vectors_by_id(view.space, last)
        if not len(found):
            return False
        nearest = view.search(derived, rows[0], 1)
        return len(nearest) == 1 and nearest.similarities[0] > _ITSELF


def _wording(place: Row | None) -> Row | None:
    """The number, version and part of a vector, without its bits and bytes."""
    return None if place is None else place[:3]


def _read_on(held: _Held, derived: VectorReader, space: Space) -> None:
    while True:
        page = derived.vectors_after(space, held.last_id, limit=_PAGE)
        if len(page):
            held.add(page)
        if len(page) < _PAGE:
            return
