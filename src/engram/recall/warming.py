"""Loads in the background what the first question would have to wait for."""

import os
import threading
from collections.abc import Callable
from contextlib import suppress

from engram.errors import EngramError

_AFTER_SECONDS = 1.0  # a command that ends sooner asks nothing, and loads nothing
_CLOSING_SECONDS = 5.0
Load = Callable[[Callable[[], bool]], None]


class Warming:
    """Runs a load once, in a thread of its own, a while after it was first wished for.

    The load is given a question it asks from time to time: whether it should stop. What goes wrong
    is not said here: whoever needs what was to be loaded meets the same trouble, and is told.
    """

    def __init__(self, load: Load) -> None:
        self._load = load
        self._is_closed = False
        self._start()

    def _start(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Load soon, unless that was begun before."""
        if os.getpid() != self._process:
            self._start()  # a forked child has none of its parent's threads
        if self._thread is not None or self._is_closed:
            return
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, args=(self._closing,), name="engram-warming", daemon=True
                )
                self._thread.start()

    def _run(self, closing: threading.Event) -> None:
        if not closing.wait(_AFTER_SECONDS):
            with suppress(EngramError):
                self._load(closing.is_set)

    def close(self) -> None:
        """Stop a load that runs, and begin none any more."""
        self._is_closed = True
        if os.getpid() != self._process:
            return
        self._closing.set()
        if self._thread is not None:
            self._thread.join(_CLOSING_SECONDS)
