"""Turns the driver's errors into ours, at the edge, keeping the cause."""

from collections.abc import Iterator
from contextlib import contextmanager

import apsw

from engram.errors import (
    DiskFull,
    SearchTimeout,
    StoreBusy,
    StoreCorrupt,
    StoreError,
    StoreReadOnly,
    WriteFailed,
)

_ERRORS: tuple[tuple[type[apsw.Error], type[Exception]], ...] = (
    (apsw.BusyError, StoreBusy),
    (apsw.LockedError, StoreBusy),
    (apsw.FullError, DiskFull),
    (apsw.CorruptError, StoreCorrupt),
    (apsw.NotADBError, StoreCorrupt),
    (apsw.ReadOnlyError, StoreReadOnly),
    (apsw.PermissionsError, StoreReadOnly),
    (apsw.InterruptError, SearchTimeout),
)
_UNSURE = "The disk did not confirm it, so it may or may not be there: open the store anew."
_SYNC_FAILURES = frozenset({apsw.SQLITE_IOERR_FSYNC, apsw.SQLITE_IOERR_DIR_FSYNC})


@contextmanager
def translated() -> Iterator[None]:
    """Raise our own error for any of the driver's."""
    try:
        yield
    except apsw.Error as error:
        raise as_ours(error) from error


def as_ours(error: apsw.Error) -> Exception:
    """The error of ours that says the same."""
    if is_sync_failure(error):
        return WriteFailed(hint=_UNSURE)
    for theirs, ours in _ERRORS:
        if isinstance(error, theirs):
            return ours()
    if isinstance(error, apsw.CantOpenError | apsw.IOError):
        return WriteFailed()
    return StoreError(hint=f"The database answered with {type(error).__name__}.")


def is_sync_failure(error: BaseException | None) -> bool:
    """Whether the disk may have dropped what it was told to keep."""
    return isinstance(error, apsw.Error) and getattr(error, "extendedresult", 0) in _SYNC_FAILURES
