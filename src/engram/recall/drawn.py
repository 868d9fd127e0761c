"""Shows what was said once: a turn, or what was drawn from it, and not both."""

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from engram.memory.record import Memory


class Placed(Protocol):
    """A memory in its place of a ranking."""

    @property
    def memory(self) -> Memory:
        """The memory."""
        ...


_Placed = TypeVar("_Placed", bound=Placed)


def once_each(ranked: Sequence[_Placed], sources: Mapping[int, Sequence[int]]) -> list[_Placed]:
    """The ranking with one of each turn and what was drawn from it, the best first.

    Where several statements of one turn are asked for, the turn says them all: it stands in the
    place of the first of them, if it is in the ranking too.
    """
    by_number = {each.memory.number: each for each in ranked}
    drawn: dict[int, int] = {}  # how many statements of a turn are ranked
    for each in ranked:
        for turn in sources.get(each.memory.number, ()):
            drawn[turn] = drawn.get(turn, 0) + 1
    told: set[int] = set()
    kept: list[_Placed] = []
    for each in ranked:
        turns = sources.get(each.memory.number) or [each.memory.number]
        fresh = [turn for turn in turns if turn not in told]
        if not fresh:
            continue
        told.update(turns)
        whole = by_number.get(fresh[0])
        kept.append(whole if whole is not None and drawn.get(fresh[0], 0) > 1 else each)
    return kept


def in_whole(
    told: Sequence[_Placed], ranked: Sequence[_Placed], sources: Mapping[int, Sequence[int]]
) -> list[_Placed]:
    """For each that is told, the turn it was drawn from, if that is ranked, else itself."""
    by_number = {each.memory.number: each for each in ranked}
    return [
        next((by_number[turn] for turn in sources.get(each.memory.number, ()) if turn in by_number),
             each)
        for each in told
    ]  # fmt: skip
