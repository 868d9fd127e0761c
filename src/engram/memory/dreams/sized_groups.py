"""Groups of bounded size: what is near goes together, and no group is a crumb or a heap.

Centres alone decide, so that a chain of neighbours never glues unlike things together. Everything
is in a fixed order and nothing is drawn by lot: the same rows give the same groups. Groups that are
known already stay as they are but for what came, what went, and what outgrew its bounds.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]

_ROUNDS = 4  # of moving centres; more hardly moves a row
_HALVING_ROUNDS = 3
_BLOCK = 1_000  # rows compared between two breaths


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many rows a group holds; the least at most half of the most, so that halves fit."""

    least: int
    usual: int
    most: int


@dataclass(frozen=True, slots=True)
class Group:
    """Some rows, ascending, and which of the known groups they were before; None: none."""

    rows: tuple[int, ...]
    origin: int | None = None


def _no_breath() -> None: ...


def grouped(
    matrix: Matrix,
    sizes: Sizes,
    *,
    seeds: Sequence[Matrix] = (),
    breathe: Callable[[], None] = _no_breath,
) -> list[Group]:
    """Put unit vectors into groups around centres, the first of them at the seeds."""
    if not len(matrix):
        return []
    wanted = max(1, round(len(matrix) / sizes.usual))
    nearest = _around(matrix, _first_centres(matrix, wanted, seeds), breathe)
    parts = [tuple(np.flatnonzero(nearest == place).tolist()) for place in np.unique(nearest)]
    return _settled(matrix, [Group(rows) for rows in parts], sizes, breathe)


def regrouped(
    matrix: Matrix,
    known: Sequence[Sequence[int]],
    sizes: Sizes,
    *,
    breathe: Callable[[], None] = _no_breath,
) -> list[Group]:
    """The known groups, with every row that is in none put where it is nearest."""
    groups = [Group(tuple(sorted(rows)), place) for place, rows in enumerate(known) if rows]
    if not groups:
        return grouped(matrix, sizes, breathe=breathe)
    taken = {row for group in groups for row in group.rows}
    loose = [row for row in range(len(matrix)) if row not in taken]
    return _settled(matrix, _joined(matrix, groups, loose), sizes, breathe)


def centres_of(matrix: Matrix, groups: Sequence[Sequence[int]]) -> Matrix:
    """The middle of each group, of unit length."""
    sums = np.zeros((len(groups), matrix.shape[1]), dtype=np.float32)
    for place, rows in enumerate(groups):
        sums[place] = matrix[list(rows)].sum(axis=0)
    return unit_rows(sums)


def unit_rows(matrix: Matrix) -> Matrix:
    """The rows at length one; what has no direction stays nothing."""
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.asarray(matrix / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)


def halves(matrix: Matrix, rows: Sequence[int], least: int) -> tuple[tuple[int, ...], ...]:
    """A group cut across its longest direction, neither half smaller than the least."""
    part = matrix[list(rows)]
    first = part[int(np.argmin(part @ part.mean(axis=0)))]
    second = part[int(np.argmin(part @ first))]
    for _ in range(_HALVING_ROUNDS):
        is_first = part @ first >= part @ second
        if is_first.all() or not is_first.any():
            break
        first, second = unit_rows(np.stack([part[is_first].mean(axis=0),
                                            part[~is_first].mean(axis=0)]))  # fmt: skip
    lead = part @ (first - second)
    order = np.argsort(-lead, kind="stable")
    cut = min(max(int(np.count_nonzero(lead >= 0)), least), len(rows) - least)
    chosen = [tuple(sorted(rows[place] for place in some)) for some in (order[:cut], order[cut:])]
    return tuple(sorted(chosen, key=lambda each: (-len(each), each)))


def _first_centres(matrix: Matrix, wanted: int, seeds: Sequence[Matrix]) -> Matrix:
    """The seeds, half of the centres at most, and rows from all over."""
    chosen = list(seeds[: wanted // 2])
    places = np.linspace(0, len(matrix) - 1, wanted - len(chosen)).astype(np.int64)
    return unit_rows(np.vstack([*(each[None, :] for each in chosen), matrix[places]]))


def _around(matrix: Matrix, centres: Matrix, breathe: Callable[[], None]) -> NDArray[np.int64]:
    """To which centre each row is nearest, after the centres have moved to their rows."""
    nearest = _nearest(matrix, centres, breathe)
    for _ in range(_ROUNDS - 1):
        order = np.argsort(nearest, kind="stable")
        places, starts = np.unique(nearest[order], return_index=True)
        centres = unit_rows(np.add.reduceat(matrix[order], starts, axis=0))
        moved = _nearest(matrix, centres, breathe)
        if len(places) == len(centres) and np.array_equal(places[moved], nearest):
            break
        nearest = moved
    return nearest


def _nearest(matrix: Matrix, centres: Matrix, breathe: Callable[[], None]) -> NDArray[np.int64]:
    found = np.empty(len(matrix), dtype=np.int64)
    for start in range(0, len(matrix), _BLOCK):
        found[start : start + _BLOCK] = np.argmax(
            matrix[start : start + _BLOCK] @ centres.T, axis=1
        )
        breathe()
    return found


def _settled(
    matrix: Matrix, groups: list[Group], sizes: Sizes, breathe: Callable[[], None]
) -> list[Group]:
    whole = _without_crumbs(matrix, groups, sizes.least, breathe)
    cut = [part for group in whole for part in _within(matrix, group, sizes)]
    return sorted(cut, key=lambda group: group.rows)


def _within(matrix: Matrix, group: Group, sizes: Sizes) -> Iterator[Group]:
    """The group, or its parts when it is too large; the largest goes on as what it was."""
    if len(group.rows) <= sizes.most:
        yield group
        return
    larger, smaller = halves(matrix, group.rows, sizes.least)
    yield from _within(matrix, Group(larger, group.origin), sizes)
    yield from _within(matrix, Group(smaller), sizes)


def _without_crumbs(
    matrix: Matrix, groups: list[Group], least: int, breathe: Callable[[], None]
) -> list[Group]:
    """The groups after those that are too small went where each of their rows is nearest."""
    standing = sorted(groups, key=lambda group: (len(group.rows), group.rows))
    while len(standing) > 1 and len(standing[0].rows) < least:
        crumbs = [group for group in standing if len(group.rows) < least]
        # Not all at once: what is left of a small store must have somewhere to go.
        gone = crumbs[: max(1, min(len(crumbs) // 2, len(standing) - 1))]
        rest = standing[len(gone) :]
        loose = sorted(row for group in gone for row in group.rows)
        standing = sorted(
            _joined(matrix, rest, loose), key=lambda each: (len(each.rows), each.rows)
        )
        breathe()
    return standing


def _joined(matrix: Matrix, groups: Sequence[Group], loose: Sequence[int]) -> list[Group]:
    if not loose:
        return list(groups)
    centres = centres_of(matrix, [group.rows for group in groups])
    nearest = np.argmax(matrix[list(loose)] @ centres.T, axis=1)
    added: dict[int, list[int]] = {}
    for row, place in zip(loose, nearest.tolist(), strict=True):
        added.setdefault(place, []).append(row)
    return [
        Group(tuple(sorted((*group.rows, *added.get(place, ())))), group.origin)
        for place, group in enumerate(groups)
    ]
