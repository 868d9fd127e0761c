"""Which sessions have a turn at work: one at a time, or what is captured would get mixed up."""

from typing import Protocol
from weakref import WeakValueDictionary

from engram.errors import TurnRunning
from engram.storage.per_process import PerProcess

SessionKey = tuple[str, str, str]  # who calls, in which scope, which session


class AtWork(Protocol):
    """Whatever works in a session; when nobody holds it any more, the session is free."""


class RunningTurns:
    """The turns of this process; safe to use from any number of threads."""

    def __init__(self) -> None:
        self._running: PerProcess[WeakValueDictionary[SessionKey, AtWork]] = PerProcess(
            WeakValueDictionary
        )

    def claim(self, key: SessionKey, turn: AtWork) -> None:
        """Take the session, or refuse when another turn has it."""
        with self._running.held() as running:
            other = running.get(key)
            if other is not None and other is not turn:
                raise TurnRunning(
                    hint=f"A turn of the session `{key[2]}` is at work: leave it first, or name "
                    "another session."
                )
            running[key] = turn

    def release(self, key: SessionKey, turn: AtWork) -> None:
        """Let the session go, if it is this turn's."""
        with self._running.held() as running:
            if running.get(key) is turn:
                del running[key]

    def __len__(self) -> int:
        with self._running.held() as running:
            return len(running)
