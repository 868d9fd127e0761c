"""A disk that can be told to fail, and that takes down everything it is told to do.

It is a SQLite VFS on top of the real one: the files are real, only the answers may be changed.
A VFS written in Python has no shared memory, so a write-ahead log needs locking_mode=EXCLUSIVE.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import apsw

_names = itertools.count(1)
_UNDER = ""  # the default VFS, the one a store is opened with
_NEEDS_SPACE = frozenset({"xOpen", "xWrite", "xSync", "xTruncate"})
_CODES = {
    "xRead": apsw.SQLITE_IOERR_READ,
    "xWrite": apsw.SQLITE_IOERR_WRITE,
    "xSync": apsw.SQLITE_IOERR_FSYNC,
    "xTruncate": apsw.SQLITE_IOERR_TRUNCATE,
    "xDelete": apsw.SQLITE_IOERR_DELETE,
}


@dataclass(frozen=True, slots=True)
class Fault:
    """Which calls fail, counted from the moment the fault is armed."""

    kind: str  # "error", or "full": only calls that need space are counted and fail
    first: int
    is_sticky: bool = False
    second: int | None = None  # a later call that fails too, as when a rollback is hit

    def hits(self, call: int) -> bool:
        """Whether the call with this number fails."""
        return call in (self.first, self.second) or (self.is_sticky and call > self.first)

    def counts(self, method: str) -> bool:
        """Whether calls of this method are counted."""
        return self.kind == "error" or method in _NEEDS_SPACE


@dataclass(frozen=True, slots=True)
class Event:
    """One thing the disk was told to do, or one promise made to the caller."""

    what: str  # write, sync, truncate, delete, acknowledged
    file: str = ""
    offset: int = 0
    content: bytes = b""
    number: int = 0  # the size of a truncation, the operation of an acknowledgement


class Disk(apsw.VFS):
    """Passes everything on to the real disk, fails when armed, records when asked to."""

    def __init__(self) -> None:
        self.name = f"engram-test-disk-{next(_names)}"
        self.failed: list[str] = []
        self.events: list[Event] | None = None
        self.before_delete: Callable[[], None] | None = None
        self._fault: Fault | None = None
        self._calls = 0
        super().__init__(self.name, base=_UNDER)

    def arm(self, fault: Fault) -> None:
        """Start counting calls, and fail those the fault is about."""
        self._fault, self._calls, self.failed = fault, 0, []

    def disarm(self) -> None:
        """Work properly again."""
        self._fault = None

    def note(self, what: str, file: str = "", **details: object) -> None:
        """Take an event down while recording."""
        if self.events is not None:
            self.events.append(Event(what, file, **details))

    def check(self, method: str) -> None:
        """Fail here when it is this call's turn."""
        if self._fault is None or not self._fault.counts(method):
            return
        self._calls += 1
        if self._fault.hits(self._calls):
            self.failed.append(method)
            # SQLite answers with the first thing that went wrong; apsw with the last it was told.
            raise _injected(self.failed[0], self._fault.kind)

    def xOpen(self, name: object, flags: list[int]) -> "DiskFile":  # noqa: N802
        self.check("xOpen")
        return DiskFile(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        if self.before_delete is not None:
            self.before_delete()
        self.check("xDelete")
        super().xDelete(filename, syncdir)
        self.note("delete", Path(filename).name)


class DiskFile(apsw.VFSFile):
    """One open file of the disk."""

    def __init__(self, disk: Disk, name: object, flags: list[int]) -> None:
        full_name = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        self._disk = disk
        self._file = Path(full_name).name
        super().__init__(_UNDER, name, flags)

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
        self._disk.check("xRead")
        return super().xRead(amount, offset)

    def xWrite(self, content: bytes, offset: int) -> None:  # noqa: N802
        self._disk.check("xWrite")
        super().xWrite(content, offset)
        self._disk.note("write", self._file, offset=offset, content=bytes(content))

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._disk.check("xSync")
        super().xSync(flags)
        self._disk.note("sync", self._file)

    def xTruncate(self, size: int) -> None:  # noqa: N802
        self._disk.check("xTruncate")
        super().xTruncate(size)
        self._disk.note("truncate", self._file, number=size)


def _injected(method: str, kind: str) -> apsw.Error:
    if method == "xOpen":
        return apsw.CantOpenError("injected")
    if kind == "full" and method == "xWrite":
        return apsw.FullError("injected")
    error = apsw.IOError(f"injected into {method}")
    error.extendedresult = _CODES[method]  # what SQLite's own VFS answers with
    return error
