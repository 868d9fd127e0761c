"""Which pieces go in at which length: the most that is worth reading for the tokens there are.

Lengthening a piece is one step after another: tag, key fact, summary, full. Steps are taken in the
order of what they add for what they cost, so that one long story does not keep out ten facts and
under pressure everything gets shorter before anything disappears.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engram.context.piece import FIDELITY, FULL, Piece

Count = Callable[[str], int]
_GROUND = 0.02  # what any piece is worth beside its score: recall has let it through


@dataclass(frozen=True, slots=True)
class Packed:
    """A piece at the length it was given."""

    piece: Piece
    tier: str
    line: str
    tokens: int


@dataclass(frozen=True, slots=True)
class _Step:
    density: float
    rank: int  # of the piece
    place: int  # of the length, from the shortest
    extra: int


def pack(pieces: Sequence[Piece], room: int, count: Count) -> list[Packed]:
    """The pieces that fit, in their order, each at the best length that there is room for."""
    if room <= 0 or not pieces:
        return []
    whole: list[Packed] = []
    left = room
    for piece in pieces:
        line = piece.full_line()
        takes = count(f"{line}\n")
        left -= takes
        if left < 0:
            return _by_worth(pieces, room, count)
        whole.append(Packed(piece, FULL, line, takes))
    return whole


def needed(pieces: Sequence[Piece], count: Count) -> int:
    """What all of them would take at full length."""
    return sum(count(f"{piece.full_line()}\n") for piece in pieces)


def _by_worth(pieces: Sequence[Piece], room: int, count: Count) -> list[Packed]:
    lengths = [_lengths(piece, room, count) for piece in pieces]
    steps = sorted(
        (step for rank, each in enumerate(lengths) for step in _steps(rank, pieces[rank], each)),
        key=lambda step: (-step.density, step.rank, step.place),
    )
    reached = [-1] * len(pieces)
    left = room
    for step in steps:
        # A step costs what it adds to the last one that was really taken.
        before = lengths[step.rank][reached[step.rank]].tokens if reached[step.rank] >= 0 else 0
        extra = lengths[step.rank][step.place].tokens - before
        if step.place > reached[step.rank] and extra <= left:
            left -= extra
            reached[step.rank] = step.place
    _fill_up(lengths, reached, left)
    return [
        lengths[rank][place]
        for rank, place in enumerate(reached)
        if place >= 0
    ]  # fmt: skip


def _fill_up(lengths: Sequence[Sequence[Packed]], reached: list[int], left: int) -> None:
    """Give what is left to pieces that are out, in their order, at whatever length fits.

    A length that nobody would choose beside a longer one is better than nothing.
    """
    for rank, each in enumerate(lengths):
        if reached[rank] >= 0:
            continue
        fitting = [place for place, packed in enumerate(each) if packed.tokens <= left]
        if fitting:
            reached[rank] = fitting[-1]
            left -= each[fitting[-1]].tokens


def _lengths(piece: Piece, room: int, count: Count) -> list[Packed]:
    """The lengths of a piece from the shortest, each dearer than the one before."""
    found: list[Packed] = []
    for tier, line in reversed(piece.lines()):
        takes = count(f"{line}\n")
        if takes > room:
            break
        while found and found[-1].tokens >= takes:
            found.pop()  # says less and costs as much
        found.append(Packed(piece, tier, line, takes))
    return found


def _steps(rank: int, piece: Piece, lengths: Sequence[Packed]) -> list[_Step]:
    """Each lengthening by what it adds per token; one that adds more than the one before it comes
    together with that one, since nobody would stop between."""
    steps: list[_Step] = []
    worth, cost = 0.0, 0
    for place, each in enumerate(lengths):
        gain = (piece.score + _GROUND) * FIDELITY[each.tier] - worth
        extra = max(1, each.tokens - cost)
        density = gain / extra
        while steps and steps[-1].density < density:
            last = steps.pop()
            gain += last.density * last.extra
            extra += last.extra
            density = gain / extra
        steps.append(_Step(density, rank, place, extra))
        worth, cost = (piece.score + _GROUND) * FIDELITY[each.tier], each.tokens
    return steps
