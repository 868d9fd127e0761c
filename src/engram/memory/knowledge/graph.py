"""The graph of who and what is known: strands to follow, and what is found at their ends.

A strand is a belief in short: thousands of them are looked at to find a few, and only those few are
read in full.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

from engram.errors import InvalidInput
from engram.memory.knowledge.belief import Node
from engram.memory.knowledge.relations import read_relation
from engram.memory.times import FOREVER


class Direction(StrEnum):
    """Which way a relation is followed, from where one stands."""

    OUT = "out"
    IN = "in"
    BOTH = "both"

    @property
    def reversed(self) -> "Direction":
        """The same seen from the other end."""
        return _REVERSED[self]


_REVERSED = {
    Direction.OUT: Direction.IN,
    Direction.IN: Direction.OUT,
    Direction.BOTH: Direction.BOTH,
}


def read_direction(value: object) -> Direction:
    """A direction as callers name it."""
    try:
        return Direction(value)  # type: ignore[arg-type]  # what is none of them is refused
    except ValueError:
        raise InvalidInput(hint=f"`direction` is one of: {', '.join(Direction)}.") from None


class Strand(NamedTuple):
    """A belief in short, with the ids of both ends."""

    number: int
    source: str
    relation: str
    target: str
    confidence: float
    epistemic: str = ""  # its JSON; read only where somebody asks for the grounds
    valid_from: int | None = None  # microseconds
    valid_until: int | None = None


Way = tuple[Strand, ...]


class Trail(NamedTuple):
    """A node that was come to, and by which way."""

    node_id: str
    way: Way
    confidence: float

    @property
    def order(self) -> tuple[int, float, str]:
        """Nearer before further, then what is surer."""
        return len(self.way), -self.confidence, self.node_id


@dataclass(frozen=True, slots=True)
class Leg:
    """Along what one goes: some relations or any, in which direction, past how large nodes.

    A node in which more than `most` edges meet is not gone through.
    """

    relations: tuple[str, ...] | None = None
    direction: Direction = Direction.BOTH
    most: int | None = None


def read_leg(relation: object, direction: object) -> Leg:
    """A leg as callers name it: the name from the other end means the same the other way round."""
    way = read_direction(direction)
    if relation is None:
        return Leg(None, way)
    read = read_relation(relation, is_custom=True)
    if read.rule.is_symmetric:
        way = Direction.BOTH
    return Leg((read.rule.name,), way.reversed if read.is_reversed else way)


class Sight(Protocol):
    """A graph as somebody sees it at some moments."""

    def strands(self, node_ids: Collection[str], leg: Leg) -> Iterable[Strand]:
        """The strands that a leg can take from these nodes."""

    def nodes(self, node_ids: Collection[str]) -> Mapping[str, Node]:
        """The nodes of these ids that can be seen."""


class Graph:
    """A graph held whole: what was gathered once, to draw many conclusions from."""

    def __init__(self, strands: Iterable[Strand], nodes: Iterable[Node] = ()) -> None:
        self._out: dict[str, list[Strand]] = {}
        self._in: dict[str, list[Strand]] = {}
        for strand in strands:
            self._out.setdefault(strand.source, []).append(strand)
            self._in.setdefault(strand.target, []).append(strand)
        self._nodes = {node.id: node for node in nodes}

    def strands(self, node_ids: Collection[str], leg: Leg) -> list[Strand]:
        """The strands that a leg can take from these nodes."""
        sides = {
            Direction.OUT: (self._out,),
            Direction.IN: (self._in,),
            Direction.BOTH: (self._out, self._in),
        }[leg.direction]
        found = {
            strand: None
            for side in sides
            for node in node_ids
            if leg.most is None or self._edges_at(node) <= leg.most
            for strand in side.get(node, ())
            if leg.relations is None or strand.relation in leg.relations
        }
        return list(found)

    def _edges_at(self, node: str) -> int:
        return len(self._out.get(node, ())) + len(self._in.get(node, ()))

    def nodes(self, node_ids: Collection[str]) -> dict[str, Node]:
        """The nodes of these ids."""
        return {each: self._nodes[each] for each in node_ids if each in self._nodes}


def gathered(starts: Collection[str], leg: Leg, sight: Sight, *, hops: int) -> Graph:
    """The strands on all ways of at most so many hops: asked for once, followed at leisure."""
    known: dict[Strand, None] = {}
    seen: set[str] = set()
    latest = set(starts)
    for _ in range(hops):
        if not latest:
            break
        seen |= latest
        found = sight.strands(latest, leg)
        ends = {end for strand in found for end in (strand.source, strand.target)}
        known.update(dict.fromkeys(found))
        latest = ends - seen
    return Graph(known)


def steps_from(
    strand: Strand, node_ids: Collection[str], direction: Direction
) -> Iterable[tuple[str, str]]:
    """The steps, from one end to the other, that begin at one of these nodes."""
    if direction is not Direction.IN and strand.source in node_ids:
        yield strand.source, strand.target
    if direction is not Direction.OUT and strand.target in node_ids:
        yield strand.target, strand.source


def is_surer(one: Trail, other: Trail | None) -> bool:
    """Whether one of two ways to the same node is to be told; among equals the older beliefs."""
    if other is None or one.confidence != other.confidence:
        return other is None or one.confidence > other.confidence
    return _numbers(one) < _numbers(other)


def _numbers(trail: Trail) -> tuple[int, ...]:
    return tuple(strand.number for strand in trail.way)


def validity(way: Iterable[Strand]) -> tuple[int, int]:
    """When everything on a way holds: from, until; it may never."""
    start, end = -FOREVER, FOREVER
    for strand in way:
        start = max(start, -FOREVER if strand.valid_from is None else strand.valid_from)
        end = min(end, FOREVER if strand.valid_until is None else strand.valid_until)
    return start, end
