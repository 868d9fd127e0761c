"""Real processes killed at any moment: what was acknowledged is there, and the store opens."""

import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from harness_child import environment
from harness_crew import Crew, Job
from harness_seed import number_from_environment

from engram.engine import Engram
from engram.storage.migrate import load_migrations
from engram.storage.options import StorageOptions
from engram.storage.sqlite.embedded import EmbeddedStore
from engram.storage.sqlite.folder import StoreFolder

KEY = "5a" * 32
WRITING_FAILPOINTS = ("before_commit", "after_commit", "after_row_before_index")
LONGEST_OPENING_SECONDS = 5.0
SOAK_KILLS = number_from_environment("ENGRAM_SOAK_KILLS", 3_000)


@pytest.fixture
def crew(tmp_path: Path) -> Iterator[Crew]:
    made = Crew(tmp_path)
    yield made
    print(f"{made.killed} kills")  # noqa: T201
    made.close()


class Ledger:
    """What writers were told, round by round, held against what the store says."""

    def __init__(self, crew: Crew, store: Path, key: str = "") -> None:
        self.crew = crew
        self.store = store
        self.key = key
        self.acks = store.with_name(f"{store.name}.acks")
        self._unacknowledged = 0

    def acknowledged(self) -> tuple[set[str], set[str]]:
        """The ids and the texts that were promised."""
        if not self.acks.exists():
            return set(), set()
        pairs = [json.loads(line) for line in self.acks.read_text().splitlines()]
        return {memory_id for memory_id, _ in pairs}, {text for _, text in pairs}

    def check(self, *, in_flight: int) -> None:
        """Nothing promised is missing; at most one call of each process in flight came on top."""
        found = self.crew.run("inspect_store", str(self.store), self.key)
        ids, texts = self.acknowledged()
        assert found["seconds"] < LONGEST_OPENING_SECONDS
        assert found["leftovers"] == []
        assert ids <= set(found["ids"]), "an acknowledged memory is gone"
        assert texts <= set(found["texts"]), "an acknowledged wording is gone"
        extra = len(set(found["texts"]) - texts)
        assert extra - self._unacknowledged <= in_flight, "more was stored than was under way"
        self._unacknowledged = extra


def writers(ledger: Ledger, round_number: int, count: int, failpoint: str = "") -> list[Job]:
    """Several writers; the first one halts at the failpoint, if there is one."""
    return [
        Job(
            "write_until_killed",
            (str(ledger.store), str(ledger.acks), f"{round_number}-{each}", ledger.key),
            failpoint=failpoint if each == 0 else "",
        )
        for each in range(count)
    ]


def kill_writers(ledger: Ledger, *, rounds: int, count: int, chance: random.Random) -> None:
    """Half the rounds end at a random time, half at a failpoint."""
    for number in range(rounds):
        if number % 2:
            name = f"{chance.choice(WRITING_FAILPOINTS)},,{chance.randint(0, 12)}"
            aftermath = ledger.crew.kill_at_failpoint(writers(ledger, number, count, name))
            assert aftermath.is_marked, name
        else:
            jobs = writers(ledger, number, count)
            aftermath = ledger.crew.kill_after(jobs, chance.uniform(0.002, 0.12))
        assert aftermath.errors == []
        assert aftermath.killed == count
        ledger.check(in_flight=count)


@pytest.mark.failure("F55", "F66", "F11")
@pytest.mark.parametrize("key", ["", KEY], ids=["plain", "encrypted"])
def test_killing_writers_at_any_moment_loses_nothing_that_was_acknowledged(
    crew: Crew, tmp_path: Path, seed: int, key: str
) -> None:
    ledger = Ledger(crew, tmp_path / "store", key)

    kill_writers(ledger, rounds=24, count=4, chance=random.Random(seed))

    assert crew.killed == 24 * 4
    assert len(ledger.acknowledged()[0]) > 20


@pytest.mark.failure("F19")
def test_processes_killed_while_they_make_a_store_leave_one_that_opens(
    crew: Crew, tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    for number in range(12):
        ledger = Ledger(crew, tmp_path / f"store-{number}")
        failpoint = "before_placing_database" if number % 2 else ""
        jobs = writers(ledger, number, 4, failpoint)
        if failpoint:
            # The others stand before a store that is being made, and lose the process making it.
            crew.kill_at_failpoint(jobs[:1])
            aftermath = crew.kill_after(writers(ledger, number, 4), 0.03)
        else:
            aftermath = crew.kill_after(jobs, chance.uniform(0.0, 0.03))

        assert aftermath.errors == []
        ledger.check(in_flight=8)
    assert crew.killed >= 12 * 4


def test_a_process_waiting_for_a_store_in_the_making_takes_over_when_the_maker_is_killed(
    crew: Crew, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    maker = subprocess.Popen(
        [sys.executable, "-m", "engram", "remember", "--store", str(store), "First."],
        env=environment({"ENGRAM_FAILPOINT": f"before_placing_database,{tmp_path}/marker"}),
        stdout=subprocess.DEVNULL,
    )
    wait_until((tmp_path / "marker").exists)
    visitors = [start_cli(store, f"Visitor {number}.", tmp_path / f"{number}") for number in (1, 2)]
    time.sleep(0.6)  # by now both wait for the maker

    maker.kill()
    maker.wait()

    assert [visitor.wait(timeout=60) for visitor in visitors] == [0, 0]
    assert crew.run("inspect_store", str(store))["current"] == ["Visitor 1.", "Visitor 2."]


@pytest.mark.failure("F19", "F13")
def test_processes_that_make_a_store_at_the_same_time_all_succeed(
    crew: Crew, tmp_path: Path
) -> None:
    for number in range(40):
        store, acks = tmp_path / f"store-{number}", tmp_path / f"acks-{number}"
        jobs = [Job("write_some", (str(store), str(acks), f"{each}", 2)) for each in range(4)]
        aftermath = crew.kill_after(jobs, 20.0)

        assert aftermath.errors == []
        assert aftermath.finished == 4
        assert len(crew.run("inspect_store", str(store))["current"]) == 8


@pytest.mark.failure("F19")
def test_a_store_that_somebody_makes_and_leaves_while_another_comes_in_is_simply_opened(
    tmp_path: Path,
) -> None:
    store = tmp_path / "store"
    looks = 0

    def options() -> StorageOptions:
        # It is asked for between looking at the folder and taking the lock.
        nonlocal looks
        looks += 1
        if looks == 1:
            with Engram.open(store) as somebody:
                somebody.remember("Somebody was quicker.")
        return StorageOptions()

    place = EmbeddedStore(
        StoreFolder(store), unlock=lambda _: None, options=options, now=lambda: datetime.now(UTC)
    )
    place.close()

    with Engram.open(store) as engram:
        assert [memory.content for memory in engram.list()] == ["Somebody was quicker."]


def start_cli(store: Path, text: str, output: Path) -> "subprocess.Popen[bytes]":
    """The command line, answering into a file that outlives it."""
    handle = os.open(output, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
    try:
        return subprocess.Popen(
            [sys.executable, "-m", "engram", "remember", "--store", str(store), "--json", text],
            env=environment(),
            stdout=handle,
        )
    finally:
        os.close(handle)


def wait_until(is_so: object, *, seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.002)


@pytest.mark.failure("F55", "F66")
def test_killing_the_command_line_loses_nothing_it_has_answered_for(
    crew: Crew, tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    ledger = Ledger(crew, tmp_path / "store")
    killed = 0
    for number in range(8):
        outputs = [tmp_path / f"answer-{number}-{each}" for each in range(4)]
        running = [
            start_cli(ledger.store, f"Command {number}-{each}.", output)
            for each, output in enumerate(outputs)
        ]
        time.sleep(chance.uniform(0.2, 0.8))
        for process in running:
            process.kill()
        killed += sum(process.wait() != 0 for process in running)
        note_answers(ledger, outputs)
        if ledger.store.exists():
            ledger.check(in_flight=len(running))
    assert killed > 0


def note_answers(ledger: Ledger, outputs: list[Path]) -> None:
    """A command has acknowledged what its complete answer says."""
    with ledger.acks.open("a") as acks:
        for output in outputs:
            try:
                memory = json.loads(output.read_text())["memory"]
            except ValueError:
                continue  # killed before it could answer
            acks.write(json.dumps([memory["id"], memory["content"]]) + "\n")


@pytest.fixture
def prepared_store(tmp_path: Path) -> Path:
    """A store with a backup and something newer than it."""
    store = tmp_path / "prepared"
    with Engram.open(store) as engram:
        engram.remember_many([f"Old fact {number}." for number in range(20)])
        engram.backup()
        engram.remember_many([f"Later fact {number}." for number in range(5)])
    return store


OLD = {f"Old fact {number}." for number in range(20)}
LATER = {f"Later fact {number}." for number in range(5)}


def fresh_copies(prepared: Path, count: int) -> Iterator[tuple[int, Path]]:
    for number in range(count):
        copy = prepared.with_name(f"copy-{number}")
        shutil.copytree(prepared, copy)
        yield number, copy
        shutil.rmtree(copy)


@pytest.mark.failure("F57", "F54")
def test_a_backup_killed_on_the_way_leaves_the_earlier_ones_whole_and_nothing_behind(
    crew: Crew, prepared_store: Path, seed: int
) -> None:
    chance = random.Random(seed)
    for number, store in fresh_copies(prepared_store, 16):
        name = ("mid_backup", "before_backup_rename", "", "")[number % 4]
        if name:
            job = Job("back_up_until_killed", (str(store),), failpoint=f"{name},,{number // 4}")
            assert crew.kill_at_failpoint([job]).is_marked
        else:
            job = Job("back_up_until_killed", (str(store),))
            assert crew.kill_after([job], chance.uniform(0.005, 0.08)).errors == []

        found = crew.run("inspect_store", str(store))
        assert set(found["current"]) == OLD | LATER
        assert found["leftovers"] == []
        assert set(crew.run("newest_backup_texts", str(store))) in (OLD, OLD | LATER)
    assert crew.killed == 16


@pytest.mark.failure("F53")
def test_a_restore_killed_on_the_way_leaves_the_old_store_or_the_backup_never_a_mixture(
    crew: Crew, prepared_store: Path, seed: int
) -> None:
    chance = random.Random(seed)
    for number, store in fresh_copies(prepared_store, 16):
        if number % 2:
            job = Job("restore_newest", (str(store),), failpoint="before_restore_rename")
            assert crew.kill_at_failpoint([job]).is_marked
        else:
            job = Job("restore_newest", (str(store),))
            assert crew.kill_after([job], chance.uniform(0.002, 0.03)).errors == []

        found = crew.run("inspect_store", str(store))
        assert set(found["current"]) in (OLD, OLD | LATER)
        assert found["leftovers"] == []


def test_an_encryption_killed_on_the_way_leaves_a_store_that_opens_with_or_without_the_key(
    crew: Crew, prepared_store: Path, seed: int
) -> None:
    chance = random.Random(seed)
    for number, store in fresh_copies(prepared_store, 10):
        if number % 3:
            place = ("before_encrypted_rename", "before_slot_rename")[number % 3 - 1]
            job = Job("encrypt", (str(store), KEY), failpoint=place)
            assert crew.kill_at_failpoint([job]).is_marked
        else:
            job = Job("encrypt", (str(store), KEY))
            assert crew.kill_after([job], chance.uniform(0.005, 0.05)).errors == []

        # By its first bytes: the slot may still have its other name, the log may want recovery.
        is_plain = (store / "engram.db").read_bytes().startswith(b"SQLite format 3")
        found = crew.run("inspect_store", str(store), "" if is_plain else KEY)
        assert set(found["current"]) == OLD | LATER
        assert found["leftovers"] == []


@pytest.fixture
def later_migrations(tmp_path: Path) -> Path:
    """This version's migrations and one more, of several statements."""
    folder = tmp_path / "migrations"
    folder.mkdir()
    known = load_migrations("sqlite")
    for step in known:
        (folder / f"{step.version:04}_{step.name}.sql").write_text(step.sql)
    (folder / f"{known[-1].version + 1:04}_add_moods.sql").write_text(
        "CREATE TABLE moods (number INTEGER PRIMARY KEY, mood TEXT NOT NULL) STRICT;\n"
        "INSERT INTO moods SELECT DISTINCT number, 'calm' FROM memories;\n"
        "CREATE INDEX moods_by_mood ON moods (mood);\n"
    )
    return folder


@pytest.mark.failure("F20", "F21")
def test_a_migration_killed_at_any_statement_is_done_whole_or_not_at_all(
    crew: Crew, prepared_store: Path, later_migrations: Path, seed: int
) -> None:
    chance = random.Random(seed)
    known = load_migrations("sqlite")[-1].version
    for number, store in fresh_copies(prepared_store, 12):
        arguments = (str(store), str(later_migrations))
        if number < 6:
            job = Job("migrate", arguments, failpoint=f"migration_statement,,{number % 3}")
            assert crew.kill_at_failpoint([job]).is_marked
        else:
            jobs = [Job("migrate", arguments)] * 2
            assert crew.kill_after(jobs, chance.uniform(0.001, 0.03)).errors == []

        assert crew.run("schema_of", str(store)) in ([known, 0], [known + 1, 2])
        assert crew.run("migrate", *arguments) == known + 1
        assert crew.run("schema_of", str(store)) == [known + 1, 2]
        assert list(store.rglob(".tmp-*")) == []
        assert set(crew.run("newest_backup_texts", str(store))) in (OLD, OLD | LATER)


@pytest.mark.soak
@pytest.mark.timeout(14_400)
@pytest.mark.parametrize("key", ["", KEY], ids=["plain", "encrypted"])
def test_soak_killing_writers_for_hours_loses_nothing_that_was_acknowledged(
    crew: Crew, tmp_path: Path, seed: int, key: str
) -> None:
    ledger = Ledger(crew, tmp_path / "store", key)

    kill_writers(ledger, rounds=SOAK_KILLS // 8, count=4, chance=random.Random(seed))

    assert crew.killed >= SOAK_KILLS // 2 - 4
