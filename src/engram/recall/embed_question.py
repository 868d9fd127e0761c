"""Embeds a question within its deadline, before the store is looked at: an embedder may hang."""

import os
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from engram.errors import EngramError
from engram.storage.vectors.spaces import Space

if TYPE_CHECKING:
    from engram.recall.foreseen import Foreseen

Vector = NDArray[np.float32]
_MOST_AT_WORK = 64  # questions that are being embedded, those that nobody waits for among them
_LATE = "the embedder took longer than {:.3g} s"
_IDLE_SECONDS = 10.0
_Jobs = SimpleQueue[Callable[[], None]]
_at_work = threading.BoundedSemaphore(_MOST_AT_WORK)
_idle: deque[_Jobs] = deque()
_Result = TypeVar("_Result")


class Embeds(Protocol):
    """What turns a question into a vector."""

    @property
    def identity(self) -> str:
        """What tells this embedder from any other."""
        ...

    @property
    def is_prompt(self) -> bool:
        """Whether it computes here and now: it waits for nobody and cannot hang."""
        ...

    def embed(self, texts: list[str]) -> Vector:
        """A row of unit length for each text."""
        ...


@dataclass(frozen=True, slots=True)
class WantedVector:
    """What is to be embedded, by whom and for which space; or why nothing is."""

    text: str = field(default="", repr=False)
    space: Space | None = None
    embedder: Embeds | None = None
    problem: str = ""
    waiting: int = 0  # memories the caller may see that have no vector yet


@dataclass(frozen=True, slots=True)
class QuestionVector:
    """A question's place in a space, or why it has none."""

    space: Space | None = None
    vector: Vector | None = None
    problem: str = ""
    milliseconds: float = 0.0
    leaning: float = 0.0  # the share of the turns before in it
    foreseen: "Foreseen | None" = None  # what was fetched for it before it was asked


def embed_question(wanted: WantedVector, seconds: float) -> QuestionVector:
    """Embed a question; a failure or a long wait is named and not raised."""
    if wanted.embedder is None:
        return QuestionVector(wanted.space, problem=wanted.problem)
    embedder, begun = wanted.embedder, time.perf_counter()
    try:
        # What computes here cannot hang; handing it to a thread would take longer than it does.
        if embedder.is_prompt:
            rows = embedder.embed([wanted.text])
        else:
            rows = in_time(lambda: embedder.embed([wanted.text]), seconds)
    except TimeoutError:
        return QuestionVector(wanted.space, None, _LATE.format(seconds), _since(begun))
    except EngramError as error:
        return QuestionVector(wanted.space, None, f"{error.code}: {error.hint}", _since(begun))
    return QuestionVector(wanted.space, rows[0], "", _since(begun))


def _since(begun: float) -> float:
    return (time.perf_counter() - begun) * 1000


@dataclass(slots=True)
class _Held(Generic[_Result]):
    """What a thread came to."""

    results: list[_Result] = field(default_factory=list)
    error: BaseException | None = None
    is_done: threading.Event = field(default_factory=threading.Event)


def in_time(work: Callable[[], _Result], seconds: float) -> _Result:
    """The result of work that may hang; `TimeoutError` when it is not there in time.

    Work that is late goes on by itself until its own timeout ends it; nobody waits for it, and
    when too many are at work already nothing is begun.
    """
    held: _Held[_Result] = _Held()
    end = time.monotonic() + seconds
    if not _at_work.acquire(timeout=max(seconds, 0.0)):
        raise TimeoutError

    def run() -> None:
        try:
            held.results.append(work())
        except BaseException as error:  # noqa: BLE001  # told to whoever waits, in their own thread
            held.error = error
        finally:
            _at_work.release()
            held.is_done.set()

    _idle_thread().put(run)
    if not held.is_done.wait(max(end - time.monotonic(), 0.0)):
        raise TimeoutError
    if held.error is not None:
        raise held.error
    return held.results[0]


def _idle_thread() -> _Jobs:
    """A thread that has nothing to do, by what it is given its work: starting one takes longer."""
    try:
        return _idle.pop()
    except IndexError:
        jobs: _Jobs = SimpleQueue()
        target = threading.Thread(
            target=_work_off, args=(jobs, _idle), name="engram-question", daemon=True
        )
        target.start()
        return jobs


def _work_off(jobs: _Jobs, idle: deque[_Jobs]) -> None:
    while True:
        try:
            jobs.get(timeout=_IDLE_SECONDS)()
            idle.append(jobs)
        except Empty:
            try:
                idle.remove(jobs)
            except ValueError:
                continue  # somebody has just taken it, and puts work in
            return


def _begin_anew_after_a_fork() -> None:
    global _at_work, _idle
    _at_work, _idle = threading.BoundedSemaphore(_MOST_AT_WORK), deque()


os.register_at_fork(after_in_child=_begin_anew_after_a_fork)
