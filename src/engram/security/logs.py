"""A log of what the process did, never of what memories say: event names, ids, counts, times."""

import json
import os
import re
from datetime import datetime, timedelta
from pathlib import Path

_EVENT = re.compile(r"[a-z_]{1,40}")
_SAFE_TEXT = re.compile(r"[A-Za-z0-9_.:-]{0,64}")  # ids, codes, labels: no sentence fits
# Every fact that may be told of an event. A field that is not here has no place in a log: what it
# holds could be a name, a path, a scope or a word of somebody.
FIELDS = frozenset({
    "code", "count", "decisions", "error", "hook", "key", "migrated", "process", "reason",
    "recovered", "replaces", "step", "whole",
})  # fmt: skip


class EventLog:
    """One file a day in the store's own folder, private, gone after some days."""

    def __init__(self, folder: Path | None, *, days: int) -> None:
        self.problem = ""  # why nothing is written; health shows it
        self._folder = folder if days else None
        self._days = days
        self._day = ""  # of the last line: with the next day the oldest file goes

    def write(self, event: str, now: datetime, **facts: str | int | float) -> None:
        """Write one event; a fact that could be content is refused, not shortened."""
        if self._folder is None:
            return
        if not _EVENT.fullmatch(event):
            raise ValueError("an event's name is lowercase letters and _")
        if not FIELDS.issuperset(facts):
            raise ValueError("a log tells only what is on the list of fields")
        for value in facts.values():
            if isinstance(value, str) and not _SAFE_TEXT.fullmatch(value):
                raise ValueError("a log takes ids, codes and numbers only")
        line = json.dumps({"at": now.isoformat(), "event": event, **facts}) + "\n"
        day = f"{now:%Y-%m-%d}"
        try:
            self._append(self._folder, f"{day}.log", line)
            if self._day not in ("", day):
                self.purge(now)  # also where a process runs for weeks
            self._day = day
            self.problem = ""
        except OSError as error:
            self.problem = f"the log cannot be written: {type(error).__name__}"

    def _append(self, folder: Path, name: str, line: str) -> None:
        folder.mkdir(mode=0o700, exist_ok=True)
        flags = os.O_CREAT | os.O_APPEND | os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK
        handle = os.open(folder / name, flags, 0o600)
        try:
            os.write(handle, line.encode())
        finally:
            os.close(handle)

    def purge(self, now: datetime) -> int:
        """Remove files older than the days they are kept."""
        if self._folder is None or not self._folder.is_dir():
            return 0
        oldest = f"{now - timedelta(days=self._days):%Y-%m-%d}.log"
        gone = [path for path in self._folder.glob("????-??-??.log") if path.name < oldest]
        for path in gone:
            path.unlink(missing_ok=True)
        return len(gone)
