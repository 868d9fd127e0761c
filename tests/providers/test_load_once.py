"""Loading a heavy thing: once for all threads, and again a while after a failure."""

import subprocess
import sys
import threading

import pytest

from engram.errors import EmbedderUnavailable
from engram.providers.load_once import LoadOnce


class Heavy:
    """Something that is loaded; counts how often that was tried."""

    def __init__(self, *, failures: int = 0) -> None:
        self.tries = 0
        self.failures = failures
        self.may_end = threading.Event()
        self.may_end.set()

    def load(self) -> str:
        self.tries += 1
        assert self.may_end.wait(20)
        if self.tries <= self.failures:
            raise EmbedderUnavailable(hint="It is broken.")
        return "loaded"


def test_many_threads_that_ask_at_once_load_it_once():
    heavy = Heavy()
    heavy.may_end.clear()
    loading = LoadOnce(heavy.load, unavailable=EmbedderUnavailable)
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.append(loading.value())) for _ in range(8)]

    loading.warm()
    for each in threads:
        each.start()
    heavy.may_end.set()
    for each in threads:
        each.join()

    assert found == ["loaded"] * 8
    assert heavy.tries == 1


def test_a_failure_is_told_again_for_a_minute_and_then_tried_anew():
    now = 0.0
    heavy = Heavy(failures=1)
    loading = LoadOnce(heavy.load, unavailable=EmbedderUnavailable, clock=lambda: now)

    for _ in range(3):
        with pytest.raises(EmbedderUnavailable, match="It is broken"):
            loading.value()
    assert heavy.tries == 1

    now = 61.0
    assert loading.value() == "loaded"


def test_warming_what_is_broken_raises_nothing():
    heavy = Heavy(failures=1)
    loading = LoadOnce(heavy.load, unavailable=EmbedderUnavailable)

    loading.warm()
    loading.wait_for_warming()

    assert heavy.tries == 1
    assert not loading.is_loaded


def test_closing_waits_for_a_load_and_lets_go_of_it():
    heavy = Heavy()
    heavy.may_end.clear()
    loading = LoadOnce(heavy.load, unavailable=EmbedderUnavailable)
    loading.warm()
    closing = threading.Thread(target=loading.close)

    closing.start()
    heavy.may_end.set()
    closing.join()

    assert not loading.is_loaded
    with pytest.raises(EmbedderUnavailable, match="closed"):
        loading.value()


def test_closing_while_a_thread_is_about_to_warm_waits_for_nothing_that_has_not_begun(monkeypatch):
    loading = LoadOnce(Heavy().load, unavailable=EmbedderUnavailable)
    begin = threading.Thread.start

    def start(thread: threading.Thread) -> None:
        loading.wait_for_warming()  # what `close` does first, in another thread
        begin(thread)

    monkeypatch.setattr(threading.Thread, "start", start)

    loading.warm()
    loading.wait_for_warming()

    assert loading.is_loaded


def test_a_program_that_ends_lets_a_load_of_any_thread_come_to_its_end():
    program = """
import threading, time
from engram.errors import EmbedderUnavailable
from engram.providers.load_once import LoadOnce

def load():
    begun.set()
    time.sleep(0.3)
    print("loaded")
    return 1

begun = threading.Event()
slow = LoadOnce(load, unavailable=EmbedderUnavailable)
threading.Thread(target=slow.value, daemon=True).start()
begun.wait()
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    assert (ended.returncode, ended.stdout) == (0, "loaded\n")
