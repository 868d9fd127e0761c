"""Every door at once, and every door on something that is no store."""

import json
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from harness_seed import number_from_environment
from harness_surfaces import PROGRAM, Account, McpCaller, ended, everyone, largest_log, surroundings

from engram import Engram
from engram.errors import EngramError

SECONDS = 5.0
SOAK_SECONDS = number_from_environment("ENGRAM_SURFACES_SECONDS", 60)
MEGABYTE = 1024 * 1024
MOST_LOG_BYTES = 64 * MEGABYTE


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "store"
    with Engram.open(path) as engram:
        engram.remember_many([f"Freya put box {number} in hall A." for number in range(300)])
    return path


def check_everything_is_there(store: Path, accounts: list[Account]) -> None:
    """Each write that was answered is there once, and nobody was refused anything."""
    assert [each.failures for each in accounts] == [[]] * len(accounts)
    assert all(each.kept and each.recalls for each in accounts), accounts
    with Engram.open(store) as engram:
        assert engram.doctor().is_fine
        engram.settle()
        found = {each.content for each in engram.list(limit=100_000)}
        for account in accounts:
            assert set(account.kept) <= found
        assert engram.upkeep.embed().waiting == 0


def load_every_door(store: Path, seconds: float) -> None:
    with Engram.open(store) as engram:
        key = engram.issue_key("load", kind="person", role="writer").text
    until = [float("inf")]

    def is_over() -> bool:
        if until[0] == float("inf"):
            until[0] = time.monotonic() + seconds  # from when the first one begins
        return time.monotonic() >= until[0]

    log_bytes = largest_log(store, lambda: time.monotonic() >= until[0])
    accounts = everyone(store, key, is_over)

    check_everything_is_there(store, accounts)
    assert log_bytes() < MOST_LOG_BYTES


@pytest.mark.failure("F11", "F65")
def test_every_door_at_once_loses_nothing(store):
    load_every_door(store, SECONDS)


@pytest.mark.soak
@pytest.mark.failure("F11", "F65")
def test_every_door_at_once_for_a_minute_loses_nothing(store):
    load_every_door(store, SOAK_SECONDS)


# What is no store


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_link_to_a_pipe(path: Path) -> None:
    os.mkfifo(path.with_name("pipe"))
    path.symlink_to(path.with_name("pipe"))


def an_empty_file(path: Path) -> None:
    path.touch()


def another_file(path: Path) -> None:
    path.write_bytes(b"This is a letter, and no database at all.\n" * 100)


def _inside(make: Callable[[Path], None]) -> Callable[[Path], None]:
    """The same thing, but where the database of a store should be."""

    def made(path: Path) -> None:
        path.mkdir()
        make(path / "engram.db")

    made.__name__ = f"{make.__name__}_as_database"
    return made


def a_folder(path: Path) -> None:
    path.mkdir()


WHOLE = (a_pipe, a_link_to_a_pipe, an_empty_file, another_file)
NO_STORES = [*WHOLE, *(_inside(each) for each in (*WHOLE, a_folder))]
ANSWER_SECONDS = 1.0


def named(make: Callable[[Path], None]) -> str:
    return make.__name__


@pytest.fixture(params=NO_STORES, ids=named)
def no_store(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "place"
    request.param(path)
    return path


@pytest.mark.failure("F15")
def test_the_library_refuses_at_once_what_is_no_store(no_store):
    began = time.perf_counter()

    with pytest.raises(EngramError):
        Engram.open(no_store)

    assert time.perf_counter() - began < ANSWER_SECONDS


def bare_start_seconds() -> float:
    """How long this machine takes now to start a command that does nothing."""
    began = time.perf_counter()
    subprocess.run([*PROGRAM, "--version"], env=surroundings(), capture_output=True, check=True)
    return time.perf_counter() - began


@pytest.mark.failure("F15")
@pytest.mark.parametrize(
    "arguments", [("recall", "x"), ("serve", "--port", "0"), ("daemon", "run")]
)
@pytest.mark.parametrize("make", [a_link_to_a_pipe, _inside(a_pipe)], ids=named)
def test_commands_refuse_at_once_what_is_no_store(make, arguments, tmp_path):
    path = tmp_path / "place"
    make(path)
    bare = bare_start_seconds()

    began = time.perf_counter()
    done = subprocess.run(
        [*PROGRAM, *arguments, "--store", str(path), "--json"],
        env=surroundings(),
        capture_output=True,
        timeout=30,
        check=False,
    )

    assert time.perf_counter() - began < 2 * bare + ANSWER_SECONDS  # it loads more than that
    assert done.returncode == 1
    assert json.loads(done.stdout)["error"]["code"].startswith("E")


@pytest.mark.failure("F15")
@pytest.mark.parametrize("make", [a_pipe, _inside(a_link_to_a_pipe), an_empty_file], ids=named)
def test_an_mcp_server_says_at_once_that_it_has_no_store(make, tmp_path):
    path = tmp_path / "place"
    make(path)
    caller = McpCaller(path)
    with ended(caller.process):
        caller.ask("tools/list", {})

        began = time.perf_counter()
        answer = caller.ask("tools/call", {"name": "memory_list", "arguments": {}})

    assert time.perf_counter() - began < 2 * ANSWER_SECONDS  # it loads what opening takes
    assert "E1" in json.dumps(answer) or "E2" in json.dumps(answer), answer
