"""Lets one process at a time deliver a store's news; the kernel keeps the lock."""

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engram.storage.place import SENDING_LOCK

_IN_MEMORY = threading.Lock()


@contextmanager
def sending_alone(folder: Path | None) -> Iterator[bool]:
    """Whether nobody else delivers now; if so, nobody does until the block ends.

    The kernel lets go of the lock when a process dies, so a killed one is in nobody's way. A store
    in memory has no other process, only other threads.
    """
    if folder is None:
        is_alone = _IN_MEMORY.acquire(blocking=False)
        try:
            yield is_alone
        finally:
            if is_alone:
                _IN_MEMORY.release()
        return
    handle = os.open(folder / SENDING_LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield _is_locked(handle)
    finally:
        os.close(handle)


def _is_locked(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
