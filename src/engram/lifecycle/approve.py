"""A person's yes to what was held: it is recalled, and takes the place it was meant for."""

from engram.errors import IllegalTransition
from engram.lifecycle.alter import changeable
from engram.memory.changes import Action
from engram.memory.record import Memory
from engram.memory.scopes import Principal
from engram.memory.staleness import ceases_at, status_at
from engram.memory.status import LEGAL_MOVES, check_authority
from engram.memory.vocabulary import Status
from engram.storage.unit import UnitOfWork


def approve(unit: UnitOfWork, principal: Principal, memory_id: str, *, reason: str) -> Memory:
    """Let a memory that was held be recalled; a held correction retires what it corrects."""
    held = changeable(unit, principal, memory_id)
    if held.status is not Status.PENDING:
        raise IllegalTransition(hint=f"{held.label} is {held.status}, not {Status.PENDING}.")
    check_authority(principal, held, Status.ACTIVE)
    wrong = _corrected(unit, held)
    # What replaces something holds from then on, and did not before.
    begins = held.valid_from or held.at if wrong else held.valid_from
    unit.begin_change(Action.APPROVE, held.scope, reason)
    approved = unit.replace(
        held, status=Status.ACTIVE, last_verified_at=unit.now, valid_from=begins
    )
    for old in wrong:
        unit.replace(
            old,
            status=Status.SUPERSEDED,
            superseded_by=approved.id,
            valid_until=ceases_at(old, begins or held.at),
        )
    return approved


def _corrected(unit: UnitOfWork, held: Memory) -> list[Memory]:
    """What this was proposed as the correction of, where it can still be retired."""
    proposal = unit.see.change(unit.see.history(held.id)[0].change.id)
    if proposal is None:
        return []
    found = [
        unit.see.current(number)
        for number in proposal.numbers
        if number != held.number and unit.see.feedback_of(number, proposal.change.id) == "counted"
    ]
    return [memory for memory in found if memory is not None and _can_be_retired(unit, memory)]


def _can_be_retired(unit: UnitOfWork, memory: Memory) -> bool:
    return Status.SUPERSEDED in LEGAL_MOVES[status_at(memory, unit.now)]
