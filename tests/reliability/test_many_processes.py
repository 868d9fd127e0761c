"""Many processes and threads on one store: no error, no lost write, every count exact."""

import threading
from collections import Counter
from pathlib import Path

import pytest
from harness_child import answer_of, kill, run_child, start_child
from harness_seed import number_from_environment
from test_kills import wait_until

from engram import failpoints
from engram.engine import Engram
from engram.errors import StoreBusy

PROCESSES = 4
CHILDREN = 12
SOAK_SECONDS = number_from_environment("ENGRAM_SOAK_SECONDS", 600)
WRITES = {"remember", "revise", "forget", "pin", "undo"}


def check_outcome(store: Path, answers: list[dict]) -> None:
    """The store holds exactly what the processes together say it must."""
    found = run_child("harness_load", "states_of", str(store))
    expected = {key: state for answer in answers for key, state in answer["expected"].items()}
    actions = Counter(found["actions"])
    assert found["states"] == expected
    assert found["is_intact"]
    assert sum(actions[action] for action in WRITES) == sum(each["writes"] for each in answers)
    assert actions["recall"] + actions["get"] + actions["list"] >= sum(
        each["reads"] for each in answers
    )


@pytest.mark.failure("F01", "F02", "F11", "F16")
def test_four_processes_with_mixed_work_never_meet_a_lock_and_lose_nothing(
    tmp_path: Path, seed: int
) -> None:
    store = tmp_path / "store"
    Engram.open(store).close()
    children = [
        start_child("harness_load", "mixed_work", str(store), f"{number}", 500, seed + number)
        for number in range(PROCESSES)
    ]

    answers = [answer_of(child) for child in children]

    check_outcome(store, answers)


@pytest.mark.failure("F18")
def test_fifty_threads_that_remember_at_once_make_fifty_memories(tmp_path: Path) -> None:
    store = tmp_path / "store"

    stored = run_child("harness_load", "remember_in_threads", str(store), "only", 50)

    assert stored == 50
    assert len(run_child("harness_load", "states_of", str(store))["states"]) == 50


@pytest.mark.failure("F16")
def test_two_processes_with_twenty_threads_each_make_forty_memories(tmp_path: Path) -> None:
    store = tmp_path / "store"
    Engram.open(store).close()
    children = [
        start_child("harness_load", "remember_in_threads", str(store), name, 20) for name in "ab"
    ]

    assert [answer_of(child) for child in children] == [20, 20]
    assert len(run_child("harness_load", "states_of", str(store))["states"]) == 40


@pytest.mark.failure("F01", "F02")
def test_readers_do_not_wait_for_a_writer_and_a_second_writer_waits_only_so_long(
    tmp_path: Path,
) -> None:
    store, marker = tmp_path / "store", tmp_path / "marker"
    with Engram.open(store) as engram:
        engram.remember("Waiting costs time.")
    halt = {"ENGRAM_FAILPOINT": f"before_commit,{marker}"}
    writer = start_child("harness_load", "write_until_halted", str(store), extra=halt)
    wait_until(marker.exists)

    seen = run_child("harness_load", "hold_the_lock_and_try", str(store), 0.5)
    kill(writer)

    assert (seen["found"], seen["recalled"]) == (1, 1)
    assert seen["reading_seconds"] < 5  # the writer stands there for a minute
    assert seen["outcome"] == "E1006"
    assert 0.4 < seen["waited_seconds"] < 10
    with Engram.open(store) as engram:
        engram.remember("The way is free.")
        assert {each.content for each in engram.list()} == {
            "Waiting costs time.",
            "The way is free.",
        }


@pytest.mark.failure("F44")
def test_a_full_queue_of_writers_turns_callers_away_and_drops_nothing_it_took(
    tmp_path: Path,
) -> None:
    is_inside, may_go_on = threading.Event(), threading.Event()
    outcomes: dict[str, str] = {}

    def write(engram: Engram, text: str) -> None:
        try:
            engram.remember(text)
            outcomes[text] = "stored"
        except StoreBusy:
            outcomes[text] = "turned away"

    def halt() -> None:
        is_inside.set()
        may_go_on.wait(30)

    with Engram.open(
        tmp_path / "store", settings={"storage": {"max_waiting_writers": 3}}
    ) as engram:
        engram.remember("Before the crowd.")
        failpoints.arm("before_commit", halt)
        threads = [threading.Thread(target=write, args=(engram, f"Text {n}.")) for n in range(12)]
        threads[0].start()
        assert is_inside.wait(10)
        for thread in threads[1:]:
            thread.start()
        wait_until(lambda: len(outcomes) >= 8)  # 12, less the one inside and three in the queue
        assert set(outcomes.values()) == {"turned away"}
        may_go_on.set()
        for thread in threads:
            thread.join(30)
        held = {each.content for each in engram.list()}

    stored = {text for text, outcome in outcomes.items() if outcome == "stored"}
    assert held == stored | {"Before the crowd."}
    assert Counter(outcomes.values()) == {"stored": 4, "turned away": 8}


@pytest.mark.failure("F66")
def test_a_forked_child_reads_and_writes_and_its_parent_goes_on(tmp_path: Path) -> None:
    store = tmp_path / "store"

    seen = run_child("harness_load", "fork_while_open", str(store), CHILDREN)

    assert seen["statuses"] == [0] * CHILDREN
    assert seen["visit"] == "welcome"
    found = run_child("harness_load", "states_of", str(store))
    texts = {state[0] for state in found["states"].values()}
    assert {f"Child {number} was here." for number in range(CHILDREN)} <= texts
    assert {f"The parent goes on beside child {number}." for number in range(CHILDREN)} <= texts
    assert {"The parent is last.", "A visitor came by."} <= texts
    assert found["is_intact"]
    assert found["actions"]["recall"] == CHILDREN + 1, (
        "a read of the parent was written down by a child too"
    )


@pytest.mark.soak
@pytest.mark.timeout(14_400)
def test_soak_mixed_work_for_minutes_meets_no_lock_and_stays_quick(
    tmp_path: Path, seed: int
) -> None:
    store = tmp_path / "store"
    Engram.open(store).close()
    children = [
        start_child(
            "harness_load", "mixed_work_for", str(store), f"{number}", SOAK_SECONDS, seed + number
        )
        for number in range(PROCESSES)
    ]

    answers = [answer_of(child, seconds=SOAK_SECONDS + 300) for child in children]

    check_outcome(store, answers)
    assert max(answer["slowest_seconds"] for answer in answers) < 10
