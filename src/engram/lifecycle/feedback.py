"""Takes down what a caller thought of a memory, and takes it back again."""

from engram.errors import ChangeNotFound, MemoryNotFound
from engram.lifecycle.undo_rules import check_may_take_back, check_not_undone, mark_taken_back
from engram.memory.changes import Action
from engram.memory.feedback import Feedback, FeedbackOutcome, Verdict
from engram.memory.ids import ChangeId
from engram.memory.outcomes import Outcome
from engram.memory.record import Memory
from engram.memory.scopes import Principal, Scope
from engram.security.screening.protected import protected_in, tier_of
from engram.storage.reader import StoredChange
from engram.storage.unit import UnitOfWork


def judged(unit: UnitOfWork, principal: Principal, memory_id: str) -> Memory:
    """The memory a caller has a word to say about; seeing it is enough."""
    principal.check_known()
    memory = unit.see.memory(memory_id)
    if memory is None:
        raise MemoryNotFound
    return memory


def give_feedback(
    unit: UnitOfWork,
    principal: Principal,
    memory: Memory,
    verdict: Verdict,
    correction: Outcome | None = None,
    *,
    within: ChangeId | None = None,
) -> FeedbackOutcome:
    """Keep a caller's word on a memory, within the change that has just corrected it if any.

    Who may not change the memory still has a say where it is at home: the word is kept in the
    caller's own scope, and counts for those who see that scope.
    """
    known = unit.see.same_feedback(
        memory.number,
        actor=principal.actor,
        is_helpful=verdict.is_helpful,
        query=verdict.query,
        on=unit.now,
    )
    home = _home(principal, memory)
    if within is not None and correction is not None:
        is_held = correction.kind == "held"
        unit.explain_change(verdict.reason or (correction.reason if is_held else ""))
    if known is None:
        change = within or unit.begin_change(Action.FEEDBACK, home, verdict.reason)
        given = Feedback(
            number=memory.number,
            is_helpful=verdict.is_helpful,
            query=verdict.query,
            at=unit.now,
            actor=principal.actor,
            change_id=change,
        )
        unit.add_feedback(memory, given, home, tier_of(protected_in(verdict.query or "")))
    present = unit.see.current(memory.number) or memory
    return FeedbackOutcome(present, known or given, known is not None, correction)


def _home(principal: Principal, memory: Memory) -> Scope:
    if principal.may_change_in(memory.scope) or principal.scope is None:
        return memory.scope
    return principal.scope


def withdraw_feedback(
    unit: UnitOfWork, principal: Principal, stored: StoredChange, root: ChangeId, *, reason: str
) -> list[Memory]:
    """Take back a word on a memory, or the taking back of it; the memory itself is not touched."""
    change, scope = stored.change, Scope.parse(stored.change.scope)
    states = [unit.see.last_state(number) for number in stored.numbers]
    memories = [state[0] for state in states if state is not None]
    if len(memories) < len(stored.numbers) or not principal.can_see(scope):
        raise ChangeNotFound
    principal.check_may_change(scope)
    check_not_undone(change)
    check_may_take_back(principal, change)
    undoing = unit.begin_change(Action.UNDO, scope, reason, undoes=change.id)
    for memory in memories:
        toggle_feedback(unit, memory, root, undoing)
    mark_taken_back(unit, change, undoing)
    return memories


def toggle_feedback(unit: UnitOfWork, memory: Memory, root: ChangeId, undoing: ChangeId) -> None:
    """Withdraw what a change said of a memory, or give it again when it is withdrawn."""
    state = unit.see.feedback_of(memory.number, root)
    if state is not None:
        unit.set_feedback(memory, root, undoing if state == "counted" else None)
