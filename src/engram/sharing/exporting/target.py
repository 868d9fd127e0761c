"""The file an export goes to: nobody else's to read, whole or not there, and never over another."""

import errno
import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from engram.errors import DiskFull, EngramError, ExportRefused
from engram.failpoints import failpoint

_TEMPORARY = ".tmp-engram-export-"
_NOT_THERE = frozenset({errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT, errno.EINVAL})


class Target:
    """A file that is written out of sight and put in its place when it is whole."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._temporary: Path | None = None  # None: the file has no name yet
        self._handle = self._opened()
        self.file: BinaryIO = os.fdopen(self._handle, "wb")

    def _opened(self) -> int:
        folder = self.path.parent
        try:
            # A file without a name: whatever kills this process, nothing of it is left behind.
            return os.open(folder, os.O_TMPFILE | os.O_WRONLY | os.O_CLOEXEC, 0o600)
        except OSError as error:
            if error.errno not in _NOT_THERE or not folder.is_dir():
                raise
        _remove_leftovers(folder)
        self._temporary = folder / f"{_TEMPORARY}{secrets.token_hex(8)}"
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC | os.O_NOFOLLOW
        handle = os.open(self._temporary, flags, 0o600)
        fcntl.flock(handle, fcntl.LOCK_EX)  # by which others see that somebody is at it
        return handle

    def settle(self) -> int:
        """See to it that all of it is on the disk; its size."""
        self.file.flush()
        os.fsync(self._handle)
        return os.fstat(self._handle).st_size

    def appear(self) -> None:
        """Give the file its name, unless something has that name already."""
        source = self._temporary or Path(f"/proc/self/fd/{self._handle}")
        folder = os.open(self.path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            # Relative to the folder, because only then is the link to the open file followed.
            os.link(source, self.path.name, dst_dir_fd=folder, follow_symlinks=True)
            failpoint("export_linked")
            os.fsync(folder)
        finally:
            os.close(folder)

    def close(self) -> None:
        """Let go; what was not given its name is gone."""
        with suppress(OSError):  # what could not be written is told already
            self.file.close()
        if self._temporary is not None:
            self._temporary.unlink(missing_ok=True)


def _remove_leftovers(folder: Path) -> None:
    """Take away what killed exports have left where files need a name."""
    for path in folder.glob(f"{_TEMPORARY}*"):
        with suppress(OSError):  # somebody else's, or being written
            handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()
            finally:
                os.close(handle)


@contextmanager
def target_at(path: Path) -> Iterator[Target]:
    """A file to export to; refusals of the operating system are told as ours."""
    if os.path.lexists(path):
        raise ExportRefused(hint="There is a file of that name already; nothing is replaced.")
    try:
        target = Target(path)
        try:
            yield target
        finally:
            target.close()
    except FileExistsError:
        raise ExportRefused(hint="A file of that name has appeared; nothing is replaced.") from None
    except OSError as error:
        raise _refusal(error) from error


def _refusal(error: OSError) -> EngramError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFull(hint="Free some disk space and try again; no file was left behind.")
    return ExportRefused(hint=f"The file cannot be written: {os.strerror(error.errno or 0)}.")
