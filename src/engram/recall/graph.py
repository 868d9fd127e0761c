"""Asks the graph: one node, its neighbours, ways from it, what follows, what a question touches."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from engram.errors import MemoryNotFound
from engram.language.lexicon import FUNCTION_WORDS
from engram.language.names.keys import key_of
from engram.memory.activation import THRESHOLD
from engram.memory.knowledge.belief import Belief, Node
from engram.memory.knowledge.epistemic import UNCERTAIN, strength
from engram.memory.knowledge.graph import Direction, Leg, Trail, gathered, read_leg
from engram.memory.knowledge.inference import (
    EVERY_RELATION,
    LONGEST,
    RULES,
    ChainRule,
    chain_rule,
    conclude,
)
from engram.memory.knowledge.paths import Route, activated, around, walk
from engram.memory.knowledge.views import Answer, Conclusion, NodeView, Reached, properties_among
from engram.recall.graph_sight import StoreSight
from engram.recall.result import Hit

_WORD = re.compile(r"\S+")
_LONGEST_NAME = 4  # words of a name that is looked for in a question
_MOST_WORDS = 60  # of a question that are looked at for names
_NAMED = 1.0  # how relevant a node is that the question names
_LEAST_CONFIDENCE = 0.1  # what is held less firmly is told only where its grounds say why
_EVIDENCE = 20  # beliefs of a node among which the firmest is looked for
_Found = TypeVar("_Found")


def node_view(sight: StoreSight, asked: object, *, limit: int, inferred: bool) -> NodeView:
    """One node with all that is believed of it."""
    node_id = sight.id_of(asked)
    beliefs = sight.told_of(node_id, limit=limit)
    if not beliefs:
        raise _unknown()
    properties = properties_among(each for each in beliefs if each.source.id == node_id)
    told = [each for each in beliefs if not each.property_name]
    conclusions = _conclusions(sight, node_id, RULES.values(), Direction.OUT) if inferred else ()
    node = next(_end(each, node_id) for each in beliefs)
    return NodeView(
        node=node,
        aliases=sight.aliases(node_id),
        properties=properties,
        beliefs_out=tuple(each for each in told if each.source.id == node_id),
        beliefs_in=tuple(each for each in told if each.source.id != node_id),
        conclusions=tuple(conclusions),
    )


def _end(belief: Belief, node_id: str) -> Node:
    is_target = belief.target is not None and belief.target.id == node_id
    return belief.target if is_target and belief.target else belief.source


def neighbours(
    sight: StoreSight, asked: object, leg: Leg, *, hops: int, limit: int, inferred: bool
) -> list[Reached]:
    """Who and what is within some hops of a node; also what only follows, when that is wanted."""
    node_id = sight.id_of(asked)
    found = _reached(sight, around([node_id], leg, sight, hops=hops)[:limit])
    if inferred:
        known = {each.node.id for each in found if each.hops == 1}
        more = [each for each in _inferred(sight, node_id, leg) if each.node.id not in known]
        concluded = {each.node.id for each in more}
        found = [each for each in found if each.node.id not in concluded] + more
        found.sort(key=lambda each: (1 if each.conclusion else each.hops, -each.score))
    return _known_start(sight, node_id, found, leg)[:limit]


def _inferred(sight: StoreSight, node_id: str, leg: Leg) -> list[Reached]:
    """The nodes that conclusions lead to, along what is asked for."""
    rules = [rule for name, rule in RULES.items() if leg.relations is None or name in leg.relations]
    sides = [
        side for side in (Direction.OUT, Direction.IN) if leg.direction in (side, Direction.BOTH)
    ]
    return [
        Reached(each.target if side is Direction.OUT else each.source, each.confidence,
                each.premises, each)
        for side in sides
        for each in _conclusions(sight, node_id, rules, side)
    ]  # fmt: skip


def infer(sight: StoreSight, asked: object, relation: str, *, limit: int) -> list[Conclusion]:
    """What follows for a node along a relation, or for whom when it is named from the other end."""
    leg = read_leg(relation, Direction.OUT)
    rule = chain_rule((leg.relations or ("",))[0])
    node_id = sight.id_of(asked)
    found = _conclusions(sight, node_id, [rule], leg.direction)
    return _known_start(sight, node_id, found)[:limit]


def _conclusions(
    sight: StoreSight, node_id: str, rules: Iterable[ChainRule], direction: Direction
) -> list[Conclusion]:
    """What follows by these rules: the strands are gathered once for all of them."""
    wanted = list(rules)
    relations = wanted[0].relations if len(wanted) == 1 else EVERY_RELATION
    if not wanted:
        return []
    graph = gathered([node_id], Leg(relations, direction), sight, hops=LONGEST)
    trails = [
        (rule.relation, trail)
        for rule in wanted
        for trail in conclude([node_id], rule, graph, direction=direction)
    ]
    beliefs = sight.beliefs(strand.number for _, trail in trails for strand in trail.way)
    return [
        Conclusion(premises[0].source, relation, premises[-1].target, premises, trail.confidence)
        for relation, trail in trails
        if (premises := _in_full(trail, beliefs)) and premises[-1].target is not None
    ]


def find(sight: StoreSight, route: Route, *, limit: int) -> list[Reached]:
    """Where a route ends, nearest and surest first."""
    node_id = sight.id_of(route.start)
    trails = walk([node_id], route.steps, sight) if route.steps else []
    found = _reached(sight, trails[:limit])
    return _known_start(sight, node_id, found, *(step.leg for step in route.steps))


def activate(sight: StoreSight, names: Sequence[object], *, hops: int, limit: int) -> list[Reached]:
    """What these names bring to mind, strongest first, each with the way from one of them."""
    seeds = {sight.id_of(name): 1.0 for name in names}
    reaching = activated(seeds, sight, hops=hops, enough=limit)
    found = [each for each in reaching if each[0].node_id not in seeds]
    scores = {trail.node_id: score for trail, score in found[:limit]}
    reached = [
        Reached(each.node, scores[each.node.id], each.way)
        for each in _reached(sight, [trail for trail, _ in found[:limit]])
    ]
    if not reached and not any(sight.knows(seed) for seed in seeds):
        raise _unknown()
    return reached


def answers(
    sight: StoreSight, text: str, hits: Iterable[Hit], *, hops: int, limit: int
) -> list[Answer]:
    """The nodes that a question is about: those it names, those its finds tell of, and around."""
    told = {hit.memory.number: hit.score for hit in hits}
    beliefs = sight.beliefs(told)
    relevance: dict[str, float] = dict.fromkeys(_named(sight, text), _NAMED)
    behind: dict[str, Belief] = {}
    for number, belief in beliefs.items():
        for node in (belief.source, belief.target):
            if node is None:
                continue
            relevance[node.id] = max(relevance.get(node.id, 0.0), told[number])
            behind[node.id] = _firmer(belief, behind.get(node.id))
    seeds = {each: score for each, score in relevance.items() if score >= THRESHOLD}
    found = activated(seeds, sight, hops=hops, causal_hops=hops)[: 2 * limit]
    ways = sight.beliefs(strand.number for trail, _ in found for strand in trail.way)
    told_of = [_answer(sight, trail, score, ways, behind) for trail, score in found]
    worth = [each for each in told_of if each is not None and _is_worth_telling(each)]
    worth.sort(key=lambda each: (-each.score, each.node.name, each.node.id))
    return worth[:limit]


def _named(sight: StoreSight, text: str) -> list[str]:
    """The nodes that a text names, in its own words."""
    words = [match[0] for match in _WORD.finditer(text)][:_MOST_WORDS]
    names = {
        key_of(" ".join(words[start : start + length]))
        for length in range(1, _LONGEST_NAME + 1)
        for start in range(len(words) - length + 1)
    }
    return sight.known_among(names - FUNCTION_WORDS)


def _answer(
    sight: StoreSight,
    trail: Trail,
    relevance: float,
    ways: Mapping[int, Belief],
    behind: Mapping[str, Belief],
) -> Answer | None:
    way = _in_full(trail, ways)
    if way:
        last = way[-1]
    else:
        known = behind.get(trail.node_id) or _firmest(sight, trail.node_id)
        if known is None:
            return None
        last, way = known, (known,)
    node = _end(last, trail.node_id)
    confidence = trail.confidence if trail.way else last.confidence
    return Answer(node, relevance, confidence, last.epistemic, way)


def _firmest(sight: StoreSight, node_id: str) -> Belief | None:
    told = sight.told_of(node_id, limit=_EVIDENCE)
    return max(told, key=lambda each: (each.confidence, each.memory.number), default=None)


def _firmer(one: Belief, other: Belief | None) -> Belief:
    return one if other is None or one.confidence > other.confidence else other


def _is_worth_telling(answer: Answer) -> bool:
    return answer.confidence > _LEAST_CONFIDENCE or strength(answer.epistemic) < UNCERTAIN


def _reached(sight: StoreSight, trails: Sequence[Trail]) -> list[Reached]:
    """Trails with their beliefs read in full: one query for all of them."""
    beliefs = sight.beliefs(strand.number for trail in trails for strand in trail.way)
    return [
        Reached(_end(way[-1], trail.node_id), trail.confidence, way)
        for trail in trails
        if (way := _in_full(trail, beliefs))
    ]


def _in_full(trail: Trail, beliefs: Mapping[int, Belief]) -> tuple[Belief, ...]:
    return tuple(beliefs[strand.number] for strand in trail.way if strand.number in beliefs)


def _known_start(
    sight: StoreSight, node_id: str, found: "list[_Found]", *legs: Leg
) -> "list[_Found]":
    """What was found; nothing is told apart from what cannot be: a node that nobody knows, or a
    relation that nobody uses."""
    if not found and not sight.knows(node_id):
        raise _unknown()
    if not found:
        sight.check_relations(name for leg in legs for name in leg.relations or ())
    return found


def _unknown() -> MemoryNotFound:
    return MemoryNotFound(hint="Nothing you can see is believed of anybody or anything so called.")
