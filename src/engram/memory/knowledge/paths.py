"""Ways through the graph: routes that are laid out before they are gone, and how far one comes."""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import cast

from engram.errors import InvalidInput
from engram.language.names.keys import key_of
from engram.memory.activation import CAUSAL_HOPS, HOPS, MOST_AT_NODE, spread
from engram.memory.jsons import Json
from engram.memory.knowledge.belief import Node
from engram.memory.knowledge.epistemic import (
    CERTAIN,
    UNCERTAIN,
    Epistemic,
    read_epistemic,
    strength,
)
from engram.memory.knowledge.graph import (
    Direction,
    Leg,
    Sight,
    Strand,
    Trail,
    is_surer,
    read_leg,
    steps_from,
)
from engram.memory.links import CAUSAL
from engram.memory.record import check_share
from engram.memory.tagged import tag_of
from engram.text.strings import checked_name

MOST_STEPS = 8
MOST_HOPS = 5
KINDS = tuple(tag_of(kind) for kind in cast("tuple[type, ...]", Epistemic.__args__))
CERTAINTIES = ("certain", "uncertain")
_ANY = Leg()
_PAST_FEW = Leg(most=MOST_AT_NODE)
_CAUSAL = Leg(tuple(sorted(each.value for each in CAUSAL)), most=MOST_AT_NODE)


@dataclass(frozen=True, slots=True)
class Conditions:
    """What must hold of a step: of the node it comes to, and of the belief it goes by."""

    type: str | None = None
    label: str | None = None
    confidence: float | None = None  # at least
    epistemic: str | None = None  # a kind of grounds, or how certain they are

    @property
    def looks_at_nodes(self) -> bool:
        """Whether the node itself must be looked at."""
        return self.type is not None or self.label is not None

    def admits(self, node: Node) -> bool:
        """Whether a step may come to this node."""
        is_of_type = self.type is None or node.type == self.type
        return is_of_type and (self.label is None or self.label in (node.name, key_of(node.title)))

    def allows(self, strand: Strand) -> bool:
        """Whether a step may go by this belief."""
        if self.confidence is not None and strand.confidence < self.confidence:
            return False
        return self.epistemic is None or _is_of(strand.epistemic, self.epistemic)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a route."""

    leg: Leg
    conditions: Conditions = Conditions()


@dataclass(frozen=True, slots=True)
class Route:
    """Where one begins, and the steps from there. Every word added gives a route of its own."""

    start: str
    steps: tuple[Step, ...] = ()

    def follow(self, relation: str | None = None, direction: str = Direction.OUT) -> "Route":
        """The route with one step more, along a relation or along any."""
        if len(self.steps) >= MOST_STEPS:
            raise InvalidInput(hint=f"A path has at most {MOST_STEPS} steps.")
        return replace(self, steps=(*self.steps, Step(read_leg(relation, direction))))

    def where(
        self,
        *,
        type: str | None = None,  # noqa: A002  # it is what callers call it
        label: str | None = None,
        confidence: float | None = None,
        epistemic: str | None = None,
    ) -> "Route":
        """The route with conditions on its last step; several add up, one said again replaces."""
        if not self.steps:
            raise InvalidInput(hint="Say `follow` first: `where` is about the step before it.")
        given = {
            "type": None if type is None else checked_name(type, name="type").lower(),
            "label": None if label is None else key_of(checked_name(label, name="label")),
            "confidence": None if confidence is None
            else check_share(confidence, name="confidence"),
            "epistemic": None if epistemic is None else read_kind(epistemic),
        }  # fmt: skip
        last = self.steps[-1]
        said = {name: value for name, value in given.items() if value is not None}
        narrowed = replace(last.conditions, **said)  # type: ignore[arg-type]  # by their names
        return replace(self, steps=(*self.steps[:-1], replace(last, conditions=narrowed)))


def read_kind(value: object) -> str:
    """A kind of grounds as callers name it, or how certain grounds are to be."""
    if isinstance(value, str) and value in (*KINDS, *CERTAINTIES):
        return value
    raise InvalidInput(hint=f"`epistemic` is one of: {', '.join((*KINDS, *CERTAINTIES))}.")


def _is_of(epistemic: str, kind: str) -> bool:
    grounds = grounds_in(epistemic)
    if kind == "certain":
        return strength(grounds) > CERTAIN
    if kind == "uncertain":
        return strength(grounds) < UNCERTAIN
    return tag_of(type(grounds)) == kind


def grounds_in(text: str) -> Epistemic:
    """The grounds that a strand carries unread."""
    value: Json = json.loads(text)
    return read_epistemic(value)


def walk(starts: Collection[str], steps: Iterable[Step], sight: Sight) -> list[Trail]:
    """Where a route ends: each node once, by its surest way; no belief is gone by twice."""
    trails = {start: Trail(start, (), 1.0) for start in starts}
    for step in steps:
        allowed = [each for each in sight.strands(trails, step.leg) if step.conditions.allows(each)]
        trails = _furthered(trails, allowed, step.leg.direction)
        if step.conditions.looks_at_nodes:
            nodes = sight.nodes(trails)
            admits = step.conditions.admits
            trails = {each: trail for each, trail in trails.items()
                      if each in nodes and admits(nodes[each])}  # fmt: skip
        if not trails:
            break
    return sorted(trails.values(), key=lambda trail: trail.order)


def _furthered(
    trails: Mapping[str, Trail], strands: Iterable[Strand], direction: Direction
) -> dict[str, Trail]:
    """Every node one step on, by the surest way to it."""
    found: dict[str, Trail] = {}
    for strand in strands:
        for here, there in steps_from(strand, trails, direction):
            before = trails[here]
            if any(strand.number == gone.number for gone in before.way):
                continue
            trail = Trail(there, (*before.way, strand), before.confidence * strand.confidence)
            if is_surer(trail, found.get(there)):
                found[there] = trail
    return found


def around(starts: Collection[str], leg: Leg, sight: Sight, *, hops: int) -> list[Trail]:
    """Everything within so many hops: each node once, by its shortest way, the surest of those."""
    reached = {start: Trail(start, (), 1.0) for start in starts}
    latest = dict(reached)
    for _ in range(hops):
        further = _furthered(latest, sight.strands(latest, leg), leg.direction)
        latest = {each: trail for each, trail in further.items() if each not in reached}
        if not latest:
            break
        reached.update(latest)
    trails = (trail for trail in reached.values() if trail.way)
    return sorted(trails, key=lambda trail: trail.order)


def activated(
    seeds: Mapping[str, float],
    sight: Sight,
    *,
    hops: int = HOPS,
    causal_hops: int = CAUSAL_HOPS,
    enough: int | None = None,
) -> list[tuple[Trail, float]]:
    """What activation reaches from these nodes, strongest first, with the way it came by.

    The nodes it began at are among them, with an empty way unless another activates them more.
    Along causes and effects alone it comes further than along other relations, as among memories.
    When so many nodes are reached that they are `enough`, those further away are not looked for:
    they would be weaker, where all seeds are equally strong.
    """
    strands = _strands_around(seeds, sight, hops, causal_hops, enough)
    places = {node: place for place, node in enumerate(_places(seeds, strands))}
    between = _surest_between(strands)
    reached = spread(
        {places[node]: score for node, score in seeds.items()},
        ((places[one], places[other], strand.relation) for (one, other), strand in between.items()),
        hops=hops,
        causal_hops=causal_hops,
    )
    nodes = list(places)
    found = [
        (_trail([nodes[place] for place in active.path], between), active)
        for active in reached.values()
    ]
    found.sort(key=lambda each: (-each[1].score, each[0].order))
    return [(trail, active.score) for trail, active in found]


def _strands_around(
    seeds: Collection[str], sight: Sight, hops: int, causal_hops: int, enough: int | None
) -> list[Strand]:
    """The strands on all ways that activation may go: any for some hops, then causes alone.

    From where it begins it goes everywhere; on its way it does not pass through hubs.
    """
    known: dict[int, Strand] = {}
    seen: set[str] = set()
    latest = causal = set(seeds)
    for hop in range(max(hops, causal_hops)):
        is_any = hop < hops
        begun = latest if is_any else causal - seen
        if not begun:
            break
        seen |= begun
        leg = _ANY if hop == 0 else _PAST_FEW if is_any else _CAUSAL
        found = list(sight.strands(begun, leg))
        known.update((strand.number, strand) for strand in found)
        latest = {end for each in found for end in (each.source, each.target)} - seen
        if enough is not None and len(seen) + len(latest) - len(seeds) >= enough:
            break
        causal = {
            end for each in found if each.relation in CAUSAL for end in (each.source, each.target)
        }
    return list(known.values())


def _places(seeds: Collection[str], strands: Iterable[Strand]) -> list[str]:
    ends = {end for strand in strands for end in (strand.source, strand.target)}
    return sorted(ends | set(seeds))


def _surest_between(strands: Iterable[Strand]) -> dict[tuple[str, str], Strand]:
    """Of several beliefs between two nodes the one to tell; one along causes leads further."""
    found: dict[tuple[str, str], Strand] = {}
    for strand in strands:
        ends = (min(strand.source, strand.target), max(strand.source, strand.target))
        other = found.get(ends)
        if other is None or _rank(strand) > _rank(other):
            found[ends] = strand
    return found


def _rank(strand: Strand) -> tuple[bool, float, int]:
    return strand.relation in CAUSAL, strand.confidence, -strand.number


def _trail(path: list[str], between: Mapping[tuple[str, str], Strand]) -> Trail:
    way = tuple(between[min(one, other), max(one, other)] for one, other in pairwise(path))
    confidence = 1.0
    for strand in way:
        confidence *= strand.confidence
    return Trail(path[-1], way, confidence)


def read_hops(value: object) -> int:
    """How far a caller may look."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_HOPS:
        raise InvalidInput(hint=f"`hops` is a whole number from 1 to {MOST_HOPS}.")
    return value
