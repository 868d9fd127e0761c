"""Keeps a question for what is not known, contradictory or perhaps out of date."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from engram.language.names.keys import key_of
from engram.lifecycle.dreams.made import Made, labels, made
from engram.lifecycle.dreams.named import mentions_in_scope, statements_by_number
from engram.lifecycle.dreams.night import Decision, Night, Planned
from engram.memory.dreams.artefact import Artefact, ArtefactKind
from engram.memory.dreams.cards import entities_named
from engram.memory.dreams.gap_fields import (
    NamedOne,
    field_gap,
    missing_fields,
    sorts,
    subjects_in,
)
from engram.memory.dreams.gaps import (
    Gap,
    GapKind,
    as_artefact,
    contradiction_gap,
    doubt_gap,
    from_artefact,
    may_be_asked_about,
    may_be_outdated,
    stale_gap,
)
from engram.memory.knowledge.belief import Belief, Node
from engram.memory.knowledge.epistemic import Contested
from engram.memory.links import Relation
from engram.memory.record import Memory
from engram.memory.vocabulary import Status
from engram.storage.conditions import Moments
from engram.storage.reader import StoreReader

_MOST_NAMES = 1_000  # of the sorts that are asked about, the most named first
_MOST_NODES = 2_000  # of each sort that is asked about
_MOST_CHALLENGED = 500
_WHY = {
    GapKind.MISSING_FIELD: "the `{field}` of the {sort} is not known",
    GapKind.CONTRADICTION: "they stand against each other",
    GapKind.STALE: "it is used much and was not verified for long",
    GapKind.DOUBTED: "it was challenged, and nobody has decided",
}
_WHAT = {
    GapKind.MISSING_FIELD: "the `{field}` of the {sort}",
    GapKind.CONTRADICTION: "which of them holds",
    GapKind.STALE: "whether it still holds",
    GapKind.DOUBTED: "whether it holds",
}


def gaps(night: Night, see: StoreReader) -> Planned:
    """Which questions to keep, and which are settled."""
    statements = night.statements(see)
    found = {gap.id: gap for gap in _found(night, see, statements)}
    kept = sorted(found.values(), key=lambda gap: gap.order)[: night.options.gaps_per_scope]
    wanted = [as_artefact(gap) for gap in kept]
    standing = {each.key: each for each in see.artefacts.all(ArtefactKind.GAP, scope=night.scope)}
    sources = _sources(see, wanted, statements)
    decisions = [
        *_settled(night, standing, {each.key for each in wanted}),
        *_asked(night, kept, wanted, standing, sources),
    ]
    most = night.options.decisions_per_pass
    return Planned(
        decisions=tuple(decisions[:most]),
        findings=_told(len(found), len(kept)),
        looked_at=len(statements),
        is_whole=len(decisions) <= most,
    )


def _told(found: int, kept: int) -> tuple[str, ...]:
    if found <= kept:
        return ()
    return (f"{found - kept} more questions wait until others are answered",)


def _found(night: Night, see: StoreReader, statements: Sequence[Memory]) -> Iterator[Gap]:
    yield from _contradictions(night, see, statements)
    yield from _outdated(night, see)
    yield from _missing(night, see, statements)


def _sources(
    see: StoreReader, wanted: Iterable[Artefact], statements: Sequence[Memory]
) -> dict[int, Memory]:
    """The memories that questions come from; one gone stale is no statement any more."""
    known = {each.number: each for each in statements}
    missing = {n for each in wanted for n in each.sources if n not in known}
    for number in sorted(missing):
        memory = see.current(number)
        if memory is not None:
            known[number] = memory
    return known


def _asked(
    night: Night,
    found: Sequence[Gap],
    wanted: Sequence[Artefact],
    standing: Mapping[str, Artefact],
    sources: Mapping[int, Memory],
) -> Iterator[Decision]:
    for gap, artefact in zip(found, wanted, strict=True):
        if not artefact.says_the_same(standing.get(artefact.key)):
            why = f"A question about {labels(gap.numbers)}: {_said(_WHY, gap)}."
            what = Made(f"ask {gap.id}", keep=(artefact,))
            yield made(what, why, night.scope, sources)


def _settled(
    night: Night, standing: Mapping[str, Artefact], wanted: set[str]
) -> Iterator[Decision]:
    for key, artefact in standing.items():
        if key not in wanted:
            about = _said(_WHAT, from_artefact(artefact))
            why = f"A question about {labels(artefact.sources)} has settled itself: {about}."
            # Named by when it was asked: the same gap may open and close again.
            what = Made(f"settle {artefact.change_id}", end=(artefact,))
            yield made(what, why, night.scope, {})


def _said(words: Mapping[GapKind, str], gap: Gap) -> str:
    """Which kind of question it is and about which field, without a word of any memory."""
    return words[gap.kind].format(field=gap.field, sort=gap.template.replace("_", " "))


# What is missing


def _missing(night: Night, see: StoreReader, statements: Sequence[Memory]) -> Iterator[Gap]:
    names = list(_names(night, see))
    named = [*_nodes(night, see, statements, names), *names]
    for subject in subjects_in(named, statements):
        night.breathe()
        for field in missing_fields(subject):
            yield field_gap(field, subject, scope=night.scope, now=night.now)


def _names(night: Night, see: StoreReader) -> Iterator[NamedOne]:
    """Who and what the statements of the scope name, of the sorts that are asked about."""
    mentions = mentions_in_scope(see, night)
    counts = Counter(each.name for each in mentions)
    asked = {each.name for each in mentions if each.type in {sort.type for sort in sorts()}}
    most = set(sorted(asked, key=lambda name: (-counts[name], name))[:_MOST_NAMES])
    named = entities_named(
        [each for each in mentions if each.name in most],
        statements_by_number(see, night),
        see.entities.aliases_around(night.scope),
        fewest=1,
    )
    for each in named:
        yield NamedOne(each.entity.name, each.entity.keys, each.members, type=each.entity.type)


def _nodes(
    night: Night, see: StoreReader, statements: Sequence[Memory], names: Sequence[NamedOne]
) -> Iterator[NamedOne]:
    """Who and what is known by beliefs, of the sorts that are asked about."""
    if not see.knowledge.has_edges():
        return
    nodes = [
        node
        for type_ in (sort.node_type for sort in sorts() if sort.node_type)
        for node in see.knowledge.listed(type_=type_, limit=_MOST_NODES)
    ]
    told = _beliefs_by_node(night, see, nodes)
    by_number = {each.number: each for each in statements}
    naming = {name: each for each in names for name in each.keys}
    for node in nodes:
        beliefs = told.get(node.id, [])
        keys = frozenset({key_of(node.label), *see.knowledge.aliases(node.id)})
        about = {b.memory.number for b in beliefs}
        about |= {m.number for key in keys if key in naming for m in naming[key].about}
        yield NamedOne(
            node.title, keys, tuple(by_number[n] for n in sorted(about) if n in by_number),
            node_type=node.type, tells=frozenset(name for b in beliefs for name in _told_by(b)),
        )  # fmt: skip


def _beliefs_by_node(
    night: Night, see: StoreReader, nodes: Sequence[Node]
) -> dict[str, list[Belief]]:
    found: dict[str, list[Belief]] = {}
    ids = [node.id for node in nodes]
    moments = Moments(now=night.now)
    for belief in see.knowledge.edges_at(ids, moments=moments, typed=False) if ids else ():
        for end in (belief.source, belief.target):
            if end is not None:
                found.setdefault(end.id, []).append(belief)
    return found


def _told_by(belief: Belief) -> tuple[str, ...]:
    return tuple(filter(None, (belief.relation, belief.property_name)))


# What stands against each other, or is doubted


def _contradictions(night: Night, see: StoreReader, statements: Sequence[Memory]) -> Iterator[Gap]:
    challenged = [each for each in statements if each.status is Status.CHALLENGED]
    challenged = challenged[:_MOST_CHALLENGED]
    by_number = {each.number: each for each in statements}
    contested: set[int] = set()
    for one, other in _pairs(see, challenged, by_number):
        contested |= {one, other}
        pair = (by_number[one], by_number[other])
        if all(map(may_be_asked_about, pair)):
            yield contradiction_gap(*pair, scope=night.scope, now=night.now)
    for memory in challenged:
        if memory.number not in contested and may_be_asked_about(memory):
            yield doubt_gap(memory, scope=night.scope, now=night.now)


def _pairs(
    see: StoreReader, challenged: Sequence[Memory], known: Mapping[int, Memory]
) -> list[tuple[int, int]]:
    """Which of what was challenged stands against what: by links and by beliefs."""
    if not challenged:
        return []
    numbers = [each.number for each in challenged]
    found = {
        (one, other)
        for one, other, relation in see.links.around(numbers)
        if relation in (Relation.CONTRADICTS, Relation.MAY_REPLACE)
    }
    found |= set(_contested_positions(see, numbers))
    pairs = {(min(pair), max(pair)) for pair in found if pair[0] != pair[1]}
    return sorted(pair for pair in pairs if pair[0] in known and pair[1] in known)


def _contested_positions(see: StoreReader, numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    for belief in see.knowledge.edges_of(numbers):
        if isinstance(belief.epistemic, Contested):
            positions = [see.memory(each) for each in belief.epistemic.positions]
            known = {each.number for each in positions if each is not None}
            yield from combinations(sorted(known | {belief.memory.number}), 2)


# What may be out of date


def _outdated(night: Night, see: StoreReader) -> Iterator[Gap]:
    options = night.options
    used = see.questions.much_used(night.scope, uses=options.gap_uses, limit=options.rows_per_pass)
    confirmed = see.questions.last_confirmed(each.number for each in used)
    made_from = see.made_from(each.number for each in used)
    for memory in used:
        night.breathe()
        is_outdated = may_be_outdated(
            memory, night.now, confirmed_at=confirmed.get(memory.number), uses=options.gap_uses,
            days=options.gap_days, near=options.gap_horizon_days,
        )  # fmt: skip
        # The text of an episode or a skill is a record, and not a statement one asks about.
        is_statement = made_from.get(memory.number, "belief") == "belief"
        if is_outdated and is_statement and may_be_asked_about(memory):
            yield stale_gap(memory, scope=night.scope, now=night.now)
