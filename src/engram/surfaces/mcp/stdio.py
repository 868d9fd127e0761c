"""A conversation over two pipes: every request is answered once, whatever comes in."""

import asyncio
import signal
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import suppress

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream

from engram.surfaces.mcp.adapter import (
    Server,
    SessionMessage,
    document_of,
    run_server,
)
from engram.surfaces.mcp.messages import problem, understood
from engram.surfaces.mcp.wire import Gone, Line, Wire

_INTERNAL = -32603
_MOST_UNANSWERED = 256  # requests at once; more wait in the pipe, not in memory
_GRACE_SECONDS = 0.5  # what was asked before the client closed its end may still be answered
_ENDING_SECONDS = 0.8
Outgoing = SessionMessage | dict[str, object]


class Conversation:
    """One client, from its first line to its last."""

    def __init__(self, wire: Wire, server: "Server[object]", opening: Line | None) -> None:
        self._wire = wire
        self._server = server
        self._opening = opening
        self._unanswered: Counter[int | str] = Counter()
        self._answered = asyncio.Event()
        self._over = asyncio.Event()
        self._said = asyncio.Event()
        self._held_back: int | str | None = None
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="engram-mcp-writing")

    async def run(self, *, greeted: int | str | None = None) -> None:
        """Talk until either side has enough; `greeted` was answered already."""
        self._held_back = greeted
        to_server, from_client = anyio.create_memory_object_stream[SessionMessage](0)
        to_client, from_server = anyio.create_memory_object_stream[Outgoing](0)
        self._to_server, self._to_client = to_server, to_client
        self._heed_signals()
        reader = threading.Thread(
            target=self._read, args=(asyncio.get_running_loop(),), daemon=True
        )
        async with anyio.create_task_group() as group:
            group.start_soon(self._write_all, from_server)
            group.start_soon(run_server, self._server, from_client, to_client.clone())
            group.start_soon(self._end, group.cancel_scope.cancel)
            reader.start()
        self._writer.shutdown(wait=False)

    def _heed_signals(self) -> None:
        loop = asyncio.get_running_loop()
        for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            loop.add_signal_handler(each, self._over.set)

    async def _end(self, give_up: Callable[[], None]) -> None:
        """When it is over the server is told, answers what it still does, and is not waited for."""
        await self._over.wait()
        await self._to_server.aclose()
        await self._to_client.aclose()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._said.wait(), _ENDING_SECONDS)
        give_up()

    # What comes in

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        """In a thread of its own: reading from a pipe cannot be waited for in any other way."""
        try:
            if self._opening is not None:
                self._hand_over(self._opening, loop)
                for line in self._wire.lines():
                    self._hand_over(line, loop)
            asyncio.run_coroutine_threadsafe(self._last_answers(), loop).result()
        except (RuntimeError, CancelledError):
            return  # the conversation ended while this was reading

    def _hand_over(self, line: Line, loop: asyncio.AbstractEventLoop) -> None:
        if isinstance(line, bytes) and not line.strip():
            return
        read = understood(line)
        if read is None:
            return
        asyncio.run_coroutine_threadsafe(self._take(read), loop).result()

    async def _take(self, read: Outgoing) -> None:
        try:
            if isinstance(read, dict):
                await self._to_client.send(read)
                return
            await self._note(document_of(read))
            await self._to_server.send(read)
        except (anyio.ClosedResourceError, anyio.BrokenResourceError):
            self._over.set()

    async def _note(self, document: dict[str, object]) -> None:
        """Keep count of what waits for an answer, and wait while that is too much."""
        known = document.get("id")
        if document.get("method") == "notifications/cancelled":
            params = document.get("params")
            self._strike(params.get("requestId") if isinstance(params, dict) else None)
        elif "method" in document and isinstance(known, int | str):
            while self._unanswered.total() >= _MOST_UNANSWERED and not self._over.is_set():
                self._answered.clear()
                await self._answered.wait()
            self._unanswered[known] += 1

    def _strike(self, known: object) -> None:
        if isinstance(known, int | str) and self._unanswered[known] > 0:
            self._unanswered[known] -= 1
            self._unanswered += Counter()  # lets go of what is at zero
            self._answered.set()

    async def _last_answers(self) -> None:
        """The client will say no more; give what it asked for a moment to be answered."""
        end = asyncio.get_running_loop().time() + _GRACE_SECONDS
        while self._unanswered and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.01)
        self._over.set()

    # What goes out

    async def _write_all(self, from_server: MemoryObjectReceiveStream[Outgoing]) -> None:
        loop = asyncio.get_running_loop()
        async with from_server:
            async for item in from_server:
                document = item if isinstance(item, dict) else document_of(item)
                if self._is_answered_before(document):
                    continue
                try:
                    await loop.run_in_executor(self._writer, self._send, document)
                except Gone:
                    self._over.set()
                    return
                if "method" not in document:
                    self._strike(document.get("id"))
        self._over.set()
        self._said.set()

    def _is_answered_before(self, document: dict[str, object]) -> bool:
        """The SDK answers the opening too, so that it knows of it; that answer is not sent."""
        if self._held_back is None or document.get("id") != self._held_back:
            return False
        self._strike(self._held_back)
        self._held_back = None
        return True

    def _send(self, document: dict[str, object]) -> None:
        try:
            self._wire.write(document)
        except (TypeError, ValueError):  # something in it cannot be put into JSON
            known = document.get("id")
            self._wire.write(problem(known, _INTERNAL, "The answer cannot be sent."))
