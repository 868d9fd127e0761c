"""Where an approximate index is kept between processes: a file that may vanish at any time."""

from contextlib import suppress
from pathlib import Path

from engram.errors import VectorRefused
from engram.storage.vectors.contract import VectorIndex
from engram.storage.vectors.spaces import Space


def cached_index(path: Path, space: Space) -> VectorIndex | None:
    """The index that a cache file holds of this space; None when there is none to rely on."""
    from engram.storage.vectors.ann import CacheHeader, load_cached

    wanted = CacheHeader(
        space.identity, space.generation, space.dimension or 0, space.vectors, space.highest
    )
    found = load_cached(path, wanted)
    return found[0] if found is not None else None


def save_index(path: Path, space: Space, index: VectorIndex, highest: int) -> int:
    """Keep an approximate index; returns how many vectors the file holds then.

    A file that cannot be written is no trouble: the next process builds the index anew.
    """
    if index.name != "ann" or not len(index):
        return 0
    from engram.storage.vectors.ann import AnnIndex, CacheHeader

    if not isinstance(index, AnnIndex):
        raise VectorRefused
    header = CacheHeader(
        space.identity, space.generation, space.dimension or 0, len(index), highest
    )
    with suppress(OSError):
        index.save(path, header)
    return len(index)
