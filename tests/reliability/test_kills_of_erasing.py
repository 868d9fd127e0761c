"""Processes killed while they erase: what was begun is finished by the next one that opens."""

import shutil
import time
from pathlib import Path

import pytest
from harness_child import kill, run_child, start_child
from harness_erasing import KEPT, WORDS

FAILPOINTS = (
    "erase_before_grave", "erase_after_grave", "vault_before_destroying", "erase_after_keys",
    "erase_before_commit", "before_commit", "after_commit", "erase_after_commit",
    "erase_after_index", "erase_after_log", "erase_in_a_copy", "erase_after_copies",
    "erase_before_certificate", "erase_after_certificate",
)  # fmt: skip
UNBEGUN = frozenset({"erase_before_grave"})  # before anything of it is durable
_SECONDS = 60.0


@pytest.fixture(scope="module")
def seed_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("erasing")
    run_child("harness_erasing", "fill", str(folder / "store"), str(folder / "outside.db"))
    return folder


def killed_at(failpoint: str, folder: Path) -> None:
    marker = folder / "reached"
    child = start_child(
        "harness_erasing", "erase", str(folder / "store"),
        extra={"ENGRAM_FAILPOINT": f"{failpoint},{marker},0"},
    )  # fmt: skip
    deadline = time.monotonic() + _SECONDS
    while not marker.exists():
        assert child.poll() is None, child.communicate()
        assert time.monotonic() < deadline, f"{failpoint} was not reached"
        time.sleep(0.01)
    kill(child)


def words_in(root: Path) -> set[tuple[str, str]]:
    files = {path.name: path.read_bytes().lower() for path in root.rglob("*") if path.is_file()}
    return {(name, word) for name, said in files.items() for word in WORDS if word.encode() in said}


@pytest.mark.failure("F67")
@pytest.mark.parametrize("failpoint", FAILPOINTS)
def test_an_erasure_that_was_killed_is_finished_by_the_next_opening(
    failpoint: str, seed_store: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(seed_store, folder)
    assert words_in(folder / "store")

    killed_at(failpoint, folder)
    told = run_child("harness_erasing", "settle", str(folder / "store"))

    assert told["is_intact"]
    assert told["is_fine"]
    assert KEPT in told["memories"]
    # Before its grave is dug it was never asked for, and can be asked for again.
    assert told["was_begun"] is (failpoint not in UNBEGUN)
    assert told["states"] == ["proven"]
    assert told["certified"] == [True]
    assert told["told"] == []
    assert words_in(folder / "store") == set()


@pytest.mark.failure("F67")
def test_a_killed_erasure_is_not_undone_by_a_restore(seed_store: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(seed_store, folder)
    killed_at("erase_after_commit", folder)

    back = run_child(
        "harness_erasing", "restore", str(folder / "store"), str(folder / "outside.db")
    )

    assert KEPT in back
    assert not [each for each in back for word in WORDS if word in each.lower()]
    assert words_in(folder / "store") == set()
