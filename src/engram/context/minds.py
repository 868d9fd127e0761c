"""The minds that are awake in this process: one per holder, place and session, and no more than so
many; whoever is idle is put away and comes back by itself.

Each has a lock of its own, so that one session never waits for another. A mind that was put away
while somebody reached for it is looked up again.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from engram.errors import EngramError
from engram.memory.working.options import WorkingOptions
from engram.memory.working.room import Foci
from engram.memory.working.sensory import Ring
from engram.memory.working.snapshot import Return
from engram.storage.working_snapshots import MindKey

_LOOK_SECONDS = 60.0


@dataclass(slots=True, repr=False)
class Mind:
    """What is in mind in one session; touched only by who holds its lock."""

    key: MindKey
    put_away: Callable[["Mind"], None]  # writes what is to be kept of it
    touched_at: datetime
    foci: Foci = ()
    as_woken: Foci = ()
    ring: Ring = ()  # what was just said: never written anywhere
    came_back: Return = Return.FRESH
    away_seconds: float | None = None
    dropped: int = 0
    line: int = 0  # of the audit: what was taken back up to there is out of mind
    is_awake: bool = True
    lock: threading.RLock = field(default_factory=threading.RLock)


class Minds:
    """Holds the minds that are awake, and puts away those that nobody uses."""

    def __init__(
        self,
        options: Callable[[], WorkingOptions],
        clock: Callable[[], datetime],
        trouble: Callable[[EngramError], None],
    ) -> None:
        self._options = options
        self._clock = clock
        self._trouble = trouble
        self._start()

    def _start(self) -> None:
        self._process = os.getpid()
        self._minds: dict[MindKey, Mind] = {}
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._sweeper: threading.Thread | None = None

    @contextmanager
    def using(self, key: MindKey, wake: Callable[[], Mind]) -> Iterator[Mind]:
        """The mind of a key, held alone; `wake` brings it back or makes it when it is not awake."""
        if os.getpid() != self._process:
            self._start()  # a forked child: what is in mind there is the parent's
        self.put_idle_away()
        try:
            while True:
                mind = self._find(key, wake)
                with mind.lock:
                    if not mind.is_awake:
                        continue
                    mind.touched_at = self._clock()
                    yield mind
                    break
        finally:
            self._keep_bounds(key)  # a call that is refused has woken a mind too

    def _find(self, key: MindKey, wake: Callable[[], Mind]) -> Mind:
        with self._lock:
            found = self._minds.get(key)
        if found is not None:
            return found
        # Outside the lock: waking reads the store. Who comes second takes the first one's.
        woken = wake()
        with self._lock:
            self._look_after()
            return self._minds.setdefault(key, woken)

    def awake(self, holder: str, place: str) -> list[MindKey]:
        """The sessions of a holder in a place that are awake, the last used first."""
        with self._lock:
            own = [
                each for each in self._minds.values()
                if each.key.holder == holder and each.key.place == place
            ]  # fmt: skip
        return [each.key for each in sorted(own, key=_last_used, reverse=True)]

    def __len__(self) -> int:
        with self._lock:
            return len(self._minds)

    def put_away(self, key: MindKey) -> None:
        """Put one away now, when it is awake; an error means that it stays."""
        with self._lock:
            mind = self._minds.get(key)
        if mind is not None:
            self._let_go(mind)

    def forget(self, key: MindKey) -> None:
        """Let go of one without keeping anything of it."""
        with self._lock:
            mind = self._minds.pop(key, None)
        if mind is not None:
            with mind.lock:
                mind.is_awake, mind.foci, mind.ring = False, (), ()

    def clear(self) -> None:
        """Let go of all without keeping anything: another database lies there now."""
        with self._lock:
            keys = list(self._minds)
        for key in keys:
            self.forget(key)

    def put_idle_away(self) -> None:
        """Put away what nobody has used for so long; what cannot be written stays in mind."""
        since = self._clock() - timedelta(minutes=self._options().idle_minutes)
        with self._lock:
            idle = [each for each in self._minds.values() if _is_idle(each, since)]
        for mind in idle:
            self._try(mind, lambda each: _is_idle(each, since))

    def _keep_bounds(self, key: MindKey) -> None:
        most = self._options().live_sessions
        with self._lock:
            others = [each for each in self._minds.values() if each.key != key]
        excess = len(others) + 1 - most
        for mind in sorted(others, key=_last_used)[: max(excess, 0)]:
            self._try(mind, lambda _: True)

    def _try(self, mind: Mind, is_meant: Callable[[Mind], bool]) -> None:
        # Who uses it now keeps it awake: nobody waits for somebody else's session.
        if not mind.lock.acquire(blocking=False):
            return
        try:
            if mind.is_awake and is_meant(mind):
                self._let_go(mind)
        except EngramError as error:
            self._trouble(error)
        finally:
            mind.lock.release()

    def _let_go(self, mind: Mind) -> None:
        with mind.lock:
            if not mind.is_awake:
                return
            mind.put_away(mind)
            mind.is_awake, mind.foci, mind.ring = False, (), ()
            with self._lock:
                if self._minds.get(mind.key) is mind:
                    del self._minds[mind.key]

    def _look_after(self) -> None:
        """Look for idle ones from time to time, also while nobody calls."""
        if self._sweeper is None or not self._sweeper.is_alive():
            self._sweeper = threading.Thread(target=self._sweep, name="engram-minds", daemon=True)
            self._sweeper.start()

    def _sweep(self) -> None:
        while not self._closing.wait(_LOOK_SECONDS):
            self.put_idle_away()

    def close(self) -> None:
        """Put all of them away."""
        if os.getpid() != self._process:
            return
        self._closing.set()
        if self._sweeper is not None:
            self._sweeper.join(timeout=5)
        with self._lock:
            minds = list(self._minds.values())
        for mind in minds:
            try:
                self._let_go(mind)
            except EngramError as error:
                self._trouble(error)


def _is_idle(mind: Mind, since: datetime) -> bool:
    return mind.touched_at <= since


def _last_used(mind: Mind) -> datetime:
    return mind.touched_at
