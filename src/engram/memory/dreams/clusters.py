"""Groups of vectors that are near each other, found block by block.

All vectors are of unit length, so that a product is a cosine. The same rows in the same order
always give the same groups. Nearness runs in chains ("near" to "near" to far away), so whoever acts
on a group wants one with a centre that every member is near to.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
Places = NDArray[np.intp]
Group = tuple[int, ...]
"""Places of rows in a matrix, in their order."""

_BLOCK = 512  # rows at a time: some milliseconds of work each, and little memory
MOST_PAIRS = 2_000_000  # rows that are all alike have n² of them, which nobody wants to hold


def _go_on() -> None:
    """Who needs no pauses."""


def stacked(vectors: Mapping[int, Vectors], numbers: Sequence[int]) -> tuple[Group, Vectors]:
    """The vectors of some memories as rows, and whose they are; who has none is left out."""
    present = tuple(number for number in numbers if number in vectors)
    if not present:
        return (), np.zeros((0, 0), dtype=np.float32)
    return present, np.stack([vectors[number] for number in present]).astype(np.float32)


def centre_of(matrix: Vectors) -> Vectors:
    """The direction in the middle of some rows, of unit length; zero when they cancel out."""
    middle = matrix.mean(axis=0, dtype=np.float64)
    length = float(np.linalg.norm(middle))
    return np.asarray(middle / (length or 1.0), dtype=np.float32)


def neighbour_pairs(
    matrix: Vectors,
    threshold: float,
    *,
    start: int = 0,
    most: int = MOST_PAIRS,
    block: int = _BLOCK,
    breathe: Callable[[], None] = _go_on,
) -> Places:
    """The pairs of rows nearer than the threshold, the smaller place first, in order of the second.

    With `start` only pairs with a row from there on: what was added, against everything. Of more
    than `most` pairs the first ones are given.
    """
    found: list[Places] = []
    count = 0
    for begin in range(start, len(matrix), block):
        rows = matrix[begin : begin + block]
        near = rows @ matrix[: begin + len(rows)].T > threshold
        # Each pair once: a row is compared with those before it.
        near &= np.arange(near.shape[1])[None, :] < (begin + np.arange(len(rows)))[:, None]
        later, earlier = np.nonzero(near)
        found.append(np.stack([earlier, later + begin], axis=1))
        count += len(later)
        breathe()
        if count >= most:
            break
    return np.concatenate(found)[:most] if found else np.zeros((0, 2), dtype=np.intp)


def groups(count: int, pairs: Places) -> list[Group]:
    """What hangs together by pairs, also by way of others; each alone that hangs with nothing."""
    labels = np.arange(count)
    first, second = pairs[:, 0], pairs[:, 1]
    while len(pairs):
        before = labels.copy()
        lowest = np.minimum(labels[first], labels[second])
        np.minimum.at(labels, labels[first], lowest)
        np.minimum.at(labels, labels[second], lowest)
        labels = labels[labels]
        if np.array_equal(before, labels):
            break
    return _by_label(labels)


def _by_label(labels: Places) -> list[Group]:
    """The places of each label, those in the order of their first place."""
    order = np.argsort(labels, kind="stable")
    cuts = np.flatnonzero(np.diff(labels[order])) + 1
    return sorted(tuple(each.tolist()) for each in np.split(order, cuts) if len(each))


def near_centre(matrix: Vectors, places: Sequence[int], threshold: float) -> Group:
    """Those of some rows that are nearer than the threshold to their common centre.

    Whoever is farthest goes first, and the centre is taken anew without them, until all are near;
    one alone is near to itself.
    """
    kept = np.asarray(places, dtype=np.intp)
    while len(kept) > 1:
        likeness = matrix[kept] @ centre_of(matrix[kept])
        far = int((likeness <= threshold).sum())
        if not far:
            break
        # One by one would be exact and, of thousands that hardly belong together, slow.
        gone = np.argsort(likeness, kind="stable")[: max(1, far // 4)]
        kept = np.delete(kept, gone)
    return tuple(kept.tolist())
