"""Takes back what reading all turns again came to, as far as nobody has changed it since."""

from collections.abc import Callable
from contextlib import AbstractContextManager

from engram.errors import ChangeNotFound, StatementTaken, UndoConflict
from engram.memory.changes import Action, Change
from engram.memory.outcomes import TakenBack
from engram.memory.record import Memory
from engram.memory.scopes import Principal
from engram.storage.carrying import mark_import
from engram.storage.unit import UnitOfWork

Undo = Callable[..., list[Memory]]
Units = Callable[[], AbstractContextManager[UnitOfWork]]


def undo_reread(
    units: Units, principal: Principal, named: str, undo: Undo, *, reason: str
) -> TakenBack:
    """Take back every change of a reread that nobody built on; the others are listed.

    The last one goes first, each in a transaction of its own: killed half-way, undoing it again
    takes back the rest.
    """
    with units() as unit:
        found = unit.see.carrying.imports(limit=1, id_=named)
        if not found:
            raise ChangeNotFound(hint="No such reread is in sight.")
        if found[0].undone_at is not None:
            raise UndoConflict(hint="It is undone already; `engram doctor --reread` reads again.")
        changes = [made for made, by in unit.see.carrying.changes_of(named) if by is None]
    why = reason or f"undo of {named}"
    memories: dict[int, Memory] = {}
    kept: dict[int, Memory] = {}
    for change_id in changes:
        try:
            with units() as unit:
                for each in _taken_back(unit, principal, change_id, undo, why):
                    memories[each.number] = each
        except (UndoConflict, StatementTaken, ChangeNotFound):
            with units() as unit:
                kept |= {each.number: each for each in _touched(unit, change_id)}
    with units() as unit:
        mark_import(unit.transaction, named, unit.now)
    done = TakenBack(each for number, each in memories.items() if number not in kept)
    done.kept = tuple(kept.values())
    return done


def _taken_back(
    unit: UnitOfWork, principal: Principal, change_id: str, undo: Undo, reason: str
) -> list[Memory]:
    stored = unit.see.change(change_id)
    if stored is None or unit.see.was_erased(stored.numbers):
        return []
    for number in stored.numbers:
        memory = unit.see.current(number)
        if memory is None:
            continue
        if stored.change.action is Action.SUPERSEDE:
            _check_untouched(unit, memory)
        elif stored.change.action is Action.LEARN:
            _bring_back_replaced(unit, principal, memory, undo, reason)
    return undo(unit, principal, change_id, reason=reason)


def _check_untouched(unit: UnitOfWork, old: Memory) -> None:
    """What a quote stands for that somebody has changed since does not come back beside it."""
    new = unit.see.memory(old.superseded_by) if old.superseded_by else None
    if new is not None and (new.usage.confirmations or len(unit.see.history(new.id)) > 1):
        raise UndoConflict


def _bring_back_replaced(
    unit: UnitOfWork, principal: Principal, memory: Memory, undo: Undo, reason: str
) -> None:
    """Take back verdicts that the quote alone brought about."""
    if len(unit.see.history(memory.id)) > 1 or memory.usage.confirmations:
        return
    for number in unit.see.replaced_by(memory.id):
        old = unit.see.current(number)
        change = None if old is None else unit.see.change(old.change_id)
        if old is not None and change is not None and _is_verdict(change.change):
            undo(unit, principal, old.change_id, reason=reason)


def _is_verdict(change: Change) -> bool:
    return change.action is Action.SUPERSEDE


def _touched(unit: UnitOfWork, change_id: str) -> list[Memory]:
    stored = unit.see.change(change_id)
    found = [] if stored is None else [unit.see.current(number) for number in stored.numbers]
    return [each for each in found if each is not None]
