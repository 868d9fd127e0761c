"""Full disks, folders nobody may write to, damaged files: typed errors, and nothing made worse."""

import os
from pathlib import Path

import pytest
from harness_child import run_child
from harness_oracle import sound_contents

from engram.engine import Engram

KEY = "c3" * 32
SEEDS_PER_TEST = 20
LOCKED = {"ENGRAM_KEY": KEY}


@pytest.mark.failure("F45")
def test_a_full_disk_is_told_and_seen_by_health_and_spares_what_was_there(tmp_path: Path) -> None:
    store = tmp_path / "store"

    seen = run_child("harness_damage", "write_against_a_size_limit", str(store))

    assert seen["error"] in ("E1003", "E1005")
    assert seen["health"]["write"] == "failing"
    assert seen["health"]["read"] == "ok"
    assert seen["read"] == len(seen["stored"])
    assert seen["after"] == "fine"
    kept = {row[2] for row in sound_contents(store / "engram.db")[0]}
    assert set(seen["stored"]) <= kept


@pytest.mark.skipif(os.geteuid() != 0, reason="needs to become another user")
def test_a_store_in_a_folder_that_cannot_be_written_is_refused_with_a_typed_error(
    tmp_path: Path,
) -> None:
    store = tmp_path / "store"
    run_child("harness_damage", "fill", str(store))
    open_the_way(store)
    store.chmod(0o555)
    for path in store.rglob("*"):
        path.chmod(0o555 if path.is_dir() else 0o444)

    answers = run_child("harness_damage", "use_read_only_folder", str(store))

    # SQLite cannot read a log in a folder where it cannot keep its shared memory.
    assert answers == {"open": "E1009", "look": "E1009"}
    assert len(sound_contents(store / "engram.db")[0]) > 200


@pytest.mark.skipif(os.geteuid() != 0, reason="needs to become another user")
def test_a_store_cannot_be_made_in_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    parent = tmp_path / "closed"
    parent.mkdir(mode=0o555)
    open_the_way(parent)

    answers = run_child("harness_damage", "use_read_only_folder", str(parent / "store"))

    assert answers == {"open": "E1009", "look": "E1016"}
    assert list(parent.iterdir()) == []


def open_the_way(path: Path) -> None:
    """Let other users walk down to a folder below pytest's private one."""
    for parent in path.parents:
        if "pytest" in str(parent):
            parent.chmod(0o755)


@pytest.mark.failure("F13", "F55")
@pytest.mark.parametrize("extra", [{}, LOCKED], ids=["plain", "encrypted"])
@pytest.mark.parametrize("kind", ["bytes", "blocks", "short"])
def test_a_damaged_database_gives_errors_of_ours_and_is_never_replaced(
    tmp_path: Path, seed: int, kind: str, extra: dict[str, str]
) -> None:
    store = tmp_path / "store"
    run_child("harness_damage", "fill", str(store), extra=extra)
    seeds = list(range(seed, seed + SEEDS_PER_TEST))

    problems = run_child("harness_damage", "damage_and_use", str(store), seeds, kind, extra=extra)

    found = {seed: each for seed, each in zip(seeds, problems, strict=True) if each}
    assert found == {}


@pytest.mark.failure("F55")
def test_a_single_flipped_bit_of_an_encrypted_database_is_noticed(
    tmp_path: Path, seed: int
) -> None:
    store = tmp_path / "store"
    run_child("harness_damage", "fill", str(store), extra=LOCKED)
    seeds = list(range(seed, seed + SEEDS_PER_TEST))

    problems = run_child(
        "harness_damage", "damage_and_use", str(store), seeds, "one bit", extra=LOCKED
    )

    assert {seed: each for seed, each in zip(seeds, problems, strict=True) if each} == {}


@pytest.mark.failure("F08", "F13")
@pytest.mark.parametrize("extra", [{}, LOCKED], ids=["plain", "encrypted"])
def test_the_doctor_salvages_a_damaged_store_when_told_to_and_keeps_the_damaged_file(
    tmp_path: Path, seed: int, extra: dict[str, str]
) -> None:
    for number in range(4):
        store = tmp_path / f"store-{number}"
        filled = run_child("harness_damage", "fill", str(store), extra=extra)

        seen = run_child(
            "harness_damage", "salvage", str(store), seed + number, extra=extra, seconds=20
        )

        assert not seen["was_fine"]
        assert seen["kept"] == [True]
        assert seen["left"] >= filled // 2


def test_a_plain_backup_restored_into_an_encrypted_store_leaves_one_that_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "store"
    with Engram.open(store) as engram:
        engram.remember("Said before the lock was put on.")
        backup = engram.backup().path
        engram.upkeep.encrypt(key=bytes.fromhex(KEY))
        engram.remember("Said behind the lock.")
        engram.restore(backup)

    if (store / "keys.json").exists():
        monkeypatch.setenv("ENGRAM_KEY", KEY)
    with Engram.open(store) as engram:
        assert [each.content for each in engram.list()] == ["Said before the lock was put on."]


@pytest.mark.failure("F14")
@pytest.mark.parametrize("extra", [{}, LOCKED], ids=["plain", "encrypted"])
def test_nobody_but_sqlite_ever_opens_the_database_files(
    tmp_path: Path, extra: dict[str, str]
) -> None:
    store = tmp_path / "store"

    opened = run_child("harness_damage", "open_files_of_everything", str(store), extra=extra)

    assert opened == []


@pytest.mark.failure("F12")
def test_a_process_that_uses_engram_has_exactly_one_sqlite_library(tmp_path: Path) -> None:
    seen = run_child("harness_damage", "libraries_of_a_process", str(tmp_path / "store"))

    assert len(seen["carriers"]) == 1
    assert not seen["has_sqlite3"]
