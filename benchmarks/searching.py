"""Search among vectors alone: each kind of index beside an exact scan, whole and in one scope."""

from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.conversations import SCOPES, questions, scope_of, scope_place, turns
from benchmarks.figures import Figure, middle, named_size, timed
from benchmarks.stores import PATIENT, Kept, KeptVectors, opened, vectors_of
from engram import Engram, Scope
from engram.errors import VectorRefused
from engram.memory.scopes import Reach
from engram.providers.hashing import HashingEmbedder
from engram.storage.vectors.choose import make_index
from engram.storage.vectors.contract import Fetch, Neighbours, VectorIndex

_QUESTIONS = 100
_HITS = 10
_ROUNDING = 1e-5
_ONE_OF_THE_SCOPES = 7
_PAGE = 5_000
_PATIENCE_SECONDS = 600.0
_SCAN = "NumPy exact scan"
Matrix = NDArray[np.float32]
Mask = NDArray[np.bool_]


def measure(kept: Kept) -> list[Figure]:
    """Every index there is, and what is found in a hundredth of the store."""
    queries = HashingEmbedder().embed(questions(_QUESTIONS, among=kept.count))
    size = named_size(kept.count)
    with opened(kept) as engram:
        held = vectors_of(engram)
        store = engram._parts.store
        with store.read(Reach(()), timeout_seconds=_PATIENCE_SECONDS) as see:
            space = see.derived.space_states()[0]

            def fetch(ids: NDArray[np.int64]) -> tuple[NDArray[np.int64], Matrix]:
                return see.derived.vectors_by_id(space, ids)

            found = _indexes(held, queries, fetch, size)
            mask = _mask_of(held, kept.count)
            found += [_in_one_scope(held, queries, fetch, mask, size)]
    return found


def _mask_of(held: KeptVectors, count: int) -> Mask:
    """The vectors of one scope: memories are numbered in the order in which they were told."""
    places = [scope_place(number - 1, among=count) for number in held.numbers.tolist()]
    mask: Mask = np.array(places) == _ONE_OF_THE_SCOPES
    share = np.count_nonzero(mask) / len(mask)
    assert 0.5 / SCOPES < share < 2 / SCOPES, "this is not a hundredth of the vectors"
    return mask


def _indexes(held: KeptVectors, queries: Matrix, fetch: Fetch, size: str) -> list[Figure]:
    exact = [_tenth(held, query) for query in queries]
    scan = middle([timed(partial(_tenth, held, query)) for query in queries]) * 1000
    figures = []
    for kind in ("flat", "bits", "ann"):
        with suppress(VectorRefused):  # `ann` is an extra, and may not be installed
            index = _filled(kind, held)
            figures += _figures(index, queries, exact, fetch, scan, size)
    return figures


def _filled(kind: str, held: KeptVectors) -> VectorIndex:
    index = make_index(kind, held.matrix.shape[1])
    for start in range(0, len(held.ids), _PAGE):
        index.add(held.ids[start : start + _PAGE], held.matrix[start : start + _PAGE])
    return index


def _figures(
    index: VectorIndex,
    queries: Matrix,
    exact: list[float],
    fetch: Fetch,
    scan: float,
    size: str,
) -> list[Figure]:
    took, shares = [], []
    for query, wanted in zip(queries, exact, strict=True):
        took.append(timed(partial(index.search, query, _HITS, None, fetch)) * 1000)
        near = index.search(query, _HITS, None, fetch)
        shares.append(_share(near, wanted))
    recalled = float(np.mean(shares))
    name = f"vectors of {size}, {index.name}"
    # A graph may miss some, and says so where it is chosen; the other two promise not to.
    bar = 0.0 if index.name == "ann" else 0.99
    return [
        Figure(f"{name}: p50", middle(took), "ms", scan, _SCAN, "", True),
        Figure(f"{name}: recall@10", recalled, "of exact", None, "", f"≥ {bar}" if bar else "",
               recalled >= bar),
    ]  # fmt: skip


def _tenth(held: KeptVectors, query: Matrix, mask: Mask | None = None) -> float:
    """How near the last of the nearest ten is, when each is compared."""
    similarities = held.matrix @ query
    if mask is not None:
        similarities = similarities[mask]
    return float(np.partition(similarities, len(similarities) - _HITS)[len(similarities) - _HITS])


def _share(near: Neighbours, tenth: float) -> float:
    """How many of the found are among the nearest ten; of equally near ones, any will do."""
    return float(np.count_nonzero(near.similarities >= tenth - _ROUNDING)) / _HITS


def _in_one_scope(
    held: KeptVectors, queries: Matrix, fetch: Fetch, mask: Mask, size: str
) -> Figure:
    index = _filled("bits", held)
    shares = []
    for query in queries:
        near = index.search(query, _HITS, mask, fetch)
        shares.append(_share(near, _tenth(held, query, mask)))
    recalled = float(np.mean(shares))
    return Figure(
        f"vectors of 1 of 100 scopes at {size}: recall@10", recalled, "of exact", None, "",
        "≥ 0.99", recalled >= 0.99,
    )  # fmt: skip


def measure_scope(kept: Kept, folder: Path) -> list[Figure]:
    """Whether the caller of one small scope is served as well as in a store of its own."""
    scope, size = scope_of(_ONE_OF_THE_SCOPES), named_size(kept.count)
    own = [turn for turn in turns(kept.count) if turn.scope == scope]
    asked = questions(_QUESTIONS, among=kept.count, seed=8)
    settings = {**PATIENT, "embedder": {"kind": "hashing"}}
    with Engram.open(folder / f"alone-{kept.count}", settings=settings) as alone:
        alone.remember_many([turn.as_item() for turn in own])
        alone.upkeep.embed()
        theirs = [_texts(alone, question, scope) for question in asked]
    with Engram.open(kept.path, settings=settings) as shared:
        ours = [_texts(shared, question, scope) for question in asked]
    alike = [
        len(set(mine) & set(wanted)) / len(wanted)
        for mine, wanted in zip(ours, theirs, strict=True)
        if wanted
    ]
    full = sum(len(mine) >= len(wanted) for mine, wanted in zip(ours, theirs, strict=True))
    share, same = full / len(asked), float(np.mean(alike))
    hits = float(np.mean([len(mine) for mine in ours]))
    name = f"recall in 1 of 100 scopes at {size}"
    return [
        Figure(f"{name}: as many hits as in a store of its own", share, "of questions", None, "",
               "= 1", share == 1.0),
        Figure(f"{name}: the same hits", same, "of them", None, "", "≥ 0.99", same >= 0.99),
        Figure(f"{name}: hits per question", hits, "of 10", None, "", "", True),
    ]  # fmt: skip


def _texts(engram: Engram, question: str, scope: Scope) -> list[str]:
    return [hit.memory.content for hit in engram.recall(question, limit=_HITS, scope=scope)]
