"""Stores of made-up conversations, built once and kept where the next run finds them."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from pathlib import Path

import apsw
import numpy as np
from numpy.typing import NDArray

from benchmarks.conversations import turns
from benchmarks.figures import Figure, named_size, timed
from engram import Engram, Scope
from engram.memory.scopes import Principal, Reach

_AT_ONCE = 20_000
_PATIENCE_SECONDS = 600.0
# Where the first answer is not what is measured, it may take as long as it takes.
PATIENT = {"recall": {"timeout_seconds": _PATIENCE_SECONDS}}
_BUILT = "built.json"  # written last: without it a store was left half made


@dataclass(frozen=True, slots=True)
class Kept:
    """A store of so many memories, and how long it took to build."""

    folder: Path
    count: int
    writing_seconds: float
    embedding_seconds: float

    @property
    def path(self) -> Path:
        return self.folder / "store"

    @property
    def bare_path(self) -> Path:
        """The same texts in a bare full-text table."""
        return self.folder / "bare.db"

    def figures(self) -> list[Figure]:
        """How fast it was built."""
        size = named_size(self.count)
        written, embedded = self.count / self.writing_seconds, self.count / self.embedding_seconds
        return [
            Figure(f"remember_many of {size}, 100 scopes", written, "/s", None, "", "", True),
            Figure(f"embedding {size} by hashing", embedded, "/s", None, "", "", True),
        ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class KeptVectors:
    """Every vector of a store, for what is exact."""

    ids: NDArray[np.int64]
    numbers: NDArray[np.int64]  # the memory each belongs to
    matrix: NDArray[np.float32]


def kept_store(folder: Path, count: int) -> Kept:
    """The store of that size in a folder, built when it is not there."""
    place = folder / f"conversations-{count}"
    built = place / _BUILT
    if not built.exists():
        if place.exists():
            raise SystemExit(f"{place} was left half made: remove it, and it is built anew.")
        place.mkdir(parents=True)
        kept = _build(place, count)
        told = {name: value for name, value in asdict(kept).items() if name != "folder"}
        built.write_text(json.dumps(told), encoding="utf-8")
    return Kept(place, **json.loads(built.read_text(encoding="utf-8")))


def _build(place: Path, count: int) -> Kept:
    """Written first without an embedder and embedded then, so that each is timed by itself."""
    kept = Kept(place, count, 0.0, 0.0)
    with Engram.open(kept.path, settings={"embedder": {"kind": "none"}}) as engram:
        items = (turn.as_item() for turn in turns(count))
        writing = 0.0
        while some := list(islice(items, _AT_ONCE)):
            writing += timed(partial(engram.remember_many, some))
        engram.upkeep.configure("embedder.kind", "hashing")
    with Engram.open(kept.path) as engram:
        embedding = timed(engram.upkeep.embed)
    _build_bare(kept)
    return Kept(place, count, writing, embedding)


def _build_bare(kept: Kept) -> None:
    connection = apsw.Connection(str(kept.bare_path))
    connection.execute(
        "CREATE VIRTUAL TABLE bare USING fts5 "
        "(text, tokenize = 'porter unicode61 remove_diacritics 2')"
    )
    with connection:
        rows = ((turn.text,) for turn in turns(kept.count))
        connection.executemany("INSERT INTO bare (text) VALUES (?)", rows)
    connection.close()


@contextmanager
def opened(kept: Kept, *, embedder: str = "hashing") -> Iterator[Engram]:
    """A store as one sees it who sees all of it; loading it may take as long as it takes."""
    settings = {**PATIENT, "embedder": {"kind": embedder}}
    everywhere = Principal.orchestrator(Scope())
    with Engram.open(kept.path, settings=settings, principal=everywhere) as engram:
        yield engram


def vectors_of(engram: Engram) -> KeptVectors:
    """All vectors of the space that answers."""
    store = engram._parts.store
    with store.read(Reach(()), timeout_seconds=_PATIENCE_SECONDS) as see:
        space = see.derived.space_states()[0]
        ids, numbers = np.empty((2, space.vectors), dtype=np.int64)
        matrix = np.empty((space.vectors, space.dimension or 0), dtype=np.float32)
        done = 0
        while done < space.vectors:
            after = int(ids[done - 1]) if done else 0
            page = see.derived.vectors_after(space, after, limit=_AT_ONCE)
            end = done + len(page)
            ids[done:end], numbers[done:end], matrix[done:end] = page.ids, page.numbers, page.matrix
            done = end
    return KeptVectors(ids, numbers, matrix)
