"""Takes back what a dream did beside memories: what it made of them, and what it went through."""

from collections.abc import Callable

from engram.errors import ChangeNotFound, InvalidInput, UndoConflict
from engram.lifecycle.undo_rules import check_may_take_back, check_not_undone, mark_taken_back
from engram.memory.changes import Action, Change
from engram.memory.dreams.report import Step
from engram.memory.ids import ChangeId
from engram.memory.record import Memory
from engram.memory.scopes import Principal, Scope
from engram.storage.artefacts import take_back_artefacts
from engram.storage.reader import StoredChange
from engram.storage.unit import UnitOfWork

Undo = Callable[..., list[Memory]]


def take_back_made(
    unit: UnitOfWork, principal: Principal, stored: StoredChange, _root: ChangeId, *, reason: str
) -> list[Memory]:
    """Undo a change that made or ended artefacts alone, or undo the undoing."""
    change, scope = stored.change, Scope.parse(stored.change.scope)
    if not principal.can_see(scope):
        raise ChangeNotFound
    principal.check_may_change(scope)
    check_not_undone(change)
    check_may_take_back(principal, change)
    undoing = unit.begin_change(Action.UNDO, scope, reason, undoes=change.id)
    undo_artefacts(unit, change, undoing)
    unit.keep_change(scope)
    mark_taken_back(unit, change, undoing)
    return []


def undo_artefacts(unit: UnitOfWork, change: Change, undoing: ChangeId) -> None:
    """End what a change made of memories, and bring back what it ended."""
    try:
        is_done = take_back_artefacts(unit.transaction, change.id, undoing) is not None
    except UndoConflict:
        is_done = False
    if not is_done:
        raise UndoConflict(hint=_in_the_way(unit, change))


def _in_the_way(unit: UnitOfWork, change: Change) -> str:
    """What is to be undone before: the last pass, or change of somebody, in the same places."""
    found = unit.transaction.rows("change_in_the_way", {"change_id": change.id})
    if not found:
        return "What it made has made way for something else since."
    later, dream, step = map(str, found[0])
    first = f"{dream}:{step}" if found[0][1] is not None else later
    return f"What it made has made way for something else since; undo {first} first."


def take_back_rehearsals(
    unit: UnitOfWork, principal: Principal, stored: StoredChange, root: ChangeId, *, reason: str
) -> list[Memory]:
    """Undo that memories were gone through, or undo the undoing; they are not touched."""
    states = [unit.see.last_state(number) for number in stored.numbers]
    memories = [state[0] for state in states if state is not None]
    scope = Scope.parse(stored.change.scope)
    if len(memories) < len(stored.numbers) or not principal.can_see(scope):
        raise ChangeNotFound
    principal.check_may_change(scope)
    check_not_undone(stored.change)
    check_may_take_back(principal, stored.change)
    undoing = unit.begin_change(Action.UNDO, scope, reason, undoes=stored.change.id)
    rows = unit.transaction.rows("rehearsals_withdrawn", {"change_id": root})
    withdrawn_by = undoing if rows and rows[0][0] is None else None
    unit.transaction.run("withdraw_rehearsals", {"withdrawn_by": withdrawn_by, "change_id": root})
    for memory in memories:
        unit.transaction.run("count_rehearsal", {"number": memory.number})
        unit.touch(memory)
    mark_taken_back(unit, stored.change, undoing)
    return memories


def undo_dream(
    unit: UnitOfWork, principal: Principal, named: str, undo: Undo, *, reason: str
) -> list[Memory]:
    """Take back a whole dream, or one pass of it: `drm-…` or `drm-…:merge`. All of it or nothing.

    The last decision goes first. What was built on one of them since stands in the way, and is
    named.
    """
    dream, _, step = named.partition(":")
    if step and step not in tuple(Step):
        raise InvalidInput(hint=f"A pass is one of: {', '.join(Step)}.")
    if not unit.see.dreams.all(limit=1, id_=dream):
        raise ChangeNotFound(
            hint="No dream of that name is in sight; `engram dream --list` shows them."
        )
    changes = unit.see.dreams.standing_changes(dream, step or None)
    if not changes:
        what = "pass" if step else "dream"
        raise UndoConflict(hint=f"That {what} decided nothing, or nothing of it stands any more.")
    found: dict[int, Memory] = {}
    for change_id in changes:
        for memory in undo(unit, principal, change_id, reason=reason or f"undo of {named}"):
            found[memory.number] = memory
    return list(found.values())
