"""What several sequences share, in the same order: how the steps of a skill are found."""

from collections.abc import Hashable, Sequence
from functools import reduce
from itertools import product
from math import prod
from typing import TypeVar

_Item = TypeVar("_Item", bound=Hashable)

# Up to so many combinations of places all are looked at, and what is found is the longest there
# is. Beyond, sequences are compared pair by pair, which may miss some of it.
MOST_COMBINATIONS = 60_000


def longest_shared(sequences: Sequence[Sequence[_Item]]) -> tuple[_Item, ...]:
    """The longest sequence that stands in all of them, gaps allowed; of equals the earliest."""
    if not sequences:
        return ()
    if prod(len(each) + 1 for each in sequences) <= MOST_COMBINATIONS:
        return _of_all(sequences)
    return reduce(lambda one, other: _of_all((one, other)), sequences[1:], tuple(sequences[0]))


def _of_all(sequences: Sequence[Sequence[_Item]]) -> tuple[_Item, ...]:
    """Look at all places together, from the ends to the beginnings."""
    lengths: dict[tuple[int, ...], int] = {}
    for places in product(*(range(len(each), -1, -1) for each in sequences)):
        lengths[places] = _length_from(places, sequences, lengths)
    return _way(tuple(0 for _ in sequences), sequences, lengths)


def _length_from(
    places: tuple[int, ...],
    sequences: Sequence[Sequence[_Item]],
    lengths: dict[tuple[int, ...], int],
) -> int:
    if any(place == len(each) for place, each in zip(places, sequences, strict=True)):
        return 0
    if _is_one(places, sequences):
        return 1 + lengths[_all_on(places)]
    return max(lengths[further] for further in _one_on(places))


def _way(
    places: tuple[int, ...],
    sequences: Sequence[Sequence[_Item]],
    lengths: dict[tuple[int, ...], int],
) -> tuple[_Item, ...]:
    found: list[_Item] = []
    while lengths[places]:
        if _is_one(places, sequences):
            found.append(sequences[0][places[0]])
            places = _all_on(places)
        else:
            places = max(_one_on(places), key=lengths.__getitem__)
    return tuple(found)


def _is_one(places: tuple[int, ...], sequences: Sequence[Sequence[_Item]]) -> bool:
    first = sequences[0][places[0]]
    return all(each[place] == first for place, each in zip(places, sequences, strict=True))


def _all_on(places: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(place + 1 for place in places)


def _one_on(places: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [
        (*places[:index], places[index] + 1, *places[index + 1 :]) for index in range(len(places))
    ]


def places_of(wanted: Sequence[_Item], sequence: Sequence[_Item]) -> list[int] | None:
    """Where the items of one sequence stand in another, in order, each as early as can be."""
    found: list[int] = []
    start = 0
    for item in wanted:
        try:
            place = sequence.index(item, start)
        except ValueError:
            return None
        found.append(place)
        start = place + 1
    return found
