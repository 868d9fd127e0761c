"""Pruning: what has served its time goes, the audit stays verifiable, and no memory is touched."""

import dataclasses
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import apsw
import pytest
from clock import FakeClock
from dreaming import night_of, planned_by

from engram import Engram, Scope
from engram.memory.changes import Action
from engram.memory.dreams.artefact import Artefact, ArtefactKind
from engram.memory.ids import ChangeId
from engram.memory.scopes import Principal
from engram.storage.audit_chain import seal

OpenStore = Callable[..., Engram]


@pytest.fixture
def store(open_store: OpenStore) -> Engram:
    """A store on disk whose reads are in no audit, so that every line is a test's own."""
    return open_store(settings={"security": {"read_audit": "off"}})


@pytest.fixture
def forgetful(open_store: OpenStore) -> Engram:
    """The same where lines of the audit are kept for a month alone."""
    settings = {"security": {"read_audit": "off"}, "dreams": {"keep_audit_days": 30}}
    return open_store(settings=settings)


def raw(path: Path, statement: str, *arguments: object) -> list[tuple[object, ...]]:
    connection = apsw.Connection(str(path / "engram.db"))
    try:
        return connection.execute(statement, arguments).fetchall()
    finally:
        connection.close()


def pruned(engram: Engram) -> list[str]:
    """Dream of pruning alone; what the report says of it."""
    report = engram.dream(steps=["prune"])
    return [each for found in report.of("prune") for each in found.findings]


def card(engram: Engram, text: str) -> ChangeId:
    """Make a card, in place of the one there was."""
    now = engram._clock()
    made = Artefact(kind=ArtefactKind.PEER_CARD, scope=Scope(), key="mara", text=text, made_at=now)
    with engram._store.write(engram.principal.review_reach(), actor="test", now=now) as unit:
        change = unit.begin_change(Action.KEEP_ARTEFACT, Scope(), "A card.")
        unit.keep_artefact(made)
    return change


def count(path: Path, table: str) -> int:
    return int(str(raw(path, f"SELECT count(*) FROM {table}")[0][0]))


class TestWhatGoes:
    def test_the_key_of_an_old_request_may_be_used_anew(
        self, store: Engram, store_path: Path, clock: FakeClock
    ) -> None:
        store.remember("The kiln stands in Ghent.", idempotency_key="one")
        clock.advance(days=20)
        store.remember("The wheel stands in Bruges.", idempotency_key="two")
        clock.advance(days=11)

        found = pruned(store)

        assert len(found) == 1
        assert found[0].startswith("1 keys of requests go for good")
        assert raw(store_path, "SELECT key FROM idempotency") == [("two",)]

    def test_earlier_versions_go_and_what_stands_stays(
        self, store: Engram, store_path: Path, clock: FakeClock
    ) -> None:
        store.remember("The kiln stands in Ghent.")
        card(store, "first")
        clock.advance(days=1)
        card(store, "second")
        clock.advance(days=100)
        card(store, "third")

        pruned(store)

        assert raw(store_path, "SELECT text FROM artefacts ORDER BY 1") == [("second",), ("third",)]

    def test_what_an_undo_within_the_time_needs_is_still_there(
        self, store: Engram, clock: FakeClock
    ) -> None:
        store.remember("The kiln stands in Ghent.")
        card(store, "first")
        clock.advance(days=200)
        second = card(store, "second")
        clock.advance(days=80)

        assert pruned(store) == []
        store.undo(second)

        with store._store.read(store.principal.review_reach(), timeout_seconds=5) as see:
            standing = see.artefacts.find(ArtefactKind.PEER_CARD, Scope(), "mara")
        assert standing is not None
        assert standing.text == "first"

    def test_reports_of_old_dreams_go_and_their_decisions_stay(
        self, store: Engram, store_path: Path, clock: FakeClock
    ) -> None:
        store.remember("The kiln stands in Ghent.")
        store.dream(steps=["expire"])
        decisions = count(store_path, "dream_decisions")
        clock.advance(days=366)

        found = pruned(store)

        assert found[0].startswith("1 reports of old dreams")
        assert count(store_path, "dreams") == 2
        assert count(store_path, "dream_steps") == 1
        assert count(store_path, "dream_decisions") == decisions

    def test_old_notes_of_questions_go(
        self, store: Engram, store_path: Path, clock: FakeClock
    ) -> None:
        store.remember("The kiln stands in Ghent.")
        micros = int(clock().timestamp() * 1_000_000)
        raw(store_path, "INSERT INTO questions_asked VALUES ('/', 'g', 's', ?)", micros)
        clock.advance(days=91)

        assert len(pruned(store)) == 1
        assert count(store_path, "questions_asked") == 0

    def test_no_memory_and_no_change_is_touched(
        self, forgetful: Engram, store_path: Path, clock: FakeClock
    ) -> None:
        forgetful.remember("The kiln stands in Ghent.", idempotency_key="one")
        card(forgetful, "first")
        card(forgetful, "second")
        clock.advance(days=4_000)
        tables = ("memories", "changes", "confirmations", "links", "usage")
        before = [raw(store_path, f"SELECT * FROM {table}") for table in tables]

        pruned(forgetful)

        assert [raw(store_path, f"SELECT * FROM {table}") for table in tables] == before

    def test_a_second_time_there_is_nothing_to_do(
        self, forgetful: Engram, clock: FakeClock
    ) -> None:
        forgetful.remember("The kiln stands in Ghent.", idempotency_key="one")
        clock.advance(days=100)

        assert len(pruned(forgetful)) == 2
        assert pruned(forgetful) == []

    def test_many_rows_go_in_batches(
        self, store: Engram, store_path: Path, clock: FakeClock
    ) -> None:
        store.remember("The kiln stands in Ghent.")
        raw(
            store_path,
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500) "
            "INSERT INTO questions_asked SELECT '/', 'g' || i, 's', 1 FROM n",
        )

        planned = planned_by(store, "prune", night_of(store))
        bounded = planned_by(store, "prune", night_of(store, decisions_per_pass=2))
        pruned(store)

        assert len(planned.decisions) == 3
        assert (len(bounded.decisions), bounded.is_whole) == (2, False)
        assert count(store_path, "questions_asked") == 0

    def test_a_dry_run_only_tells(self, store: Engram, store_path: Path, clock: FakeClock) -> None:
        store.remember("The kiln stands in Ghent.", idempotency_key="one")
        clock.advance(days=100)

        report = store.dream(steps=["prune"], dry_run=True)

        assert "cannot be undone" in report.of("prune")[0].decided[0].why
        assert count(store_path, "idempotency") == 1


class TestWhoMay:
    def test_only_the_owner_prunes_and_only_the_whole_store(
        self, store: Engram, open_store: OpenStore, store_path: Path, clock: FakeClock
    ) -> None:
        project = Scope(project="kiln")
        store.remember("The kiln stands in Ghent.", idempotency_key="one", scope=project)
        clock.advance(days=100)

        inside = open_store(scope=project)
        inside.dream(steps=["prune"])
        everywhere = store.seen_by(dataclasses.replace(Principal.of(None), is_owner=False))
        everywhere.dream(steps=["prune"])
        store.dream(steps=["prune"], scope=project)

        assert count(store_path, "idempotency") == 1

    def test_a_store_without_memories_of_its_own_above_is_pruned_too(
        self, store: Engram, store_path: Path, clock: FakeClock
    ) -> None:
        project = Scope(project="kiln")
        store.remember("The kiln stands in Ghent.", idempotency_key="one", scope=project)
        clock.advance(days=100)

        store.dream(steps=["prune"])

        assert count(store_path, "idempotency") == 0


class TestAClockThatJumps:
    def test_a_wrong_year_costs_a_month_and_not_the_record(
        self, store: Engram, store_path: Path, clock: FakeClock
    ) -> None:
        store.remember("The kiln stands in Ghent.", idempotency_key="one")
        store.dream(steps=["prune"])
        clock.advance(days=5)
        store.remember("The wheel stands in Bruges.", idempotency_key="two")
        right = clock()

        clock.advance(days=3_650)
        store.dream(steps=["prune"])
        clock.set(right)
        store.dream(steps=["prune"])

        assert raw(store_path, "SELECT key FROM idempotency") == [("two",)]

    def test_a_clock_that_went_back_prunes_nothing(
        self, forgetful: Engram, store_path: Path, clock: FakeClock
    ) -> None:
        forgetful.remember("The kiln stands in Ghent.", idempotency_key="one")
        clock.advance(days=-400)

        assert pruned(forgetful) == []
        assert count(store_path, "idempotency") == 1


class TestTheAudit:
    @pytest.fixture
    def cut(self, forgetful: Engram, clock: FakeClock) -> Engram:
        """A forgetful of whose audit the older part is gone."""
        for number in range(5):
            forgetful.remember(f"Shelf {number} holds glaze number {number}.")
        clock.advance(days=100)
        forgetful.remember("The kiln stands in Ghent.")
        pruned(forgetful)
        return forgetful

    def test_it_is_kept_for_ever_unless_you_say_otherwise(
        self, store: Engram, clock: FakeClock
    ) -> None:
        store.remember("The kiln stands in Ghent.")
        clock.advance(days=10_000)

        assert pruned(store) == []
        assert store.audit()[-1].sequence == 1

    def test_the_rest_still_verifies_and_says_what_is_gone(self, cut: Engram) -> None:
        verdict = cut.verify_audit()
        lines = cut.audit(limit=100)

        assert verdict.is_intact
        assert verdict.pruned == 5
        assert verdict.entries == 5 + len(lines)
        assert min(line.sequence for line in lines) == 6
        assert [line.count for line in lines if line.action == "prune"] == [5]
        assert cut.doctor().is_fine

    def test_it_goes_on_from_there(self, cut: Engram, clock: FakeClock) -> None:
        clock.advance(days=31)
        cut.remember("The wheel stands in Bruges.")
        pruned(cut)

        verdict = cut.verify_audit()

        assert verdict.is_intact
        assert verdict.pruned > 5

    @pytest.mark.parametrize(
        "tampering",
        [
            "UPDATE audit SET actor = 'x' WHERE sequence = 6",
            "UPDATE audit SET actor = 'x' WHERE sequence = (SELECT max(sequence) FROM audit)",
            "DELETE FROM audit WHERE sequence = 6",
            "DELETE FROM audit WHERE sequence = (SELECT max(sequence) FROM audit)",
            "DELETE FROM audit",
            "INSERT INTO audit SELECT 5, at, actor, action, memory_id, change_id, scope, count, "
            "digest, entry_hash FROM audit WHERE sequence = 6",
            "DELETE FROM meta WHERE key = 'audit_checkpoint'",
            "UPDATE meta SET value = '' WHERE key = 'audit_checkpoint'",
            "UPDATE meta SET value = replace(value, '5:', '6:') WHERE key = 'audit_checkpoint'",
            "UPDATE meta SET value = '0::' WHERE key = 'audit_checkpoint'",
        ],
    )
    def test_tampering_is_noticed(self, cut: Engram, store_path: Path, tampering: str) -> None:
        raw(store_path, tampering)

        verdict = cut.verify_audit()

        assert not verdict.is_intact
        assert verdict.problem

    def test_the_seal_of_a_length_is_no_checkpoint(self, cut: Engram, store_path: Path) -> None:
        key = bytes.fromhex(
            str(raw(store_path, "SELECT value FROM meta WHERE key='audit_key'")[0][0])
        )
        head = raw(store_path, "SELECT entry_hash FROM audit WHERE sequence = 6")[0][0]
        assert isinstance(head, bytes)
        forged = f"6:{head.hex()}:{seal(key, 6, head).hex()}"
        raw(store_path, "DELETE FROM audit WHERE sequence = 6")
        raw(store_path, "UPDATE meta SET value = ? WHERE key = 'audit_checkpoint'", forged)

        assert not cut.verify_audit().is_intact

    def test_a_forged_line_is_not_pruned_away(
        self, forgetful: Engram, store_path: Path, clock: FakeClock
    ) -> None:
        for number in range(3):
            forgetful.remember(f"Shelf {number} holds glaze number {number}.")
        raw(store_path, "UPDATE audit SET actor = 'x' WHERE sequence = 2")
        clock.advance(days=100)

        pruned(forgetful)

        assert not forgetful.verify_audit().is_intact
        assert raw(store_path, "SELECT min(sequence) FROM audit") == [(1,)]

    def test_what_a_webhook_was_not_told_yet_stays(
        self, forgetful: Engram, store_path: Path, clock: FakeClock
    ) -> None:
        forgetful.remember("The wheel stands in Bruges.")
        forgetful.add_webhook("deaf", "https://127.0.0.1:9/")
        forgetful.remember("The kiln stands in Ghent.")
        clock.advance(days=100)

        pruned(forgetful)

        left = [int(str(row[0])) for row in raw(store_path, "SELECT sequence FROM audit")]
        assert min(left) == 2  # told up to the line before the webhook was made

    def test_a_restored_backup_verifies(self, cut: Engram) -> None:
        copy = cut.upkeep.backup()
        cut.remember("The wheel stands in Bruges.")

        cut.upkeep.restore(copy.path)

        assert cut.verify_audit().is_intact
        assert cut.verify_audit().pruned == 5

    def test_a_process_that_slept_through_it_recalls_what_holds_now(
        self, forgetful: Engram, open_store: OpenStore, clock: FakeClock
    ) -> None:
        sleeper = open_store()
        old = forgetful.remember("The kiln stands in Ghent.").memory
        assert [hit.memory.id for hit in sleeper.recall("Where is the kiln?").hits] == [old.id]
        new = forgetful.remember("The kiln stands in Bruges.", replaces=old.id).memory
        forgetful.forget(forgetful.remember("The kiln is blue.").memory.id)
        clock.advance(days=100)

        pruned(forgetful)

        assert [hit.memory.id for hit in sleeper.recall("Where is the kiln?").hits] == [new.id]


def test_pruning_looks_at_the_same_things_in_the_same_order(
    engram: Engram, clock: FakeClock
) -> None:
    engram.remember("The kiln stands in Ghent.", idempotency_key="one")
    clock.advance(days=100)
    night = night_of(engram, keep_audit_days=30)

    first, second = (planned_by(engram, "prune", night) for _ in range(2))

    assert [each.key for each in first.decisions] == [each.key for each in second.decisions]
    assert first.mark == (clock() + timedelta(0)).isoformat()
