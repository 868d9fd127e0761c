"""Work for the threads: bounded, cancellable, and never in the way of the next request.

The core is synchronous; the protocol is not. Quick work and long work have threads of their own,
so that a question is answered while a repository is scanned.
"""

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from engram.errors import Cancelled, EngramError

T = TypeVar("T")
Tell = Callable[[int, int], "asyncio.Future[None] | Future[None] | None"]
_LONG_AT_ONCE = 2
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
        if isinstance(heard, Future):
            self._wait_for(heard)

    def _wait_for(self, heard: "Future[None]") -> None:
        """Until it is sent: what is told after the answer would tell of a request that is over."""
        end = time.monotonic() + _HEARD_SECONDS
        while not heard.done() and not self._is_off.is_set() and time.monotonic() < end:
            threading.Event().wait(0.001)


class Workshop:
    """The threads of one server."""

    def __init__(self, threads: int) -> None:
        self._quick = ThreadPoolExecutor(threads, thread_name_prefix="engram-mcp")
        self._long = ThreadPoolExecutor(_LONG_AT_ONCE, thread_name_prefix="engram-mcp-long")
        self._running: set[Errand] = set()

    async def do(self, work: Callable[[], T], errand: Errand, *, is_long: bool = False) -> T:
        """Have it done by a thread; whoever is cancelled while waiting calls it off."""
        loop = asyncio.get_running_loop()
        self._running.add(errand)
        try:
            pool = self._long if is_long else self._quick
            return await loop.run_in_executor(pool, _attempt, work)
        except asyncio.CancelledError:
            errand.call_off()
            raise
        finally:
            self._running.discard(errand)

    def close(self) -> None:
        """Call off what runs, and take nothing more."""
        for errand in list(self._running):
            errand.call_off()
        for pool in (self._quick, self._long):
            pool.shutdown(wait=False, cancel_futures=True)


def _attempt(work: Callable[[], T]) -> T:
    """Do it; whatever goes wrong comes out as an error of ours, without the words of the other.

    This is the boundary of the surface: the text of an unexpected error could hold anything, even
    a memory, and the SDK would send it to the client.
    """
    try:
        return work()
    except EngramError:
        raise
    except Exception as error:
        hint = f"It was unexpected ({type(error).__name__}). Run `engram doctor`, then try again."
        raise EngramError(hint=hint) from error
