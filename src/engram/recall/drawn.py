"""Shows what was said once: a statement with its turn as the source, or the turn, never both."""

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from engram.memory.record import Memory

_AS_GOOD = 0.8  # of the first statement's score: another statement of its turn is shown too
_ENOUGH = 0.25  # of its turn's score: a statement that matches as well as this stands for the turn


class Placed(Protocol):
    """A memory in its place of a ranking."""

    @property
    def memory(self) -> Memory:
        """The memory."""
        ...

    @property
    def score(self) -> float:
        """How good it is; comparable within one ranking."""
        ...


_Placed = TypeVar("_Placed", bound=Placed)


def once_each(
    ranked: Sequence[_Placed], sources: Mapping[int, Sequence[int]]
) -> list[tuple[_Placed, _Placed]]:
    """Each find once: what is shown, and whose place in the ranking it takes.

    A turn that is ranked before what was drawn from it is shown as the best statement of it, unless
    none of them matches nearly as well.
    """
    of_turn: dict[int, list[_Placed]] = {}
    for each in ranked:
        for turn in sources.get(each.memory.number, ()):
            of_turn.setdefault(turn, []).append(each)
    shown: set[int] = set()
    best: dict[int, float] = {}  # the score of the statement that a turn is shown by
    kept: list[tuple[_Placed, _Placed]] = []
    for each in ranked:
        number = each.memory.number
        turns = sources.get(number, ()) or (number,)
        if number in shown or _is_told(each, turns, best):
            continue
        drawn = of_turn.get(number, ())
        chosen = next((one for one in drawn if one.score >= _ENOUGH * each.score), each)
        kept.append((chosen, each))
        shown.update((number, chosen.memory.number))
        for turn in sources.get(chosen.memory.number, ()) or (number,):
            best.setdefault(turn, chosen.score)
    return kept


def _is_told(each: Placed, turns: Sequence[int], best: Mapping[int, float]) -> bool:
    """Whether its turn is shown already, by another statement that matches clearly better."""
    told = [best[turn] for turn in turns if turn in best]
    if len(told) < len(turns):
        return False
    return each.memory.number in best or each.score < _AS_GOOD * max(told)


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
