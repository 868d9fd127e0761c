"""Counts uses and audits reads without making the reader wait for the disk."""

import os
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from engram.errors import EngramError
from engram.memory.changes import Action
from engram.memory.figures import RecallFigures
from engram.memory.ids import MemoryId
from engram.memory.scopes import Reach
from engram.security.options import SecurityOptions
from engram.storage.store import Store
from engram.storage.unit import UnitOfWork

_MOST_WAITING = 10_000  # beyond this a reader writes the backlog itself


@dataclass(frozen=True, slots=True)
class Access:
    """One read: who, what kind, which memories; the question only until it is hashed."""

    action: Action
    actor: str
    scope: str
    at: datetime
    count: int
    numbers: tuple[int, ...] = ()
    memory_id: MemoryId | None = None
    question: str = ""
    figures: RecallFigures | None = None  # of a recall: how it went


def _question_digest(unit: UnitOfWork, access: Access) -> bytes:
    """One's own questions can be compared with each other, never with somebody else's."""
    return unit.digest(f"{access.actor}\x1f{access.question}") if access.question else b""


class AccessLog:
    """Collects reads and writes them in batches, by a thread of its own or when asked to."""

    def __init__(
        self,
        store: Store,
        options: Callable[[], SecurityOptions],
        spacing: Callable[[], timedelta],
    ) -> None:
        self._store = store
        self._options = options
        self._spacing = spacing
        self._ring: deque[Access] = deque(maxlen=options().ring_entries)
        self.problem = ""
        self.beside: list[Callable[[], None]] = []  # what else is written in the same rhythm
        self._start()

    def _start(self) -> None:
        self._process = os.getpid()
        self._waiting: list[Access] = []
        self._lost = 0
        self._lock = threading.Lock()
        self._flush_turn = threading.Lock()
        self._closing = threading.Event()
        self._worker: threading.Thread | None = None

    def note(self, access: Access) -> None:
        """Take down one read; by the settings now, soon or not at all."""
        if os.getpid() != self._process:
            self._start()  # a forked child: what waits is the parent's to write
        mode = self._options().read_audit
        if mode == "off" and not access.numbers and access.figures is None:
            return
        with self._lock:
            self._waiting.append(access)
            self._ring.append(access)
            is_long = len(self._waiting) >= _MOST_WAITING
            self._start_worker()
        if mode == "immediate":
            self.flush()
        elif is_long:
            self._flush_backlog()

    def _flush_backlog(self) -> None:
        """Write a long backlog at once; where that fails, readers go on and the oldest are lost."""
        try:
            self.flush()
        except EngramError as error:
            with self._lock:
                lost = max(0, len(self._waiting) - _MOST_WAITING)
                del self._waiting[:lost]
            self._lost += lost
            self.problem = f"{error.code}; {self._lost} reads were not recorded"

    def _start_worker(self) -> None:
        if self._worker is None or not self._worker.is_alive():
            self._worker = threading.Thread(target=self._work, name="engram-access", daemon=True)
            self._worker.start()

    def wake(self) -> None:
        """Something else waits to be written: see to it that somebody does."""
        if os.getpid() != self._process:
            self._start()
        with self._lock:
            if not self._closing.is_set():
                self._start_worker()

    def _work(self) -> None:
        while not self._closing.wait(self._options().flush_seconds):
            try:
                self.flush()
                self._write_beside()
            except EngramError as error:
                self.problem = error.code  # shown by health; the next round tries again

    def _write_beside(self) -> None:
        for write in self.beside:
            write()

    def flush(self) -> None:
        """Write what is waiting in one transaction; on failure it goes on waiting."""
        with self._flush_turn:
            with self._lock:
                batch = list(self._waiting)
            if not batch:
                return
            self._write(batch)
            with self._lock:
                del self._waiting[: len(batch)]
            self.problem = ""

    def _write(self, batch: list[Access]) -> None:
        options = self._options()
        is_audited = options.read_audit != "off"
        figures = [(each.scope, each.figures) for each in batch if each.figures is not None]
        gap = self._spacing()
        with self._store.write(Reach(()), actor="engram", now=batch[-1].at) as unit:
            for access in batch:
                for number in access.numbers:
                    unit.count_access(number, accesses=1, at=access.at, gap=gap)
                if is_audited:
                    unit.audit(
                        access.action,
                        access.scope,
                        actor=access.actor,
                        at=access.at,
                        count=access.count,
                        memory_id=access.memory_id,
                        digest=_question_digest(unit, access),
                    )
            if figures:
                unit.journal(figures, kept=options.journal_entries)

    def recent(self) -> list[Access]:
        """The last reads of this process, oldest first."""
        with self._lock:
            return list(self._ring)

    def close(self) -> None:
        """Write the rest and stop the worker."""
        if os.getpid() != self._process:
            return
        self._closing.set()
        if self._worker is not None:
            self._worker.join(timeout=5)
        self.flush()
        self._write_beside()
