"""Reading and replacing files of other programs, without losing one and without a half-written one.

A file is replaced as a whole by one that is on the disk already; its mode and owner are kept, and a
link is followed to the file it leads to, because those who keep their settings elsewhere link to
them.
"""

import contextlib
import fcntl
import os
import secrets
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engram.errors import HarnessUnreadable

_MOST_BYTES = 64 * 1024 * 1024
_PRIVATE = 0o600


@dataclass(frozen=True, slots=True)
class Found:
    """A file as it was read: where it really is, and what it holds (None: it is not there)."""

    target: Path
    content: bytes | None


def real_path(path: Path) -> Path:
    """The file that a path leads to, through however many links."""
    try:
        return Path(os.path.realpath(path, strict=False))
    except (OSError, ValueError) as error:
        raise _refused(path, "cannot be followed") from error


def read(path: Path) -> Found:
    """A regular file's bytes; anything that is not a file is refused, never waited for."""
    target = real_path(path)
    try:
        found = target.stat()
    except FileNotFoundError:
        if target.is_symlink():
            raise _refused(path, "is a link that leads in a circle") from None
        return Found(target, None)
    except OSError as error:
        raise _refused(path, "cannot be looked at") from error
    if not stat.S_ISREG(found.st_mode) or found.st_size > _MOST_BYTES:
        raise _refused(path, "is not a file of settings")
    try:
        return Found(target, target.read_bytes())
    except OSError as error:
        raise _refused(path, "cannot be read") from error


def leads_outside(path: Path, folder: Path) -> bool:
    """Whether a path that lies in a folder leads out of it, through some link."""
    return not real_path(path).is_relative_to(real_path(folder))


@contextlib.contextmanager
def named(path: Path) -> Iterator[None]:
    """Say which file it is that the rules for its text refuse: they are given the text alone."""
    try:
        yield
    except HarnessUnreadable as error:
        if str(path) in error.hint:
            raise
        raise HarnessUnreadable(hint=f"{path}: {error.hint}") from error


def as_text(content: bytes, path: Path) -> str:
    """The text of a file, with its byte order mark and its line ends as they are."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _refused(path, "is not UTF-8") from error


def replace(found: Found, content: bytes, *, mode: int | None = None) -> None:
    """Put other content in a file's place; refused when somebody has changed it meanwhile."""
    target = found.target
    temporary = target.with_name(f".tmp-engram-{secrets.token_hex(8)}")
    try:
        before = target.stat() if found.content is not None else None
        kept = stat.S_IMODE(before.st_mode) if before else None
        _write(temporary, content, mode=mode or kept or 0o644)
        if before is not None:
            _keep_owner(temporary, before)
        if read(target).content != found.content:
            raise _refused(target, "was changed by somebody else just now; try again")
        temporary.replace(target)
        _sync_folder(target.parent)
    except OSError as error:
        raise _refused(target, "cannot be written") from error
    finally:
        temporary.unlink(missing_ok=True)


def remove(found: Found) -> None:
    """Take a file away, unless somebody has changed it meanwhile."""
    if read(found.target).content != found.content:
        raise _refused(found.target, "was changed by somebody else just now; try again")
    try:
        found.target.unlink(missing_ok=True)
        _sync_folder(found.target.parent)
    except OSError as error:
        raise _refused(found.target, "cannot be removed") from error


def make_folders(folder: Path) -> None:
    """Make a folder and what is missing above it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _refused(folder, "cannot be made") from error


def remove_empty(folders: list[Path]) -> None:
    """Remove folders that were made for us, if nobody else has put anything into them."""
    for folder in sorted(folders, key=lambda each: len(each.parts), reverse=True):
        with contextlib.suppress(OSError):
            folder.rmdir()


@contextlib.contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Let one process at a time change files and what is noted about them."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise _refused(folder, "cannot be opened") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def write_private(path: Path, content: bytes) -> None:
    """Write a file of our own that nobody else reads."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = path.with_name(f".tmp-{secrets.token_hex(8)}")
    try:
        _write(temporary, content, mode=_PRIVATE)
        temporary.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        raise _refused(path, "cannot be written") from error
    finally:
        temporary.unlink(missing_ok=True)


def _write(path: Path, content: bytes, *, mode: int) -> None:
    # Narrow first: what is in a settings file may be nobody else's business.
    handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW, _PRIVATE)
    with os.fdopen(handle, "wb") as written:
        written.write(content)
        written.flush()
        os.fchmod(handle, mode)
        os.fsync(handle)


def _keep_owner(path: Path, before: os.stat_result) -> None:
    own = path.stat()
    if (own.st_uid, own.st_gid) != (before.st_uid, before.st_gid):
        os.chown(path, before.st_uid, before.st_gid)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _refused(path: Path, what: str) -> HarnessUnreadable:
    return HarnessUnreadable(hint=f"{path} {what}. Nothing was changed in it.")
