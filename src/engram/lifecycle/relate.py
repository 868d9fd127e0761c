"""Relates memories to each other, and takes that back.

Who sees both memories and may change one of them may relate them. Who sees both sees the link.
"""

from engram.errors import (
    AccessDenied,
    ChangeNotFound,
    InvalidInput,
    MemoryNotFound,
    UndoConflict,
)
from engram.lifecycle.undo_rules import check_may_take_back, check_not_undone, mark_taken_back
from engram.memory.changes import Action, Change
from engram.memory.ids import ChangeId
from engram.memory.links import WITHOUT_CIRCLES, Link, LinkOutcome, Relation, Tie, made_with
from engram.memory.record import Memory
from engram.memory.scopes import Principal, Scope
from engram.storage.database import Value
from engram.storage.links import StoredLink
from engram.storage.reader import StoredChange
from engram.storage.unit import UnitOfWork

_NO_LINK = "`engram links ID` shows what a memory is related to."


def relate(unit: UnitOfWork, principal: Principal, tie: Tie, *, reason: str) -> LinkOutcome:
    """Relate one memory to another; what is related that way already stays as it is."""
    start, end = _ends(unit, principal, tie)
    if start.number == end.number:
        raise InvalidInput(hint="A memory is not related to itself; name two.")
    known = unit.see.links.between(start.number, end.number, tie.relation)
    if known is not None and known.withdrawn_by is None:
        made = unit.see.change(known.change_id)
        known_link = _link(start, end, tie.relation, made.change if made else None)
        return LinkOutcome(known_link, known.change_id, is_repeat=True)
    if _closes_circle(unit, start.number, end.number, tie.relation):
        raise InvalidInput(hint=f"`{tie.relation}` would run in a circle, by way of other links.")
    home = _narrower(start, end).scope
    change_id = unit.begin_change(Action.RELATE, home, reason)
    link = StoredLink(change_id, start.number, end.number, tie.relation, None)
    unit.add_link(link, _places(start, end))
    change = Change(change_id, Action.RELATE, unit.now, principal.actor, home.path, reason)
    return LinkOutcome(_link(start, end, tie.relation, change), change_id, is_repeat=False)


def unrelate(
    unit: UnitOfWork, principal: Principal, named: Tie | str, *, reason: str
) -> LinkOutcome:
    """Take a link back, whether named by its ends or by the change that made it."""
    found = _named_link(unit, principal, named)
    made = unit.see.change(found.change_id) if found else None
    if found is None or made is None:
        raise ChangeNotFound(hint=_NO_LINK)
    memories = _touched(unit, principal, made, hint=_NO_LINK)
    if found.withdrawn_by is None:
        withdraw_link(unit, principal, made, found.change_id, reason=reason, action=Action.UNRELATE)
        taken_back = unit.see.links.made_by(found.change_id) or found
    else:
        taken_back = found
    by_number = {memory.number: memory for memory in memories}
    start, end = by_number[found.from_number], by_number[found.to_number]
    return LinkOutcome(
        _link(start, end, found.relation, made.change),
        taken_back.withdrawn_by or found.change_id,
        is_repeat=found.withdrawn_by is not None,
    )


def withdraw_link(
    unit: UnitOfWork,
    principal: Principal,
    stored: StoredChange,
    root: ChangeId,
    *,
    reason: str,
    action: Action = Action.UNDO,
) -> list[Memory]:
    """Take back the making of a link, or the taking back of it; the memories are not touched."""
    change = stored.change
    memories = _touched(unit, principal, stored)
    check_not_undone(change)
    check_may_take_back(principal, change)
    link = unit.see.links.made_by(root)
    if link is None:
        raise ChangeNotFound
    if link.withdrawn_by is not None:
        _check_can_stand(unit, link)
    scope = Scope.parse(change.scope)
    undoing = unit.begin_change(action, scope, reason, undoes=change.id)
    unit.set_link(root, undoing if link.withdrawn_by is None else None, _places(*memories))
    mark_taken_back(unit, change, undoing)
    return memories


def toggle_links(
    unit: UnitOfWork, memory: Memory, root: ChangeId, change: Change, undoing: ChangeId
) -> None:
    """Take the links away that a change made by the way, or bring back what its undoing took."""
    asked: dict[str, Value] = {"from_number": memory.number, "reason": made_with(root)}
    for made_by, withdrawn_by in unit.transaction.rows("links_made_with", asked):
        link = ChangeId(str(made_by))
        if withdrawn_by is None:
            unit.set_link(link, undoing, ())
        elif withdrawn_by == change.id and _can_stand(unit, link):
            unit.set_link(link, None, ())


def _can_stand(unit: UnitOfWork, made_by: ChangeId) -> bool:
    link = unit.see.links.made_by(made_by)
    if link is None:
        return False
    again = unit.see.links.between(link.from_number, link.to_number, link.relation)
    is_free = again is None or again.withdrawn_by is not None
    return is_free and not _closes_circle(unit, link.from_number, link.to_number, link.relation)


def _ends(unit: UnitOfWork, principal: Principal, tie: Tie) -> tuple[Memory, Memory]:
    start, end = unit.see.memory(tie.from_id), unit.see.memory(tie.to_id)
    if start is None or end is None:
        raise MemoryNotFound
    _check_may_change_one(principal, start, end)
    if tie.relation == Relation.DERIVED_FROM:
        _check_may_derive(principal, start)
    return start, end


def _check_may_derive(principal: Principal, start: Memory) -> None:
    """What is derived is erased with its origin: nobody hangs another's memory on their own."""
    principal.check_may_change(start.scope)
    if start.is_vouched_for and not principal.is_person:
        raise AccessDenied(hint="What a person said is derived from nothing that an agent names.")


def _check_may_change_one(principal: Principal, start: Memory, end: Memory) -> None:
    if not principal.may_change_in(start.scope):
        principal.check_may_change(end.scope)


def _named_link(unit: UnitOfWork, principal: Principal, named: Tie | str) -> StoredLink | None:
    if isinstance(named, str):
        return unit.see.links.made_by(ChangeId(named))
    start, end = _ends(unit, principal, named)
    return unit.see.links.between(start.number, end.number, named.relation)


def _touched(
    unit: UnitOfWork, principal: Principal, stored: StoredChange, *, hint: str | None = None
) -> list[Memory]:
    """Both memories a change related; one that ties a foreign memory looks unknown."""
    states = [unit.see.last_state(number) for number in stored.numbers]
    memories = [state[0] for state in states if state is not None]
    if len(memories) < len(stored.numbers):
        raise ChangeNotFound(hint=hint)
    _check_may_change_one(principal, *memories)
    return memories


def _check_can_stand(unit: UnitOfWork, link: StoredLink) -> None:
    again = unit.see.links.between(link.from_number, link.to_number, link.relation)
    if again is not None and again.withdrawn_by is None:
        raise UndoConflict(hint=f"They were related again since; undo {again.change_id} first.")
    if _closes_circle(unit, link.from_number, link.to_number, link.relation):
        raise UndoConflict(hint=f"`{link.relation}` would run in a circle, by links made since.")


def _closes_circle(unit: UnitOfWork, from_number: int, to_number: int, relation: str) -> bool:
    return relation in WITHOUT_CIRCLES and unit.see.links.leads_to(to_number, from_number)


def _narrower(first: Memory, second: Memory) -> Memory:
    """The memory whose scope lies inside the other's: who sees it sees both."""
    is_wider = first.scope != second.scope and first.scope.contains(second.scope)
    return second if is_wider else first


def _places(first: Memory, second: Memory) -> list[tuple[Memory, Scope]]:
    """Where the audit tells of each end: never to someone who does not see both.

    Of two scopes that lie beside each other each is told of its own memory alone. The narrower
    comes first: by it the change is found, and from there both ends are in sight.
    """
    near = _narrower(first, second)
    far = first if near is second else second
    place = near.scope if near.scope.sees(far.scope) else far.scope
    return [(near, near.scope), (far, place)]


def _link(start: Memory, end: Memory, relation: str, change: Change | None) -> Link:
    return Link(start.number, end.number, start.id, end.id, relation, change)
