"""Every change can be taken back exactly, and taking back can be taken back too."""

import dataclasses
from collections.abc import Callable

import pytest

from engine.dump import dump
from engram import Engram, Principal, Scope
from engram.errors import (
    AccessDenied,
    ChangeNotFound,
    IllegalTransition,
    InvalidInput,
    StatementTaken,
    UndoConflict,
)
from engram.memory.record import Memory
from engram.memory.vocabulary import Layer, Status

# what belongs to the moment of writing, not to what is remembered
_OF_THE_WRITING = {"recorded_at", "recorded_until", "change_id"}


def held(memory: Memory | None) -> dict[str, object] | None:
    if memory is None:
        return None
    return {
        field.name: getattr(memory, field.name)
        for field in dataclasses.fields(memory)
        if field.name not in _OF_THE_WRITING
    }


def state(engram: Engram) -> dict[str, dict[str, object]]:
    return {memory.id: held(memory) for memory in engram.list(status="any", limit=1000)}


def _pending(engram: Engram) -> str:
    return engram.remember("Held.", category="identity", source="web:x").memory.id


ACTIONS: dict[str, Callable[[Engram, str], object]] = {
    "revise": lambda e, id_: e.revise(id_, "The port is 9090.", reason="moved"),
    "forget": lambda e, id_: e.forget(id_),
    "challenge": lambda e, id_: e.set_status(id_, "challenged", reason="odd"),
    "seal": lambda e, id_: e.set_tier(id_, "confidential", reason="private"),
    "stale": lambda e, id_: e.set_status(id_, "stale", reason="old"),
    "quarantine": lambda e, id_: e.set_status(id_, "quarantined", reason="odd"),
    "supersede": lambda e, id_: e.set_status(id_, "superseded", reason="odd"),
    "merge": lambda e, id_: e.set_status(id_, "merged", reason="odd"),
    "invalidate": lambda e, id_: e.set_status(id_, "invalidated", reason="odd"),
    "verify": lambda e, id_: e.verify(id_),
    "pin": lambda e, id_: e.pin(id_),
    "unpin": lambda e, id_: e.unpin(id_),
    "promote": lambda e, id_: e.promote(id_),
    "replace": lambda e, id_: e.remember("The port is 7070.", replaces=id_).memory,
    "confirm": lambda e, id_: e.remember("the PORT is 8080", reference="chat:1").memory,
}


@pytest.mark.failure("F59")
@pytest.mark.parametrize("action", ACTIONS)
def test_undo_restores_exactly_what_was_there(engram, clock, action):
    made = engram.remember(
        "The port is 8080.", layer="episodic", metadata={"a": [True and "x"]}, summary="8080",
        valid_from="2026-01-01T00:00:00Z", subject=None,
    )  # fmt: skip
    if action == "confirm":
        made = engram.remember("The port is 8080.")
    before = state(engram)
    clock.advance(hours=1)

    ACTIONS[action](engram, made.memory.id)
    after = state(engram)
    change = engram.audit(limit=1000)
    done = next(line.change_id for line in change if line.change_id)
    clock.advance(hours=1)
    engram.undo(done, reason="oops")

    assert after != before or action == "unpin"
    assert state(engram) == before
    assert engram.verify_audit().is_intact


@pytest.mark.parametrize("action", ACTIONS)
def test_undo_of_undo_restores_the_change(engram, clock, action):
    made = engram.remember("The port is 8080.", layer="episodic")
    clock.advance(hours=1)
    ACTIONS[action](engram, made.memory.id)
    after = state(engram)
    done = next(line.change_id for line in engram.audit() if line.change_id)

    for _ in range(6):
        clock.advance(hours=1)
        engram.undo(done)
        done = next(line.change_id for line in engram.audit() if line.change_id)

    assert state(engram) == after


@pytest.mark.parametrize("decide", ["approve", "reject"])
def test_a_decision_about_a_pending_memory_can_be_taken_back(engram, decide):
    pending = _pending(engram)
    before = state(engram)

    decided = getattr(engram, decide)(pending)
    engram.undo(decided.change_id)

    assert decided.status is (Status.ACTIVE if decide == "approve" else Status.REJECTED)
    assert state(engram) == before


def test_a_new_memory_can_be_taken_back_and_given_again(engram, clock):
    made = engram.remember("The port is 8080.")
    before = state(engram)

    engram.undo(made.change_id)
    gone = engram.get(made.memory.id)
    clock.advance(seconds=1)
    undone = next(line.change_id for line in engram.audit() if line.action == "undo")
    engram.undo(undone)

    assert gone is None
    assert state(engram) == before
    assert len(engram.recall("port")) == 1


def test_the_undoing_of_a_memory_stands_in_its_history(engram, clock):
    made = engram.remember("The port is 8080.")
    clock.advance(seconds=1)

    engram.undo(made.change_id, reason="said by mistake")

    moves = engram.status_history(made.memory.id)
    assert [(move.old, move.new) for move in moves] == [
        (None, Status.ACTIVE),
        (Status.ACTIVE, None),
    ]
    assert moves[-1].reason == "said by mistake"
    assert moves[-1].at == clock()


def test_taking_back_a_replacement_brings_the_old_one_back(engram):
    old = engram.remember("Lyon.").memory
    before = held(engram.get(old.id))
    new = engram.remember("Porto.", replaces=old.id)

    restored = engram.undo(new.change_id)

    assert len(restored) == 2
    assert held(engram.get(old.id)) == before
    assert engram.get(new.memory.id) is None
    assert [hit.memory.id for hit in engram.recall("Lyon Porto")] == [old.id]


def test_an_earlier_change_is_not_taken_back_over_a_later_one(engram):
    made = engram.remember("one")
    revised = engram.revise(made.memory.id, "two")
    engram.pin(made.memory.id)
    before = dump(engram)

    with pytest.raises(UndoConflict) as caught:
        engram.undo(revised.change_id)
    with pytest.raises(UndoConflict):
        engram.undo(made.change_id)

    assert engram.get(made.memory.id).change_id in caught.value.hint
    assert dump(engram)["memories"] == before["memories"]


def test_a_change_is_taken_back_once(engram):
    made = engram.remember("one")
    pinned = engram.pin(made.memory.id)
    engram.undo(pinned.change_id)

    with pytest.raises(UndoConflict):
        engram.undo(pinned.change_id)


def test_a_forgotten_statement_that_was_said_again_is_not_doubled(engram):
    made = engram.remember("one").memory
    forgotten = engram.forget(made.id)
    again = engram.remember("one").memory

    with pytest.raises(StatementTaken) as undoing:
        engram.undo(forgotten.change_id)
    with pytest.raises(StatementTaken):
        engram.set_status(made.id, "active", reason="back")

    assert again.label in undoing.value.hint
    assert len(engram.list()) == 1


def test_an_agent_undoes_only_its_own_changes(open_store):
    scope = Scope(project="acme", agent="coder")
    agent = open_store(scope=scope)
    person = open_store(principal=Principal(Principal.of(None).kind, scope))
    by_agent = agent.remember("one")
    by_person = person.remember("two")

    with pytest.raises(AccessDenied):
        agent.undo(by_person.change_id)
    agent.undo(by_agent.change_id)

    assert [memory.content for memory in agent.list(status="any")] == ["two"]


def test_changes_can_be_taken_back_one_after_another(engram, clock):
    made = engram.remember("one")
    states = [state(engram)]
    changes = []
    for act in (
        lambda: engram.revise(made.memory.id, "two"),
        lambda: engram.pin(made.memory.id),
        lambda: engram.forget(made.memory.id),
    ):
        clock.advance(hours=1)
        changes.append(act().change_id)
        states.append(state(engram))

    for change, before in zip(reversed(changes), reversed(states[:-1]), strict=True):
        clock.advance(hours=1)
        engram.undo(change)
        assert state(engram) == before

    engram.undo(made.change_id)
    assert state(engram) == {}


def test_an_unknown_change_cannot_be_undone(engram):
    with pytest.raises(ChangeNotFound):
        engram.undo("chg-unknown")


def test_revising_keeps_every_version_and_any_can_be_brought_back(engram, clock):
    memory = engram.remember("one", summary="first").memory
    for text in ("two", "three"):
        clock.advance(days=1)
        engram.revise(memory.id, text, reason=f"now {text}")

    entries = engram.history(memory.id)
    last = engram.get(memory.id)
    engram.undo(last.change_id)
    back = engram.get(memory.id)

    assert [entry.memory.content for entry in entries] == ["one", "two", "three"]
    assert [entry.memory.version for entry in entries] == [1, 2, 3]
    assert [entry.change.reason for entry in entries] == ["", "now two", "now three"]
    assert last.summary is None
    assert (back.content, back.version) == ("two", 2)
    assert len(engram.recall("two")) == 1
    assert len(engram.recall("three")) == 0
    assert len(engram.recall("one")) == 0


def test_revising_into_what_another_memory_says_is_refused(engram):
    one = engram.remember("one").memory
    engram.remember("two")
    before = dump(engram)

    with pytest.raises(StatementTaken) as caught:
        engram.revise(one.id, "Two!")

    assert "mem-0002" in caught.value.hint
    assert dump(engram) == before


@pytest.mark.parametrize("status", ["archived", "superseded", "invalidated", "merged"])
def test_a_retired_memory_is_not_revised(engram, status):
    memory = engram.remember("one").memory
    engram.set_status(memory.id, status, reason="done")

    with pytest.raises(InvalidInput):
        engram.revise(memory.id, "two")


@pytest.mark.failure("F49")
def test_forgetting_archives_and_nothing_more(engram):
    memory = engram.remember("one secret").memory

    forgotten = engram.forget(memory.id, reason="private")

    assert forgotten.status is Status.ARCHIVED
    assert len(engram.recall("secret")) == 0
    assert engram.get(memory.id).content == "one secret"
    assert [m.id for m in engram.list(status="archived")] == [memory.id]
    restored = engram.set_status(memory.id, "active", reason="needed")
    assert restored.status is Status.ACTIVE
    assert len(engram.recall("secret")) == 1
    assert [move.new for move in engram.status_history(memory.id)] == [
        Status.ACTIVE, Status.ARCHIVED, Status.ACTIVE,
    ]  # fmt: skip


def test_archived_memories_are_there_after_ninety_days_and_more(engram, clock):
    memory = engram.remember("one").memory
    engram.forget(memory.id)

    clock.advance(days=1000)

    assert engram.set_status(memory.id, "active", reason="back").status is Status.ACTIVE


def test_forgetting_twice_is_refused(engram):
    memory = engram.remember("one").memory
    engram.forget(memory.id)

    with pytest.raises(IllegalTransition):
        engram.forget(memory.id)


def test_promotion_and_demotion_move_along_the_layers(engram):
    memory = engram.remember("one", layer="working").memory

    layers = [engram.promote(memory.id).layer for _ in range(2)]

    assert layers == [Layer.EPISODIC, Layer.SEMANTIC]
    with pytest.raises(InvalidInput):
        engram.promote(memory.id)
    assert engram.demote(memory.id).layer is Layer.EPISODIC
    with pytest.raises(InvalidInput):
        engram.demote(memory.id)


def test_a_pinned_memory_does_not_turn_stale(engram, clock):
    memory = engram.remember("one", category="context").memory
    engram.pin(memory.id)

    clock.advance(days=400)

    assert engram.get(memory.id).status is Status.ACTIVE
    assert engram.unpin(memory.id).is_pinned is False
    assert engram.get(memory.id).status is Status.STALE


def test_verifying_brings_a_stale_memory_back(engram, clock):
    memory = engram.remember("one", category="context").memory
    clock.advance(days=31)
    assert engram.recall("one").hits == ()

    engram.verify(memory.id)

    assert len(engram.recall("one")) == 1
    assert engram.get(memory.id).last_verified_at == clock()


def test_every_move_has_one_line_in_the_audit(engram):
    memory = engram.remember("one").memory
    engram.set_status(memory.id, "challenged", reason="odd")
    engram.verify(memory.id)
    engram.forget(memory.id)

    lines = engram.audit(memory_id=memory.id)

    assert [line.action for line in lines if line.change_id] == [
        "forget", "verify", "set_status", "remember",
    ]  # fmt: skip
