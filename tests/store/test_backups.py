"""Backups: of one committed moment, verified before older ones go, restored only alone."""

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw
import pytest

from engram import Engram
from engram.errors import BackupFailed, EngramError, StoreInUse, StoreLocked
from engram.storage.migrate import load_migrations
from engram.storage.sqlite.backup import verify_backup

HEAD = load_migrations("sqlite")


def texts(engram: Engram) -> list[str]:
    return sorted(memory.content for memory in engram.list(status="any", limit=10_000))


def backups(path: Path) -> list[Path]:
    return sorted((path / "backups").glob("*.db"))


def test_a_backup_opens_as_a_store_of_its_own(open_store, tmp_path):
    engram = open_store()
    engram.remember_many([f"fact {i}" for i in range(20)])

    made = engram.backup(tmp_path / "elsewhere" / "copy.db")

    assert made.states == 20
    assert made.bytes == made.path.stat().st_size
    assert verify_backup(made.path, key=None, migrations=HEAD) == 20
    assert sorted(path.name for path in made.path.parent.iterdir()) == ["copy.db"]


@pytest.mark.failure("F53")
def test_a_backup_under_load_is_a_committed_prefix(open_store, tmp_path, clock):
    engram = open_store()
    stop = threading.Event()
    written = []

    def write() -> None:
        index = 0
        while not stop.is_set():
            engram.remember_many([f"fact {index} {part}" for part in range(3)])
            written.append(index)
            index += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        made = []
        for index in range(5):
            time.sleep(0.05)
            made.append(engram.backup(tmp_path / f"copy-{index}.db"))
    finally:
        stop.set()
        writer.join()

    for backup in made:
        copy = apsw.Connection(str(backup.path), flags=apsw.SQLITE_OPEN_READONLY)
        numbers = [row[0] for row in copy.execute("SELECT number FROM memories ORDER BY number")]
        ledger = copy.execute("SELECT last_number, audit_count FROM ledger").fetchone()
        audit = copy.execute("SELECT count(*) FROM audit").fetchone()[0]
        copy.close()
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) % 3 == 0
        assert ledger[0] == len(numbers)
        assert ledger[1] == audit
    assert len({backup.states for backup in made}) > 1


@pytest.mark.failure("F54")
def test_a_damaged_store_fails_to_back_up_and_old_ones_stay(open_store, store_path, clock):
    engram = open_store()
    engram.remember_many([f"fact number {i} with some length to fill pages" for i in range(500)])
    for _ in range(3):
        clock.advance(days=1)
        engram.backup()
    engram.close()
    before = {path.name: path.read_bytes() for path in backups(store_path)}
    database = store_path / "engram.db"
    content = bytearray(database.read_bytes())
    for page in range(64, len(content) // 4096 - 1, 3):  # beyond the schema
        content[page * 4096 : page * 4096 + 64] = b"\xa5" * 64
    database.write_bytes(content)
    damaged = open_store()
    clock.advance(days=1)

    for _ in range(4):
        with pytest.raises(EngramError):
            damaged.backup()

    assert {path.name: path.read_bytes() for path in backups(store_path)} == before
    assert not list(store_path.rglob(".tmp-*"))


@pytest.mark.failure("F54")
def test_three_backups_are_kept(open_store, store_path, clock):
    engram = open_store()
    names = []
    for index in range(5):
        engram.remember(f"fact {index}")
        clock.advance(hours=1)
        names.append(engram.backup().path.name)

    assert [path.name for path in backups(store_path)] == names[-3:]
    assert not list(store_path.rglob(".tmp-*"))


def test_a_backup_does_not_bring_back_the_folder_of_a_store_that_was_taken_away(
    open_store, store_path, tmp_path
):
    engram = open_store()
    engram.remember("one")
    store_path.rename(tmp_path / "elsewhere")

    with pytest.raises(EngramError):
        engram.backup()

    assert not store_path.exists()
    (tmp_path / "elsewhere").rename(store_path)


def test_a_backup_elsewhere_does_not_rotate(open_store, store_path, tmp_path, clock):
    engram = open_store()
    engram.remember("one")
    for index in range(5):
        engram.backup(tmp_path / f"{index}.db")

    assert not backups(store_path)
    assert len(list(tmp_path.glob("*.db"))) == 5


@pytest.mark.failure("F53")
def test_restore_brings_back_what_was_there(open_store, store_path, clock):
    engram = open_store()
    engram.remember("first")
    engram.backup()
    before = texts(engram)
    engram.remember("second")

    states = engram.restore()

    assert states == 1
    assert texts(engram) == before
    assert engram.verify_audit().is_intact
    assert engram.doctor().is_fine
    assert "restore" in [line.action for line in engram.audit()]
    engram.close()
    assert texts(open_store()) == before


def test_restore_never_hands_a_label_out_again(open_store, clock):
    engram = open_store()
    engram.remember("first")
    engram.backup()
    lost = engram.remember("second").memory
    engram.restore()
    clock.advance(seconds=1)

    new = engram.remember("third").memory

    assert new.number > lost.number
    assert new.id > lost.id


@pytest.mark.failure("F53")
def test_restore_is_refused_while_another_has_the_store_open(open_store, store_path):
    engram = open_store()
    engram.remember("first")
    engram.backup()
    engram.remember("second")
    other = open_store()

    with pytest.raises(StoreInUse):
        engram.restore()

    assert texts(engram) == texts(other) == ["first", "second"]
    engram.remember("third")
    other.close()
    assert engram.restore() == 1


@pytest.mark.parametrize("what", ["missing", "empty", "text", "foreign", "truncated", "folder"])
def test_only_a_sound_backup_is_restored(open_store, tmp_path, what):
    engram = open_store()
    engram.remember("first")
    source = tmp_path / "copy.db"
    if what in ("truncated",):
        engram.backup(source)
        source.write_bytes(source.read_bytes()[:20_000])
    elif what == "empty":
        source.touch()
    elif what == "text":
        source.write_text("no database " * 1000)
    elif what == "folder":
        source.mkdir()
    elif what == "foreign":
        other = apsw.Connection(str(source))
        other.execute("CREATE TABLE mine (a)")
        other.close()

    with pytest.raises(EngramError):
        engram.restore(source)

    assert texts(engram) == ["first"]
    engram.remember("second")


def test_without_a_backup_there_is_nothing_to_restore(open_store):
    with pytest.raises(BackupFailed):
        open_store().restore()


def test_a_backup_is_made_at_opening_when_the_last_is_a_day_old(open_store, store_path, clock):
    engram = open_store()
    engram.remember("first")
    engram.close()
    assert backups(store_path) == []

    open_store().close()
    first = backups(store_path)
    os.utime(first[0], (clock().timestamp(),) * 2)
    clock.advance(hours=23)
    open_store().close()
    same = backups(store_path)
    clock.advance(hours=2)
    open_store().close()

    assert len(first) == 1
    assert same == first
    assert len(backups(store_path)) == 2


def test_backups_at_opening_can_be_turned_off(open_store, store_path):
    open_store().close()

    open_store(settings={"storage": {"backup_every_hours": 0}}).close()

    assert backups(store_path) == []


def test_a_read_only_opening_makes_no_backup(open_store, store_path):
    open_store().close()

    open_store(read_only=True).close()

    assert backups(store_path) == []


def test_a_failed_backup_at_opening_shows_in_health(open_store, store_path):
    open_store().close()
    (store_path / "backups").write_text("in the way")

    engram = open_store()
    engram._parts.place._finish_backup()

    assert "backup" in {c.name for c in engram.health().checks if c.state == "warning"}
    engram.remember("still works")


# encrypted


def test_an_encrypted_backup_is_restored_with_its_key(open_store, tmp_path, store_path):
    engram = open_store(passphrase="pw")
    engram.remember("first")
    made = engram.backup()
    copy = engram.backup(tmp_path / "copy.db")
    engram.remember("second")

    engram.restore()
    first = texts(engram)
    engram.remember("third")
    engram.restore(copy.path)

    assert first == texts(engram) == ["first"]
    assert made.path.with_name(made.path.name + ".keys.json").exists()
    assert copy.path.with_name(copy.path.name + ".keys.json").exists()
    engram.close()
    assert texts(open_store(passphrase="pw")) == ["first"]


def test_a_backup_made_before_the_passphrase_changed_can_still_be_restored(open_store):
    engram = open_store(passphrase="old")
    engram.remember("first")
    engram.backup()
    engram.upkeep.change_key(passphrase="new")
    engram.remember("second")

    engram.restore()

    assert texts(engram) == ["first"]
    engram.close()
    assert texts(open_store(passphrase="new")) == ["first"]


def test_a_foreign_encrypted_backup_is_refused(open_store, tmp_path, clock):
    with Engram.open(tmp_path / "other", passphrase="theirs", clock=clock) as other:
        other.remember("not yours")
        copy = other.backup(tmp_path / "copy.db")
    engram = open_store(passphrase="mine")
    engram.remember("first")

    with pytest.raises(StoreLocked):
        engram.restore(copy.path)

    assert texts(engram) == ["first"]


def test_restoring_a_plain_backup_into_an_encrypted_store_leaves_it_usable(
    open_store, tmp_path, clock
):
    with Engram.open(tmp_path / "plain", clock=clock) as plain:
        plain.remember("from the plain one")
        copy = plain.backup(tmp_path / "copy.db")
    engram = open_store(passphrase="pw")
    engram.remember("first")

    try:
        engram.restore(copy.path)
        expected = ["from the plain one"]
    except EngramError:
        expected = ["first"]
    now = texts(engram)
    engram.close()

    assert now == expected
    assert texts(open_store(passphrase="pw")) == expected


def test_backups_that_begin_at_the_same_instant_have_names_of_their_own(open_store):
    engram = open_store()
    engram.remember("The harbour closes at nine.")

    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: engram.backup(), range(3)))

    assert len({each.path for each in made}) == 3
