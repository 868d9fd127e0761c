"""Lets one process at a time do a kind of work for a store; the kernel keeps the lock."""

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_IN_MEMORY: dict[str, threading.Lock] = {}
_GUARD = threading.Lock()


@contextmanager
def working_alone(folder: Path | None, lock: str) -> Iterator[bool]:
    """Whether nobody else does this work now; if so, nobody does until the block ends.

    The kernel lets go of the lock when a process dies, so a killed one is in nobody's way. A store
    in memory has no other process, only other threads.
    """
    if folder is None:
        with _alone_among_threads(lock) as is_alone:
            yield is_alone
        return
    handle = os.open(folder / lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield _is_locked(handle)
    finally:
        os.close(handle)


@contextmanager
def _alone_among_threads(name: str) -> Iterator[bool]:
    with _GUARD:
        lock = _IN_MEMORY.setdefault(name, threading.Lock())
    is_alone = lock.acquire(blocking=False)
    try:
        yield is_alone
    finally:
        if is_alone:
            lock.release()


def _is_locked(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
