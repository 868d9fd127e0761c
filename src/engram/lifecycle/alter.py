"""The deliberate changes to one memory, each a new state with a reason and a change id."""

from collections.abc import Mapping, Sequence

from engram.errors import (
    InvalidInput,
    MemoryNotFound,
    StatementTaken,
)
from engram.memory.changes import Action
from engram.memory.entities.templates import Template
from engram.memory.identity import reworded_identity
from engram.memory.layers import demoted, promoted
from engram.memory.people import person_of
from engram.memory.record import Memory, MetadataValue
from engram.memory.scopes import Principal
from engram.memory.secrecy import is_lower
from engram.memory.staleness import status_at, turned_stale_by_horizon
from engram.memory.status import REVISABLE, check_authority, check_move, check_rewording
from engram.memory.trust import provenance, unlabelled
from engram.memory.vocabulary import Secrecy, Status
from engram.storage.sameness import kept_identity, same_statement
from engram.storage.unit import UnitOfWork

_REWORDED_BY = {
    "episode": "This memory tells an episode: undo its end, and end it otherwise.",
    "belief": "This memory tells a belief: learn another one, or retract this.",
    "skill": "This memory tells a skill: revise the skill.",
}


def changeable(unit: UnitOfWork, principal: Principal, memory_id: str) -> Memory:
    """The memory, if the caller sees it and may change it."""
    memory = unit.see.memory(memory_id)
    if memory is None:
        raise MemoryNotFound
    principal.check_may_change(memory.scope)
    return memory


def revise(
    unit: UnitOfWork,
    principal: Principal,
    memory_id: str,
    *,
    text: str,
    reason: str,
    labels: Mapping[str, MetadataValue],
    secrecy: Secrecy = Secrecy.CLEARTEXT,
    summary: str | None = None,
    templates: Sequence[Template] = (),
) -> Memory:
    """Give a memory a new wording; the old one stays in its history.

    It is protected as before, or as the new wording calls for (`secrecy`) where that is more.
    """
    old = changeable(unit, principal, memory_id)
    status = status_at(old, unit.now)
    if status not in REVISABLE:
        raise InvalidInput(hint=f"A memory that is {status} cannot be revised; undo that first.")
    check_rewording(principal, old)
    _check_is_text(unit, old)
    identity = reworded_identity(old, text, lambda plain: kept_identity(unit, plain, old))
    taken = same_statement(unit, identity, person_of(old), old.scope)
    if taken is not None and taken.number != old.number:
        raise StatementTaken(hint=f"It is {taken.label}; forget one of the two instead.")
    unit.begin_change(Action.REVISE, old.scope, reason)
    if is_lower(old.secrecy, secrecy):
        # Imported here: few wordings call for more than the one before.
        from engram.security.raising import raised

        old = raised(unit, old, secrecy)
    said_by = provenance(principal, None) if principal.is_person else None
    return unit.replace(
        old,
        content=text,
        identity=kept_identity(unit, identity, old),
        version=unit.next_version(old.number),
        status=Status.ACTIVE if status is Status.STALE and principal.is_person else old.status,
        last_verified_at=unit.now if principal.is_person else old.last_verified_at,
        source_class=said_by.source_class if said_by else old.source_class,
        trust=said_by.trust if said_by else old.trust,
        summary=summary if old.secrecy is Secrecy.SENSITIVE else None,  # not of the old wording
        metadata={**_noted_anew(old, text, templates), **labels},
    )


def _noted_anew(old: Memory, text: str, templates: Sequence[Template]) -> dict[str, MetadataValue]:
    """What somebody gave with the old wording, and what can be read off the new one."""
    # Imported here: who only reads never loads what it takes.
    from engram.memory.deadlines import deadline_in
    from engram.memory.inferred import infer, without_inferred

    given = without_inferred(unlabelled(old), old.content, now=old.at, templates=templates)
    due = deadline_in(text, old.at) if "deadline" in given else None
    if due is not None:
        given["deadline"] = due.isoformat()
    return {**infer(text, now=old.at, templates=templates), **given}


def _check_is_text(unit: UnitOfWork, memory: Memory) -> None:
    """The text of an episode, a belief or a skill is made from its details, and says what they do.

    Another text beside the same details would be a second truth.
    """
    made_from = unit.see.made_from([memory.number])
    if made_from:
        raise InvalidInput(hint=_REWORDED_BY[made_from[memory.number]])


def move(
    unit: UnitOfWork,
    principal: Principal,
    memory_id: str,
    *,
    target: Status,
    action: Action,
    reason: str,
) -> Memory:
    """Move a memory to another status, if the table and the caller's standing allow it."""
    old = changeable(unit, principal, memory_id)
    check_authority(principal, old, target)
    check_move(status_at(old, unit.now), target)
    _check_not_taken(unit, old, target)
    unit.begin_change(action, old.scope, reason)
    if target is Status.ACTIVE:
        return unit.replace(old, status=target, last_verified_at=unit.now)
    return unit.replace(old, status=target)


def _check_not_taken(unit: UnitOfWork, memory: Memory, target: Status) -> None:
    if memory.status is not Status.ARCHIVED or target is not Status.ACTIVE:
        return
    taken = unit.see.same_statement(memory.identity, memory.scope)
    if taken is not None:
        raise StatementTaken(hint=f"It was said again since and is {taken.label}.")


def verify(unit: UnitOfWork, principal: Principal, memory_id: str, *, reason: str) -> Memory:
    """Note that a memory still holds; a stale or challenged one becomes active again."""
    old = changeable(unit, principal, memory_id)
    check_authority(principal, old, Status.ACTIVE)
    status = status_at(old, unit.now)
    if status is not Status.ACTIVE:
        if status not in (Status.STALE, Status.CHALLENGED):
            raise InvalidInput(hint=f"A memory that is {status} cannot be verified.")
        check_move(status, Status.ACTIVE)
    unit.begin_change(Action.VERIFY, old.scope, reason)
    return unit.replace(old, status=Status.ACTIVE, last_verified_at=unit.now)


def set_pinned(
    unit: UnitOfWork, principal: Principal, memory_id: str, *, is_pinned: bool, reason: str
) -> Memory:
    """Keep a memory from fading and from turning stale, or let it go its way again."""
    old = changeable(unit, principal, memory_id)
    if not is_pinned:
        check_rewording(principal, old)  # unpinned it may fade and go
    elif status_at(old, unit.now) is Status.STALE:
        check_authority(principal, old, Status.ACTIVE)  # pinned it would be recalled again
    unit.begin_change(Action.PIN if is_pinned else Action.UNPIN, old.scope, reason)
    if is_pinned and turned_stale_by_horizon(old):
        return unit.replace(old, is_pinned=True, status=Status.ACTIVE)  # a pin knows no horizon
    return unit.replace(old, is_pinned=is_pinned)


def shift_layer(
    unit: UnitOfWork, principal: Principal, memory_id: str, *, upward: bool, reason: str
) -> Memory:
    """Move a memory to a more or less lasting layer."""
    old = changeable(unit, principal, memory_id)
    if not upward:
        check_rewording(principal, old)  # demoted it may fade and go
    layer = promoted(old.layer) if upward else demoted(old.layer)
    unit.begin_change(Action.PROMOTE if upward else Action.DEMOTE, old.scope, reason)
    return unit.replace(old, layer=layer)
