"""Withdraws a belief with a reason; what stood against it may stand again."""

from engram.errors import InvalidInput
from engram.lifecycle.alter import changeable
from engram.memory.changes import Action
from engram.memory.knowledge.belief import Belief
from engram.memory.knowledge.reconcile import agree, position_of
from engram.memory.record import Memory
from engram.memory.scopes import Principal
from engram.memory.staleness import status_at
from engram.memory.status import check_authority, check_move
from engram.memory.vocabulary import Status
from engram.storage.unit import UnitOfWork

_STANDING = frozenset({Status.ACTIVE, Status.CHALLENGED})


def retract(unit: UnitOfWork, principal: Principal, memory_id: str, *, reason: str) -> Memory:
    """Say that a belief does not hold and never did; it stays in the history with the reason."""
    old = changeable(unit, principal, memory_id)
    known = unit.see.knowledge.edges_of([old.number])
    if not known:
        raise InvalidInput(hint=f"{old.label} is no belief that was learnt: `forget` it.")
    check_authority(principal, old, Status.INVALIDATED)
    check_move(status_at(old, unit.now), Status.INVALIDATED)
    freed = _freed(unit, known[0], principal)
    unit.begin_change(Action.RETRACT, old.scope, reason)
    retracted = unit.replace(old, status=Status.INVALIDATED)
    if freed is not None:
        unit.replace(freed, status=Status.ACTIVE)
    return retracted


def _freed(unit: UnitOfWork, gone: Belief, principal: Principal) -> Memory | None:
    """The one position that is left, if it was disputed for the sake of this one alone."""
    if not principal.is_person:
        return None  # whether it stands undisputed again is for a person to say
    knowledge = unit.see.knowledge
    about = knowledge.beliefs_about([gone.source.id], gone.relation, gone.property_name)
    left = [
        each
        for each in about
        if each.memory.number != gone.memory.number
        and each.memory.scope == gone.memory.scope
        and status_at(each.memory, unit.now) in _STANDING
        and position_of(each).overlaps(position_of(gone))
    ]
    if len(left) != 1 or left[0].memory.status is not Status.CHALLENGED:
        return None
    is_rival = not agree(left[0].said, gone.said, lambda _one, _other: False)
    return left[0].memory if is_rival and principal.may_change_in(left[0].memory.scope) else None
