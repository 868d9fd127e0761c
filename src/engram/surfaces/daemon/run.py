"""Works for one store in the background until there is nothing left to do, or it is asked to go."""

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from engram.engine import Engram
from engram.engine.background import BackgroundWork, Seat, Waiting
from engram.errors import EngramError
from engram.storage.place import DATABASE
from engram.surfaces.daemon.leaving import Backlog, Reason, Situation, reason_to_leave
from engram.surfaces.http.webhook_out import WebhookSender

_LOOK_SECONDS = 0.2
_COUNT_SECONDS = 0.4
_REST_SECONDS = 10.0  # without work: then the model is let go of
_PRUNE_SECONDS = 3_600.0
_LEAVE_SECONDS = 4.0
_NOWHERE = (0, 0)


def work_in_background(
    folder: Path, open_store: Callable[[], Engram], told: threading.Event
) -> Reason | None:
    """Take the seat and work until there is a reason to leave; None when another has the seat."""
    seat = Seat(folder)
    if not seat.take(datetime.now(UTC)):
        return None
    try:
        return _Daemon(folder, seat, open_store, told).run()
    finally:
        seat.leave()


@dataclass
class _Daemon:
    """The one in the seat: its store, and since when nothing was to be done."""

    folder: Path
    seat: Seat
    open_store: Callable[[], Engram]
    told: threading.Event
    _backlog: Backlog = field(default_factory=Backlog)
    _seen: Waiting | None = None
    _busy_at: float = field(default_factory=time.monotonic)
    _counted_at: float = 0.0
    _pruned_at: float = field(default_factory=time.monotonic)
    _has_worked: bool = False
    _turns: int = 0

    def run(self) -> Reason:
        """One stay after the other: after each piece of work the store is opened afresh."""
        while True:
            reason = self._stay()
            if reason is not None:
                return reason

    def _stay(self) -> Reason | None:
        """Work with the store open; None when it is only to be opened anew, to be small again."""
        identity = _identity(self.folder)
        if identity == _NOWHERE:
            return Reason.MOVED  # opening would make a store where one was taken away
        engram = self.open_store()
        work = BackgroundWork.of(engram)
        self._has_worked = False
        self._turns = 0  # that its reader knows of
        sender = WebhookSender(
            engram, lambda error: work.log("daemon_sends_nothing", code=error.code)
        )
        sender.start()
        work.log("daemon_began", process=os.getpid())
        try:
            reason = self._look_until_done(work, identity)
            if reason is not None:
                work.log("daemon_left", reason=reason.value)
            return reason
        finally:
            _close_in_time(engram, sender)

    def _look_until_done(self, work: BackgroundWork, identity: tuple[int, int]) -> Reason | None:
        while True:
            now = time.monotonic()
            quiet = now - self._busy_at
            reason = reason_to_leave(
                Situation(
                    is_told=self.told.is_set(),
                    is_wanted=self.seat.is_wanted(),
                    is_there=self.seat.is_there() and _identity(self.folder) == identity,
                    quiet_seconds=quiet,
                    patience_seconds=work.settings.daemon.idle_seconds,
                )
            )
            if reason is not None:
                return reason
            if self._has_worked and quiet >= _REST_SECONDS:
                return None
            if now - self._counted_at >= _COUNT_SECONDS:
                self._counted_at = now
                self._see_to(work, now)
            self.told.wait(_LOOK_SECONDS)

    def _see_to(self, work: BackgroundWork, now: float) -> None:
        """Count what waits, and have it done where it is ours to do."""
        try:
            waiting = work.waiting()
        except EngramError as error:  # a store that is busy or ill now may be well later
            work.log("daemon_waits", code=error.code)
            return
        self._backlog = self._backlog.after(waiting.texts, now)
        if self._backlog.is_ours(now) or waiting.turns != self._turns:
            self._has_worked = self._has_worked or bool(waiting.texts or waiting.turns)
            work.begin()
        is_at_work = bool(waiting.texts) and not work.embedding_problem
        if waiting != self._seen or is_at_work or waiting.turns or waiting.dreams:
            self._busy_at = now
        if waiting.dreams and not (waiting.texts or waiting.turns):
            self._dream(work)
        self._seen, self._turns = waiting, waiting.turns
        if now - self._pruned_at >= _PRUNE_SECONDS:
            self._pruned_at = now
            work.prune()
            self._finish_erasures(work)

    def _finish_erasures(self, work: BackgroundWork) -> None:
        try:
            work.resume_erasures()
        except EngramError as error:  # another time: it stays pending, and is told by `erasures`
            work.log("daemon_waits", code=error.code)

    def _dream(self, work: BackgroundWork) -> None:
        """Dream if there is rest; whoever needs the store, or this process, wakes it at once."""
        steps = work.steps_due()
        if not steps:
            return
        self._has_worked = True

        def is_stopped() -> bool:
            return self.told.is_set() or self.seat.is_wanted() or not self.seat.is_there()

        try:
            report = work.dream(steps=steps, is_stopped=is_stopped)
            work.log("daemon_dreamt", decisions=report.decisions, whole=int(report.is_whole))
        except EngramError as error:  # interrupted, or another process dreams: it goes on later
            work.log("daemon_waits", code=error.code)


def _identity(folder: Path) -> tuple[int, int]:
    """Which database lies there; nothing that could be one when there is none."""
    try:
        found = (folder / DATABASE).stat()
    except OSError:
        return _NOWHERE
    return (found.st_dev, found.st_ino)


def _close_in_time(engram: Engram, sender: WebhookSender) -> None:
    """Close the store; what hangs in a model or a receiver is not waited for.

    Everything that counts is committed when it is done, so nothing is lost by that.
    """
    last_resort = threading.Timer(_LEAVE_SECONDS, os._exit, (1,))
    last_resort.daemon = True
    last_resort.start()
    sender.close(_LEAVE_SECONDS / 4)
    try:
        engram.close()
    except (EngramError, OSError):
        pass  # the folder went away under it: there is nothing left to close
    finally:
        last_resort.cancel()
