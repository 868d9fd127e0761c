"""Where recalled pieces go: those that stand there already stay, the others come before the last
message, and now and then all is laid out anew."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from engram.context.budget import RECALLED
from engram.context.pack import Packed, pack
from engram.context.piece import TAG, Piece, wording
from engram.context.standing import Standing
from engram.memory.fencing import harmless

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Placed:
    """The pieces of each section at the beginning of the prompt, and before its last message."""

    standing: Standing
    fresh: Mapping[str, tuple[Packed, ...]]
    overview: tuple[str, ...] = ()

    def all(self, section: str) -> tuple[Packed, ...]:
        """All pieces of a section."""
        return (*self.standing.of(section), *self.fresh[section])

    def all_lines(self, section: str) -> tuple[str, ...]:
        """All lines of a section."""
        return (*self.front_lines(section), *self.tail_lines(section))

    def front_lines(self, section: str) -> tuple[str, ...]:
        """What stands at the beginning."""
        return tuple(each.line for each in self.standing.of(section))

    def tail_lines(self, section: str) -> tuple[str, ...]:
        """What comes before the last message."""
        lines = tuple(each.line for each in self.fresh[section])
        return (*lines, *self.overview) if section == RECALLED else lines


def place(
    pieces: Mapping[str, Sequence[Piece]],
    granted: Mapping[str, int],
    standing: Standing | None,
    overview: Sequence[str],
    *,
    count: Count,
    most_fresh: int,
) -> Placed:
    """Put each section's pieces within its room; without a session all come before the message."""
    if standing is None:
        packed = {name: tuple(pack(each, granted[name], count)) for name, each in pieces.items()}
        placed = Placed(Standing(), packed)
    else:
        beside = _beside(pieces, granted, standing, count)
        placed = _settled(beside, most_fresh) if beside else _anew(pieces, granted, count)
    if overview and not placed.all(RECALLED):
        return Placed(placed.standing, placed.fresh, _overview(overview, granted[RECALLED], count))
    return placed


def _beside(
    pieces: Mapping[str, Sequence[Piece]],
    granted: Mapping[str, int],
    standing: Standing,
    count: Count,
) -> Placed | None:
    """What is new beside what stands; None: nothing stands, or there is no room for it."""
    if not standing.packed:
        return None
    fresh: dict[str, tuple[Packed, ...]] = {}
    for name, offered in pieces.items():
        kept = standing.of(name)
        texts = {each.piece.key: each.piece.text for each in kept}
        left = granted[name] - sum(each.tokens for each in kept)
        if left < 0 or any(texts.get(each.key, each.text) != each.text for each in offered):
            return None
        there = {wording(text) for text in texts.values()}
        wanted = [
            each
            for each in offered
            if wording(each.text) not in there
            and not any(each.tells_same_as(other.piece) for other in kept)
        ]
        fresh[name] = tuple(pack(wanted, left, count))
    return Placed(standing, fresh)


def _settled(placed: Placed, most_fresh: int) -> Placed:
    """What came up joins what stands once it has grown too much to be read anew every time."""
    if sum(each.tokens for found in placed.fresh.values() for each in found) <= most_fresh:
        return placed
    joining = tuple(
        (name, each) for name, found in placed.fresh.items() for each in found if each.tier != TAG
    )
    rest = {
        name: tuple(each for each in found if each.tier == TAG)
        for name, found in placed.fresh.items()
    }
    return Placed(Standing((*placed.standing.packed, *joining)), rest)


def _anew(
    pieces: Mapping[str, Sequence[Piece]], granted: Mapping[str, int], count: Count
) -> Placed:
    packed = tuple(
        (name, each)
        for name, offered in pieces.items()
        for each in pack(offered, granted[name], count)
    )
    return Placed(Standing(packed), dict.fromkeys(pieces, ()))


def _overview(levels: Sequence[str], room: int, count: Count) -> tuple[str, ...]:
    """The most detailed level of what is known altogether that there is room for."""
    for text in levels:
        line = f"- all in all: {harmless(text)}"
        if text and count(f"{line}\n") <= room:
            return (line,)
    return ()
