"""From a checked fact to a belief: learnt, confirmed, in another's place, or against it."""

import dataclasses
import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from engram.capture.draft import Draft, DraftRules
from engram.capture.fact_draft import Fact, NamedBy, fact_sentence
from engram.capture.fact_rivals import Claim, Known, claim_position, closes_circle, rivals_of
from engram.capture.once import Done, done_before, drafted_request, note_done
from engram.capture.recorded import keep_record
from engram.capture.remember import as_seen_by
from engram.errors import InvalidInput, MemoryNotFound
from engram.language.forms import plain_name
from engram.memory.ids import ChangeId, MemoryId
from engram.memory.knowledge.belief import Belief, Node, NodeName, NodeType, Said, value_text
from engram.memory.knowledge.epistemic import strength, voices
from engram.memory.knowledge.learned import Kind, Learned
from engram.memory.knowledge.reconcile import TRANSFER, Plan, plan
from engram.memory.links import Relation
from engram.memory.outcomes import Confirmed, Held, Outcome, Refused, Stored
from engram.memory.people import person_named
from engram.memory.record import Memory
from engram.memory.staleness import ceases_at
from engram.memory.trust import is_untrusted
from engram.memory.vocabulary import Secrecy, Status
from engram.security.screening.protected import protected_in
from engram.storage.knowledge import (
    Edge,
    KnowledgeReader,
    keep_edge,
    keep_next_edge,
    keep_saying,
)
from engram.storage.part_readers import reach_parameters
from engram.storage.sameness import same_statement
from engram.storage.tied import tie
from engram.storage.unit import UnitOfWork
from engram.text.strings import NAME_LENGTH

_KINDS: dict[str, Kind] = {
    "stored": "learned", "confirmed": "confirmed", "held": "held", "refused": "refused",
}  # fmt: skip
_OUTCOMES: dict[str, type[Stored | Confirmed | Held]] = {
    "learned": Stored, "confirmed": Confirmed, "held": Held,
}  # fmt: skip
NOBODY = MemoryId("0" * 26)  # of what was never stored
_MOST_TIED = 20  # links from one claim to what it contradicts


@dataclass(frozen=True, slots=True)
class _Made:
    """A fact whose names are looked up: the claim, and how it is kept."""

    fact: Fact
    source: NodeName
    target: NodeName | None
    claim: Claim

    @property
    def edge(self) -> Edge:
        return Edge(
            source=self.source,
            relation=self.fact.rule.name,
            target=self.target,
            property_name=self.fact.property_name,
            value=self.fact.value,
            source_type=self.fact.source_type,
            target_type=self.fact.target_type,
            weight=self.fact.weight,
            epistemic=self.fact.epistemic,
            is_functional=self.fact.rule.is_functional,
        )


def learn_fact(
    fact: Fact, unit: UnitOfWork, rules: DraftRules, knowledge: KnowledgeReader
) -> Learned:
    """Take in one fact within a unit of work; the reader is the unit's own."""
    can_see = rules.principal.can_see(fact.draft.scope)
    # Who cannot read the scope is answered from what it does see: names, ids, types and refusals
    # would tell what is there.
    sight = knowledge if can_see else _in_own_sight(unit, rules)
    made = _made(fact, sight, rules)
    earlier = _same_request(made, unit, knowledge, rules)
    if earlier is not None:
        return _typed(earlier, made, sight, can_see=can_see)
    if can_see:
        _check_circle(made, unit, knowledge)
    learned = _learn(made, unit, rules, knowledge) if can_see else _keep(made, unit, rules)
    _note_request(made, learned, unit)
    return _typed(learned, made, sight, can_see=can_see)


def _in_own_sight(unit: UnitOfWork, rules: DraftRules) -> KnowledgeReader:
    return KnowledgeReader(unit.transaction, reach_parameters(rules.principal.reach()))


def refused_fact(fact: Fact, reason: str, unit: UnitOfWork, rules: DraftRules) -> Learned:
    """The answer to one of many facts that cannot be; nothing of it is kept."""
    named = [each if isinstance(each, NodeName) else NodeName(each) for each in _ends(fact)]
    made = _claimed(fact, named[0], named[1] if len(named) > 1 else None, "", None, rules)
    return _learned(made, Refused(_unkept(made.claim.draft, unit), reason))


def _learn(made: _Made, unit: UnitOfWork, rules: DraftRules, knowledge: KnowledgeReader) -> Learned:
    draft = made.claim.draft
    about = person_named(
        draft.scope.path, draft.named_if_protected or draft.subject or draft.speaker
    )
    identity = cast(bytes, draft.identity)
    said = (
        unit.see.same_statement(identity, draft.scope)
        if rules.principal.is_veiled
        else same_statement(unit, identity, about, draft.scope)
    )
    if said is not None:
        return _confirm(made, said, unit, rules, knowledge)
    known = rivals_of(made.claim, unit, knowledge, rules.principal)
    decided = _decided(made, known)
    draft = dataclasses.replace(
        draft,
        status=decided.status,
        confidence=decided.confidence,
        valid_from=decided.begins or draft.valid_from,
        valid_until=_earlier_of(decided.ends, draft.valid_until),
        superseded_by=None if decided.successor is None else known[decided.successor].memory.id,
    )
    made = dataclasses.replace(made, claim=dataclasses.replace(made.claim, draft=draft))
    kept = _keep(made, unit, rules)
    if kept.kind != "learned":
        return kept
    _apply(decided, known, kept.belief.memory, unit)
    against = tuple(known[n].memory for n in (*decided.retire, *decided.against))
    return dataclasses.replace(
        kept, kind=cast(Kind, decided.kind), reason=decided.reason, rivals=against
    )


def _decided(made: _Made, known: list[Known]) -> Plan:
    """What becomes of the claim; what a model supposes changes nothing that is known."""
    decided = plan(claim_position(made.claim), [each.rival for each in known])
    if not made.fact.is_proposed or decided.kind == "learned":
        return decided
    open_ = tuple(n for n, each in enumerate(known) if not each.rival.is_ended)
    return Plan(
        status=Status.CHALLENGED,
        kind="challenged",
        reason="proposed by a model against what is known",
        against=open_,
        confidence=made.claim.draft.confidence,
    )


def _keep(
    made: _Made, unit: UnitOfWork, rules: DraftRules, inherited: Secrecy = Secrecy.CLEARTEXT
) -> Learned:
    """Store the memory with its details; a claim that is known counts as confirmed."""

    def write(memory: Memory) -> None:
        keep_edge(unit.transaction, memory, made.edge)

    # A request that is made again is recognised here, with all that it was held against.
    draft = dataclasses.replace(made.claim.draft, idempotency_key=None)
    outcome = keep_record(draft, unit, rules, write, details=made.fact.value, inherited=inherited)
    if outcome.change_id is not None:
        for voice in voices(made.fact.epistemic, rules.principal.actor):
            keep_saying(
                unit.transaction, outcome.memory.number, outcome.change_id, voice,
                made.fact.epistemic,
            )  # fmt: skip
    return _learned(made, outcome)


def _apply(decided: Plan, known: list[Known], new: Memory, unit: UnitOfWork) -> None:
    """Do to the rivals what was decided, in the change that made the claim; links come after."""
    unit.explain_change(decided.reason)
    for n in decided.retire:
        old = known[n].memory
        unit.replace(
            old,
            status=Status.SUPERSEDED,
            superseded_by=new.id,
            valid_until=ceases_at(old, decided.begins or new.at),
        )
    for n in decided.challenge:
        if known[n].memory.status is not Status.CHALLENGED:
            unit.replace(known[n].memory, status=Status.CHALLENGED)
    if decided.successor is not None:
        _follow(known[decided.successor], new, unit)
    for n in decided.against[:_MOST_TIED]:
        tie(unit, new, known[n].memory, Relation.CONTRADICTS, decided.reason)


def _follow(successor: Known, earlier: Memory, unit: UnitOfWork) -> None:
    """What took the place of an earlier one holds since then, and is surer for it."""
    memory = successor.memory
    if successor.rival.is_ended or not successor.rival.may_be_retired or memory.valid_from:
        return
    confidence = min(1.0, memory.confidence + TRANSFER * earlier.confidence)
    unit.replace(memory, valid_from=memory.at, confidence=confidence)


def _earlier_of(one: datetime | None, other: datetime | None) -> datetime | None:
    return min((each for each in (one, other) if each is not None), default=None)


# What is said again


def _confirm(
    made: _Made, said: Memory, unit: UnitOfWork, rules: DraftRules, knowledge: KnowledgeReader
) -> Learned:
    """One more voice; grounds that are better than before take their place, and a contest that this
    decides is over."""
    learned = _keep(made, unit, rules, said.secrecy)
    if learned.kind != "confirmed":
        return learned
    (before,) = knowledge.edges_of([said.number]) or [learned.belief]
    memory = _strengthened(made, before, unit)
    if said.status in (Status.PENDING, Status.CHALLENGED):
        _settle(made, memory, unit, rules, knowledge)
    (belief,) = knowledge.edges_of([said.number]) or [learned.belief]
    return dataclasses.replace(learned, belief=belief)


def _strengthened(made: _Made, before: Belief, unit: UnitOfWork) -> Memory:
    memory, fact, draft = before.memory, made.fact, made.claim.draft
    is_better = strength(fact.epistemic) > before.strength
    if not is_better and fact.source_type is None and fact.target_type is None:
        return memory
    kept = unit.replace(
        memory,
        version=unit.next_version(memory.number),
        confidence=max(memory.confidence, draft.confidence) if is_better else memory.confidence,
        # One more voice does not make known who spoke first; a person's has verified it by now.
        trust=memory.trust if is_untrusted(memory) else max(memory.trust, draft.provenance.trust),
    )
    grounds = fact.epistemic if is_better else before.epistemic
    is_turned = before.source.id != made.claim.source  # what runs both ways, said from the other
    types = (fact.source_type, fact.target_type)
    said = (types[1], types[0]) if is_turned else types
    keep_next_edge(unit.transaction, memory, kept, grounds, said)
    return kept


def _settle(
    made: _Made, memory: Memory, unit: UnitOfWork, rules: DraftRules, knowledge: KnowledgeReader
) -> None:
    """Hold what was said again, or is vouched for only now, against its rivals anew."""
    claim = dataclasses.replace(made.claim, number=memory.number)
    known = rivals_of(claim, unit, knowledge, rules.principal)
    (belief,) = knowledge.edges_of([memory.number])
    decided = plan(claim_position(claim, support=belief.support), [each.rival for each in known])
    if decided.status is Status.ACTIVE and memory.status is not Status.PENDING:
        _apply(decided, known, _standing(memory, decided, unit), unit)
    elif memory.status is Status.ACTIVE and decided.status is Status.CHALLENGED:
        _apply(decided, known, unit.replace(memory, status=Status.CHALLENGED), unit)


def _standing(memory: Memory, decided: Plan, unit: UnitOfWork) -> Memory:
    if memory.status is Status.ACTIVE:
        return memory
    return unit.replace(memory, status=Status.ACTIVE, confidence=decided.confidence)


# Names


def _made(fact: Fact, knowledge: KnowledgeReader, rules: DraftRules) -> _Made:
    source = _name(fact.source, knowledge)
    target = None if fact.target is None else _name(fact.target, knowledge)
    ids = knowledge.same_names
    source_id = ids.id_of(source.key)
    target_id = None if target is None else ids.id_of(target.key)
    if source_id == target_id:
        raise InvalidInput(hint="A relation leads from one to another, not to the same.")
    return _claimed(fact, source, target, source_id, target_id, rules)


def _claimed(
    fact: Fact,
    source: NodeName,
    target: NodeName | None,
    source_id: str,
    target_id: str | None,
    rules: DraftRules,
) -> _Made:
    is_of_two = fact.draft.category.name == "relationship" and target is not None
    subject = f"{source.label}, {target.label}" if is_of_two and target else source.label
    draft = dataclasses.replace(
        fact.draft,
        text=fact_sentence(fact, source, target),
        # What is protected must not stand in the open as a name: then it is about nobody named.
        subject=None if protected_in(subject) else subject[:NAME_LENGTH],
        identity=_identity(fact, source_id, target_id, rules),
        made_of=tuple(
            person_named(fact.draft.scope.path, each.label)
            for each in (source, target)
            if each and not protected_in(each.label)
        ),
        named_if_protected=source.label[:NAME_LENGTH]
        if is_of_two and not protected_in(source.label)
        else None,
    )
    words = value_text(fact.value) if target is None else target.label
    claim = Claim(
        source=source_id,
        relation=fact.rule.name,
        property_name=fact.property_name,
        said=Said(target_id, fact.value, words),
        is_functional=fact.rule.is_functional,
        may_be_functional=fact.rule.is_functional or fact.rule.is_custom,
        epistemic=fact.epistemic,
        draft=draft,
    )
    return _Made(fact, source, target, claim)


def _ends(fact: Fact) -> list[NamedBy]:
    return [fact.source] if fact.target is None else [fact.source, fact.target]


def _name(named: NamedBy, knowledge: KnowledgeReader) -> NodeName:
    if isinstance(named, NodeName):
        return named
    node = knowledge.node(named)
    if node is None:
        raise MemoryNotFound(hint="Nobody and nothing you can see has this id.")
    return NodeName(node.label, node.note)


def _identity(fact: Fact, source: str, target: str | None, rules: DraftRules) -> bytes:
    """What tells this claim from others in its scope: what it says of whom, and from when on."""
    ends = sorted((source, target or "")) if fact.rule.is_symmetric else [source, target or ""]
    value = "" if target else plain_name(value_text(fact.value))
    begins = fact.draft.valid_from.isoformat() if fact.draft.valid_from else ""
    blind = "" if rules.principal.can_see(fact.draft.scope) else rules.principal.actor
    parts = ["belief", *ends, fact.rule.name, fact.property_name, value, begins, blind]
    return hashlib.sha256(json.dumps(parts).encode()).digest()


def _check_circle(made: _Made, unit: UnitOfWork, knowledge: KnowledgeReader) -> None:
    target = made.claim.said.target
    if target and closes_circle(made.fact.rule, made.claim.source, target, knowledge, unit):
        raise InvalidInput(hint=f"`{made.fact.rule.name}` would run in a circle, by other beliefs.")


# Answers


def _learned(made: _Made, outcome: Outcome) -> Learned:
    belief = Belief(
        memory=outcome.memory,
        source=_node(made.source, made.claim.source, made.fact.source_type, outcome.memory),
        relation=made.fact.rule.name,
        target=None
        if made.target is None
        else _node(
            made.target, made.claim.said.target or "", made.fact.target_type, outcome.memory
        ),
        property_name=made.fact.property_name,
        value=made.fact.value,
        weight=made.fact.weight,
        epistemic=made.fact.epistemic,
        is_functional=made.fact.rule.is_functional,
    )
    return Learned(belief, _KINDS[outcome.kind], outcome.reason, outcome.change_id)


def _typed(learned: Learned, made: _Made, sight: KnowledgeReader, *, can_see: bool) -> Learned:
    """The answer with what both ends are, as it is read from now on.

    What waits, or is out of the caller's sight, says nothing yet: there the caller's own word
    stands before what is read.
    """
    if learned.kind == "refused":
        return learned
    (belief,) = sight.with_types([learned.belief])
    if not can_see or learned.belief.memory.status is Status.PENDING:
        target, fact = belief.target, made.fact
        belief = dataclasses.replace(
            belief,
            source=_said_to_be(belief.source, fact.source_type),
            target=None if target is None else _said_to_be(target, fact.target_type),
        )
    return dataclasses.replace(learned, belief=belief)


def _said_to_be(node: Node, said: str | None) -> Node:
    return node if said is None else dataclasses.replace(node, type=said)


def _node(name: NodeName, id_: str, said: str | None, memory: Memory) -> Node:
    return Node(id_, memory.scope, name.label, name.key, name.note, said or NodeType.CONCEPT)


def _unkept(draft: Draft, unit: UnitOfWork) -> Memory:
    """The memory that a fact would have been."""
    return Memory(
        id=NOBODY, number=0, scope=draft.scope, content=draft.text, category=draft.category.name,
        memory_type=draft.memory_type, layer=draft.layer, kind=draft.kind, status=Status.REJECTED,
        source=draft.provenance.source, source_class=draft.provenance.source_class,
        learned_by=draft.provenance.learned_by, confidence=draft.confidence,
        base_importance=draft.importance, trust=draft.provenance.trust, at=draft.at,
        learned_at=unit.now, recorded_at=unit.now, change_id=ChangeId(""),
    )  # fmt: skip


def _same_request(
    made: _Made, unit: UnitOfWork, knowledge: KnowledgeReader, rules: DraftRules
) -> Learned | None:
    """What an earlier request under the same key came to, when this is a retry of it."""
    draft = made.claim.draft
    done = done_before(unit, draft.scope, drafted_request(draft))
    found = knowledge.edges_of([done.number]) if done else []
    if done is None or done.change_id is None or not found:
        return None  # nothing was, or it was taken back since: the same request stands anew
    if not rules.principal.can_see(draft.scope):
        again = _OUTCOMES[done.kind](found[0].memory, done.reason, done.change_id)
        return _learned(made, as_seen_by(rules.principal, draft, again))
    return Learned(found[0], cast(Kind, done.kind), done.reason, done.change_id)


def _note_request(made: _Made, learned: Learned, unit: UnitOfWork) -> None:
    if learned.kind == "refused":
        return
    draft, number = made.claim.draft, learned.belief.memory.number
    done = Done(number, learned.change_id, learned.kind, learned.reason)
    note_done(unit, draft.scope, drafted_request(draft), done, learned.belief.memory.secrecy)
