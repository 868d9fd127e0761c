"""Takes security events down: counted in memory, written in batches, never holding a caller up.

A wrong key opens no database to write into. That it was tried is noted in a small file beside the
store, and taken up by the next process that is let in.
"""

import json
import os
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from engram.errors import (
    AccessDenied,
    EngramError,
    KeyUnknown,
    RequestRefused,
    SignatureInvalid,
    TooManyRequests,
)
from engram.memory.security_events import SecurityEvent, SecurityKind
from engram.memory.times import from_micros, to_micros
from engram.security.options import SecurityOptions
from engram.storage.security_events import SecurityEventTable
from engram.storage.store import Store

REFUSED = "refused.log"  # what happened before a key that fits came
_MOST_REFUSED_BYTES = 65_536
_MOST_WAITING = 1_000  # kinds, callers and minutes that wait; more are counted under nobody's name
_LONGEST = 200

_KIND_OF: dict[type[EngramError], SecurityKind] = {
    KeyUnknown: SecurityKind.KEY_REFUSED,
    TooManyRequests: SecurityKind.RATE_LIMITED,
    RequestRefused: SecurityKind.REQUEST_REFUSED,
    SignatureInvalid: SecurityKind.SIGNATURE_INVALID,
    AccessDenied: SecurityKind.ACCESS_DENIED,
}
_Place = tuple[SecurityKind, int, str, str, str]


def kind_of(error: EngramError) -> SecurityKind | None:
    """As which event a refusal is taken down; None: as none."""
    return _KIND_OF.get(type(error))


class SecurityEvents:
    """Counts what happened by the minute, and writes it when it is asked to."""

    def __init__(
        self,
        store: Store,
        options: Callable[[], SecurityOptions],
        clock: Callable[[], datetime],
        *,
        is_writable: bool = True,
    ) -> None:
        self._store = store
        self._options = options
        self._clock = clock
        self._is_writable = is_writable
        self.wake: Callable[[], None] = lambda: None  # somebody writes soon what waits
        self.problem = ""
        self._start()

    def _start(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._waiting: dict[_Place, SecurityEvent] = {}
        self._shown_in, self._shown = 0, Counter[str]()

    def note(
        self,
        kind: SecurityKind,
        *,
        actor: str = "",
        scope: str = "",
        code: str = "",
        count: int = 1,
        at: datetime | None = None,
    ) -> None:
        """Take down that something happened; who waits for an answer does not wait for this."""
        if not self._is_writable or count < 1:
            return
        if os.getpid() != self._process:
            self._start()  # a forked child: what waits is the parent's to write
        moment = at or self._clock()
        minute = int(moment.timestamp()) // 60
        with self._lock:
            if len(self._waiting) >= _MOST_WAITING:
                actor = scope = ""
            place = (kind, minute, actor[:_LONGEST], scope, code)
            known = self._waiting.get(place)
            self._waiting[place] = (
                SecurityEvent(kind, moment, moment, place[2], scope, code, count)
                if known is None
                else replace(known, last_at=max(known.last_at, moment), count=known.count + count)
            )
        self.wake()

    def refused(self, error: EngramError, *, actor: str = "", scope: str = "") -> None:
        """Take a refusal down, if it is one of those that tell of somebody who tried."""
        kind = kind_of(error)
        if kind is not None:
            self.note(kind, actor=actor, scope=scope, code=error.code)

    def unsealed(self, actor: str, count: int) -> None:
        """Count protected memories that somebody is shown; many within a minute are an event."""
        most = self._options().unsealed_per_minute
        if not count or not most:
            return
        minute = int(self._clock().timestamp()) // 60
        with self._lock:
            if self._shown_in != minute:
                self._shown_in, self._shown = minute, Counter()
            before = self._shown[actor]
            self._shown[actor] = before + count
        if before <= most < before + count:
            self.note(SecurityKind.UNSEALED_MANY, actor=actor)

    def flush(self) -> None:
        """Write what waits in one transaction; on failure it goes on waiting."""
        if os.getpid() != self._process:
            self._start()
        with self._lock:
            batch, self._waiting = self._waiting, {}
        if not batch:
            return
        try:
            self._write(list(batch.values()))
            self.problem = ""
        except EngramError as error:
            self.problem = error.code
            for each in batch.values():
                self.note(
                    each.kind, actor=each.actor, scope=each.scope, code=each.code,
                    count=each.count, at=each.last_at,
                )  # fmt: skip

    def _write(self, batch: list[SecurityEvent]) -> None:
        options = self._options()
        oldest = self._clock() - timedelta(days=options.event_days) if options.event_days else None
        with self._store.derive() as transaction:
            table = SecurityEventTable(transaction)
            table.add(batch)
            table.prune(before=oldest, kept=options.event_entries)

    def take_up(self, folder: Path) -> None:
        """Take up what was noted beside the store while nobody had the key."""
        for kind, at in _taken(folder / REFUSED):
            self.note(kind, at=at)


def note_refused(folder: Path, kind: SecurityKind, at: datetime) -> None:
    """Note beside a store that is locked what happened: a kind and a time, and nothing else."""
    path = folder / REFUSED
    line = json.dumps({"kind": kind.value, "at": to_micros(at)}) + "\n"
    flags = os.O_CREAT | os.O_APPEND | os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK
    with suppress(OSError):  # a folder that cannot be written is said to whoever is let in
        handle = os.open(path, flags, 0o600)
        try:
            if os.fstat(handle).st_size < _MOST_REFUSED_BYTES:
                os.write(handle, line.encode())
        finally:
            os.close(handle)


def _taken(path: Path) -> list[tuple[SecurityKind, datetime]]:
    """What the file says; it is gone afterwards, so that no two processes count it."""
    held = path.with_name(f".tmp-{os.getpid()}-{REFUSED}")
    try:
        path.rename(held)
        handle = os.open(held, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as file:
            text = file.read(2 * _MOST_REFUSED_BYTES).decode("utf-8", "replace")
    except OSError:
        return []
    finally:
        with suppress(OSError):
            held.unlink(missing_ok=True)
    return [each for each in map(_line, text.splitlines()) if each is not None]


def _line(text: str) -> tuple[SecurityKind, datetime] | None:
    """One line of the file; whoever can write there is not believed to have written it well."""
    try:
        noted = json.loads(text)
        return SecurityKind(noted["kind"]), from_micros(int(noted["at"]))
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return None
