"""Picks the index for a number of vectors: exact while that is quick, sign bits above."""

from engram.storage.vectors.contract import VectorIndex
from engram.storage.vectors.flat import FlatIndex

FLAT_UP_TO = 20_000  # vectors: 30 MB in single precision, and under 5 ms to compare with all


def index_kind(wanted: str, count: int) -> str:
    """Which index a space of so many vectors is searched by."""
    if wanted != "auto":
        return wanted
    return "flat" if count <= FLAT_UP_TO else "bits"


def make_index(kind: str, dimension: int) -> VectorIndex:
    """An empty index of that kind."""
    if kind == "flat":
        return FlatIndex(dimension)
    if kind == "ann":
        from engram.storage.vectors.ann import AnnIndex

        return AnnIndex(dimension)
    from engram.storage.vectors.bits import SignBitIndex

    return SignBitIndex(dimension)
