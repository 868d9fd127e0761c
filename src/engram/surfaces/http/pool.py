"""Where the work of requests is done: a bounded number of threads, and no longer than allowed."""

import asyncio
import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from engram.errors import Cancelled, RequestTimeout

T = TypeVar("T")


class GivenUp:
    """Whether anybody still waits for a piece of work; long work asks between its batches."""

    def __init__(self) -> None:
        self._is_given_up = threading.Event()

    def give_up(self) -> None:
        """Nobody waits any more."""
        self._is_given_up.set()

    def __call__(self, done: int, total: int) -> None:  # noqa: ARG002  # a `Progress`
        """Stop the work if so."""
        if self._is_given_up.is_set():
            raise Cancelled


class Pool:
    """The threads that operations run in."""

    def __init__(self, threads: int) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="engram-http")
        # Keys are looked up beside, so that nobody waits behind slow work to be let in or refused.
        self._doors = ThreadPoolExecutor(2, thread_name_prefix="engram-gate")

    async def run(
        self, work: Callable[[], T], *, seconds: float, given_up: GivenUp | None = None
    ) -> T:
        """Do it in a thread; when time is up, what has not begun never will."""
        waiting = self._threads.submit(contextvars.copy_context().run, work)
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.wrap_future(waiting)
        except TimeoutError:
            raise RequestTimeout from None
        finally:
            if given_up is not None and not waiting.done():
                given_up.give_up()

    async def look_up(self, work: Callable[[], T]) -> T:
        """Do something short, ahead of all the work."""
        return await asyncio.wrap_future(self._doors.submit(work))

    def close(self) -> None:
        """Wait for what runs; what has not begun is dropped, and its caller told so."""
        self._threads.shutdown(wait=True, cancel_futures=True)
        self._doors.shutdown(wait=True, cancel_futures=True)
