"""Has waiting turns read in the background, soon after they are due."""

import os
import threading
from collections.abc import Callable

_CLOSING_SECONDS = 5.0
_SHORTEST_SECONDS = 0.05


class OneReader:
    """Lets one thread of a process read at a time, so that none reads what another is reading."""

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        if os.getpid() != self._process:
            self._start()  # a forked child: a thread of the parent may have been reading
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


class ReadingWorker:
    """A thread that reads what is due and sleeps until more will be.

    What it does not get to waits in the store for whoever opens it next.
    """

    def __init__(self, read_due: Callable[[], float | None]) -> None:
        self._read_due = read_due  # returns in how many seconds something is due; None: nothing
        self._process = os.getpid()
        self._woken = threading.Event()
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def wake(self) -> None:
        """Something may be due."""
        if os.getpid() != self._process:
            return  # a forked child has no thread of the parent; its turns wait in the store
        with self._lock:
            if self._closing.is_set():
                return
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, name="engram-reading", daemon=True
                )
                self._thread.start()
        self._woken.set()

    def _run(self) -> None:
        pause: float | None = None
        while not self._closing.is_set():
            self._woken.wait(None if pause is None else max(pause, _SHORTEST_SECONDS))
            self._woken.clear()
            if self._closing.is_set():
                return
            pause = self._read_due()

    def close(self) -> None:
        """Finish the step that runs, and stop."""
        if os.getpid() != self._process:
            return
        with self._lock:
            self._closing.set()
            self._woken.set()
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout=_CLOSING_SECONDS)
