"""What the next question of a session will probably need, fetched while nobody waits.

Where a conversation heads tells where its next question will lie. What is near to that is fetched
in the background; when the question comes and lies there, it is compared with that alone instead
of with the whole store. What was fetched is used by the caller and session it was fetched for,
within a minute, and only while nothing that recall looks at has changed.
"""

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from engram.context.trajectory import TrajectoryKey
from engram.errors import EngramError
from engram.memory.momentum import Momentum, Vector, blend
from engram.recall.foreseen import Foreseen

LIKENESS = 0.6
OLDEST_SECONDS = 60.0
_MOST = 4  # of at most 2,000 vectors each: 12 MB
_CLOSING_SECONDS = 5.0
_IDLE_SECONDS = 10.0
AFTER_SECONDS = 0.05
Work = Callable[[Callable[[], bool]], None]


@dataclass(frozen=True, slots=True)
class Expected:
    """Where the next question is expected, and what was fetched for it."""

    momentum: Momentum
    foreseen: Foreseen | None  # None: so little is kept that all of it is compared anyway
    made_at: float


@dataclass(slots=True)
class Tally:
    """How many questions were part of a session, and what came of what was fetched for them."""

    asked: int = 0
    expected: int = 0  # lay where they were expected
    served: int = 0  # were answered out of what was fetched

    @property
    def rate(self) -> float:
        """The share that was served; 0 when nobody has asked."""
        return self.served / self.asked if self.asked else 0.0


def likeness(question: Vector, expected: Momentum) -> float:
    """How near a question is to where it was expected, as the conversation colours it at most."""
    if question.shape != expected.centroid.shape:
        return 0.0
    coloured = blend(question, replace(expected, confidence=1.0))
    return float(np.clip(coloured @ expected.centroid, -1.0, 1.0))


class AnticipatoryCache:
    """What was fetched for the next questions of a few sessions; safe from any thread."""

    def __init__(self, most: int = _MOST, now: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._now = now
        self._start()

    def _start(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._expected: OrderedDict[TrajectoryKey, Expected] = OrderedDict()
        self.tally = Tally()

    def keep(self, key: TrajectoryKey, momentum: Momentum, foreseen: Foreseen | None) -> None:
        """Keep what was fetched for a session, in place of what was there."""
        self._check_process()
        with self._lock:
            self._expected[key] = Expected(momentum, foreseen, self._now())
            self._expected.move_to_end(key)
            while len(self._expected) > self._most:
                self._expected.popitem(last=False)

    def find(self, key: TrajectoryKey, question: Vector | None) -> Expected | None:
        """What was fetched for this question: it serves one, since the next lies elsewhere.

        Whether the store is still the same is for the search to see, which alone knows.
        """
        self._check_process()
        with self._lock:
            found = self._expected.pop(key, None)
            self.tally.asked += 1
            if found is None or question is None:
                return None
            is_old = self._now() - found.made_at > OLDEST_SECONDS
            if is_old or likeness(question, found.momentum) < LIKENESS:
                return None
            self.tally.expected += 1
            return found

    def note_served(self) -> None:
        """A question was answered out of what was fetched, as only the search can tell."""
        self._check_process()
        with self._lock:
            self.tally.served += 1

    def forget(self, key: TrajectoryKey) -> None:
        """Let go of what was fetched for a session."""
        self._check_process()
        with self._lock:
            self._expected.pop(key, None)

    def clear(self) -> None:
        """Let go of everything: another database lies there now."""
        self._check_process()
        with self._lock:
            self._expected.clear()

    def _check_process(self) -> None:
        if os.getpid() != self._process:
            self._start()  # a forked child: a thread of the parent may have held the lock


class Prefetching:
    """One thing at a time is fetched in the background: what is asked for last.

    The thread never keeps the process from ending, and goes when nothing was to do for a while.
    What goes wrong is not said here: the question that comes meets the same trouble, and is told.
    """

    def __init__(self, after_seconds: float = AFTER_SECONDS) -> None:
        self._after = after_seconds
        self._is_closed = False
        self._start()

    def _start(self) -> None:
        self._process = os.getpid()
        self._changed = threading.Condition()
        self._next: Work | None = None
        self._stop = threading.Event()
        self._is_busy = False
        self._thread: threading.Thread | None = None

    def begin(self, work: Work) -> None:
        """Do this soon; what is being done for an earlier turn stops, what waits is dropped."""
        self._check_process()
        with self._changed:
            if self._is_closed:
                return
            self._stop.set()
            self._next, self._stop = work, threading.Event()
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(
                    target=self._run, name="engram-anticipation", daemon=True
                )
                self._thread.start()
            self._changed.notify_all()

    def cancel(self) -> None:
        """A turn has come: stop what runs and drop what waits."""
        self._check_process()
        with self._changed:
            self._stop.set()
            self._next = None

    def wait(self, seconds: float) -> bool:
        """Wait until nothing is fetched any more; whether that is so."""
        self._check_process()
        with self._changed:
            return self._changed.wait_for(lambda: not self._is_busy and not self._next, seconds)

    def close(self) -> None:
        """Stop what runs, and begin nothing any more."""
        self._is_closed = True
        self.cancel()
        with self._changed:
            self._changed.notify_all()
        self.wait(_CLOSING_SECONDS)

    def _run(self) -> None:
        while (found := self._taken()) is not None:
            work, stop = found
            try:
                # Whoever has just been answered goes on first.
                if not stop.wait(self._after):
                    with suppress(EngramError):
                        work(stop.is_set)
            finally:
                with self._changed:
                    self._is_busy = False
                    self._changed.notify_all()

    def _taken(self) -> tuple[Work, threading.Event] | None:
        """What is to be done next; None when nothing came for a while."""
        with self._changed:
            self._changed.wait_for(lambda: self._next or self._is_closed, _IDLE_SECONDS)
            work, self._next = self._next, None
            if work is None:
                self._thread = None
                return None
            self._is_busy = True
            return work, self._stop

    def _check_process(self) -> None:
        if os.getpid() != self._process:
            self._start()  # a forked child has none of its parent's threads
