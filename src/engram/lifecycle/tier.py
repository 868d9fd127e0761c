"""Changes how a memory is protected, with all of its wordings and all that is kept beside them."""

from collections.abc import Callable
from functools import partial

from engram.errors import AccessDenied, ChangeNotFound, MemoryNotFound, UndoConflict
from engram.lifecycle.undo_rules import check_may_take_back, check_not_undone, mark_taken_back
from engram.memory.changes import Action
from engram.memory.ids import ChangeId
from engram.memory.record import Memory
from engram.memory.scopes import Principal
from engram.memory.secrecy import is_lower, may_lower
from engram.memory.vocabulary import LearnedBy, Secrecy
from engram.security.raising import summary_under
from engram.storage.reader import StoredChange
from engram.storage.tiers import (
    TierMove,
    keep_move,
    moves_of,
    protect,
    states_of,
    told_by_the_same_words,
)
from engram.storage.unit import UnitOfWork


def set_tier(
    unit: UnitOfWork,
    principal: Principal,
    memory_id: str,
    *,
    secrecy: Secrecy,
    reason: str,
    note_lower: Callable[[Memory], None],
) -> Memory:
    """Protect a memory by another tier, in a change of its own; the same tier changes nothing.

    More protection reaches what it was drawn from and what was made of it; less is for itself, and
    told to whoever watches over that.
    """
    memory = unit.see.memory(memory_id)
    if memory is None:
        raise MemoryNotFound
    principal.check_may_change(memory.scope)
    _check_may(principal, memory, secrecy)
    if secrecy is memory.secrecy:
        return memory
    change = unit.begin_change(Action.TIER, memory.scope, reason)
    if is_lower(secrecy, memory.secrecy):
        note_lower(memory)
    else:
        for other in told_by_the_same_words(unit, memory):
            if is_lower(other.secrecy, secrecy) and _is_made(other, principal):
                _move(unit, change, other, secrecy)
    return _move(unit, change, memory, secrecy)


def _is_made(memory: Memory, principal: Principal) -> bool:
    """Whether Engram made it itself, where this caller decides: anybody can tie a link."""
    is_own = memory.learned_by in (LearnedBy.DREAM, LearnedBy.OBSERVE)
    return is_own and principal.may_change_in(memory.scope)


def _move(unit: UnitOfWork, change: ChangeId, memory: Memory, secrecy: Secrecy) -> Memory:
    keep_move(unit, change, memory, secrecy)
    return _protected(unit, memory, secrecy)


def _protected(unit: UnitOfWork, memory: Memory, secrecy: Secrecy) -> Memory:
    """All states under the tier, and one more of the change that did it."""
    return unit.replace(protect(unit, memory, secrecy, partial(summary_under, secrecy)))


def take_back_tier(
    unit: UnitOfWork, principal: Principal, found: StoredChange, root: ChangeId, *, reason: str
) -> list[Memory]:
    """Protect memories again as they were before a change of tier, or as that change wanted it."""
    moves = {each.number: each for each in moves_of(unit, root)}
    memories = states_of(unit, moves)
    if not memories:
        raise ChangeNotFound
    for memory in memories:
        principal.check_may_change(memory.scope)
    check_not_undone(found.change)
    check_may_take_back(principal, found.change)
    is_redone = found.change.undoes is not None and found.change.id != root
    targets = [_target(memory, moves[memory.number], is_redone=is_redone) for memory in memories]
    for memory, target in zip(memories, targets, strict=True):
        _check_may(principal, memory, target)
    undoing = unit.begin_change(Action.UNDO, memories[0].scope, reason, undoes=found.change.id)
    again = [_protected(unit, *each) for each in zip(memories, targets, strict=True)]
    mark_taken_back(unit, found.change, undoing)
    return again


def _target(memory: Memory, moved: TierMove, *, is_redone: bool) -> Secrecy:
    expected, target = moved.after, moved.before
    if is_redone and memory.secrecy is moved.before:
        expected, target = moved.before, moved.after
    if memory.secrecy is not expected:
        raise UndoConflict(hint=f"{memory.label} is {memory.secrecy} since; set its tier instead.")
    return target


def _check_may(principal: Principal, memory: Memory, secrecy: Secrecy) -> None:
    if is_lower(secrecy, memory.secrecy) and not may_lower(principal):
        raise AccessDenied(hint="Only a person, or a key that may curate, protects a memory less.")
