"""What holds for every undo: who may take what back, that it is not undone yet, and its marks."""

from engram.errors import AccessDenied, ChangeNotFound, MemoryErased, UndoConflict
from engram.memory.changes import Action, Change
from engram.memory.ids import ChangeId
from engram.memory.scopes import Principal, Scope
from engram.storage.reader import StoredChange
from engram.storage.unit import UnitOfWork


def check_not_undone(change: Change) -> None:
    """Refuse to take back what was taken back already."""
    if change.undone_by is not None:
        raise UndoConflict(hint=f"It is undone already; to redo it, undo {change.undone_by}.")


def check_not_erased(unit: UnitOfWork, principal: Principal, stored: StoredChange) -> None:
    """Refuse to take back an erasure, or a change to something that was erased since."""
    is_gone = stored.change.action is Action.ERASE or unit.see.was_erased(stored.numbers)
    if not is_gone:
        return
    if not principal.can_see(Scope.parse(stored.change.scope)):
        raise ChangeNotFound  # whoever cannot see it is not told that it was there
    raise MemoryErased


def check_may_take_back(principal: Principal, change: Change) -> None:
    """One's own changes anybody takes back; those of others are for people who decide on them."""
    if change.actor == principal.actor:
        return
    principal.check_may_curate()
    if not principal.is_person:
        raise AccessDenied(hint="An agent can undo its own changes only.")


def mark_taken_back(unit: UnitOfWork, change: Change, undoing: ChangeId) -> None:
    """Note by what a change was undone; what it had undone itself stands again."""
    unit.mark_undone(change.id, undoing)
    if change.undoes is not None:
        unit.mark_undone(change.undoes, None)
