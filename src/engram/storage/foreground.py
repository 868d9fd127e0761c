"""Who waits for an answer goes first: work in the background makes way for a while."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

_QUIET_SECONDS = 0.02  # after an answer the next question often follows at once
_LOOK_SECONDS = 0.002


class Foreground:
    """The calls of this process that somebody waits for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running = 0
        self._last = float("-inf")

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Somebody waits for an answer until the block ends."""
        with self._lock:
            self._running += 1
        try:
            yield
        finally:
            with self._lock:
                self._running -= 1
                self._last = time.monotonic()

    @property
    def idle_seconds(self) -> float:
        """How long nobody has waited for anything; 0 while somebody does."""
        return 0.0 if self._running else time.monotonic() - self._last

    def make_way(self, seconds: float) -> None:
        """Wait until nobody waits for an answer, and not longer than that.

        Not longer, since work that always makes way to constant use would never be done.
        """
        until = time.monotonic() + seconds
        while self.idle_seconds < _QUIET_SECONDS and time.monotonic() < until:
            time.sleep(_LOOK_SECONDS)
