"""What attackers and reviewers found once, and must not find again."""

import os
import threading
import time

import apsw
import pytest

from engram import Engram, Principal, Scope
from engram.capture.split import split
from engram.errors import (
    AccessDenied,
    BackupFailed,
    NoStore,
    StoreBusy,
    StoreCorrupt,
    StoreInUse,
    StoreLocked,
    UndoConflict,
)
from engram.memory.vocabulary import Status
from engram.security.keys import Credentials, database_key, read_slot
from engram.storage.sqlite.connection import patience
from engram.text.strings import normalised
from engram.wiring import restore_store

AGENT = Scope("acme", agent="coder")
USER = Scope("acme", agent="coder", channel="chat", user="ann")


@pytest.fixture
def engram(open_store):
    """On disk, so that others can open it too."""
    return open_store()


@pytest.fixture
def agent(engram, store_path, clock):
    with Engram.open(store_path, scope=AGENT, clock=clock) as opened:
        yield opened


# people and agents


@pytest.mark.parametrize("act", ["revise", "forget", "unpin", "undo"])
def test_an_agent_does_not_take_away_what_a_person_approved(engram, agent, act):
    proposed = agent.remember("Never deploy on a Friday.", category="instruction")
    engram.approve(proposed.memory.id, scope=AGENT)
    acts = {
        "revise": lambda: agent.revise(proposed.memory.id, "Always deploy."),
        "forget": lambda: agent.forget(proposed.memory.id),
        "unpin": lambda: agent.unpin(proposed.memory.id),
        "undo": lambda: agent.undo(proposed.change_id),
    }

    with pytest.raises((AccessDenied, UndoConflict)):
        acts[act]()

    assert engram.get(proposed.memory.id, scope=AGENT).content == "Never deploy on a Friday."


def test_what_a_person_says_after_an_agent_is_the_persons_too(engram, agent):
    first = agent.remember("The deadline is 1 May")
    engram.remember("The deadline is 1 May", scope=AGENT)

    for act in (
        lambda: agent.undo(first.change_id),
        lambda: agent.revise(first.memory.id, "The deadline is 1 December"),
        lambda: agent.forget(first.memory.id),
    ):
        with pytest.raises((AccessDenied, UndoConflict)):
            act()
    assert len(engram.recall("deadline", scope=AGENT)) == 1


def test_an_agent_does_not_bring_back_what_went_stale(agent, clock):
    memory = agent.remember("The server is at 10.0.0.9", category="infra").memory
    clock.advance(days=400)

    agent.revise(memory.id, "The server is at 10.0.0.10")
    with pytest.raises(AccessDenied):
        agent.pin(memory.id)

    assert agent.get(memory.id).status is Status.STALE


def test_what_is_held_or_refused_retires_nothing(engram, agent):
    old = agent.remember("I prefer tabs").memory
    held = agent.remember("I am Ada", category="identity", replaces=old.id)
    engram.reject(held.memory.id, scope=AGENT)
    refused = engram.remember("I am Ada", category="identity", replaces=old.id, scope=AGENT)

    assert (held.kind, refused.kind) == ("held", "refused")
    assert engram.get(old.id, scope=AGENT).status is Status.ACTIVE


def test_a_blind_writer_hears_its_own_words_only(agent, store_path, clock):
    first = agent.remember("Ann asked about bills.", scope=USER, idempotency_key="k")
    with Engram.open(store_path, scope=USER, clock=clock) as ann:
        ann.revise(first.memory.id, "My card is 4111.")
        ann.pin(first.memory.id)

    again = agent.remember("Ann asked about bills.", scope=USER, idempotency_key="k")

    assert again.memory.content == "Ann asked about bills."
    assert not again.memory.is_pinned


def test_the_digest_of_a_question_does_not_match_somebody_elses(engram, agent):
    engram.recall("secret plan")
    agent.recall("secret plan")
    orchestrator = Principal.orchestrator(Scope())
    with Engram.open(engram._parts.place.root, principal=orchestrator) as everything:
        engram.settle()
        agent.settle()
        lines = everything.audit(limit=100, action="recall")

    assert len(lines) == 2
    assert lines[0].digest != lines[1].digest


# undo


def test_what_took_anothers_place_is_not_simply_undone(engram):
    old = engram.remember("The office is in Lyon").memory
    made = engram.remember("The office is in Porto")
    engram.remember("The office is in Porto", replaces=old.id)

    with pytest.raises(UndoConflict):
        engram.undo(made.change_id)

    assert len(engram.recall("office")) == 1


def test_undoing_twice_says_how_to_redo(engram):
    memory = engram.remember("one").memory
    change = engram.revise(memory.id, "two").change_id
    undone = engram.undo(change)[0].change_id

    with pytest.raises(UndoConflict) as caught:
        engram.undo(change)

    assert undone in caught.value.hint


def test_a_request_that_was_taken_back_can_be_made_again(engram):
    first = engram.remember("once", idempotency_key="k")
    engram.undo(first.change_id)

    again = engram.remember("once", idempotency_key="k")

    assert again.kind == "stored"
    assert engram.get(again.memory.id) is not None


def test_replacing_by_a_known_statement_ends_the_old_one_now(engram, clock):
    engram.remember("The office is in Lyon", at=clock())
    clock.advance(days=60)
    porto = engram.remember("The office is in Porto", at=clock()).memory
    clock.advance(days=90)

    engram.remember("The office is in Lyon", replaces=porto.id, at=clock())

    assert engram.get(porto.id).valid_until == clock()


# the audit


@pytest.mark.parametrize(
    "statements",
    [
        [
            "DELETE FROM audit WHERE sequence > 1",
            "UPDATE ledger SET audit_count = 1, audit_head = (SELECT entry_hash FROM audit)",
        ],
        [
            "DELETE FROM audit",
            "UPDATE ledger SET audit_count = 0, audit_head = x'', audit_seal = x''",
        ],
    ],
)
def test_a_chain_that_was_cut_short_is_found_out(open_store, store_path, statements):
    engram = open_store()
    for number in range(5):
        engram.remember(f"fact {number}")
    engram.close()

    raw = apsw.Connection(str(store_path / "engram.db"))
    for statement in statements:
        raw.execute(statement)
    raw.close()

    assert not open_store().verify_audit().is_intact


# keys and copies


def test_encrypting_names_every_plain_copy(open_store):
    engram = open_store()
    engram.remember("a canary")
    engram.backup()
    engram.restore()

    plain = engram.upkeep.encrypt(passphrase="pw")

    left = list(engram._parts.place.folder.backups.glob("replaced-*.db"))
    assert left
    assert set(left) <= set(plain)


def test_no_slot_in_the_store_opens_with_the_old_passphrase(open_store):
    engram = open_store(passphrase="old")
    engram.remember("secret")
    engram.backup()
    engram.restore()

    engram.upkeep.change_key(passphrase="new")

    root = engram._parts.place.root
    slots = [root / "keys.json", *(root / "backups").glob("*.keys.json")]
    assert len(slots) > 2
    for path in slots:
        with pytest.raises(StoreLocked):
            database_key(read_slot(path), Credentials(passphrase="old"))


def test_a_backup_never_replaces_what_is_there(open_store, tmp_path):
    engram = open_store()
    (tmp_path / "precious.txt").write_text("mine")

    with pytest.raises(BackupFailed):
        engram.backup(tmp_path / "precious.txt")

    assert (tmp_path / "precious.txt").read_text() == "mine"


# restore


def test_what_a_restore_replaced_survives_the_next_one(open_store, tmp_path, clock):
    engram = open_store()
    engram.remember("first")
    copy = engram.backup(tmp_path / "copy.db")
    engram.remember("second")
    engram.restore(copy.path)
    clock.advance(seconds=1)
    engram.restore(copy.path)

    kept = sorted(engram._parts.place.folder.backups.glob("replaced-*.db"))
    engram.restore(kept[0])

    assert {memory.content for memory in engram.list()} == {"first", "second"}


def test_a_store_is_restored_where_there_was_none(open_store, tmp_path, clock):
    engram = open_store()
    engram.remember("far away")
    copy = engram.backup(tmp_path / "copy.db")

    restore_store(tmp_path / "elsewhere", copy.path, clock=clock)

    with Engram.open(tmp_path / "elsewhere", clock=clock) as found:
        assert [memory.content for memory in found.list()] == ["far away"]


def test_a_restore_waits_for_the_reads_of_its_own_process(open_store):
    engram = open_store()
    engram.remember("one")
    engram.backup()
    engram.remember("two")
    is_reading, may_end = threading.Event(), threading.Event()

    def read() -> None:
        with engram._view(None):
            is_reading.set()
            may_end.wait(10)

    reader = threading.Thread(target=read)
    reader.start()
    is_reading.wait(10)
    threading.Timer(0.3, may_end.set).start()
    engram.restore()
    reader.join()

    assert engram.remember("three").memory.label == "mem-0003"
    assert {memory.content for memory in engram.list()} == {"one", "three"}
    assert not list(engram._parts.place.root.glob("damaged-*"))


def test_a_forked_child_keeps_its_parent_from_restoring(open_store):
    engram = open_store()
    engram.remember("one")
    engram.backup()
    told, tell = os.pipe()
    hold, release = os.pipe()
    child = os.fork()
    if child == 0:
        engram.remember("from the child")
        os.write(tell, b"x")
        os.read(hold, 1)
        os._exit(0)
    os.read(told, 1)

    with pytest.raises(StoreInUse):
        engram.restore()

    os.write(release, b"x")
    os.waitpid(child, 0)
    assert len(engram.list()) == 2


def test_a_salvage_that_saves_less_than_a_backup_holds_is_not_done(open_store, store_path):
    engram = open_store()
    engram.remember_many([f"fact {number}" for number in range(200)])
    engram.backup()
    engram.close()
    pid = os.fork()
    if pid == 0:
        with (store_path / "engram.db").open("r+b") as file:
            size = file.seek(0, 2)
            file.seek(8192)
            file.write(b"\xff" * (size - 8192))
        os._exit(0)
    os.waitpid(pid, 0)

    from engram.wiring import open_engram

    with (
        open_engram(store_path, principal=Principal.of(None), is_unchecked=True) as damaged,
        pytest.raises(StoreCorrupt) as caught,
    ):
        damaged.doctor(repair=True)

    assert "restore" in caught.value.hint


# time and size


@pytest.mark.parametrize(
    "text", ["\n" * 200_000, "\n " * 100_000, "." * 250_000, "a\u0301" * 60_000]
)
def test_no_text_keeps_the_store_waiting(text):
    started = time.perf_counter()

    split(f"x{text}x", 8192)
    normalised(f"x{text}x")

    assert time.perf_counter() - started < 1.0


def test_waiting_long_for_a_lock_stays_a_wait():
    wait = patience(0.2)
    started = time.monotonic()

    attempt = 0
    while wait(attempt if attempt < 3 else 5_000):
        attempt += 1

    assert time.monotonic() - started < 5


def test_a_full_wait_ends_in_a_typed_error(open_store, store_path, clock):
    engram = open_store(settings={"storage": {"busy_timeout_seconds": 0.3}})
    engram.remember("one")
    other = apsw.Connection(str(store_path / "engram.db"))
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(StoreBusy):
        engram.remember("two")

    other.execute("ROLLBACK")
    other.close()


def test_a_store_that_is_not_there_is_said_not_to_be_there(tmp_path, clock):
    with pytest.raises(NoStore):
        Engram.open(tmp_path / "none", read_only=True, clock=clock)

    assert not (tmp_path / "none").exists()


def test_a_memory_does_not_print_its_text(engram):
    memory = engram.remember("a secret canary").memory

    assert "canary" not in repr(memory)
    assert memory.label in repr(memory)


@pytest.mark.parametrize("statement", ["DELETE FROM meta", "DELETE FROM ledger"])
def test_a_store_without_its_own_rows_is_damaged_and_says_so(open_store, store_path, statement):
    engram = open_store()
    engram.remember("one")
    engram.close()
    raw = apsw.Connection(str(store_path / "engram.db"))
    raw.execute(statement)
    raw.close()
    engram = open_store()

    for act in (engram.verify_audit, lambda: engram.remember("two")):
        with pytest.raises(StoreCorrupt):
            act()
