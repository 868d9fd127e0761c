"""An approximate index (usearch's HNSW), for those who set it; may miss a neighbour.

Its graph can be kept in a cache file. That file is never trusted: it is only taken when its header
names this very space, generation and count and its checksum is right, and made anew otherwise.
"""

import hashlib
import json
import os
import secrets
import stat
import threading
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engram.errors import VectorRefused
from engram.storage.vectors.contract import (
    Fetch,
    Ids,
    Mask,
    Matrix,
    Neighbours,
    allowed_positions,
    best,
    check_query,
    check_rows,
    nothing,
)
from engram.storage.vectors.flat import cosines
from engram.storage.vectors.rows import GrowingRows

if TYPE_CHECKING:
    from usearch.index import Index

_MAGIC = b"ENGRAM-VECTORS-1\n"
_DIGEST_BYTES = 32
_HEADER_BYTES = 4
_LONGEST_HEADER = 65_536
_ID_BYTES = 8
_GRAPH_BYTES = 2_048  # of one vector's place in the graph: some 200, and more for a few
_EXACT_UP_TO = 20_000  # with no more allowed than this, they are compared one by one
_WIDTH = 16  # usearch's own default
_EFFORT_ADDING = 128  # likewise
_EFFORT_SEARCHING = 256  # four times its default: recall matters more here than a millisecond
_MORE = 4  # how many times more than wanted are looked at, for exact comparison


@dataclass(frozen=True, slots=True)
class CacheHeader:
    """What a cache file claims to hold."""

    identity: str
    generation: int
    dimension: int
    count: int
    highest: int

    def begins(self, other: "CacheHeader") -> bool:
        """Whether this is of the same vectors as the other, or of the first of them."""
        mine = (self.identity, self.generation, self.dimension)
        theirs = (other.identity, other.generation, other.dimension)
        return mine == theirs and 0 < self.count <= other.count and self.highest <= other.highest


class AnnIndex:
    """A graph of near vectors in half precision."""

    name = "ann"
    is_sketch = True

    def __init__(
        self, dimension: int, graph: "Index | None" = None, ids: Ids | None = None
    ) -> None:
        self._dimension = dimension
        self._lock = threading.Lock()
        self._graph = _fresh(dimension) if graph is None else graph
        self._ids = GrowingRows((), np.dtype(np.int64))
        if ids is not None:
            self._ids.append(ids)
        self._seen = self._ids.view

    def add(self, ids: Ids, vectors: Matrix) -> None:
        """Add vectors under ids that are not in use."""
        check_rows(ids, vectors, self._dimension)
        with self._lock:
            if len(ids):
                self._graph.add(ids.astype(np.uint64), vectors)
            self._ids.append(ids)
            self._seen = self._ids.view

    def search(
        self, query: Matrix, k: int, allowed: Mask | None = None, fetch: Fetch | None = None
    ) -> Neighbours:
        """Nearly the k nearest of the allowed ones, by exact cosines."""
        check_query(query, self._dimension)
        ids = self._seen
        positions = allowed_positions(len(ids), allowed)
        if k < 1 or len(positions) == 0:
            return nothing()
        if len(positions) > max(_EXACT_UP_TO, _MORE * k):
            positions = self._near(query, k, ids, positions)
        positions = positions[np.argsort(ids[positions], kind="stable")]
        found, vectors = (fetch or self._fetch)(ids[positions])
        positions = positions[np.isin(ids[positions], found)]
        return best(found, positions, cosines(vectors, query), k)

    def _near(
        self, query: Matrix, k: int, ids: Ids, positions: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Positions near the question; where too few of them are allowed, all allowed ones."""
        share = len(positions) / len(ids)
        with self._lock:
            matches = self._graph.search(query, min(len(ids), int(_MORE * k / share) + k))
        allowed = ids[positions]
        near = np.flatnonzero(np.isin(allowed, matches.keys.astype(np.int64)))
        return positions[near] if len(near) >= min(k, len(positions)) else positions

    def _fetch(self, ids: Ids) -> tuple[Ids, Matrix]:
        with self._lock:
            return ids, self._vectors(ids)

    def _vectors(self, ids: Ids) -> Matrix:
        if not len(ids):
            return np.empty((0, self._dimension), dtype=np.float32)
        found = np.asarray(self._graph.get(ids.astype(np.uint64)))
        return found.astype(np.float32).reshape(len(ids), self._dimension)

    @property
    def ids(self) -> Ids:
        """The ids, in the order of positions."""
        return self._seen

    def __len__(self) -> int:
        return len(self._seen)

    def save(self, path: Path, header: CacheHeader) -> None:
        """Write the graph to a cache file: whole and private, or not at all."""
        with self._lock:
            body = self._seen.astype("<i8").tobytes() + bytes(self._graph.save() or b"")
        text = json.dumps(asdict(header)).encode()
        content = _MAGIC + len(text).to_bytes(_HEADER_BYTES, "little") + text + body
        temporary = path.with_name(f".tmp-{secrets.token_hex(8)}.cache")
        try:
            handle = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(_checksum(content) + content)
                file.flush()
                os.fsync(handle)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


def load_cached(path: Path, wanted: CacheHeader) -> tuple[AnnIndex, CacheHeader] | None:
    """The index of a cache file that holds the beginning of what is wanted; None on any doubt.

    Whoever asks compares its ids with those of the database before using it.
    """
    with suppress(OSError, ValueError, TypeError, KeyError, RuntimeError):
        content = _contents(path, most=_largest(wanted))
        digest, content = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
        if digest != _checksum(content) or not content.startswith(_MAGIC):
            return None
        rest = content[len(_MAGIC) :]
        size = int.from_bytes(rest[:_HEADER_BYTES], "little")
        if size > _LONGEST_HEADER:
            return None
        header = CacheHeader(**json.loads(rest[_HEADER_BYTES : _HEADER_BYTES + size]))
        if not header.begins(wanted):
            return None
        index = _restored(rest[_HEADER_BYTES + size :], header)
        return (index, header) if index is not None else None
    return None


def _contents(path: Path, *, most: int) -> bytes:
    """What a regular file holds; a link, a device, or one larger than it can be is not read."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(handle, "rb") as file:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode) or found.st_size > most:
            return b""
        return file.read(most)


def _largest(wanted: CacheHeader) -> int:
    per_vector = _ID_BYTES + 2 * wanted.dimension + _GRAPH_BYTES
    return _DIGEST_BYTES + len(_MAGIC) + _LONGEST_HEADER + _GRAPH_BYTES + wanted.count * per_vector


def _restored(body: bytes, header: CacheHeader) -> AnnIndex | None:
    end = _ID_BYTES * header.count
    ids = np.frombuffer(body[:end], dtype="<i8").astype(np.int64)
    graph = _fresh(header.dimension)
    graph.load(body[end:])
    if len(graph) != header.count or len(ids) != header.count or graph.ndim != header.dimension:
        return None
    return AnnIndex(header.dimension, graph, ids)


def _checksum(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST_BYTES).digest()


def _fresh(dimension: int) -> "Index":
    # usearch 2.26 makes a process crash that loads onnxruntime after it; the other way round both
    # work. The embedder may be loaded later, so onnxruntime comes first wherever it is installed.
    with suppress(ImportError):
        import onnxruntime  # type: ignore[import-untyped]  # noqa: F401  # for its effect
    try:
        from usearch.index import Index
    except ImportError as error:
        raise VectorRefused(hint="Install the extra `ann`, or set embedder.index.") from error
    return Index(
        ndim=dimension,
        metric="cos",
        dtype="f16",
        connectivity=_WIDTH,
        expansion_add=_EFFORT_ADDING,
        expansion_search=_EFFORT_SEARCHING,
    )
