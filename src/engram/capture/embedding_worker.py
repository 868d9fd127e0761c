"""Keeps the store's vectors up: in a thread of its own, or in the caller's when asked to wait."""

import atexit
import os
import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime

from engram.capture.embedding import Step, embed_step
from engram.errors import EngramError, StoreBusy, WriteFailed
from engram.providers.embedder import Embedder
from engram.storage.store import Store
from engram.storage.vectors import traits
from engram.storage.vectors.queue import are_waiting, hurry, take_up_unsent
from engram.storage.vectors.spaces import (
    Space,
    SpaceFill,
    SpaceState,
    WantedSpace,
    answering,
    ensure_space,
    fill_of,
    has_pending,
    has_sheddable,
    is_arranged,
    read_spaces,
    shed,
    take_over,
    with_identity,
)

Progress = Callable[[int, int], None]
_READ_SECONDS = 30.0
_QUIET_SECONDS = 0.2  # a burst of writes is let through first, and one short call loads no model
_LONGEST_BURST_SECONDS = 2.0
_FIRST_PAUSE_SECONDS = 1.0
_LONGEST_PAUSE_SECONDS = 60.0
_ENDING_SECONDS = 30.0  # a thread that is cut short in a native library aborts the program
_CLOSING_SECONDS = 2.0
_ELSEWHERE = "Another process has this store embedded by other settings."


@dataclass(frozen=True, slots=True)
class EmbedReport:
    """What a run embedded, what still waits, what failed, and how the spaces stand."""

    embedded: int
    waiting: int
    failed: int
    spaces: tuple[SpaceFill, ...]
    problem: str = ""


class EmbeddingWorker:
    """Embeds for one store with one embedder; one step at a time in this process.

    A memory is never held up by it: what waits is in the database, and stays there until its
    vectors are.
    """

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        wanted: WantedSpace,
        *,
        clock: Callable[[], datetime],
        former: Callable[[Space], Embedder | None],
        is_writable: bool = True,
        sends_protected: bool = True,
    ) -> None:
        self._sends_protected = sends_protected  # False: they would go to another machine
        self.embedder = embedder
        self.problem = ""  # why nothing can be embedded; health shows it
        # Called when what waited has its vectors; says with what to stop early.
        self.after: Callable[[Callable[[], bool]], None] | None = None
        self._store = store
        self._wanted = wanted
        self._clock = clock
        self._former = former
        self._formers: dict[str, Embedder | None] = {}
        self._is_writable = is_writable
        self._is_closed = False
        self._start()

    def _start(self) -> None:
        self._process = os.getpid()
        self._turn = threading.Lock()
        self._lock = threading.Lock()
        self._woken = threading.Event()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        self._woken_at = 0.0

    def arrange(self) -> None:
        """At opening: let the wanted space answer or fill, and bring traits up to date."""
        with self._store.database.reading(_READ_SECONDS) as transaction:
            spaces = read_spaces(transaction)
            is_left_out = bool(transaction.rows("meta_value", {"key": "protected_unsent"}))
        is_due = is_left_out and self._sends_protected
        if is_due or not is_arranged(spaces, self._wanted.identity):
            try:
                with self._store.derive() as transaction:
                    ensure_space(transaction, self._wanted, self._clock())
                    if is_due:
                        take_up_unsent(transaction)
            except (StoreBusy, WriteFailed) as error:
                # Opening must not fail for what is derived: the next step makes the space.
                self.problem = f"{error.code}: {error.hint}"

    def wake(self) -> None:
        """There may be something to embed: begin soon, in the background."""
        self._check_process()
        if not self._is_writable or self._is_closed:
            return
        self._woken_at = time.monotonic()
        if not self._woken.is_set():
            with self._lock:
                self._woken.set()
                if self._thread is None or not self._thread.is_alive():
                    self._thread = threading.Thread(
                        target=self._work, name="engram-embedding", daemon=True
                    )
                    self._thread.start()

    def _check_process(self) -> None:
        if os.getpid() != self._process:
            self._start()  # a forked child has none of its parent's threads

    def _work(self) -> None:
        pause = _FIRST_PAUSE_SECONDS
        closing, woken = self._closing, self._woken  # of this process, not of a forked child's
        while not closing.is_set():
            woken.wait()
            self._wait_for_quiet(closing)
            woken.clear()
            self._run_quietly(closing)
            if self.problem and not closing.is_set():
                closing.wait(pause)
                pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)
                woken.set()
            else:
                pause = _FIRST_PAUSE_SECONDS

    def _wait_for_quiet(self, closing: threading.Event) -> None:
        until = time.monotonic() + _LONGEST_BURST_SECONDS
        while not closing.is_set() and time.monotonic() < until:
            rest = _QUIET_SECONDS - (time.monotonic() - self._woken_at)
            if rest <= 0:
                return
            closing.wait(rest)

    def _run_quietly(self, closing: threading.Event) -> None:
        """Steps until nothing is left to do; a store that cannot be written to now is no end."""
        try:
            while not closing.is_set() and self._step().did_something:
                pass
            while not closing.is_set() and self._shed():
                pass
            if self.after is not None and not closing.is_set():
                self.after(closing.is_set)
        except EngramError as error:
            self.problem = error.code

    def _step(self) -> Step:
        """One step, when no other thread of this process is at one."""
        with self._turn:
            own = self._own_space()
            if own is None:
                return Step(problem=self.problem)
            earlier = self._step_for_answering(own)
            if earlier.did_something:
                return earlier
            step = self._embed(self.embedder, own)
            if not step.taken and not step.problem and own.state is SpaceState.FILLING:
                with self._store.derive() as transaction:
                    take_over(transaction, own.identity)
            self.problem = step.problem
            return step

    def _step_for_answering(self, own: Space) -> Step:
        """While another space answers, what is said meanwhile is embedded there too, if it can."""
        space = answering_space(self._store) if own.state is SpaceState.FILLING else None
        embedder = self.embedder_for(space) if space else None
        if space is None or embedder is None:
            return Step()
        return self._embed(embedder, space)

    def _embed(self, embedder: Embedder, space: Space) -> Step:
        return embed_step(
            self._store, embedder, space, self._clock(), sends_protected=self._sends_protected
        )

    def embedder_for(self, space: Space) -> Embedder | None:
        """Who embeds questions for a space; None when that embedder is out of reach."""
        if space.identity == self._wanted.identity:
            return self.embedder
        if space.identity not in self._formers:
            self._formers[space.identity] = self._former(space)
        return self._formers[space.identity]

    def _own_space(self) -> Space | None:
        """The space to fill, made anew where a restore or a salvage has left none."""
        with self._store.database.reading(_READ_SECONDS) as transaction:
            spaces = read_spaces(transaction)
        own = with_identity(spaces, self._wanted.identity)
        if own is None:
            with self._store.derive() as transaction:
                own = ensure_space(transaction, self._wanted, self._clock())
        if own.state is SpaceState.RETIRED:
            # Taking it back would make two processes with different settings embed for ever.
            self.problem = _ELSEWHERE
            return None
        return own

    def _shed(self) -> int:
        with self._store.database.reading(_READ_SECONDS) as transaction:
            if not has_sheddable(read_spaces(transaction)):
                return 0
        with self._turn, self._store.derive() as transaction:
            return shed(transaction)

    def wait_for(self, numbers: Collection[int]) -> None:
        """Embed these memories now, here; returns too when the embedder is not available."""
        self._check_process()
        while numbers and self._is_writable and self._are_waiting(numbers):
            if not self._step().did_something:
                return

    def _are_waiting(self, numbers: Collection[int]) -> bool:
        with self._store.database.reading(_READ_SECONDS) as transaction:
            space = with_identity(read_spaces(transaction), self._wanted.identity)
            return space is None or bool(are_waiting(transaction, space, numbers))

    def settle(self, timeout_seconds: float | None = None) -> bool:
        """Embed until nothing is due, the embedder gives up, or time is up; whether all is done."""
        self._check_process()
        end = None if timeout_seconds is None else time.monotonic() + timeout_seconds
        while self._is_writable and self._step().did_something:
            if end is not None and time.monotonic() >= end:
                break
        return not self._has_pending()

    def run(self, progress: Progress | None = None) -> EmbedReport:
        """Embed everything, also what failed before, in the caller's thread; say what came of it.

        Resumable: it goes on wherever it, or a process that was killed, left off.
        """
        self._check_process()
        embedded = 0
        total = self._begin_run()
        while True:
            step = self._step()
            embedded += step.embedded
            if progress is not None:
                progress(embedded, max(total, embedded))
            if not step.did_something:
                break
        while self._shed():
            pass
        fills = self.fills()
        own = [each for each in fills if each.space.identity == self._wanted.identity]
        waiting, failed = (own[0].waiting, own[0].failed) if own else (0, 0)
        return EmbedReport(embedded, waiting, failed, tuple(fills), self.problem)

    def _begin_run(self) -> int:
        space = self._own_space()
        if space is None:
            return 0
        with self._store.derive() as transaction:
            hurry(transaction, space)
            return fill_of(transaction, space).waiting

    def fills(self) -> list[SpaceFill]:
        """Every space and what waits in it, the one that answers first."""
        with self._store.database.reading(_READ_SECONDS) as transaction:
            return [fill_of(transaction, each) for each in read_spaces(transaction)]

    def _has_pending(self) -> bool:
        with self._store.database.reading(_READ_SECONDS) as transaction:
            spaces = read_spaces(transaction)
            space = with_identity(spaces, self._wanted.identity)
            if space is None or space.state is SpaceState.RETIRED:
                space = answering(spaces)  # of a process with other settings
            return space is not None and has_pending(transaction, space)

    def close(self) -> None:
        """Stop soon; what still waits is embedded by whoever opens the store next."""
        self._is_closed = True
        if os.getpid() != self._process:
            return
        self._closing.set()
        self._woken.set()
        if self._thread is not None:
            # A model that is just loading cannot be interrupted; it holds nothing of the store.
            self._thread.join(timeout=_CLOSING_SECONDS)
            if self._thread.is_alive():
                _still_at_it.append(self._thread)
        for each in (self.embedder, *self._formers.values()):
            if each is not None:
                each.close()


# Threads that did not stop in time because the machine is busy: a program that ends waits for them.
_still_at_it: list[threading.Thread] = []


@atexit.register
def _let_embedding_end() -> None:
    for each in _still_at_it:
        each.join(_ENDING_SECONDS)


def refresh_traits(store: Store) -> int:
    """Make the traits that are missing or outdated, batch by batch; returns how many were made."""
    with store.database.reading(_READ_SECONDS) as transaction:
        if traits.are_current(transaction):
            return 0
    with store.derive() as transaction:
        traits.queue_outdated(transaction)
    made = 0
    while True:
        with store.derive() as transaction:
            some = traits.make_some(transaction)
        if not some:
            return made
        made += some


def answering_space(store: Store) -> Space | None:
    """The space that questions are put to."""
    with store.database.reading(_READ_SECONDS) as transaction:
        return answering(read_spaces(transaction))
