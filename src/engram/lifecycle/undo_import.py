"""Takes back a whole import: everything that came in with one file, or brings it in again."""

from collections.abc import Callable

from engram.errors import ChangeNotFound, UndoConflict
from engram.memory.record import Memory
from engram.memory.scopes import Principal
from engram.storage.carrying import import_named, mark_import
from engram.storage.unit import UnitOfWork

Undo = Callable[..., list[Memory]]


def undo_import(
    unit: UnitOfWork, principal: Principal, named: str, undo: Undo, *, reason: str
) -> list[Memory]:
    """Take back an import, `imp-…`, or its undoing, `imp-…:undo`. All of it or nothing.

    The last item goes first. What was built on one of them since stands in the way, and is named.
    """
    import_id, is_redo = import_named(named)
    found = unit.see.carrying.imports(limit=1, id_=import_id)
    if not found:
        raise ChangeNotFound(
            hint="No import of that name is in sight; `engram import --list` shows them."
        )
    # What an item was undone by on its own before stays undone when the rest comes back.
    if is_redo:
        _check(found[0].undone_at is not None, f"It stands; `undo {import_id}` takes it back.")
        changes = _undoings(unit, import_id)
    else:
        _check(found[0].undone_at is None, f"It is undone already; undo `{import_id}:undo`.")
        changes = [made for made, by in unit.see.carrying.changes_of(import_id) if by is None]
    memories: dict[int, Memory] = {}
    for change_id in changes:
        if _is_erased(unit, change_id):
            continue  # what is gone for good is no reason to keep the rest
        for memory in undo(unit, principal, change_id, reason=reason or _reason(import_id)):
            memories[memory.number] = memory
    mark_import(unit.transaction, import_id, None if is_redo else unit.now)
    return list(memories.values())


def _undoings(unit: UnitOfWork, import_id: str) -> list[str]:
    """The changes by which the import was taken back, the first item's first."""
    undone = [by for _, by in reversed(unit.see.carrying.changes_of(import_id)) if by is not None]
    stored = [unit.see.change(by) for by in undone]
    return [each.change.id for each in stored if each and each.change.undone_by is None]


def _is_erased(unit: UnitOfWork, change_id: str) -> bool:
    stored = unit.see.change(change_id)
    return stored is not None and unit.see.was_erased(stored.numbers)


def _reason(import_id: str) -> str:
    return f"undo of {import_id}"


def _check(is_so: bool, hint: str) -> None:
    if not is_so:
        raise UndoConflict(hint=hint)
