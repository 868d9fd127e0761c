"""Which sessions have a turn at work: one at a time, or what is captured would get mixed up."""

import threading
from typing import Protocol
from weakref import WeakValueDictionary

from engram.errors import TurnRunning

SessionKey = tuple[str, str, str]  # who calls, in which scope, which session


class AtWork(Protocol):
    """Whatever works in a session; when nobody holds it any more, the session is free."""


class RunningTurns:
    """The turns of this process; safe to use from any number of threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: WeakValueDictionary[SessionKey, AtWork] = WeakValueDictionary()

    def claim(self, key: SessionKey, turn: AtWork) -> None:
        """Take the session, or refuse when another turn has it."""
        with self._lock:
            other = self._running.get(key)
            if other is not None and other is not turn:
                raise TurnRunning(
                    hint=f"A turn of the session `{key[2]}` is at work: leave it first, or name "
                    "another session."
                )
            self._running[key] = turn

    def release(self, key: SessionKey, turn: AtWork) -> None:
        """Let the session go, if it is this turn's."""
        with self._lock:
            if self._running.get(key) is turn:
                del self._running[key]

    def __len__(self) -> int:
        with self._lock:
            return len(self._running)
