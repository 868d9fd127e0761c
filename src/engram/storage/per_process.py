"""What one process holds in memory for all its threads: a forked child begins with nothing.

A child has none of its parent's threads: a lock that one of them held would never be let go of, and
what a table says of who is at work, or of what was said, would be the parent's.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

_State = TypeVar("_State")


class PerProcess(Generic[_State]):
    """A state behind a lock, made anew in a forked child."""

    def __init__(self, make: Callable[[], _State]) -> None:
        self._make = make
        self._begin()

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._state = self._make()
        self._process = os.getpid()

    @contextmanager
    def held(self) -> Iterator[_State]:
        """The state, held alone."""
        if os.getpid() != self._process:
            self._begin()
        with self._lock:
            yield self._state
