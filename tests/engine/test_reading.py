"""Reads are audited and counted; listing, stats, audit and health."""

import time
from datetime import timedelta

import apsw
import pytest

from engram import Engram, Scope
from engram.errors import EngramError


def test_recalls_are_counted_as_use_and_reads_are_audited(engram, clock):
    memory = engram.remember("A zebra.").memory
    engram.recall("zebra")
    clock.advance(minutes=5)
    engram.recall("zebra")
    clock.advance(minutes=61)
    engram.recall("zebra")
    engram.get(memory.id)
    engram.list()
    engram.why("zebra", memory.id)
    engram.history(memory.id)

    engram.settle()

    usage = engram.get(memory.id).usage
    assert usage.accesses == 3
    assert usage.spaced_accesses == 2
    assert usage.last_accessed_at == clock()
    actions = [line.action for line in engram.audit()]
    assert sorted(actions) == sorted(
        ["remember", "recall", "recall", "recall", "get", "get", "list", "why", "history"]
    )
    assert engram.verify_audit().is_intact


def test_batched_reads_are_written_soon_without_being_asked(clock):
    settings = {"security": {"flush_seconds": 0.05}}
    with Engram.open(":memory:", clock=clock, settings=settings) as engram:
        engram.remember("A zebra.")
        engram.recall("zebra")

        deadline = time.monotonic() + 5
        while engram.get("mem-0001").usage.accesses == 0 and time.monotonic() < deadline:
            time.sleep(0.01)

        assert engram.get("mem-0001").usage.accesses == 1


def test_immediate_reads_are_written_before_the_answer(clock):
    settings = {"security": {"read_audit": "immediate", "flush_seconds": 60}}
    with Engram.open(":memory:", clock=clock, settings=settings) as engram:
        engram.remember("A zebra.")
        engram.recall("zebra")

        with engram._store.database.reading(5) as view:
            rows = view._connection.execute("SELECT action FROM audit ORDER BY sequence").fetchall()

        assert rows == [("remember",), ("recall",)]


def test_read_audit_off_counts_use_but_writes_no_lines(clock):
    settings = {"security": {"read_audit": "off"}}
    with Engram.open(":memory:", clock=clock, settings=settings) as engram:
        engram.remember("A zebra.")
        engram.recall("zebra")
        engram.list()
        engram.settle()

        assert [line.action for line in engram.audit()] == ["remember"]
        assert engram.get("mem-0001").usage.accesses == 1


def test_reads_that_wait_are_written_when_the_store_is_closed(open_store):
    settings = {"security": {"flush_seconds": 60}}
    engram = open_store(settings=settings)
    engram.remember("A zebra.")
    engram.recall("zebra")
    engram.close()

    assert open_store().get("mem-0001").usage.accesses == 1


def test_reading_does_not_change_a_memory(engram, clock):
    memory = engram.remember("A zebra.").memory

    for _ in range(5):
        engram.recall("zebra")
    engram.settle()

    entries = engram.history(memory.id)
    assert len(entries) == 1
    assert entries[0].memory.recorded_at == memory.recorded_at


def test_the_audit_holds_hashes_and_no_text(engram):
    engram.remember("A secret zebra.", speaker="Ada")
    engram.recall("secret zebra")

    lines = engram.audit()

    assert "zebra" not in repr(lines)
    recall = next(line for line in lines if line.action == "recall")
    assert len(recall.digest) == 64
    assert recall.count == 1
    assert recall.actor == "person:/"


def test_the_audit_can_be_narrowed(engram, clock):
    first = engram.remember("one").memory
    clock.advance(days=1)
    second = engram.remember("two").memory
    engram.pin(second.id)

    assert {line.memory_id for line in engram.audit(memory_id=first.id)} == {first.id}
    assert [line.action for line in engram.audit(action="pin")] == ["pin"]
    assert {line.memory_id for line in engram.audit(since=clock(), action="remember")} == {
        second.id
    }
    assert len(engram.audit(limit=1)) == 1


def test_listing_goes_page_by_page(engram):
    engram.remember_many([f"fact {i}" for i in range(25)])

    pages, before = [], None
    while page := engram.list(limit=10, before=before):
        pages.append([memory.number for memory in page])
        before = page[-1].label

    assert [len(page) for page in pages] == [10, 10, 5]
    assert [number for page in pages for number in page] == list(range(25, 0, -1))


def test_stats_count_what_is_there(engram, clock):
    engram.remember("one", category="fact", at="2020-01-01T00:00:00Z")
    engram.remember("two", category="decision")
    engram.forget(engram.remember("three", layer="working").memory.id)
    engram.remember("elsewhere", scope=Scope("acme"))

    stats = engram.stats()

    assert stats.memories == 3
    assert stats.by_status == {"active": 2, "archived": 1}
    assert stats.by_category == {"fact": 1, "decision": 1, "general": 1}
    assert stats.by_layer == {"semantic": 2, "working": 1}
    assert stats.first_event.year == 2020
    assert stats.last_event == clock()
    assert engram.stats(scope=Scope("acme")).memories == 4


def test_a_healthy_store_says_so(open_store):
    engram = open_store()
    engram.remember("one")

    health = engram.health()

    assert health.status == "ok"
    assert {"read", "write", "disk", "backup"} <= {check.name for check in health.checks}
    assert engram.doctor().is_fine


@pytest.mark.failure("F45")
def test_health_reports_that_writing_fails_within_one_probe(open_store, store_path):
    engram = open_store(settings={"storage": {"busy_timeout_seconds": 0.1}})
    engram.remember("one")
    blocker = apsw.Connection(str(store_path / "engram.db"))
    blocker.execute("BEGIN IMMEDIATE")
    try:
        with pytest.raises(EngramError):
            engram.remember("two")

        health = engram.health()
    finally:
        blocker.execute("ROLLBACK")
        blocker.close()

    assert health.status == "failing"
    assert [check.name for check in health.checks if check.state == "failing"] == ["write"]
    assert engram.health().status == "ok"
    assert [memory.content for memory in engram.list()] == ["one"]


def test_health_warns_about_old_backups_and_full_disks(open_store, clock):
    settings = {"storage": {"minimum_free_megabytes": 1_000_000, "backup_every_hours": 24}}
    engram = open_store(settings=settings)
    engram.remember("one")
    engram.backup()

    clock.set(clock() + timedelta(days=4000))

    warnings = {check.name for check in engram.health().checks if check.state == "warning"}
    assert warnings >= {"disk", "backup"}


def test_a_store_opened_to_read_only_changes_nothing(open_store, store_path):
    writer = open_store()
    writer.remember("one zebra")
    writer.close()
    before = {path.name: path.read_bytes() for path in store_path.glob("engram.db*")}
    reader = open_store(read_only=True)

    assert len(reader.recall("zebra")) == 1
    reader.settle()
    for call in (
        lambda: reader.remember("two"),
        lambda: reader.pin("mem-0001"),
        lambda: reader.undo("chg-x"),
    ):
        with pytest.raises(EngramError) as caught:
            call()
        assert caught.value.code == "E1009"
    assert reader.health().status == "ok"
    reader.close()

    after = {path.name: path.read_bytes() for path in store_path.glob("engram.db*")}
    assert after["engram.db"] == before["engram.db"]
