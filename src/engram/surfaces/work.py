"""Where the work of callers is done: bounded threads, called off when nobody waits any more.

The core is synchronous; the protocols are not. Quick work and long work have threads of their own,
so that a question is answered while a repository is scanned.
"""

import asyncio
import contextvars
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from engram.errors import Cancelled, RequestTimeout

T = TypeVar("T")
Tell = Callable[[int, int], "Future[None] | None"]
_LONG_AT_ONCE = 2
_DOORS = 2
_TELL_SECONDS = 0.1  # a client that is told more often than this only has more to read
_HEARD_SECONDS = 5.0  # longer is nobody waited for who wanted to know how far it is


class Errand:
    """One piece of work that can be called off; it stops where it next says how far it is."""

    def __init__(self, tell: Tell | None = None) -> None:
        self._tell = tell
        self._told_at = 0.0
        self._is_off = threading.Event()

    def call_off(self) -> None:
        """Nobody wants the answer any more."""
        self._is_off.set()

    def progress(self, done: int, total: int) -> None:
        """Say how far it is; raises `Cancelled` when it was called off."""
        if self._is_off.is_set():
            raise Cancelled
        now = time.monotonic()
        if self._tell is None or (now - self._told_at < _TELL_SECONDS and done < total):
            return
        self._told_at = now
        heard = self._tell(done, total)
        if heard is not None:
            self._wait_for(heard)

    def _wait_for(self, heard: "Future[None]") -> None:
        """Until it is sent: what is told after the answer would tell of a request that is over."""
        end = time.monotonic() + _HEARD_SECONDS
        while not heard.done() and not self._is_off.is_set() and time.monotonic() < end:
            threading.Event().wait(0.001)


class Workshop:
    """The threads of one server process, and how long a caller may keep one waiting for it."""

    def __init__(
        self, threads: int, *, most_seconds: Callable[[], float | None] = lambda: None
    ) -> None:
        self._most_seconds = most_seconds  # None: as long as it takes
        self._quick = ThreadPoolExecutor(threads, thread_name_prefix="engram-work")
        self._long = ThreadPoolExecutor(_LONG_AT_ONCE, thread_name_prefix="engram-long-work")
        # Keys are looked up beside, so that nobody waits behind slow work to be let in or refused.
        self._doors = ThreadPoolExecutor(_DOORS, thread_name_prefix="engram-gate")
        self._running: set[Errand] = set()

    async def do(
        self, work: Callable[[], T], errand: Errand | None = None, *, is_long: bool = False
    ) -> T:
        """Have it done by a thread; it is called off when its caller has gone or its time is up.

        What has not begun by then never will.
        """
        errand = errand or Errand()
        threads = self._long if is_long else self._quick
        waiting = threads.submit(contextvars.copy_context().run, work)
        self._running.add(errand)
        try:
            async with asyncio.timeout(self._most_seconds()):
                return await asyncio.wrap_future(waiting)
        except TimeoutError:
            raise RequestTimeout from None
        finally:
            self._running.discard(errand)
            if not waiting.done():
                errand.call_off()

    async def look_up(self, work: Callable[[], T]) -> T:
        """Do something short, ahead of all the work."""
        return await asyncio.wrap_future(self._doors.submit(work))

    def close(self, *, is_awaited: bool = True) -> None:
        """Call off what runs, and wait for it to stop; what has not begun is dropped."""
        for errand in list(self._running):
            errand.call_off()
        for threads in (self._quick, self._long, self._doors):
            threads.shutdown(wait=is_awaited, cancel_futures=True)
