"""The graph as one caller sees it at some moments: what was learned as a belief."""

from collections.abc import Collection, Iterable

from engram.language.forms import plain_name
from engram.memory.knowledge.belief import Belief, Node, is_node_id, read_name
from engram.memory.knowledge.graph import Leg, Strand
from engram.memory.knowledge.relations import BY_NAME, unknown_relation
from engram.storage.conditions import Moments
from engram.storage.reader import StoreReader


class StoreSight:
    """What can be seen of the graph."""

    def __init__(self, see: StoreReader, moments: Moments) -> None:
        self._knowledge = see.knowledge
        self._graph = self._knowledge.graph
        self._moments = moments
        self._has_edges = self._knowledge.has_edges()

    def id_of(self, name: object) -> str:
        """The id of the node that a name means, or that an id means now."""
        if isinstance(name, str) and is_node_id(name):
            return self._knowledge.same_names.canonical(name)
        read = read_name(name, name="name")
        found = self._knowledge.same_names.id_of(read.key)
        if read.note or self.knows(found):
            return found
        # "The office" may have been learned as "office".
        return self._knowledge.same_names.id_of(plain_name(read.label))

    def knows(self, node_id: str) -> bool:
        """Whether anything at all is believed of a node."""
        at = self._moments
        return self._has_edges and bool(self._knowledge.edges_at([node_id], moments=at, limit=1))

    def check_relations(self, names: Iterable[str]) -> None:
        """Refuse a relation that is neither known nor anybody's own: most likely a slip.

        Asked only where nothing was found, since what was found shows that it is used.
        """
        for name in dict.fromkeys(names):
            if name not in BY_NAME and not (self._has_edges and self._knowledge.uses(name)):
                raise unknown_relation(name, "no belief in sight goes by it")

    def known_among(self, keys: Collection[str]) -> list[str]:
        """The ids of the nodes that some of these names mean."""
        names = self._knowledge.same_names
        ids = dict.fromkeys(names.id_of(key) for key in sorted(keys))
        known = self.nodes(ids)
        return [each for each in ids if each in known]

    def aliases(self, node_id: str) -> tuple[str, ...]:
        """Other names that were decided to mean a node."""
        return tuple(self._knowledge.aliases(node_id))

    def strands(self, node_ids: Collection[str], leg: Leg) -> list[Strand]:
        """The strands that a leg can take from these nodes."""
        return self._graph.strands_at(node_ids, leg, self._moments) if self._has_edges else []

    def nodes(self, node_ids: Collection[str]) -> dict[str, Node]:
        """The nodes of these ids."""
        if not self._has_edges or not node_ids:
            return {}
        return self._knowledge.nodes(node_ids, known_at=self._moments.known_at)

    def beliefs(self, numbers: Iterable[int]) -> dict[int, Belief]:
        """What these memories tell, in full, by their numbers."""
        asked = list(dict.fromkeys(numbers))
        if not asked or not self._has_edges:
            return {}
        known_at = self._moments.known_at
        learned = self._knowledge.edges_of(asked, known_at=known_at)
        typed = self._knowledge.with_types(learned, known_at=known_at)
        return {each.memory.number: each for each in typed}

    def told_of(self, node_id: str, *, limit: int) -> list[Belief]:
        """All that is believed of one node, properties too, newest first."""
        if not self._has_edges:
            return []
        found = self._knowledge.edges_at([node_id], moments=self._moments, limit=limit)
        return sorted(found, key=lambda each: -each.memory.number)[:limit]

    def listed(self, type_: str | None, *, limit: int) -> list[Node]:
        """Who and what is known, by name."""
        if not self._has_edges:
            return []
        found = self._knowledge.listed(type_=type_, limit=limit)
        return sorted(found, key=lambda node: (node.name, node.id))[:limit]
