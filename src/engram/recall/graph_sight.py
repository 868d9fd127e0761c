"""The graph as one caller sees it at some moments: what was learned, and what texts claim."""

from collections.abc import Collection, Iterable

from engram.language.names.keys import key_of
from engram.memory.claims.claim import plain_name
from engram.memory.knowledge.belief import Belief, Node, is_node_id, read_name
from engram.memory.knowledge.claimed import (
    LEADING,
    is_reversed,
    relation_of,
    subject_type,
    value_type,
)
from engram.memory.knowledge.epistemic import Reported
from engram.memory.knowledge.graph import Direction, Leg, Strand
from engram.memory.knowledge.relations import BY_NAME, rule_of, unknown_relation
from engram.memory.record import Memory
from engram.storage.conditions import Moments
from engram.storage.graph import ToldClaim
from engram.storage.reader import StoreReader


class StoreSight:
    """What can be seen of the graph; names are looked up once.

    `with_texts` is the switch for claims that are read off texts: without it only what was learned
    counts. Nodes that only texts tell of have no row anywhere; they are known here from the claims
    that were met on the way.
    """

    def __init__(self, see: StoreReader, moments: Moments, *, with_texts: bool = True) -> None:
        self._knowledge = see.knowledge
        self._graph = self._knowledge.graph
        self._moments = moments
        self._has_edges = self._knowledge.has_edges()
        self._has_claims = with_texts and self._graph.has_claims()
        self._names: dict[str, set[str]] = {}  # as texts write them, by the node they mean
        self._told: dict[str, Node] = {}  # nodes that claims tell of

    def id_of(self, name: object) -> str:
        """The id of the node that a name means, or that an id means now."""
        if isinstance(name, str) and is_node_id(name):
            return self._knowledge.same_names.canonical(name)
        read = read_name(name, name="name")
        if read.note:
            return self._knowledge.same_names.id_of(read.key)
        return self._meant(read.key, plain_name(read.label))

    def _meant(self, key: str, *spellings: str) -> str:
        """The id of the node that a key means; how texts may write it is kept in mind."""
        names = self._knowledge.same_names
        found = names.id_of(key)
        self._names.setdefault(found, set()).update((key, names.key_of(key), *spellings))
        return found

    def knows(self, node_id: str) -> bool:
        """Whether anything at all is believed of a node."""
        at = self._moments
        if self._has_edges and self._knowledge.edges_at([node_id], moments=at, limit=1):
            return True
        return bool(self._claims([node_id]))

    def check_relations(self, names: Iterable[str]) -> None:
        """Refuse a relation that is neither known nor anybody's own: most likely a slip.

        Asked only where nothing was found, since what was found shows that it is used.
        """
        for name in dict.fromkeys(names):
            if name not in BY_NAME and not (self._has_edges and self._knowledge.uses(name)):
                raise unknown_relation(name, "no belief in sight goes by it")

    def known_among(self, keys: Collection[str]) -> list[str]:
        """The ids of the nodes that some of these names mean: learned, or told of by texts."""
        ids = dict.fromkeys(self._meant(key) for key in sorted(keys))
        known = set(self.nodes(ids))
        for claim in self._claims(ids):
            known |= {node.id for node in self._ends(claim) if node is not None}
        return [each for each in ids if each in known]

    def aliases(self, node_id: str) -> tuple[str, ...]:
        """Other names that were decided to mean a node."""
        return tuple(self._knowledge.aliases(node_id))

    # Following

    def strands(self, node_ids: Collection[str], leg: Leg) -> list[Strand]:
        """The strands that a leg can take from these nodes."""
        found: list[Strand] = []
        if self._has_edges:
            found = self._graph.strands_at(node_ids, leg, self._moments)
        if leg.relations is None or LEADING & set(leg.relations):
            claims = self._claims(node_ids)
            strands = (strand for each in claims if (strand := self._strand(each)) is not None)
            found += (each for each in strands if _can_take(each, node_ids, leg))
        return found

    def _claims(self, node_ids: Collection[str]) -> list[ToldClaim]:
        """What texts claim of these nodes, or with them as a value."""
        if not self._has_claims:
            return []
        names = self._knowledge.same_names
        keys = {name for each in node_ids for name in self._names.get(each, ())}
        keys |= {name for each in node_ids for name in names.other_names(each)}
        ids = names.with_twins(node_ids)
        found = {each.number: each for each in self._graph.claims_from(keys, ids, self._moments)}
        found |= {each.number: each for each in self._graph.claims_to(keys, ids, self._moments)}
        return list(found.values())

    def _strand(self, claim: ToldClaim) -> Strand | None:
        """A claim as a strand, where it leads from one node to another."""
        source, target = self._ends(claim)
        if target is None or source.id == target.id:
            return None
        grounds = f'{{"type":"reported","source":"text","trust":{claim.trust}}}'
        return Strand(
            claim.number, source.id, relation_of(claim.predicate)[0], target.id, claim.confidence,
            grounds, claim.valid_from, claim.valid_until,
        )  # fmt: skip

    def _ends(self, claim: ToldClaim) -> tuple[Node, Node | None]:
        relation, property_name = relation_of(claim.predicate)
        sort = subject_type(claim.subject, claim.subject_sort)
        subject = self._noted(claim.subject, claim.label, sort, claim)
        if property_name:
            return subject, None
        value = self._noted(key_of(claim.object), claim.object, value_type(relation), claim)
        return (value, subject) if is_reversed(claim.predicate) else (subject, value)

    def _noted(self, name: str, label: str, sort: str, claim: ToldClaim) -> Node:
        """The node of a name in a text, kept in mind for when it is come to."""
        node_id = self._meant(name)
        known = self._told.get(node_id)
        if known is None:
            known = self._told[node_id] = Node(node_id, claim.scope, label, name, "", sort)
        return known

    # Reading in full

    def nodes(self, node_ids: Collection[str]) -> dict[str, Node]:
        """The nodes of these ids: as they were learned, else as texts tell of them."""
        told = {each: self._told[each] for each in node_ids if each in self._told}
        learned: dict[str, Node] = {}
        if self._has_edges and node_ids:
            learned = self._knowledge.nodes(node_ids, known_at=self._moments.known_at)
        return {**told, **learned}

    def beliefs(self, numbers: Iterable[int]) -> dict[int, Belief]:
        """What these memories tell, in full, by their numbers."""
        asked = list(dict.fromkeys(numbers))
        if not asked:
            return {}
        found: dict[int, Belief] = {}
        if self._has_edges:
            known_at = self._moments.known_at
            learned = self._knowledge.edges_of(asked, known_at=known_at)
            typed = self._knowledge.with_types(learned, known_at=known_at)
            found = {each.memory.number: each for each in typed}
        rest = [number for number in asked if number not in found]
        if rest and self._has_claims:
            told = self._graph.claims_told_by(rest, self._moments)
            found |= self._told_beliefs(told)
        return found

    def _told_beliefs(self, told: list[tuple[Memory, ToldClaim]]) -> dict[int, Belief]:
        ends = {memory.number: self._ends(claim) for memory, claim in told}
        ids = {node.id for pair in ends.values() for node in pair if node is not None}
        known = self.nodes(ids)
        beliefs: dict[int, Belief] = {}
        for memory, claim in told:
            source, target = ends[memory.number]
            relation, property_name = relation_of(claim.predicate)
            beliefs[memory.number] = Belief(
                memory=memory,
                source=known[source.id],
                relation=relation,
                target=None if target is None else known[target.id],
                property_name=property_name,
                value=claim.object if target is None else None,
                epistemic=Reported(claim.source, claim.trust),
                is_functional=rule_of(relation).is_functional,
                is_learned=False,
            )
        return beliefs

    def told_of(self, node_id: str, *, limit: int) -> list[Belief]:
        """All that is believed of one node, properties too, newest first."""
        found: list[Belief] = []
        if self._has_edges:
            found = self._knowledge.edges_at([node_id], moments=self._moments, limit=limit)
        claims = self._claims([node_id])
        found += self.beliefs(each.number for each in claims).values()
        return sorted(found, key=lambda each: -each.memory.number)[:limit]

    def listed(self, type_: str | None, *, limit: int) -> list[Node]:
        """Who and what is known, by name."""
        found: dict[str, Node] = {}
        if self._has_edges:
            learned = self._knowledge.listed(type_=type_, limit=limit)
            found = {node.id: node for node in learned}
        if self._has_claims:
            for node_id, node in self._claimed_nodes(limit).items():
                if type_ in (None, node.type):
                    found.setdefault(node_id, node)
        return sorted(found.values(), key=lambda node: (node.name, node.id))[:limit]

    def _claimed_nodes(self, limit: int) -> dict[str, Node]:
        """The subjects of texts; what they are is told by beliefs where there are any."""
        names = self._knowledge.same_names
        told: dict[str, Node] = {}
        for each in self._graph.claimed_subjects(self._moments, limit=limit):
            sort = subject_type(each.name, each.sort)
            node_id = names.id_of(each.name)
            told.setdefault(node_id, Node(node_id, each.scope, each.label, each.name, "", sort))
        learned = self._knowledge.nodes(told) if self._has_edges and told else {}
        return {**told, **learned}


def _can_take(strand: Strand, node_ids: Collection[str], leg: Leg) -> bool:
    """Whether a leg from these nodes goes along a strand."""
    if leg.relations is not None and strand.relation not in leg.relations:
        return False
    is_out = leg.direction is not Direction.IN and strand.source in node_ids
    return is_out or (leg.direction is not Direction.OUT and strand.target in node_ids)
