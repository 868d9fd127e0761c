"""Keeps the abstraction tree: only clusters that something came to, or went from, are told anew.

The whole tree of a scope is one decision: it stands as it was, or as it is now, never half.
"""

import dataclasses
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engram.lifecycle.dreams.asked import Asking
from engram.lifecycle.dreams.named import entities_in_scope
from engram.lifecycle.dreams.night import CarryOut, Decision, Night, Planned
from engram.memory.changes import Action
from engram.memory.dreams.artefact import Artefact, ArtefactKind, Plain, inherited
from engram.memory.dreams.cards import centroids
from engram.memory.dreams.clusters import stacked
from engram.memory.dreams.contracts import EntityCentres, Weakness
from engram.memory.dreams.counts import counted
from engram.memory.dreams.domains import is_weak
from engram.memory.dreams.sized_groups import Matrix
from engram.memory.dreams.summaries import Weighed
from engram.memory.dreams.tree import (
    CLUSTER,
    CLUSTERS,
    DOMAIN,
    GLOBAL,
    GLOBAL_TOKENS,
    ROOT,
    SHARE,
    Quote,
    Shape,
    Told,
    fingerprint,
    known_shape,
    node_body,
    quotes_in,
    shaped,
    told,
    told_of_each,
)
from engram.memory.ids import ChangeId
from engram.memory.importance import importance
from engram.memory.record import Memory
from engram.memory.retention import retention
from engram.memory.tokens.estimate import tokens_in
from engram.memory.trust import may_enter_unasked
from engram.providers.hashing import HashingEmbedder
from engram.storage.reader import StoreReader
from engram.storage.unit import UnitOfWork

MEANING, WORDS = "meaning", "words"
_WORD_DIMENSION = 256
_FEWEST_TOKENS = 30  # of a model's summary: less is no sentence
_FEW_CLUSTERS = 60  # so many are all looked at for the one paragraph on everything
_AT_ONCE = 200  # texts compared by their words between two breaths
Nodes = Mapping[str, Artefact]


@dataclass(frozen=True, slots=True)
class NamedCentres:
    """Where the entities of a scope lie; asked only when a tree begins."""

    night: Night
    see: StoreReader

    def centres(self) -> Sequence[Matrix]:
        """The middles of the statements that name each, the most named first."""
        named = entities_in_scope(self.see, self.night, fewest=CLUSTERS.least)
        vectors = self.night.vectors(self.see)
        return list(centroids(named, vectors, fewest=CLUSTERS.least).values())


@dataclass(frozen=True, slots=True)
class LittleKnown:
    """Where little is known, by the memories themselves."""

    night: Night
    by_number: Mapping[int, Memory]

    def is_weak(self, numbers: Collection[int]) -> bool:
        """Whether little is known of what these memories are about."""
        night = self.night
        members = [self.by_number[number] for number in numbers if number in self.by_number]
        return is_weak(members, lambda each: retention(each, night.now, night.retention_mode))


def tree(night: Night, see: StoreReader) -> Planned:
    """The tree of a scope, brought up to date."""
    by_number = {each.number: each for each in night.statements(see)}
    return grown(
        night, see, centres=NamedCentres(night, see), weakness=LittleKnown(night, by_number)
    )


def grown(
    night: Night, see: StoreReader, *, centres: EntityCentres | None, weakness: Weakness | None
) -> Planned:
    """The same with whoever helps: where entities lie, and where little is known."""
    statements = night.statements(see)
    nodes = {
        each.key: each for each in see.artefacts.all(ArtefactKind.TREE_NODE, scope=night.scope)
    }
    numbers, matrix, how = _compared(night, see, statements)
    known = None if night.is_rebuild else _known(nodes, how)
    shape = shaped(
        numbers,
        matrix,
        known,
        seeds=centres.centres() if centres is not None and known is None and how == MEANING else (),
        is_weak=weakness.is_weak if weakness is not None else None,
        breathe=night.breathe,
    )
    asking = Asking(night.model)
    teller = _Teller(night, {each.number: each for each in statements}, nodes)
    made = teller.reworded(teller.tell(shape, how), asking)
    waiting = len(statements) - len(numbers)
    late = (
        f"Not embedded yet: {counted(waiting, 'memory', 'memories')}, left to the next dream."
        if waiting
        else ""
    )
    return Planned(
        decisions=_decisions(night, nodes, made),
        looked_at=len(statements),
        skipped=" ".join(each for each in (late, asking.skipped) if each),
    )


def _known(nodes: Nodes, how: str) -> Shape | None:
    root = nodes.get(ROOT)
    if root is None or root.body.get("compared_by") != how:
        return None
    return known_shape(nodes.values())


def _compared(
    night: Night, see: StoreReader, statements: Sequence[Memory]
) -> tuple[tuple[int, ...], Matrix, str]:
    """The memories that can be compared, as rows, and by what: by words while few have vectors."""
    vectors = night.vectors(see)
    if 2 * len(vectors) >= len(statements):
        numbers, matrix = stacked(vectors, [each.number for each in statements])
        return numbers, matrix, MEANING
    embedder = HashingEmbedder(dimension=_WORD_DIMENSION)
    rows = []
    for start in range(0, len(statements), _AT_ONCE):
        rows.append(embedder.embed([each.content for each in statements[start : start + _AT_ONCE]]))
        night.breathe()
    return tuple(each.number for each in statements), np.vstack(rows).astype(np.float32), WORDS


@dataclass(frozen=True, slots=True)
class _Teller:
    """Puts nodes into words, and takes over those that nothing has happened to."""

    night: Night
    by_number: Mapping[int, Memory]
    nodes: Nodes

    def tell(self, shape: Shape, how: str) -> dict[str, Artefact]:
        """All nodes of a tree of this shape."""
        if not shape.clusters:
            return {}
        made: dict[str, Artefact] = {}
        for key in sorted(shape.clusters):
            made[key] = self._cluster(key, shape.clusters[key])
            self.night.breathe()
        for key in sorted(shape.domains):
            children = {each: made[each] for each in shape.domains[key]}
            made[key] = self._domain(key, children)
            self.night.breathe()
        root = self._root(
            {each: made[each] for each in shape.domains},
            {each: made[each] for each in shape.clusters},
        )
        made[ROOT] = dataclasses.replace(root, body={**root.body, "compared_by": how})
        return made

    def reworded(self, made: dict[str, Artefact], asking: Asking) -> dict[str, Artefact]:
        """The nodes with a model's words for some of those told anew, the most general first."""
        if not asking.has_model:
            return made
        changed = [
            each for each in made.values() if not each.says_the_same(self.nodes.get(each.key))
        ]
        changed.sort(key=lambda each: (-_count(each, "level"), each.key))
        found = dict(made)
        for node in changed[: self.night.options.tree_summaries]:
            sources, texts = self._material(node, made)
            most = max(_count(node, "tokens"), _FEWEST_TOKENS)
            words = asking.summary(texts, most_tokens=most) if texts else None
            if words is not None:
                found[node.key] = self._in_words(node, words, sources)
        return found

    def _material(self, node: Artefact, made: Nodes) -> tuple[list[Memory], list[str]]:
        """The memories a node stands on, and the texts that a model is shown of them."""
        if node.body["level"] == CLUSTER:
            members = [self.by_number[number] for number in _children(node)]
            quotable = [each for each in members if may_be_told(each)]
            return quotable, [each.content for each in quotable]
        children = node.body["children"]
        below = [made[str(each)] for each in children] if isinstance(children, list) else []
        numbers = sorted({number for each in below for number in each.sources})
        return [self.by_number[number] for number in numbers], [each.text for each in below]

    def _in_words(self, node: Artefact, words: str, sources: Sequence[Memory]) -> Artefact:
        trust, secrecy = inherited(sources)
        quoted = [[each.number, each.version, 0] for each in sources]
        body = {**node.body, "by": "model", "tokens": tokens_in(words), "quoted": quoted}
        numbers = tuple(each.number for each in sources)
        return dataclasses.replace(
            node, text=words, body=body, sources=numbers, trust=trust, secrecy=secrecy
        )

    def _cluster(self, key: str, numbers: tuple[int, ...]) -> Artefact:
        members = [self.by_number[number] for number in numbers]
        print_of = fingerprint((each.number, each.version) for each in members)
        known = self._kept(key, print_of)
        if known is not None:
            return known
        texts = [self._weighed(each) for each in members if may_be_told(each)]
        node = self._told(texts, sum(tokens_in(each.text) for each in texts) // SHARE)
        body = node_body(CLUSTER, numbers, node, members=len(members), print_of=print_of)
        return self._node(key, node, body)

    def _domain(self, key: str, clusters: Nodes) -> Artefact:
        print_of = _print_over(clusters)
        known = self._kept(key, print_of)
        if known is not None:
            return known
        parts = [self._quoted(clusters[each]) for each in sorted(clusters)]
        node = told_of_each(parts, self._versions(each for part in parts for each in part))
        return self._over(key, DOMAIN, clusters, node, print_of)

    def _root(self, domains: Nodes, clusters: Nodes) -> Artefact:
        """All in one paragraph, of what clusters say; of many, of the largest of each domain."""
        print_of = _print_over(domains)
        known = self._kept(ROOT, print_of)
        if known is not None:
            return known
        keys = sorted(clusters)
        if len(keys) > _FEW_CLUSTERS:
            keys = [_largest(domains[each], clusters) for each in sorted(domains)]
        texts = [text for key in keys for text in self._quoted(clusters[key])]
        node = self._told(texts, GLOBAL_TOKENS)
        return self._over(ROOT, GLOBAL, domains, node, print_of)

    def _quoted(self, node: Artefact) -> list[Weighed]:
        """The sentences of a node, each counting as much as the node stands for."""
        size = float(_count(node, "members"))
        return [Weighed(quote.text, size, quote.number) for quote in self._quotes(node)]

    def _over(self, key: str, level: int, children: Nodes, node: Told, print_of: str) -> Artefact:
        below = sum(_count(each, "tokens") for each in children.values())
        members = sum(_count(each, "members") for each in children.values())
        body = node_body(level, sorted(children), Told(node.quotes, below), members=members,
                         print_of=print_of)  # fmt: skip
        return self._node(key, node, body)

    def _kept(self, key: str, print_of: str) -> Artefact | None:
        """The node as it stands, when it is made of the very same."""
        known = self.nodes.get(key)
        if known is None or self.night.is_rebuild or known.body.get("print") != print_of:
            return None
        return known

    def _told(self, texts: Sequence[Weighed], most_tokens: int) -> Told:
        return told(texts, self._versions(texts), most_tokens=most_tokens)

    def _versions(self, texts: Iterable[Weighed]) -> dict[int, int]:
        return {each.number: self.by_number[each.number].version for each in texts}

    def _quotes(self, node: Artefact) -> tuple[Quote, ...]:
        """The sentences by which a node is told further up; one in a model's words has its own."""
        quotes = quotes_in(node)
        if quotes or node.body.get("by") == "rules":
            return quotes
        members = [self.by_number[each] for each in node.sources if each in self.by_number]
        texts = [self._weighed(each) for each in members if may_be_told(each)]
        return self._told(texts, _count(node, "tokens")).quotes

    def _weighed(self, memory: Memory) -> Weighed:
        weight = memory.trust * (0.5 + importance(memory, self.night.now).score)
        return Weighed(memory.content, weight, memory.number)

    def _node(self, key: str, node: Told, body: Mapping[str, Plain]) -> Artefact:
        sources = [self.by_number[n] for n in sorted({each.number for each in node.quotes})]
        trust, secrecy = inherited(sources)
        return Artefact(
            kind=ArtefactKind.TREE_NODE, scope=self.night.scope, key=key, text=node.text, body=body,
            sources=tuple(each.number for each in sources), trust=trust, secrecy=secrecy,
            made_at=self.night.now,
        )  # fmt: skip


def may_be_told(memory: Memory) -> bool:
    """Whether a memory's words may stand in an overview that goes into prompts unasked."""
    return memory.is_indexable and may_enter_unasked(memory)


def _print_over(children: Nodes) -> str:
    return fingerprint(f"{each}:{children[each].body['print']}" for each in sorted(children))


def _largest(domain: Artefact, clusters: Nodes) -> str:
    children = domain.body["children"]
    keys = [str(each) for each in children] if isinstance(children, list) else []
    return max(keys, key=lambda key: (_count(clusters[key], "members"), key))


def _count(node: Artefact, name: str) -> int:
    value = node.body.get(name)
    return value if isinstance(value, int) else 0


def _decisions(night: Night, nodes: Nodes, made: Nodes) -> tuple[Decision, ...]:
    changed = [each for key, each in sorted(made.items()) if not each.says_the_same(nodes.get(key))]
    gone = [each for key, each in sorted(nodes.items()) if key not in made]
    if not changed and not gone:
        return ()
    numbers = sorted({
        number for each in changed if each.body["level"] == CLUSTER for number in _children(each)
    })  # fmt: skip
    why = _why(len(changed), len(made), _count(made[ROOT], "members") if made else 0, len(gone))
    prints = fingerprint(f"{each.key}:{each.body['print']}" for each in made.values())
    carry_out = _writing(night, nodes, changed, gone, why)
    return (Decision(f"tree:{prints}", why, tuple(numbers), carry_out),)


def _why(changed: int, nodes: int, members: int, gone: int) -> str:
    if not nodes:
        return f"Nothing is left to be told: {counted(gone, 'node')} of the tree went."
    ended = f"; {counted(gone, 'node')} went" if gone else ""
    told = counted(members, "memory", "memories")
    return f"Told {changed} of the {nodes} nodes of the tree of {told} anew{ended}."


def _children(node: Artefact) -> list[int]:
    children = node.body.get("children")
    return (
        [each for each in children if isinstance(each, int)] if isinstance(children, list) else []
    )


def _writing(
    night: Night,
    nodes: Nodes,
    changed: Sequence[Artefact],
    gone: Sequence[Artefact],
    why: str,
) -> CarryOut:
    before = _told_by(nodes.get(ROOT))

    def carry_out(unit: UnitOfWork) -> bool:
        # Whatever becomes of a tree, its root is told anew with it.
        kind, scope = ArtefactKind.TREE_NODE, night.scope
        if _told_by(unit.see.artefacts.find(kind, scope, ROOT)) != before:
            return False
        unit.begin_change(Action.KEEP_ARTEFACT, night.scope, why)
        for each in changed:
            unit.keep_artefact(each)
        for each in gone:
            unit.end_artefact(each)
        return True

    return carry_out


def _told_by(root: Artefact | None) -> ChangeId | None:
    return root.change_id if root is not None else None
