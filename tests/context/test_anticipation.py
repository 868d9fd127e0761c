"""What is fetched for the next question: used where it fits, by whom it is for, and never late."""

import threading

import numpy as np
import pytest

from engram.context.anticipation import (
    LIKENESS,
    OLDEST_SECONDS,
    AnticipatoryCache,
    Prefetching,
    likeness,
)
from engram.errors import StoreBusy
from engram.memory.momentum import Momentum, momentum_of

EAST, NORTH = np.eye(2, dtype=np.float32)
ADA, OMAR = ("agent:/agent=ada/", "/", "s"), ("agent:/agent=omar/", "/", "s")


def eastward() -> Momentum:
    found = momentum_of([EAST] * 3)
    assert found is not None
    return found


class Seconds:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_what_was_fetched_is_found_once_where_the_question_was_expected():
    cache = AnticipatoryCache()
    cache.keep(ADA, eastward(), None)

    assert cache.find(ADA, EAST) is not None
    assert cache.find(ADA, EAST) is None
    assert (cache.tally.asked, cache.tally.expected) == (2, 1)


def test_only_what_was_really_answered_out_of_it_counts_as_served():
    cache = AnticipatoryCache()
    for _ in range(4):
        cache.keep(ADA, eastward(), None)
        assert cache.find(ADA, EAST) is not None
    assert (cache.tally.expected, cache.tally.rate) == (4, 0.0)

    cache.note_served()

    assert (cache.tally.served, cache.tally.rate) == (1, 0.25)


def test_a_question_elsewhere_is_none():
    cache = AnticipatoryCache()
    cache.keep(ADA, eastward(), None)

    assert likeness(-EAST, eastward()) < LIKENESS
    assert cache.find(ADA, -EAST) is None


def test_a_question_without_a_vector_or_of_another_embedder_is_none():
    cache = AnticipatoryCache()
    cache.keep(ADA, eastward(), None)
    assert cache.find(ADA, None) is None

    cache.keep(ADA, eastward(), None)
    assert cache.find(ADA, np.ones(3, dtype=np.float32)) is None


@pytest.mark.parametrize(("seconds", "is_hit"), [(OLDEST_SECONDS, True), (61.0, False)])
def test_what_is_older_than_a_minute_is_not_used(seconds, is_hit):
    clock = Seconds()
    cache = AnticipatoryCache(now=clock)
    cache.keep(ADA, eastward(), None)

    clock.now = seconds

    assert (cache.find(ADA, EAST) is not None) == is_hit


def test_nobody_is_served_what_was_fetched_for_another():
    cache = AnticipatoryCache()
    cache.keep(ADA, eastward(), None)

    for key in (OMAR, (ADA[0], "/project=x/", "s"), (ADA[0], "/", "t")):
        assert cache.find(key, EAST) is None


def test_only_so_much_is_kept_and_it_can_be_let_go_of():
    cache = AnticipatoryCache(most=1)
    cache.keep(ADA, eastward(), None)
    cache.keep(OMAR, eastward(), None)
    assert cache.find(ADA, EAST) is None

    cache.forget(OMAR)
    assert cache.find(OMAR, EAST) is None
    cache.keep(OMAR, eastward(), None)
    cache.clear()
    assert cache.find(OMAR, EAST) is None


def test_a_turn_that_comes_stops_what_runs_and_drops_what_waits():
    fetching, begun, done = Prefetching(), threading.Event(), []

    def long(is_stopped) -> None:
        begun.set()
        while not is_stopped():
            pass
        done.append("stopped")

    fetching.begin(long)
    assert begun.wait(5)
    fetching.begin(lambda _: done.append("second"))
    assert fetching.wait(5)
    assert done == ["stopped", "second"]

    begun.clear()
    fetching.begin(long)
    assert begun.wait(5)
    fetching.cancel()
    assert fetching.wait(5)
    assert done == ["stopped", "second", "stopped"]


def test_trouble_ends_one_fetch_and_not_the_next():
    fetching, done = Prefetching(), []

    def fail(is_stopped) -> None:
        raise StoreBusy

    fetching.begin(fail)
    assert fetching.wait(5)
    fetching.begin(lambda _: done.append("next"))
    assert fetching.wait(5)

    assert done == ["next"]


def test_the_thread_keeps_no_process_alive_and_nothing_begins_after_closing():
    fetching, is_daemon, done = Prefetching(), [], []
    fetching.begin(lambda _: is_daemon.append(threading.current_thread().daemon))
    assert fetching.wait(5)

    fetching.close()
    fetching.begin(lambda _: done.append("late"))

    assert is_daemon == [True]
    assert fetching.wait(5)
    assert done == []
