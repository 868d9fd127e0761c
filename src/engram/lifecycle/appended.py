"""Takes back what was added beside a memory that itself stays as it is: events, runs."""

from collections.abc import Callable

from engram.errors import AccessDenied, ChangeNotFound, UndoConflict
from engram.memory.changes import Action
from engram.memory.ids import ChangeId
from engram.memory.record import Memory
from engram.memory.scopes import Principal
from engram.storage.reader import StoredChange
from engram.storage.unit import UnitOfWork


def taking_back(find: str, withdraw: str) -> Callable[..., list[Memory]]:
    """What undoes additions to one table, named by its two queries."""

    def take_back(
        unit: UnitOfWork,
        principal: Principal,
        stored: StoredChange,
        made_by: ChangeId,
        *,
        reason: str,
    ) -> list[Memory]:
        memories = _checked(unit, principal, stored)
        found = unit.transaction.rows(find, {"change_id": made_by})
        if not found:
            raise ChangeNotFound
        undoing = unit.begin_change(Action.UNDO, memories[0].scope, reason, undoes=stored.change.id)
        withdrawn_by = undoing if found[0][0] is None else None
        unit.transaction.run(withdraw, {"withdrawn_by": withdrawn_by, "change_id": made_by})
        for memory in memories:
            unit.touch(memory)
        unit.mark_undone(stored.change.id, undoing)
        if stored.change.undoes is not None:
            unit.mark_undone(stored.change.undoes, None)
        return memories

    return take_back


def _checked(unit: UnitOfWork, principal: Principal, stored: StoredChange) -> list[Memory]:
    """The memories it concerns; a change to a foreign one looks unknown."""
    states = [unit.see.last_state(number) for number in stored.numbers]
    memories = [state[0] for state in states if state is not None]
    if not memories or len(memories) < len(stored.numbers):
        raise ChangeNotFound
    for memory in memories:
        principal.check_may_change(memory.scope)
    if stored.change.undone_by is not None:
        hint = f"It is undone already; to redo it, undo {stored.change.undone_by}."
        raise UndoConflict(hint=hint)
    if not principal.is_person and stored.change.actor != principal.actor:
        raise AccessDenied(hint="An agent can undo its own changes only.")
    return memories
