"""Takes back what was added beside a memory that itself stays as it is: events, runs."""

from collections.abc import Callable

from engram.errors import ChangeNotFound, UndoConflict
from engram.lifecycle.undo_rules import check_may_take_back, check_not_undone, mark_taken_back
from engram.memory.changes import Action
from engram.memory.ids import ChangeId
from engram.memory.record import Memory
from engram.memory.scopes import Principal, Scope
from engram.storage.reader import StoredChange
from engram.storage.unit import UnitOfWork


def taking_back(find: str, withdraw: str, *, is_told: bool = False) -> Callable[..., list[Memory]]:
    """What undoes additions to one table, named by its two queries.

    `is_told`: the memory's next version tells of what was added, as the story of an episode that
    has ended does. What it tells is not taken from under it.
    """

    def take_back(
        unit: UnitOfWork,
        principal: Principal,
        stored: StoredChange,
        made_by: ChangeId,
        *,
        reason: str,
    ) -> list[Memory]:
        memories = _checked(unit, principal, stored)
        if is_told:
            _check_not_told(memories)
        home = Scope.parse(stored.change.scope)  # what was added may lie further in than the memory
        found = unit.transaction.rows(find, {"change_id": made_by})
        if not found:
            raise ChangeNotFound
        undoing = unit.begin_change(Action.UNDO, home, reason, undoes=stored.change.id)
        withdrawn_by = undoing if found[0][0] is None else None
        unit.transaction.run(withdraw, {"withdrawn_by": withdrawn_by, "change_id": made_by})
        for memory in memories:
            unit.touch(memory, home)
        mark_taken_back(unit, stored.change, undoing)
        return memories

    return take_back


def _checked(unit: UnitOfWork, principal: Principal, stored: StoredChange) -> list[Memory]:
    """The memories it concerns; a change to a foreign one looks unknown."""
    states = [unit.see.last_state(number) for number in stored.numbers]
    memories = [state[0] for state in states if state is not None]
    home = Scope.parse(stored.change.scope)
    if not memories or len(memories) < len(stored.numbers) or not principal.can_see(home):
        raise ChangeNotFound
    principal.check_may_change(home)
    check_not_undone(stored.change)
    check_may_take_back(principal, stored.change)
    return memories


def _check_not_told(memories: list[Memory]) -> None:
    for memory in memories:
        if memory.version > 1:
            hint = f"{memory.label} has ended since and tells of it; undo {memory.change_id} first."
            raise UndoConflict(hint=hint)
