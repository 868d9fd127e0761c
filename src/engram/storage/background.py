"""The seat of the one process that works for a store in the background; the kernel keeps it.

Whoever holds the lock on `daemon.lock` has the seat, and a process that is killed has left it. The
process's number stands in that file for people to read; nothing is decided by it. Whoever needs the
store alone holds the lock on `daemon.bell`, which the one in the seat looks at, and waits for the
seat. Both are locks, so nothing can be left behind that keeps the next one away.
"""

import fcntl
import json
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

SEAT = "daemon.lock"
BELL = "daemon.bell"
LEAVE_SECONDS = 2.0
_TRIES_SECONDS = 0.25  # somebody who only looks whether the seat is free holds it for an instant
_LOOK_SECONDS = 0.01
_MOST_BYTES = 200


@dataclass(frozen=True, slots=True)
class Holder:
    """Who has the seat, as that process itself has noted; None where it has not, or not yet."""

    process: int | None
    since: str | None


class Seat:
    """One process's hold on the seat of a store."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / SEAT
        self._bell_path = folder / BELL
        self._file = -1
        self._bell = -1

    def take(self, now: datetime) -> bool:
        """Sit down, unless another process does already or somebody wants the store alone."""
        self._file = _open_lock(self._path)
        self._bell = _open_lock(self._bell_path)
        is_free = _lock(self._file, fcntl.LOCK_EX, _TRIES_SECONDS)
        if not is_free or not self.is_there() or self.is_wanted():
            self.leave()
            return False
        noted = json.dumps({"process": os.getpid(), "since": now.isoformat(timespec="seconds")})
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, noted.encode(), 0)
        return True

    def is_there(self) -> bool:
        """Whether the store's folder still holds this seat: it may be gone, or be another one."""
        try:
            return os.path.samestat(os.fstat(self._file), self._path.lstat())
        except OSError:
            return False

    def is_wanted(self) -> bool:
        """Whether somebody waits for this process to leave."""
        try:
            fcntl.flock(self._bell, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        fcntl.flock(self._bell, fcntl.LOCK_UN)
        return False

    def leave(self) -> None:
        """Get up; closing the file is what lets go of the lock."""
        for each in (self._file, self._bell):
            if each >= 0:
                os.close(each)
        self._file = self._bell = -1


def seated(folder: Path) -> Holder | None:
    """Who has the seat now; None when nobody has. A process number counts only while it is held."""
    try:
        handle = os.open(folder / SEAT, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        if _lock(handle, fcntl.LOCK_SH, 0.0):
            return None
        return _noted(os.pread(handle, _MOST_BYTES, 0))
    finally:
        os.close(handle)


@contextmanager
def seat_kept_free(folder: Path, seconds: float = LEAVE_SECONDS) -> Iterator[bool]:
    """Ask whoever has the seat to leave, and let nobody sit down until the block ends.

    Says whether the seat became free in time; where there never was one, it is.
    """
    held = _both_opened(folder)
    if held is None:
        yield True
        return
    bell, seat = held
    try:
        _lock(bell, fcntl.LOCK_EX, seconds)
        yield _lock(seat, fcntl.LOCK_EX, seconds)
    finally:
        os.close(seat)
        os.close(bell)


def _both_opened(folder: Path) -> tuple[int, int] | None:
    """The bell and the seat; None in a folder that is not there or cannot be written to."""
    try:
        bell = _open_lock(folder / BELL)
    except OSError:
        return None
    try:
        return bell, _open_lock(folder / SEAT)
    except OSError:
        os.close(bell)
        return None


def _open_lock(path: Path) -> int:
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    handle = os.open(path, flags, 0o600)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise FileExistsError(path.name)
    return handle


def _lock(handle: int, how: int, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(handle, how | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                return False
            time.sleep(_LOOK_SECONDS)
        else:
            return True


def _noted(text: bytes) -> Holder:
    try:
        found = json.loads(text)
        return Holder(int(found["process"]), str(found["since"]))
    except (ValueError, TypeError, KeyError):
        return Holder(None, None)
