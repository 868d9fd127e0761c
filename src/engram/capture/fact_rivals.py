"""What is known against a claim, and what the caller may do about it."""

from collections.abc import Callable
from dataclasses import dataclass

from engram.capture.draft import Draft
from engram.memory.knowledge.belief import Belief, Said, corroborated
from engram.memory.knowledge.epistemic import Epistemic, strength
from engram.memory.knowledge.reconcile import Position, Rival, agree, position_of
from engram.memory.knowledge.relations import WITHIN, RelationRule
from engram.memory.record import Memory
from engram.memory.scopes import Principal
from engram.memory.staleness import status_at
from engram.memory.status import IN_FORCE, LEGAL_MOVES
from engram.memory.trust import UNTRUSTED, is_untrusted
from engram.memory.vocabulary import SourceClass, Status
from engram.storage.knowledge import KnowledgeReader
from engram.storage.unit import UnitOfWork


@dataclass(frozen=True, slots=True)
class Known:
    """A memory that says something about the same thing, as a rival."""

    memory: Memory
    rival: Rival


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A claim that is being made."""

    source: str  # the id of the node it is about
    relation: str
    property_name: str
    said: Said
    is_functional: bool
    may_be_functional: bool  # of a caller's own relation somebody may have said so before
    epistemic: Epistemic
    draft: Draft
    number: int = 0  # of the memory that says so already


def rivals_of(
    claim: Claim, unit: UnitOfWork, knowledge: KnowledgeReader, principal: Principal
) -> list[Known]:
    """All that is said about the same thing, if it has one value at a time."""
    if not claim.may_be_functional:
        return []
    about = knowledge.beliefs_about([claim.source], claim.relation, claim.property_name)
    others = [each for each in about if each.memory.number != claim.number]
    if not claim.is_functional and not any(each.is_functional for each in others):
        return []
    inside = inside_of(knowledge, unit)
    may_retire = _authority(claim, unit, principal)
    return [
        Known(
            each.memory, _rival(each, agree(claim.said, each.said, inside), may_retire(each.memory))
        )
        for each in others
        if status_at(each.memory, unit.now) in IN_FORCE or each.memory.status is Status.SUPERSEDED
    ]


def claim_position(claim: Claim, *, support: int = 1) -> Position:
    """A claim that is being made, as it is held against others."""
    draft, worth = claim.draft, strength(claim.epistemic)
    return Position(
        force=worth * corroborated(draft.confidence, support),
        strength=worth,
        trust=draft.provenance.trust,
        confidence=draft.confidence,
        at=draft.at,
        valid_from=draft.valid_from,
        valid_until=draft.valid_until,
    )


def inside_of(knowledge: KnowledgeReader, unit: UnitOfWork) -> Callable[[str, str], bool]:
    """Whether one node lies inside another, by what is known now."""
    return lambda one, other: knowledge.leads_to([one], [other], relations=WITHIN, now=unit.now)


def closes_circle(
    rule: RelationRule, source: str, target: str, knowledge: KnowledgeReader, unit: UnitOfWork
) -> bool:
    """Whether a relation that must not run in a circle would, also by others of its family."""
    return rule.is_acyclic and knowledge.leads_to(
        [target], [source], relations=rule.relations_of_family, now=unit.now
    )


def _authority(claim: Claim, unit: UnitOfWork, principal: Principal) -> Callable[[Memory], bool]:
    """What the teller may retire: not what is only seen from above, nor what a person vouches for
    unless a person tells."""
    is_persons = claim.draft.provenance.source_class is SourceClass.PERSON and principal.is_person
    is_strangers = claim.draft.provenance.trust <= UNTRUSTED

    def may_retire(memory: Memory) -> bool:
        # What is said of a narrower scope leaves alone what all of a wider one believe.
        if memory.scope != claim.draft.scope or not principal.may_change_in(memory.scope):
            return False
        is_movable = memory.status is Status.SUPERSEDED or (
            Status.SUPERSEDED in LEGAL_MOVES[status_at(memory, unit.now)]
        )
        if is_strangers and not is_untrusted(memory):
            return False
        return is_movable and (is_persons or not memory.is_vouched_for)

    return may_retire


def _rival(belief: Belief, agrees: bool, may_be_retired: bool) -> Rival:
    is_ended = belief.memory.status is Status.SUPERSEDED
    return Rival(position_of(belief), agrees, may_be_retired, is_ended)
