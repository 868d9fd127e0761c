"""Settles what a question was about: which of two holds, whether something still does."""

from collections.abc import Sequence

from engram.lifecycle.alter import move, verify
from engram.memory.changes import Action
from engram.memory.ids import MemoryId
from engram.memory.record import Memory
from engram.memory.scopes import Principal
from engram.memory.staleness import ceases_at, status_at
from engram.memory.status import check_authority, check_move
from engram.memory.trust import provenance
from engram.memory.vocabulary import Status
from engram.storage.unit import Evidence, UnitOfWork


def holds(unit: UnitOfWork, principal: Principal, memory: Memory, *, reason: str) -> Memory:
    """Somebody says that it still holds: a person verifies it, an agent adds its voice."""
    if principal.is_person:
        return verify(unit, principal, memory.id, reason=reason)
    principal.check_may_change(memory.scope)
    unit.begin_change(Action.CONFIRM, memory.scope, reason)
    source = provenance(principal, None).source
    unit.confirm(memory, Evidence(unit.now, source, None, None, None))
    return memory


def is_wrong(unit: UnitOfWork, principal: Principal, memory: Memory, *, reason: str) -> Memory:
    """Somebody says that it does not hold; of what a person stands behind an agent only doubts."""
    is_doubt = memory.is_vouched_for and not principal.is_person
    target = Status.CHALLENGED if is_doubt else Status.INVALIDATED
    action = Action.CHALLENGE if is_doubt else Action.INVALIDATE
    return move(unit, principal, memory.id, target=target, action=action, reason=reason)


def all_hold(
    unit: UnitOfWork, principal: Principal, memories: Sequence[Memory], *, reason: str
) -> list[Memory]:
    """What stood against each other holds all the same: only a person can say so."""
    for memory in memories:
        check_authority(principal, memory, Status.ACTIVE)
    unit.begin_change(Action.VERIFY, memories[0].scope, reason)
    return [
        unit.replace(each, status=Status.ACTIVE, last_verified_at=unit.now) for each in memories
    ]


def none_holds(
    unit: UnitOfWork, principal: Principal, memories: Sequence[Memory], *, reason: str
) -> list[Memory]:
    """Neither of what stood against each other holds."""
    for memory in memories:
        _check_retired(unit, principal, memory, Status.INVALIDATED)
    unit.begin_change(Action.INVALIDATE, memories[0].scope, reason)
    return [unit.replace(each, status=Status.INVALIDATED) for each in memories]


def prevails(
    unit: UnitOfWork, principal: Principal, winner: Memory, loser: Memory, *, reason: str
) -> list[Memory]:
    """One of two holds, and the other has been replaced by it."""
    _check_retired(unit, principal, loser, Status.SUPERSEDED)
    unit.begin_change(Action.SUPERSEDE, winner.scope, reason)
    retired = _retired(unit, loser, winner)
    if not principal.is_person:
        return [winner, retired]  # whether it holds is for a person to say
    return [unit.replace(winner, status=Status.ACTIVE, last_verified_at=unit.now), retired]


def give_way(
    unit: UnitOfWork, principal: Principal, loser: Memory, winner: Memory, *, reason: str
) -> Memory:
    """What was said instead of two takes the place of the second too."""
    _check_retired(unit, principal, loser, Status.SUPERSEDED)
    unit.begin_change(Action.SUPERSEDE, loser.scope, reason)
    return _retired(unit, loser, winner)


def _retired(unit: UnitOfWork, loser: Memory, winner: Memory) -> Memory:
    # What was said later and is wrong never held: it ceases when it was said.
    moment = max(winner.valid_from or winner.at, loser.at)
    return unit.replace(
        loser,
        status=Status.SUPERSEDED,
        superseded_by=MemoryId(winner.id),
        valid_until=ceases_at(loser, moment),
    )


def _check_retired(unit: UnitOfWork, principal: Principal, memory: Memory, target: Status) -> None:
    principal.check_may_change(memory.scope)
    check_authority(principal, memory, target)
    check_move(status_at(memory, unit.now), target)
