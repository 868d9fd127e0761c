"""Who and what is known, and what is believed of them: the details beside their memories.

One name is one node in every scope; which edges a caller sees follows from the memories that tell
them. Names that were decided to mean the same are resolved here, so that nobody above meets two.
"""

import dataclasses
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from engram.errors import EngramError, StoreCorrupt
from engram.memory.changes import Change
from engram.memory.ids import ChangeId
from engram.memory.jsons import Json
from engram.memory.knowledge.belief import Belief, Node, NodeName, NodeType, node_id
from engram.memory.knowledge.epistemic import Epistemic, read_epistemic
from engram.memory.knowledge.graph import Direction
from engram.memory.knowledge.learned import Saying
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.memory.secrecy import PLACEHOLDER
from engram.memory.tagged import as_json
from engram.memory.times import to_micros
from engram.storage.beside import Keep, keeping, kept
from engram.storage.conditions import Moments, record_time
from engram.storage.database import Row, Transaction, Value, stored_time
from engram.storage.entities import EntityReader
from engram.storage.rows import MEMORY_COLUMNS, change_from_row, memory_from_row, scope_at

if TYPE_CHECKING:
    from engram.storage.graph import GraphReader

MOST_EDGES = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """The details of a belief as they are kept."""

    source: NodeName
    relation: str
    target: NodeName | None
    property_name: str
    value: Json
    source_type: str | None
    target_type: str | None
    weight: float
    epistemic: Epistemic
    is_functional: bool


class KnowledgeReader:
    """Nodes and beliefs seen through one caller's reach."""

    def __init__(self, transaction: Transaction, reach: Mapping[str, Value]) -> None:
        self._transaction = transaction
        self._reach = reach
        self._names: _SameNames | None = None

    # Names

    def has_edges(self) -> bool:
        """Whether anything is known at all; cheap, for leaving out what would find nothing."""
        return bool(self._transaction.rows("has_edges", {})[0][0])

    def uses(self, relation: str) -> bool:
        """Whether any belief in sight, also one of the past, goes by a relation."""
        return bool(self._rows("relation_is_used", {"relation": relation})[0][0])

    @property
    def graph(self) -> "GraphReader":
        """The same in short, for following many, together with what texts claim."""
        from engram.storage.graph import GraphReader

        return GraphReader(self._transaction, self._reach, self)

    @property
    def same_names(self) -> "_SameNames":
        """Which names were decided to mean the same, read once."""
        if self._names is None:
            decided = EntityReader(self._transaction, self._reach).aliases()
            self._names = _SameNames(decided)
        return self._names

    def named(self, names: Iterable[NodeName]) -> dict[NodeName, Node]:
        """The nodes in sight that these names mean; a name nobody knows is left out."""
        wanted = {name: self.same_names.id_of(name.key) for name in names}
        found = self.nodes(wanted.values())
        return {name: found[meant] for name, meant in wanted.items() if meant in found}

    def nodes(self, ids: Iterable[str], *, known_at: datetime | None = None) -> dict[str, Node]:
        """The nodes of these ids of which the caller sees anything, each under the id asked for.

        What they are is told as it was known at a moment.
        """
        asked = list(dict.fromkeys(ids))
        twins = self.same_names.with_twins(asked)
        rows = self._rows("nodes_by_id", {"ids": _listed(twins)})
        known = {node.id: node for node in map(_node, rows)}
        types = self.types(asked, known_at=known_at)
        return {
            each: dataclasses.replace(node, type=types.get(each, NodeType.CONCEPT))
            for each in asked
            if (node := self._standing_for(each, known)) is not None
        }

    def node(self, id_: str) -> Node | None:
        """One node, if the caller sees anything of it."""
        return self.nodes([id_]).get(id_)

    def listed(self, *, type_: str | None = None, limit: int) -> list[Node]:
        """The nodes in sight in the order of their keys."""
        asked: dict[str, Value] = {"type": type_, "limit": limit, "known_at": record_time(None)}
        found: dict[str, Node] = {}
        for row in self._rows("nodes_listed", asked):
            node = dataclasses.replace(_node(row), type=cast(str, row[5]))
            meant = self.same_names.id_of(node.name)
            if meant == node.id or meant not in found:
                found[meant] = dataclasses.replace(node, id=meant)
        return list(found.values())

    def aliases(self, id_: str) -> list[str]:
        """The other names that were decided to mean a node, as they are compared."""
        return self.same_names.other_names(id_)

    def types(self, ids: Iterable[str], *, known_at: datetime | None = None) -> dict[str, str]:
        """What nodes are said to be, the newest saying in sight; a concept when nobody said."""
        asked = list(dict.fromkeys(ids))
        named: dict[str, Value] = {"ids": _listed(self.same_names.with_twins(asked))}
        rows = self._rows("node_types", {**named, "known_at": record_time(known_at)})
        said = {cast(str, row[0]): cast(str, row[1]) for row in rows}
        return {each: self._type_of(each, said) for each in asked}

    def _type_of(self, id_: str, said: Mapping[str, str]) -> str:
        types = (said[twin] for twin in self.same_names.with_twins([id_]) if twin in said)
        return next((each for each in types if each != NodeType.CONCEPT), NodeType.CONCEPT)

    def _standing_for(self, id_: str, known: Mapping[str, Node]) -> Node | None:
        """The row of a node, or of a name that means it, under its own id."""
        for twin in self.same_names.with_twins([id_]):
            if twin in known:
                return dataclasses.replace(known[twin], id=id_)
        return None

    # Beliefs

    def edges_at(
        self,
        ids: Iterable[str],
        *,
        moments: Moments,
        relations: Collection[str] | None = None,
        direction: Direction = Direction.BOTH,
        limit: int = MOST_EDGES,
        typed: bool = True,
    ) -> list[Belief]:
        """The beliefs that begin or end at these nodes, newest first: one query for all of them.

        `typed` asks in a second query what the nodes at both ends are.
        """
        asked: dict[str, Value] = {
            "ids": _listed(self.same_names.with_twins(ids)),
            "relations": None if relations is None else _listed(relations),
            "outward": int(direction is not Direction.IN),
            "inward": int(direction is not Direction.OUT),
            "limit": limit,
            **moments.parameters(),
        }
        beliefs = self._beliefs(self._rows("edges_at", asked))
        return self.with_types(beliefs, known_at=moments.known_at) if typed else beliefs

    def edges_of(self, numbers: Iterable[int], *, known_at: datetime | None = None) -> list[Belief]:
        """What these memories say as beliefs, in whatever status, as it stood at a moment."""
        asked: dict[str, Value] = {
            "numbers": json.dumps(list(numbers)),
            "known_at": record_time(known_at),
        }
        return self._beliefs(self._rows("edges_of", asked))

    def beliefs_about(
        self,
        ids: Iterable[str],
        relation: str,
        property_name: str = "",
        *,
        known_at: datetime | None = None,
    ) -> list[Belief]:
        """All that is said of nodes by one relation and property, in whatever status."""
        asked: dict[str, Value] = {
            "ids": _listed(self.same_names.with_twins(ids)),
            "relation": relation,
            "property": property_name,
            "known_at": record_time(known_at),
        }
        return self._beliefs(self._rows("beliefs_about", asked))

    def numbers_about(
        self, ids: Iterable[str], relation: str, property_name: str | None = None
    ) -> list[int]:
        """The memories that ever said something of nodes by a relation, also those taken back."""
        asked: dict[str, Value] = {
            "ids": _listed(self.same_names.with_twins(ids)),
            "relation": relation,
            "property": property_name,
        }
        return [cast(int, row[0]) for row in self._rows("numbers_about", asked)]

    def leads_to(
        self,
        starts: Iterable[str],
        ends: Iterable[str],
        *,
        relations: Collection[str],
        now: datetime,
    ) -> bool:
        """Whether these relations lead from a node to another by what stands or waits in sight."""
        twins = self.same_names.pairs()
        asked: dict[str, Value] = {
            "starts": _listed(self.same_names.with_twins(starts)),
            "ends": _listed(self.same_names.with_twins(ends)),
            "relations": _listed(relations),
            "twins": json.dumps(twins),
            "instant": to_micros(now),
        }
        return bool(self._rows("node_leads_to", asked))

    def sayings(self, number: int) -> list[Saying]:
        """Who says a belief, on which grounds, oldest first."""
        return [
            Saying(cast(str, voice), _epistemic(cast(str, grounds)), stored_time(at))
            for voice, grounds, at in self._rows("sayings_of", {"number": number})
        ]

    def confirmations(self, numbers: Iterable[int]) -> list[tuple[int, Change]]:
        """The confirmations of memories that stand, each with its change, oldest first."""
        rows = self._rows("confirmations_about", {"numbers": json.dumps(list(numbers))})
        return [(cast(int, row[0]), change_from_row(row[1:])) for row in rows]

    def with_types(
        self, beliefs: Sequence[Belief], *, known_at: datetime | None = None
    ) -> list[Belief]:
        """The same beliefs with what the nodes at their ends are."""
        ends = {node.id for each in beliefs for node in (each.source, each.target) if node}
        types = self.types(ends, known_at=known_at) if ends else {}
        return [_typed(each, types) for each in beliefs]

    def _beliefs(self, rows: Iterable[Row]) -> list[Belief]:
        found = [_belief(row) for row in rows]
        if not self.same_names.is_any:
            return found
        return self._resolved(found)

    def _resolved(self, beliefs: list[Belief]) -> list[Belief]:
        """With decided names resolved; what then leads from a node to itself says nothing."""
        ends = {node.id for each in beliefs for node in (each.source, each.target) if node}
        meant = {each: self.same_names.canonical(each) for each in ends}
        foreign = {there for here, there in meant.items() if here != there}
        known = self.nodes(foreign) if foreign else {}
        resolved = [
            dataclasses.replace(
                each,
                source=_renamed(each.source, meant, known),
                target=_renamed(each.target, meant, known) if each.target else None,
            )
            for each in beliefs
        ]
        return [
            each for each in resolved if each.target is None or each.target.id != each.source.id
        ]

    def _rows(self, query: str, parameters: Mapping[str, Value]) -> list[Row]:
        return self._transaction.rows(query, {**self._reach, **parameters})


class _SameNames:
    """Which keys were decided to mean which, and the ids of the nodes that are therefore one."""

    def __init__(self, decided: Mapping[str, str]) -> None:
        self._decided = {name: entity for name, entity in decided.items() if name != entity}
        self._groups: dict[str, list[str]] = {}
        self._meant: dict[str, str] = {}
        for name in self._decided:
            key = self.key_of(name)
            self._meant[node_id(name)] = node_id(key)
            self._groups.setdefault(node_id(key), []).append(name)

    @property
    def is_any(self) -> bool:
        """Whether any names were decided to be one."""
        return bool(self._decided)

    def key_of(self, key: str) -> str:
        """The key that decisions lead to; they may lead on, but never in a circle."""
        seen = {key}
        while (further := self._decided.get(key)) is not None and further not in seen:
            key = further
            seen.add(key)
        return key

    def id_of(self, key: str) -> str:
        """The id of the node that a key means."""
        return node_id(self.key_of(key))

    def canonical(self, id_: str) -> str:
        """The id of the node that an id means now."""
        return self._meant.get(id_, id_)

    def with_twins(self, ids: Iterable[str]) -> list[str]:
        """The ids and those of all names that mean the same, each one's own first."""
        if not self.is_any:
            return list(ids)
        found: dict[str, None] = {}
        for each in ids:
            one = self.canonical(each)
            found.update(dict.fromkeys((each, one, *map(node_id, self._groups.get(one, ())))))
        return list(found)

    def other_names(self, id_: str) -> list[str]:
        """The keys that lead to a node's."""
        return sorted(self._groups.get(self.canonical(id_), ()))

    def pairs(self) -> list[tuple[str, str]]:
        """Every two ids that are one, in both directions."""
        return [
            pair for here, there in self._meant.items() for pair in ((here, there), (there, here))
        ]


# Writing


def keep_edge(transaction: Transaction, memory: Memory, edge: Edge) -> None:
    """Keep the details of a belief beside its memory, and what its ends are called in its scope."""
    keep = keeping(transaction, memory)
    for name in (edge.source, edge.target):
        if name is not None:
            keep_node(transaction, name, memory.scope, keep)
    value = None
    if edge.target is None:
        value = kept(keep, json.dumps(edge.value, ensure_ascii=False, sort_keys=True))
    transaction.run(
        "insert_edge",
        (
            memory.number,
            memory.version,
            edge.source.id,
            edge.relation,
            edge.target.id if edge.target else None,
            edge.property_name,
            value,
            edge.source_type,
            edge.target_type,
            edge.weight,
            epistemic_text(edge.epistemic),
            int(edge.is_functional),
            memory.scope.path,
        ),
    )


def keep_next_edge(
    transaction: Transaction,
    old: Memory,
    new: Memory,
    epistemic: Epistemic,
    types: tuple[str | None, str | None],
) -> None:
    """Keep the same claim beside its memory's next version; a type that is None stays as it is."""
    source_type, target_type = types
    transaction.run(
        "insert_next_edge",
        {
            "number": old.number,
            "old_version": old.version,
            "version": new.version,
            "source_type": source_type,
            "target_type": target_type,
            "epistemic": epistemic_text(epistemic),
        },
    )


def keep_node(
    transaction: Transaction, name: NodeName, scope: Scope, keep: Keep | None = None
) -> None:
    """Keep what a node is called in a scope."""
    called = (kept(keep, each) for each in (name.key, name.label, name.note))
    transaction.run("keep_node", (name.id, scope.path, *called))


def rewrite_beliefs(transaction: Transaction, memory: Memory) -> None:
    """Keep what is beside a belief as its memory is kept now: in the open, or sealed.

    A name that is told in the open by other beliefs of the scope stays in the open.
    """
    keep, ends = keeping(transaction, memory), set[tuple[str, str]]()
    for version, value, *nodes, scope in transaction.rows(
        "edge_details", {"number": memory.number}
    ):
        ends |= {(cast(str, each), cast(str, scope)) for each in nodes if each is not None}
        if value:
            row: dict[str, Value] = {"number": memory.number, "version": version}
            transaction.run("rewrite_edge", {**row, "value": kept(keep, cast(str, value))})
    for id_, scope in sorted(ends):
        for *names, is_open in transaction.rows("node_details", {"id": id_, "scope": scope}):
            if names[0] and not (keep and is_open):
                name, label, note = (kept(keep, cast(str, each)) for each in names)
                called: dict[str, Value] = {"name": name, "label": label, "note": note}
                transaction.run("rewrite_node", {**called, "id": id_, "scope": scope})


def keep_saying(
    transaction: Transaction, number: int, change_id: ChangeId, voice: str, epistemic: Epistemic
) -> None:
    """Keep that somebody said a belief."""
    transaction.run("insert_saying", (number, change_id, voice, epistemic_text(epistemic)))


@lru_cache(maxsize=4096)
def epistemic_text(epistemic: Epistemic) -> str:
    """Grounds as they are kept."""
    return json.dumps(as_json(epistemic), ensure_ascii=False, sort_keys=True)


@lru_cache(maxsize=4096)
def _epistemic(text: str) -> Epistemic:
    try:
        return read_epistemic(json.loads(text))
    except (ValueError, EngramError):
        raise StoreCorrupt from None


def _belief(row: Row) -> Belief:
    relation, property_name, value, weight, grounds, is_functional = row[_EDGE : _EDGE + 6]
    memory = memory_from_row(row)
    source, target = row[_EDGE + 6 : _EDGE + 10], row[_EDGE + 10 : _EDGE + 14]
    return Belief(
        memory=memory,
        source=_end(source, memory.scope),
        relation=cast(str, relation),
        target=None if target[0] is None else _end(target, memory.scope),
        property_name=cast(str, property_name),
        value=_value(cast(str, value)) if value else None,
        weight=cast(float, weight),
        epistemic=_epistemic(cast(str, grounds)),
        is_functional=bool(is_functional),
        support=max(1, cast(int, row[_EDGE + 14])),
        repeated_at=None if row[_EDGE + 15] is None else stored_time(row[_EDGE + 15]),
    )


_EDGE = MEMORY_COLUMNS  # where the columns of the edge begin


def _value(text: str) -> Json:
    try:
        return cast(Json, json.loads(text))
    except ValueError:
        raise StoreCorrupt from None


def _end(columns: Sequence[Value], scope: Scope) -> Node:
    id_, name, label, note = cast("tuple[str, str, str, str]", tuple(columns))
    return Node(id_, scope, label or PLACEHOLDER, name, note)


def _node(row: Row) -> Node:
    id_, scope, name, label, note = cast("tuple[str, str, str, str, str]", tuple(row[:5]))
    return Node(id_, scope_at(scope), label or PLACEHOLDER, name, note)


def _typed(belief: Belief, types: Mapping[str, str]) -> Belief:
    target = belief.target
    return dataclasses.replace(
        belief,
        source=dataclasses.replace(belief.source, type=types[belief.source.id]),
        target=dataclasses.replace(target, type=types[target.id]) if target else None,
    )


def _renamed(node: Node, meant: Mapping[str, str], known: Mapping[str, Node]) -> Node:
    one = meant[node.id]
    return node if one == node.id else known.get(one, dataclasses.replace(node, id=one))


def _listed(values: Iterable[str]) -> str:
    return json.dumps(list(values))
