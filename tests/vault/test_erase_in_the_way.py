"""What is in the way of an erasure is said, and an erasure that it kept pending can be finished."""

from pathlib import Path

import apsw
import pytest

from engram import Engram
from engram.errors import MemoryErased
from engram.memory.erasure import ErasureState, Remains
from engram.storage.migrate import load_migrations
from engram.storage.sqlite.schema import build_schema

SETTINGS = {
    "embedder": {"kind": "hashing"}, "daemon": {"start": "never"},
    "storage": {"backup_every_hours": 0},
}  # fmt: skip
TEXT = "Quirina collects kaleidoscopes in the lighthouse."


@pytest.fixture
def engram(open_store) -> Engram:
    opened = open_store(settings=SETTINGS)
    opened.remember("Bo sails.")
    opened.remember(TEXT, subject="Quirina")
    return opened


def test_a_file_that_a_repair_set_aside_keeps_it_pending_until_it_is_gone(engram, store_path):
    aside = store_path / "damaged-20260303T090000Z-engram.db"
    aside.write_bytes(b"whatever was in it")

    done = engram.erase(subject="Quirina")

    assert done.state is ErasureState.PENDING
    assert done.remains == (Remains(aside.name, "file set aside"),)
    assert done.certificate["verdict"] == "pending"
    assert [memory.content for memory in engram.list()] == ["Bo sails."]
    assert "erase_pending" in [event.kind.value for event in engram.security_events()]
    aside.unlink()
    [again] = engram.finish_erasures()
    assert again.is_proven
    assert [each.state for each in engram.erasures()] == [ErasureState.PROVEN]
    assert engram.finish_erasures() == []


def test_a_reader_that_holds_the_log_keeps_it_pending(engram, monkeypatch):
    with engram._store.database.reading(60) as view:
        view.rows("schema_version", {})  # a snapshot from before
        monkeypatch.setattr("engram.lifecycle.scrub._PAUSE_SECONDS", 0.0)
        done = _hurried(engram)

    assert Remains("engram.db-wal", "log in use") in done.remains
    [again] = engram.finish_erasures()
    assert again.is_proven


def _hurried(engram: Engram):
    """With little patience: the reader does not go away while it is waited for."""
    with engram._store.database.writing() as transaction:
        transaction._connection.set_busy_timeout(50)
    return engram.erase(subject="Quirina")


def test_what_left_traces_in_another_file_is_found(engram, store_path: Path):
    stray = store_path / "notes.txt"
    stray.write_text("Somebody wrote down that she COLLECTS Kaleidoscopes.", encoding="utf-8")

    done = engram.erase(subject="Quirina")

    assert done.remains == (Remains("notes.txt", "word"),)
    assert "aleidoscope" not in repr(done)


def test_a_backup_that_nobody_can_open_is_taken_away(engram, store_path: Path):
    made = engram.backup().path
    broken = made.with_name("engram-000002-20260303T090000000000Z.db")
    broken.write_bytes(b"no database at all, but it may have been one about kaleidoscopes")

    done = engram.erase(subject="Quirina")

    assert done.is_proven, done.remains
    assert (done.counts["backups"], done.counts["backups_removed"]) == (1, 1)
    assert not broken.exists()
    assert made.exists()
    assert b"aleidoscope" not in made.read_bytes()


def test_a_backup_that_was_cleaned_can_still_be_restored(engram):
    engram.backup()
    engram.erase(subject="Quirina")
    engram.remember("Bo sings.")

    engram.restore()

    assert [memory.content for memory in engram.list()] == ["Bo sails."]
    assert engram.doctor().is_fine


def test_an_older_backup_is_brought_up_to_date_and_cleaned(engram, clock):
    """Of a version of Engram that knew nothing of erasing."""
    made = engram.backup().path
    older = made.with_name("engram-000002-20260303T090000000000Z.db")
    database = apsw.Connection(str(older))
    migrations = load_migrations("sqlite")[:12]
    build_schema(database, key=None, migrations=migrations, now=clock())
    database.close()

    done = engram.erase(subject="Quirina")

    assert done.is_proven, done.remains
    assert done.counts["backups"] == 2


def test_undoing_a_dream_over_something_erased_says_so(open_store, clock):
    engram = open_store(settings=SETTINGS)
    engram.remember("Perhaps the deploy key is rotated monthly.", confidence=0.3)
    clock.advance(days=200)
    report = engram.dream(steps=["expire"])
    assert report.decisions
    [memory] = engram.list(status="any")

    engram.erase(memory.id)

    with pytest.raises(MemoryErased):
        engram.undo(report.id)
