"""Ties a memory that is being kept to others that are there: each link a change of its own."""

from engram.memory.changes import Action
from engram.memory.ids import ChangeId
from engram.memory.links import WITHOUT_CIRCLES
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.storage.links import StoredLink
from engram.storage.unit import UnitOfWork


def tie(
    unit: UnitOfWork, start: Memory, end: Memory, relation: str, reason: str = ""
) -> ChangeId | None:
    """Relate one memory to another; None when they are so already, or it would run in a circle.

    Whoever calls this has seen both ends and may change the first. The change is a link's own, so
    that it is taken back by itself; where a memory is taken back, its links are out of sight.
    """
    if start.number == end.number:
        return None
    known = unit.see.links.between(start.number, end.number, relation)
    if known is not None and known.withdrawn_by is None:
        return None
    if relation in WITHOUT_CIRCLES and unit.see.links.leads_to(end.number, start.number):
        return None
    near, far = _by_width(start, end)
    change_id = unit.begin_change(Action.RELATE, near.scope, reason)
    link = StoredLink(change_id, start.number, end.number, relation, None)
    unit.add_link(link, [(near, near.scope), (far, _place(near, far))])
    return change_id


def _by_width(first: Memory, second: Memory) -> tuple[Memory, Memory]:
    """The memory whose scope lies inside the other's comes first: who sees it sees both."""
    is_wider = first.scope != second.scope and first.scope.contains(second.scope)
    return (second, first) if is_wider else (first, second)


def _place(near: Memory, far: Memory) -> Scope:
    """Where the audit tells of the far end: never to someone who does not see both."""
    return near.scope if near.scope.sees(far.scope) else far.scope
