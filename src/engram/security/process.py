"""What a process can do so that others on the machine learn less from it.

No core dump, no debugger of another process of the same user, no file that others can read, and no
traceback with values in it. All of it is a hurdle and none a wall: a program that runs as the same
user can read the files of the store anyway.
"""

import os
import stat
import sys
import threading
from pathlib import Path
from types import TracebackType

from engram.security.options import SecurityOptions

_SET_DUMPABLE = 4  # PR_SET_DUMPABLE of prctl(2)
_READABLE_BY_OTHERS = 0o077
_PRIVATE_FOLDER, _PRIVATE_FILE = 0o700, 0o600
_MOST_ENTRIES = 10_000  # of a folder, that are looked at when a store is opened
_NOT_OURS = ".gitignore"  # tells git alone something, and nothing of the store

_claimed: set[int] = set()  # the processes that are Engram's own; a fork of one is not


def claim() -> None:
    """Say that this process is Engram's own, as a command or a server is, and no host's."""
    _claimed.add(os.getpid())
    sys.excepthook = _excepthook
    threading.excepthook = _thread_excepthook
    sys.unraisablehook = _unraisablehook


def harden(options: SecurityOptions) -> bool:
    """Take the measures that the settings allow for a process of this kind; whether they were."""
    is_wanted = options.harden_process if os.getpid() in _claimed else options.harden_library
    if is_wanted:
        os.umask(_READABLE_BY_OTHERS)
        _leave_no_core()
        _be_undumpable()
    return is_wanted


def _leave_no_core() -> None:
    try:
        import resource
    except ImportError:  # a system without limits of this kind
        return
    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, most))


def _be_undumpable() -> None:
    """Linux: no core, and no look into /proc/PID or memory by others of the same user."""
    if not sys.platform.startswith("linux"):
        return
    import ctypes  # here, because most of what imports this module hardens nothing

    prctl = getattr(ctypes.CDLL(None, use_errno=True), "prctl", None)
    if prctl is not None:
        prctl(_SET_DUMPABLE, 0, 0, 0, 0)  # refused by some sandboxes; nothing depends on it


def tighten(folder: Path) -> int:
    """Make private what of a store's files is ours and can be read by others; how much it was."""
    loose = 0
    for path, found in _entries(folder):
        if found.st_mode & _READABLE_BY_OTHERS and found.st_uid == os.geteuid():
            try:
                path.chmod(_PRIVATE_FOLDER if stat.S_ISDIR(found.st_mode) else _PRIVATE_FILE)
            except OSError:
                continue  # gone meanwhile, or not ours to change: a doctor tells of it
            loose += 1
    return loose


def _entries(folder: Path) -> list[tuple[Path, os.stat_result]]:
    """The folder and what is in it, two levels deep; links are not followed."""
    found: list[tuple[Path, os.stat_result]] = []
    waiting = [(folder, 0)]
    while waiting and len(found) < _MOST_ENTRIES:
        path, depth = waiting.pop()
        try:
            status = path.lstat()
            if stat.S_ISDIR(status.st_mode) and depth < 2:
                inside = (each for each in os.scandir(path) if each.name != _NOT_OURS)
                waiting += [(path / each.name, depth + 1) for each in inside]
        except OSError:
            continue  # a temporary file that is gone again
        if not stat.S_ISLNK(status.st_mode):
            found.append((path, status))
    return found


def weak_parent(folder: Path) -> Path | None:
    """A folder above the store that others may write to, so that they could put another there."""
    for parent in folder.absolute().parents:
        try:
            status = parent.stat()
        except OSError:
            continue
        is_sticky = bool(status.st_mode & stat.S_ISVTX)  # only what is one's own can be renamed
        is_open = bool(status.st_mode & stat.S_IWOTH)
        # The group that a user is alone in is no other; a group of many is.
        is_shared = bool(status.st_mode & stat.S_IWGRP) and status.st_gid != os.getegid()
        if (is_open or is_shared) and not is_sticky:
            return parent
    return None


def place_of(error: BaseException) -> str:
    """What kind of error it was and where, module and line by module and line; never its words.

    The text of somebody else's error may hold anything, even a memory, and so may the line of a
    source that is made of one.
    """
    import traceback

    lines = []
    known: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in known:
        known.add(id(cause))
        frames = traceback.extract_tb(cause.__traceback__, limit=-20)
        at = " < ".join(f"{Path(each.filename).name}:{each.lineno}" for each in reversed(frames))
        lines.append(f"{type(cause).__name__} at {at or 'nowhere'}")
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    return "\n".join(lines)


def _say(error: BaseException | None, where: str = "") -> None:
    if error is None or sys.stderr is None:
        return
    sys.stderr.write(f"Something unexpected went wrong{where}:\n{place_of(error)}\n")


def _excepthook(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)  # says nothing but that
        return
    _say(error)


def _thread_excepthook(told: threading.ExceptHookArgs) -> None:
    if told.exc_type is not SystemExit:
        _say(told.exc_value, " in a thread")


def _unraisablehook(told: "sys.UnraisableHookArgs") -> None:
    _say(told.exc_value, " while something was let go of")
