"""What follows from beliefs: along relations of which the table says that they lead on.

A conclusion is a value and is kept nowhere: it is drawn anew whenever somebody asks, and so it is
gone with any of its premises. It holds only while all of them do.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from engram.errors import InvalidInput
from engram.memory.knowledge.epistemic import Hypothetical, Retracted
from engram.memory.knowledge.graph import (
    Direction,
    Leg,
    Sight,
    Strand,
    Trail,
    is_surer,
    steps_from,
    validity,
)
from engram.memory.knowledge.relations import RELATIONS
from engram.memory.tagged import tag_of

LONGEST = 5  # beliefs in one chain; further the doubts add up to nothing
EACH_STEP = 0.95  # what a step costs beside the doubts about its premises
# What is only supposed, or was withdrawn, proves nothing.
_NO_PREMISES = tuple(f'"type": "{tag_of(kind)}"' for kind in (Hypothetical, Retracted))


@dataclass(frozen=True, slots=True)
class ChainRule:
    """Which beliefs in a row make another one of a relation: the first, and all that follow.

    The relation itself must be among them: a row of subclasses says something of subclasses.
    """

    relation: str
    first: frozenset[str]
    rest: frozenset[str]

    @property
    def relations(self) -> tuple[str, ...]:
        """All that may stand in such a row."""
        return tuple(sorted(self.first | self.rest))


_KINDS = frozenset({"is_a", "subclass_of"})
_MIXED = (
    # What is an instance of a kind is one of every kind above it.
    ChainRule("instance_of", frozenset({"instance_of"}), _KINDS),
    ChainRule("is_a", _KINDS, _KINDS),
    # What is in a place is in every place around it, and in whatever that place is a part of. Not
    # the other way round: a part of a company need not be where the company is.
    ChainRule("located_in", frozenset({"located_in"}), frozenset({"located_in", "part_of"})),
)
_ALONE = tuple(
    ChainRule(rule.name, frozenset({rule.name}), frozenset({rule.name}))
    for rule in RELATIONS
    if rule.is_transitive
)
RULES = {rule.relation: rule for rule in (*_ALONE, *_MIXED)}
EVERY_RELATION = tuple(sorted({name for rule in RULES.values() for name in rule.relations}))


def chain_rule(relation: str) -> ChainRule:
    """The rule by which a relation is concluded, or a refusal where nothing follows."""
    rule = RULES.get(relation)
    if rule is None:
        hint = f"Something follows from these relations only: {', '.join(sorted(RULES))}."
        raise InvalidInput(hint=hint)
    return rule


def conclude(
    starts: Collection[str],
    rule: ChainRule,
    sight: Sight,
    *,
    direction: Direction = Direction.OUT,
    longest: int = LONGEST,
) -> list[Trail]:
    """What follows for these nodes by one rule: each node once, by the surest chain to it.

    With direction IN it is asked for whom this follows: the chains that end here. What is believed
    outright is not concluded again.
    """
    leg = Leg(rule.relations, direction)
    told: set[str] = set(starts)
    found: dict[str, Trail] = {}
    latest = [Trail(start, (), 1.0) for start in starts]
    for length in range(1, longest + 1):
        latest = _longer(latest, rule, sight.strands({each.node_id for each in latest}, leg), leg)
        if not latest:
            break
        for trail in latest:
            if length == 1 and trail.way[0].relation == rule.relation:
                told.add(trail.node_id)
            elif length > 1 and _is_whole(trail, rule, direction):
                concluded = trail._replace(confidence=_confidence(trail))
                if is_surer(concluded, found.get(trail.node_id)):
                    found[trail.node_id] = concluded
    return sorted(
        (trail for node, trail in found.items() if node not in told), key=lambda each: each.order
    )


def _longer(
    trails: Iterable[Trail], rule: ChainRule, strands: Iterable[Strand], leg: Leg
) -> list[Trail]:
    """Each chain with one belief more; of those that can go on alike, the surest."""
    by_node: dict[str, list[Trail]] = {}
    for trail in trails:
        by_node.setdefault(trail.node_id, []).append(trail)
    kept: dict[tuple[str, bool, str], Trail] = {}
    for strand in strands:
        if not _may_prove(strand):
            continue
        for here, there in steps_from(strand, by_node, leg.direction):
            for trail in by_node[here]:
                longer = _extended(trail, strand, there, rule, leg.direction)
                if longer is None:
                    continue
                # How a chain may go on, and whether it is one already, hangs on its front.
                front = longer.way[0].relation if leg.direction is Direction.IN else ""
                key = (there, _has_relation(longer, rule), front)
                if is_surer(longer, kept.get(key)):
                    kept[key] = longer
    return list(kept.values())


def _extended(
    trail: Trail, strand: Strand, there: str, rule: ChainRule, direction: Direction
) -> Trail | None:
    """A chain with one belief more, where the rule lets it go on and it holds at any time."""
    if direction is Direction.IN:
        # Chains grow at their front: what stood there must be able to follow something.
        allows = not trail.way or trail.way[0].relation in rule.rest
        way = (strand, *trail.way)
    else:
        allows = strand.relation in (rule.rest if trail.way else rule.first)
        way = (*trail.way, strand)
    if not allows or any(there in (gone.source, gone.target) for gone in trail.way):
        return None
    start, end = validity(way)
    return Trail(there, way, trail.confidence * strand.confidence) if start < end else None


def _is_whole(trail: Trail, rule: ChainRule, direction: Direction) -> bool:
    begins = direction is not Direction.IN or trail.way[0].relation in rule.first
    return begins and _has_relation(trail, rule)


def _has_relation(trail: Trail, rule: ChainRule) -> bool:
    return any(strand.relation == rule.relation for strand in trail.way)


def _confidence(trail: Trail) -> float:
    return float(trail.confidence * EACH_STEP ** (len(trail.way) - 1))


def _may_prove(strand: Strand) -> bool:
    return not any(kind in strand.epistemic for kind in _NO_PREMISES)
