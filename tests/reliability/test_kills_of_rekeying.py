"""Processes killed while they change the keys of a store: it opens whole and goes on from there."""

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness_crew import Crew, Job

from engram import Engram

KEY = "5a" * 32
CLEAR = [f"Plain fact number {number} of the harbour." for number in range(12)]
SEALED = [f"Sealed fact number {number} of the lighthouse." for number in range(8)]
EVERY = sorted(CLEAR + SEALED)
STEPS = (
    "rekey_begun", "rekey_database_copied", "rekey_vault_copied", "before_encrypted_rename",
    "rekey_database_placed", "before_slot_rename", "rekey_slot_placed",
)  # fmt: skip


@pytest.fixture
def crew(tmp_path: Path) -> Iterator[Crew]:
    made = Crew(tmp_path)
    yield made
    made.close()


@pytest.fixture
def prepared(tmp_path: Path) -> Path:
    """A plain store with memories in the clear and sealed ones of several persons."""
    store = tmp_path / "prepared"
    with Engram.open(store, settings={"storage": {"backup_every_hours": 0}}) as engram:
        engram.remember_many(CLEAR)
        for number, text in enumerate(SEALED):
            tier = ("sensitive", "confidential")[number % 2]
            engram.remember(text, subject=f"Keeper {number % 3}", secrecy=tier, summary="Kept.")
    return store


@pytest.fixture
def locked(prepared: Path) -> Path:
    """The same store, encrypted; no plain copy of it lies beside."""
    with Engram.open(prepared, settings={"storage": {"backup_every_hours": 0}}) as engram:
        engram.upkeep.encrypt(key=bytes.fromhex(KEY))
    return prepared


def check(found: dict[str, object], store: Path, *, may_be_plain: bool) -> None:
    assert found["texts"] == EVERY, "a row is lost"
    assert found["findings"] == []
    assert found["is_intact"]
    left = [name for name in found["names"] if ".tmp-" in name or ".next" in name]
    assert left == []
    assert found["plain"] in ([], ["engram.db", "vault.db"]), "a mixture of plain and encrypted"
    if not found["plain"]:
        assert plain_text_in(store) == []
    assert may_be_plain or not found["plain"]


def plain_text_in(store: Path) -> list[str]:
    """The files of an encrypted store in which somebody could read something.

    A plain database that a restore replaced is kept, as it was.
    """
    words = (b"harbour", b"lighthouse", b"Keeper")
    files = [path for path in store.rglob("*") if path.is_file() and "replaced" not in path.name]
    return [path.name for path in files if any(word in path.read_bytes() for word in words)]


def copies(prepared: Path, count: int) -> Iterator[tuple[int, Path]]:
    for number in range(count):
        copy = prepared.with_name(f"copy-{number}")
        shutil.copytree(prepared, copy)
        yield number, copy
        shutil.rmtree(copy)


def kill_and_repeat(crew: Crew, store: Path, what: str, place: str) -> None:
    job = Job("rekey", (str(store), what, KEY), failpoint=place)
    assert crew.kill_at_failpoint([job]).is_marked, place
    may_be_plain = what in ("encrypt", "decrypt")

    check(crew.run("look_over", str(store), KEY), store, may_be_plain=may_be_plain)

    found = crew.run("rekey", str(store), what, KEY)
    check(found, store, may_be_plain=what == "decrypt")
    assert bool(found["plain"]) == (what == "decrypt")


@pytest.mark.failure("F55")
@pytest.mark.parametrize("what", ["master", "database", "vault", "decrypt"])
def test_a_change_of_keys_killed_at_any_step_leaves_a_whole_store_and_can_be_repeated(
    crew: Crew, locked: Path, what: str
) -> None:
    for number, store in copies(locked, len(STEPS)):
        kill_and_repeat(crew, store, what, STEPS[number])


@pytest.mark.failure("F55")
def test_an_encryption_killed_at_any_step_leaves_a_whole_store_and_can_be_repeated(
    crew: Crew, prepared: Path
) -> None:
    for number, store in copies(prepared, len(STEPS)):
        kill_and_repeat(crew, store, "encrypt", STEPS[number])


@pytest.mark.parametrize(
    ("what", "begun", "then"),
    [
        ("master", "before_encrypted_rename", "rekey_taking_back"),
        ("master", "rekey_database_placed", "before_slot_rename"),
        ("master", "rekey_database_placed", "rekey_slot_placed"),
        ("vault", "before_encrypted_rename", "rekey_database_placed"),
        ("vault", "before_encrypted_rename", "before_slot_rename"),
        ("database", "before_encrypted_rename", "rekey_taking_back"),
    ],
)
def test_the_process_that_finds_it_half_done_may_be_killed_too(
    crew: Crew, locked: Path, what: str, begun: str, then: str
) -> None:
    job = Job("rekey", (str(locked), what, KEY), failpoint=begun)
    assert crew.kill_at_failpoint([job]).is_marked
    job = Job("open_only", (str(locked), KEY), failpoint=then)
    assert crew.kill_at_failpoint([job]).is_marked

    check(crew.run("look_over", str(locked), KEY), locked, may_be_plain=False)
    check(crew.run("rekey", str(locked), what, KEY), locked, may_be_plain=False)


@pytest.mark.failure("F55")
@pytest.mark.parametrize("what", ["subjects", "dropping"])
def test_renewing_the_keys_of_persons_killed_at_any_step_loses_nothing(
    crew: Crew, locked: Path, what: str
) -> None:
    places = ["people_renewed", "records_rewrapped", "records_rewrapped,,1", "people_rewrapped"]
    if what == "dropping":
        places.append("old_keys_dropped")
    for number, store in copies(locked, len(places)):
        job = Job("rekey", (str(store), what, KEY), failpoint=places[number])
        assert crew.kill_at_failpoint([job]).is_marked, places[number]

        check(crew.run("look_over", str(store), KEY), store, may_be_plain=False)
        found = crew.run("rekey", str(store), what, KEY)
        check(found, store, may_be_plain=False)
        assert (found["old_keys"] == 0) == (what == "dropping")


def test_a_change_of_keys_killed_at_a_random_moment_leaves_a_whole_store(
    crew: Crew, locked: Path, seed: int
) -> None:
    chance = random.Random(seed)
    for _, store in copies(locked, 6):
        what = chance.choice(["master", "database", "vault", "subjects", "dropping"])
        job = Job("rekey", (str(store), what, KEY))
        assert crew.kill_after([job], chance.uniform(0.01, 0.2)).errors == []

        check(crew.run("look_over", str(store), KEY), store, may_be_plain=False)


@pytest.mark.failure("F53", "F55")
@pytest.mark.parametrize("lies", ["locked", "plain", "nothing"])
def test_a_restore_from_under_other_keys_killed_at_any_step_leaves_one_or_the_other_whole(
    crew: Crew, prepared: Path, tmp_path: Path, lies: str
) -> None:
    """Into a store with keys of its own, a plain one, and an empty folder, keys of persons too."""
    backup = tmp_path / "kept.db"
    source = tmp_path / "source"
    shutil.copytree(prepared, source)
    with Engram.open(source, settings={"storage": {"backup_every_hours": 0}}) as engram:
        engram.upkeep.encrypt(key=bytes.fromhex(KEY))
        engram.backup(backup, with_keys=True)
    if lies == "nothing":
        shutil.rmtree(prepared)
        prepared.mkdir()
    elif lies == "locked":
        crew.run("rekey", str(prepared), "encrypt", KEY)
    places = ["before_restore_rename"]
    if lies != "locked":
        places += ["rekey_database_placed", "before_slot_rename", "rekey_slot_placed"]
    for number, store in copies(prepared, len(places)):
        job = Job("restore_over", (str(store), str(backup), KEY), failpoint=places[number])
        assert crew.kill_at_failpoint([job]).is_marked, places[number]

        if (store / "engram.db").exists():
            found = crew.run("look_over", str(store), KEY)
            check(found, store, may_be_plain=lies == "plain")
        found = crew.run("restore_over", str(store), str(backup), KEY)
        assert found["texts"] == EVERY
        assert found["plain"] == []
        left = [name for name in found["names"] if ".tmp-" in name or ".next" in name]
        assert left == []


def test_a_wrong_key_changes_nothing_half_way_either(crew: Crew, locked: Path) -> None:
    for number, store in copies(locked, 2):
        place = ("before_encrypted_rename", "rekey_database_placed")[number]
        job = Job("rekey", (str(store), "master", KEY), failpoint=place)
        assert crew.kill_at_failpoint([job]).is_marked
        before = {path.name: path.read_bytes() for path in store.iterdir() if path.is_file()}

        with pytest.raises(AssertionError, match="E1001"):
            crew.run("look_over", str(store), "ab" * 32)

        after = {path.name: path.read_bytes() for path in store.iterdir() if path.is_file()}
        after.pop("refused.log", None)  # that it was tried is noted
        assert after == before
        check(crew.run("look_over", str(store), KEY), store, may_be_plain=False)
