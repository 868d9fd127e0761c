"""A dream over 10,000 memories: how long it takes, and what those notice who ask meanwhile."""

import multiprocessing
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.conversations import questions, turns
from benchmarks.figures import Figure, named_size, timed
from engram import Engram
from engram.memory.figures import percentile

_COUNT = 10_000
_ASKED = 200
_SETTINGS = {
    "embedder": {"kind": "hashing"},
    "daemon": {"start": "never"},
    "recall": {"timeout_seconds": 600.0},
}
_MOST_SECONDS = 60.0
_MOST_TIMES = 2.0


def measure(folder: Path) -> list[Figure]:
    """Dream once alone; then make everything anew while questions are asked."""
    path = folder / "dreams"
    with _opened(path) as engram:
        texts = [{"text": each.text, "category": "general"} for each in turns(_COUNT)]
        engram.remember_many(texts, wait=True)
        seconds = timed(engram.dream)
        again = timed(engram.dream)
        _asked(engram, _ASKED)  # the first loads
        quiet = _asked(engram, _ASKED)
        here = _while(_in_a_thread(engram), engram)
    with _opened(path) as engram:
        _asked(engram, _ASKED)
        beside = _while(_in_a_process(path), engram)
    size = named_size(_COUNT)
    return [
        _seconds(f"a whole dream over {size} memories", seconds),
        _seconds("the next one, with nothing new", again),
        _slowed("recall p95 while the background process dreams", beside, quiet),
        _slowed("recall p95 while another thread dreams", here, quiet, bar=False),
    ]


def _opened(path: Path) -> Engram:
    return Engram.open(path, settings=_SETTINGS)


def _seconds(name: str, seconds: float) -> Figure:
    holds = seconds < _MOST_SECONDS
    return Figure(name, seconds, "s", None, "", f"< {_MOST_SECONDS:.0f} s", holds)


def _slowed(name: str, during: list[float], quiet: list[float], *, bar: bool = True) -> Figure:
    value, before = percentile(during, 0.95), percentile(quiet, 0.95)
    holds = not bar or value <= _MOST_TIMES * before
    told = f"≤ {_MOST_TIMES:.0f}×" if bar else ""
    return Figure(name, value, "ms", before, "without a dream", told, holds)


def _asked(engram: Engram, count: int) -> list[float]:
    """Milliseconds of so many questions, put at a calm pace."""
    return [_one(engram, question) for question in questions(count, among=_COUNT)]


def _one(engram: Engram, question: str) -> float:
    started = time.perf_counter()
    engram.recall(question)
    taken = (time.perf_counter() - started) * 1000
    time.sleep(0.01)
    return taken


def _while(dreaming: "Callable[[], Iterator[Callable[[], bool]]]", engram: Engram) -> list[float]:
    """Milliseconds of questions that were put while a dream was going on."""
    taken: list[float] = []
    with contextmanager(dreaming)() as is_dreaming:
        while is_dreaming():
            taken += _asked(engram, 20)
    return taken


def _in_a_thread(engram: Engram) -> "Callable[[], Iterator[Callable[[], bool]]]":
    def dreaming() -> Iterator[Callable[[], bool]]:
        thread = threading.Thread(target=lambda: engram.dream(rebuild=True))
        thread.start()
        yield thread.is_alive
        thread.join()

    return dreaming


def _in_a_process(path: Path) -> "Callable[[], Iterator[Callable[[], bool]]]":
    def dreaming() -> Iterator[Callable[[], bool]]:
        process = multiprocessing.get_context("spawn").Process(target=_dream_apart, args=(path,))
        process.start()
        yield process.is_alive
        process.join()

    return dreaming


def _dream_apart(path: Path) -> None:
    import os

    os.nice(10)  # as the process in the background does
    with _opened(path) as engram:
        engram.dream(rebuild=True)
