"""A stateful test: random operations on a store and on a dictionary must agree."""

import itertools
import shutil
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from clock import FakeClock
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
)

from engram import Engram
from engram.errors import EngramError, StatementTaken, UndoConflict
from engram.memory.status import LEGAL_MOVES, OCCUPYING
from engram.memory.vocabulary import Status

_MOVES = [Status.CHALLENGED, Status.STALE, Status.INVALIDATED, Status.ACTIVE, Status.QUARANTINED]


@dataclass(frozen=True)
class Row:
    """What the model knows of one memory."""

    text: str
    status: Status
    version: int = 1
    is_pinned: bool = False
    confirmations: int = 0


class StoreMachine(RuleBasedStateMachine):
    """Engram beside a dictionary."""

    memories = Bundle("memories")
    changes = Bundle("changes")

    @initialize()
    def open_first(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="engram-model-"))
        self.clock = FakeClock()
        self.rows: dict[str, Row] = {}
        self.last_change: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.numbers = itertools.count(1)
        self.successors: set[str] = set()
        self.handed_out = 0
        self.steps = 0
        self._open()

    def _open(self) -> None:
        self.engram = Engram.open(
            self.folder / "store", clock=self.clock,
            settings={"security": {"flush_seconds": 60}, "storage": {"backup_every_hours": 0}},
        )  # fmt: skip

    def teardown(self) -> None:
        if hasattr(self, "engram"):
            try:
                self.engram.settle()
                assert self.engram.doctor().is_fine
                assert self.engram.verify_audit().is_intact
            finally:
                self.engram.close()
                shutil.rmtree(self.folder)

    def _tick(self, amount: float) -> None:
        self.clock.advance(seconds=amount)

    def _changed(self, memory_id: str, **fields: object) -> None:
        self.rows[memory_id] = replace(self.rows[memory_id], **fields)
        self.last_change[memory_id] = str(self.engram.get(memory_id).change_id)

    @rule(target=memories, seconds=st.sampled_from([0, 1, 3600, -60]))
    def remember_new(self, seconds: float) -> str:
        self._tick(seconds)
        number = next(self.numbers)
        outcome = self.engram.remember(f"Fact tok{number}x is here.", category="decision")
        assert outcome.kind == "stored"
        self.handed_out += 1
        assert outcome.memory.number == self.handed_out
        self.rows[outcome.memory.id] = Row(outcome.memory.content, Status.ACTIVE)
        self.last_change[outcome.memory.id] = str(outcome.change_id)
        return outcome.memory.id

    @rule(target=memories)
    def remember_held(self) -> str:
        number = next(self.numbers)
        outcome = self.engram.remember(
            f"Claim tok{number}x is made.", category="identity", source="web:x"
        )
        assert outcome.kind == "held"
        self.handed_out += 1
        self.rows[outcome.memory.id] = Row(outcome.memory.content, Status.PENDING)
        self.last_change[outcome.memory.id] = str(outcome.change_id)
        return outcome.memory.id

    def _occupant(self, text: str) -> str | None:
        for memory_id, row in self.rows.items():
            if row.text.lower() == text.lower() and row.status in OCCUPYING:
                return memory_id
        return None

    @rule(target=memories, memory_id=memories)
    def remember_again(self, memory_id: str) -> object:
        row = self.rows.get(memory_id)
        if row is None:
            return multiple()
        occupant = self._occupant(row.text)
        outcome = self.engram.remember(row.text.upper(), category="decision")
        if occupant is None:
            assert outcome.kind == "stored"
            self.handed_out += 1
            self.rows[outcome.memory.id] = Row(outcome.memory.content, Status.ACTIVE)
            self.last_change[outcome.memory.id] = str(outcome.change_id)
            return outcome.memory.id
        known = self.rows[occupant]
        if known.status is Status.REJECTED:
            assert outcome.kind == "refused"
            return multiple()
        assert outcome.kind == "confirmed"
        assert outcome.memory.id == occupant
        is_revived = known.status in (Status.PENDING, Status.STALE)
        status = Status.ACTIVE if is_revived else known.status
        self.rows[occupant] = replace(known, status=status, confirmations=known.confirmations + 1)
        self.last_change[occupant] = str(outcome.memory.change_id)
        return multiple()

    @rule(memory_id=memories)
    def revise(self, memory_id: str) -> None:
        row = self.rows.get(memory_id)
        if row is None:
            return
        text = f"Reworded tok{next(self.numbers)}x now."
        live = (Status.PENDING, Status.ACTIVE, Status.CHALLENGED, Status.STALE)
        if row.status not in live:
            self._refused(lambda: self.engram.revise(memory_id, text))
            return
        self.engram.revise(memory_id, text)
        status = Status.ACTIVE if row.status is Status.STALE else row.status
        # The number of a wording that was undone is not given to another.
        self.versions[memory_id] = self.versions.get(memory_id, 1) + 1
        self._changed(memory_id, text=text, version=self.versions[memory_id], status=status)

    def _refused(self, act: object) -> None:
        with pytest.raises(EngramError):
            act()

    @rule(memory_id=memories, target_status=st.sampled_from(_MOVES))
    def move(self, memory_id: str, target_status: Status) -> None:
        row = self.rows.get(memory_id)
        if row is None:
            return

        def act() -> object:
            return self.engram.set_status(memory_id, target_status, reason="model")

        is_legal = target_status in LEGAL_MOVES[row.status]
        is_taken = row.status is Status.ARCHIVED and self._occupant(row.text) is not None
        if not is_legal or is_taken:
            self._refused(act)
            return
        act()
        self._changed(memory_id, status=target_status)

    @rule(memory_id=memories)
    def forget(self, memory_id: str) -> None:
        row = self.rows.get(memory_id)
        if row is None:
            return
        if Status.ARCHIVED not in LEGAL_MOVES[row.status]:
            self._refused(lambda: self.engram.forget(memory_id))
            return
        self.engram.forget(memory_id)
        self._changed(memory_id, status=Status.ARCHIVED)

    @rule(memory_id=memories, approve=st.booleans())
    def decide(self, memory_id: str, approve: bool) -> None:
        row = self.rows.get(memory_id)
        if row is None:
            return
        act = self.engram.approve if approve else self.engram.reject
        target = Status.ACTIVE if approve else Status.REJECTED
        is_open = row.status is Status.PENDING or (
            not approve and target in LEGAL_MOVES[row.status]
        )
        if not is_open:
            self._refused(lambda: act(memory_id))
            return
        act(memory_id)
        self._changed(memory_id, status=target)

    @rule(memory_id=memories, pinned=st.booleans())
    def pin(self, memory_id: str, pinned: bool) -> None:
        if memory_id not in self.rows:
            return
        (self.engram.pin if pinned else self.engram.unpin)(memory_id)
        self._changed(memory_id, is_pinned=pinned)

    @rule(target=memories, memory_id=memories)
    def supersede(self, memory_id: str) -> object:
        row = self.rows.get(memory_id)
        text = f"Successor tok{next(self.numbers)}x."
        if row is None or Status.SUPERSEDED not in LEGAL_MOVES[row.status]:
            self._refused(lambda: self.engram.remember(text, replaces=memory_id))
            return multiple()
        outcome = self.engram.remember(text, replaces=memory_id, category="decision")
        self.handed_out += 1
        self.rows[outcome.memory.id] = Row(text, Status.ACTIVE)
        self.last_change[outcome.memory.id] = str(outcome.change_id)
        self.successors.add(outcome.memory.id)
        self._changed(memory_id, status=Status.SUPERSEDED)
        assert self.engram.get(memory_id).superseded_by == outcome.memory.id
        return outcome.memory.id

    @rule(target=changes, memory_id=memories)
    def pick_change(self, memory_id: str) -> object:
        """Remember a change together with the state before it, to undo it at once or later."""
        row = self.rows.get(memory_id)
        if row is None:
            return multiple()
        change = self.engram.pin(memory_id).change_id
        self._changed(memory_id, is_pinned=True)
        return (memory_id, str(change), row)

    @rule(change=consumes(changes))
    def undo(self, change: tuple[str, str, Row]) -> None:
        memory_id, change_id, before = change
        is_last = memory_id in self.rows and self.last_change[memory_id] == change_id
        try:
            self.engram.undo(change_id)
        except (UndoConflict, StatementTaken):
            assert not is_last
            return
        # The last change, or one that undoing later ones has made the last again: either way the
        # memory is as it was before.
        self._changed(memory_id, text=before.text, status=before.status, is_pinned=before.is_pinned)

    @rule(memory_id=memories)
    def undo_making(self, memory_id: str) -> None:
        row = self.rows.get(memory_id)
        if row is None or len(self.engram.history(memory_id)) != 1:
            return
        if memory_id in self.successors:
            return  # its making also retired another memory, which may have changed since
        if row.confirmations:
            with pytest.raises(UndoConflict):
                self.engram.undo(self.last_change[memory_id])
            return
        self.engram.undo(self.last_change[memory_id])
        del self.rows[memory_id]
        del self.last_change[memory_id]
        assert self.engram.get(memory_id) is None

    @precondition(lambda self: self.steps % 3 == 0)
    @rule()
    def reopen(self) -> None:
        self.engram.close()
        self._open()

    @rule(memory_id=memories)
    def recall_by_its_token(self, memory_id: str) -> None:
        row = self.rows.get(memory_id)
        if row is None:
            return
        token = next(word for word in row.text.lower().split() if word.startswith("tok"))
        hits = [hit.memory.id for hit in self.engram.recall(token.strip("."), limit=100)]
        expected = {
            other for other, each in self.rows.items()
            if token in each.text.lower().split()
            and each.status in (Status.ACTIVE, Status.CHALLENGED)
        }  # fmt: skip
        # What is merely near in meaning may follow.
        assert set(hits[: len(expected)]) == expected

    @invariant()
    def the_store_equals_the_model(self) -> None:
        if not hasattr(self, "engram"):
            return
        self.steps += 1
        found = {
            memory.id: Row(
                memory.content, memory.status, memory.version, memory.is_pinned,
                memory.usage.confirmations,
            )
            for memory in self.engram.list(status="any", limit=10_000)
        }  # fmt: skip
        assert found == self.rows
        stats = self.engram.stats()
        assert stats.memories == len(self.rows)
        if self.steps % 10 == 0:
            assert self.engram.verify_audit().is_intact
        if self.steps % 25 == 0:
            assert self.engram.doctor().is_fine


_QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


@pytest.mark.failure("F59", "F61")
def test_a_store_and_a_dictionary_agree():
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(
        StoreMachine,
        settings=settings(
            max_examples=50, stateful_step_count=50, deadline=None, suppress_health_check=_QUIET
        ),
    )


@pytest.mark.soak
def test_a_store_and_a_dictionary_agree_for_long():
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(
        StoreMachine,
        settings=settings(
            max_examples=400, stateful_step_count=200, deadline=None, suppress_health_check=_QUIET
        ),
    )
