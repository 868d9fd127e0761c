"""Takes back one change whole: every memory it touched is again exactly as it was before."""

import dataclasses
from collections.abc import Callable
from typing import Any

from engram.errors import (
    ChangeNotFound,
    InvalidInput,
    StatementTaken,
    UndoConflict,
)
from engram.lifecycle.appended import taking_back
from engram.lifecycle.dreams.taken_back import take_back_made, take_back_rehearsals, undo_artefacts
from engram.lifecycle.entities import take_back as take_back_names
from engram.lifecycle.feedback import toggle_feedback, withdraw_feedback
from engram.lifecycle.relate import toggle_links, withdraw_link
from engram.lifecycle.undo_rules import (
    check_may_take_back,
    check_not_erased,
    check_not_undone,
    mark_taken_back,
)
from engram.memory.changes import Action, Change
from engram.memory.ids import ChangeId
from engram.memory.record import Memory
from engram.memory.scopes import Principal
from engram.memory.skills.circles import Placed, check_ends
from engram.memory.status import OCCUPYING, check_rewording
from engram.storage.unit import UnitOfWork

# What belongs to the memory as such or to the moment of writing, and so is not taken over.
_NOT_RESTORED = frozenset({"id", "number", "recorded_at", "recorded_until", "change_id", "usage"})
_RESTORED = tuple(
    field.name for field in dataclasses.fields(Memory) if field.name not in _NOT_RESTORED
)


def _take_back_tier(*given: Any, reason: str) -> list[Memory]:
    # Imported here: who takes back anything else does not load what resealing takes.
    from engram.lifecycle.tier import take_back_tier

    return take_back_tier(*given, reason=reason)


# What leaves memories as they are is kept beside them, and taken back there.
_STATELESS: dict[Action, Callable[..., list[Memory]]] = {
    Action.FEEDBACK: withdraw_feedback,
    Action.RELATE: withdraw_link,
    Action.RENAME: take_back_names,
    Action.ADD_EVENTS: taking_back("events_withdrawn", "withdraw_events", is_told=True),
    Action.RUN_SKILL: taking_back("runs_withdrawn", "withdraw_runs"),
    Action.REHEARSE: take_back_rehearsals,
    Action.KEEP_ARTEFACT: take_back_made,
    Action.TIER: _take_back_tier,
}

_OF_SKILLS = frozenset({Action.ADD_SKILL, Action.REVISE_SKILL, Action.RETIRE_SKILL})


@dataclasses.dataclass(frozen=True, slots=True)
class _Touched:
    """One memory a change touched, and what taking the change back means for it."""

    latest: Memory
    standing: list[ChangeId | None]  # the changes whose result stands now, the last one first
    before: Memory | None  # the state this change ended
    is_last_change: bool  # the newest state is as this change left it


def undo(unit: UnitOfWork, principal: Principal, change_id: str, *, reason: str) -> list[Memory]:
    """Take back a change; an undo can be undone the same way."""
    found = unit.see.change(change_id)
    if found is None:
        raise ChangeNotFound
    change, root = found.change, _root_change(unit, found.change)
    check_not_erased(unit, principal, found)
    if root.action in _STATELESS:
        return _STATELESS[root.action](unit, principal, found, root.id, reason=reason)
    touched = [_touched(unit, principal, number, change) for number in found.numbers]
    check_not_undone(change)
    for each in touched:
        _check_nothing_since(unit, each, change, found.numbers)
    check_may_take_back(principal, change)
    for each in touched:
        # Who only said a word about a memory may take that word back, whoever said the memory.
        if each.is_last_change or unit.see.feedback_of(each.latest.number, root.id) is None:
            check_rewording(principal, each.latest)
    new_change = unit.begin_change(Action.UNDO, touched[0].latest.scope, reason, undoes=change.id)
    results = [_take_back(unit, each) for each in touched]
    if root.action in _OF_SKILLS:
        _check_skills_end(unit, results)
    results += _without_source(unit, change, [each.latest for each in touched])
    undo_artefacts(unit, change, new_change)
    for each in touched:
        _toggle_confirmation(unit, each.latest, root.id, new_change)
        toggle_feedback(unit, each.latest, root.id, new_change)
        toggle_links(unit, each.latest, root.id, change, new_change)
    mark_taken_back(unit, change, new_change)
    return results


def _check_skills_end(unit: UnitOfWork, memories: list[Memory]) -> None:
    """Refuse to bring back a skill that others made since would lead back to itself."""
    others = unit.see.skills.placed()
    for memory in memories:
        stored = unit.see.skills.by_number(memory.number)
        if stored is None:
            continue
        try:
            check_ends(Placed(memory.scope, stored.skill), others)
        except InvalidInput as error:
            raise UndoConflict(hint=error.hint) from None


def _without_source(unit: UnitOfWork, change: Change, turns: list[Memory]) -> list[Memory]:
    """What was drawn from turns that are taken back goes with them, unless others say it too."""
    if change.action is not Action.OBSERVE:
        return []
    drawn = {each.number: each for turn in turns for each in unit.see.turns.drawn_from(turn)}
    sources = unit.see.turns.source_numbers(drawn)
    gone = {turn.number for turn in turns}
    return [
        unit.withdraw(each)
        for number, each in drawn.items()
        if gone.issuperset(sources[number])
        and not each.usage.confirmations
        and not unit.see.replaced_by(each.id)
    ]


def _touched(unit: UnitOfWork, principal: Principal, number: int, change: Change) -> _Touched:
    """Look at one memory; a change to a foreign one looks unknown."""
    found = unit.see.last_state(number)
    if found is None:
        raise ChangeNotFound
    latest, ended_by = found
    principal.check_may_change(latest.scope)
    standing: list[ChangeId | None] = [ended_by]
    if latest.is_current:
        standing = [*_standing_changes(unit, latest)]
    before = unit.see.state_ended_by(number, change.id)
    return _Touched(latest, standing, before, change.id in standing)


def _check_nothing_since(
    unit: UnitOfWork, touched: _Touched, change: Change, numbers: tuple[int, ...]
) -> None:
    if touched.is_last_change and touched.before is None:
        _check_nobody_builds_on(unit, touched.latest, numbers)
    if touched.is_last_change or not _made_state(unit, touched.latest, touched.before, change):
        return
    last = touched.standing[0]
    raise UndoConflict(hint=f"{touched.latest.label} was changed since; undo {last} first.")


def _check_nobody_builds_on(unit: UnitOfWork, memory: Memory, numbers: tuple[int, ...]) -> None:
    """What others have confirmed, or what took another's place, is not simply made undone."""
    if memory.usage.confirmations:
        raise UndoConflict(hint=f"{memory.label} was confirmed since; forget it instead.")
    if unit.see.replaced_by(memory.id) - set(numbers):
        raise UndoConflict(hint=f"{memory.label} replaced another memory; undo that change first.")


def _standing_changes(unit: UnitOfWork, latest: Memory) -> list[ChangeId]:
    """The changes whose result stands now: the last one, and the one that an undo went back to."""
    found = [latest.change_id]
    while (stored := unit.see.change(found[-1])) is not None and stored.change.undoes is not None:
        restored = unit.see.state_ended_by(latest.number, stored.change.undoes)
        if restored is None:
            break
        found.append(restored.change_id)
    return found


def _made_state(unit: UnitOfWork, latest: Memory, before: Memory | None, change: Change) -> bool:
    return before is not None or any(
        entry.memory.change_id == change.id for entry in unit.see.history(latest.id)
    )


def _take_back(unit: UnitOfWork, touched: _Touched) -> Memory:
    latest, before = touched.latest, touched.before
    if not touched.is_last_change:
        return latest  # the change only confirmed this memory
    if before is None:
        return unit.withdraw(latest)
    _check_free(unit, before)
    if latest.is_current:
        return unit.replace(latest, **{name: getattr(before, name) for name in _RESTORED})
    return unit.restore(before, after=latest.recorded_until or unit.now)


def _check_free(unit: UnitOfWork, before: Memory) -> None:
    if before.status not in OCCUPYING:
        return
    taken = unit.see.same_statement(before.identity, before.scope)
    if taken is not None and taken.number != before.number:
        raise StatementTaken(hint=f"It was said again since and is {taken.label}.")


def _root_change(unit: UnitOfWork, change: Change) -> Change:
    """Follow undos of undos to the change at their root, which may have confirmed something."""
    while change.undoes is not None:
        earlier = unit.see.change(change.undoes)
        if earlier is None:
            break
        change = earlier.change
    return change


def _toggle_confirmation(
    unit: UnitOfWork, memory: Memory, confirmed: ChangeId, new_change: ChangeId
) -> None:
    state = unit.see.confirmation(memory.number, confirmed)
    if state is not None:
        withdrawn_by = new_change if state == "counted" else None
        unit.set_confirmation(memory, confirmed, withdrawn_by)
