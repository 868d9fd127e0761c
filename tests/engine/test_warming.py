"""Warming: the first question of a long-lived process finds everything loaded."""

import os
import subprocess
import sys
import threading
import time

import pytest

from engram.errors import StoreClosed
from engram.recall.warming import Warming

HASHING = {"embedder": {"kind": "hashing", "hashing_dimension": 64}}


@pytest.fixture(autouse=True)
def _soon(monkeypatch):
    """A second is long for a test."""
    monkeypatch.setattr("engram.recall.warming._AFTER_SECONDS", 0.05)


def until(condition, seconds=10.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.005)


def is_loaded(engram):
    return engram._parts._loaded_by == os.getpid()


def warming_threads():
    return [each for each in threading.enumerate() if each.name == "engram-warming"]


@pytest.mark.parametrize(
    "call",
    [
        lambda engram: engram.remember("Herons fish at dawn."),
        lambda engram: engram.remember_many(["Herons fish at dawn."], wait=True),
        lambda engram: engram.observe("Herons fish at dawn."),
        lambda engram: engram.list(),
    ],
    ids=["remember", "remember_many", "observe", "list"],
)
def test_after_the_first_call_everything_recall_needs_is_loaded(open_store, call):
    first = open_store(settings=HASHING)
    first.remember("Ada keeps bees.", wait=True)
    first.close()
    engram = open_store(settings=HASHING)
    assert not is_loaded(engram)

    call(engram)

    until(lambda: is_loaded(engram))
    assert engram._parts.vectors.loads == 1
    assert engram._parts.embedding.embedder.is_loaded
    assert engram.recall("bees")[0].memory.content == "Ada keeps bees."
    assert engram._parts.vectors.loads == 1


@pytest.mark.parametrize("name", ["warm", "in_memory"])
def test_nothing_is_loaded_where_that_is_not_wanted(open_store, name):
    engram = open_store(settings={**HASHING, "recall": {name: False}})

    engram.remember("Ada keeps bees.")
    engram.list()

    assert warming_threads() == []
    assert not is_loaded(engram)


def test_the_model_is_loaded_before_the_first_question(open_store):
    engram = open_store(settings={"embedder": {"kind": "builtin"}})

    engram.list()

    until(lambda: engram._parts.embedding.embedder.is_loaded, seconds=30)
    assert engram._parts.embedding.embedder.is_loaded


def test_a_question_that_comes_meanwhile_waits_for_the_same_load(open_store):
    engram = open_store(settings=HASHING)
    engram.remember_many([f"Fact {number} of herons." for number in range(2_000)], wait=True)

    found = [engram.recall(f"Fact {number} of herons")[0].memory.number for number in range(5)]

    assert found == [1, 2, 3, 4, 5]
    assert engram._parts.vectors.loads == 1


def test_closing_stops_a_load_at_its_next_page(open_store, monkeypatch):
    monkeypatch.setattr("engram.recall.wordings._PAGE", 10)
    first = open_store(settings=HASHING)
    first.remember_many([f"Fact {number}." for number in range(200)], wait=True)
    first.close()
    engram = open_store(settings=HASHING)
    reached, may_go_on = threading.Event(), threading.Event()
    table, failed = engram._parts.wordings, []
    add = table._add

    def slowly(page):
        add(page)
        reached.set()
        may_go_on.wait(10)

    monkeypatch.setattr(table, "_add", slowly)
    load = engram._parts.load_for_recall

    def watched(is_stopped):
        try:
            load(is_stopped)
        except StoreClosed:
            failed.append("stopped")
            raise

    engram._parts.warming._load = watched
    engram.list()
    reached.wait(10)

    closing = threading.Thread(target=engram.close)
    closing.start()
    until(lambda: engram._parts.warming._closing.is_set())
    may_go_on.set()
    closing.join(10)

    assert not closing.is_alive()
    assert failed == ["stopped"]
    assert warming_threads() == []
    again = open_store(settings=HASHING)
    assert again.recall("Fact 7.")[0].memory.content == "Fact 7."


def test_a_store_that_is_closed_begins_no_load():
    loads = []
    warming = Warming(loads.append)
    warming.close()

    warming.begin()

    assert warming_threads() == []
    assert loads == []


def test_many_threads_begin_one_load():
    loads = []
    warming = Warming(loads.append)

    threads = [threading.Thread(target=warming.begin) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    until(lambda: loads)
    warming.close()

    assert len(loads) == 1


_SHORT = """
import sys
from engram import Engram
engram = Engram.open(sys.argv[1], settings={"embedder": {"kind": "hashing"}})
engram.remember("Herons fish at dawn.")
engram.list()
engram.close()
print("engram.recall.wordings" in sys.modules)
"""


def test_a_short_call_loads_nothing(store_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", _SHORT, str(store_path)],
        capture_output=True, text=True, timeout=60, env=dict(os.environ),
    )  # fmt: skip

    assert (done.returncode, done.stdout.strip()) == (0, "False"), done.stderr
