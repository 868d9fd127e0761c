"""Leaves a broken thing alone for a while, so that nobody waits for it again and again."""

import threading
import time
from collections.abc import Callable


class Breaker:
    """Opens after some failures in a row, and lets one try through when the pause is over."""

    def __init__(
        self,
        *,
        failures: int,
        pause_seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most_failures = failures
        self._pause_seconds = pause_seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._closed_until = float("-inf")

    def may_try(self) -> bool:
        """Whether it is worth a try now. After a pause one caller gets leave, the others wait."""
        with self._lock:
            if self._failures < self._most_failures:
                return True
            now = self._clock()
            if now < self._closed_until:
                return False
            self._closed_until = now + self._pause_seconds
            return True

    def failed(self) -> None:
        """Count a failure; the one that is too many starts the pause."""
        with self._lock:
            self._failures += 1
            if self._failures >= self._most_failures:
                self._closed_until = self._clock() + self._pause_seconds

    def succeeded(self) -> None:
        """Forget the failures."""
        with self._lock:
            self._failures = 0

    @property
    def seconds_left(self) -> float:
        """How long until the next try, zero when one may be made."""
        with self._lock:
            is_open = self._failures >= self._most_failures
            return max(0.0, self._closed_until - self._clock()) if is_open else 0.0
