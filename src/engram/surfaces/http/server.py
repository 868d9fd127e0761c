"""The process that serves: one socket, one open store, and an orderly end."""

import asyncio
import gc
import logging
import signal
import socket
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from engram.engine import Engram
from engram.surfaces.daemon.dream_starter import DreamStarter
from engram.surfaces.http.app import Service
from engram.surfaces.http.gate import Names
from engram.surfaces.http.webhook_out import WebhookSender
from engram.surfaces.unexpected import quieten_loggers

_KEEP_ALIVE_SECONDS = 30
_HEAD_SECONDS = 10.0  # a request line and its headers are one packet, or two
_MOST_HEAD_BYTES = 32_768
_LEAVE_SECONDS = 4  # for requests in flight when it is told to stop
_SENDING_SECONDS = 0.5  # for a webhook that is being sent then; it is sent again otherwise
_BACKLOG = 512
_DEAF_MILLISECONDS = 60_000


class PatientProtocol(H11Protocol):
    """Speaks HTTP, and waits for nobody for ever: a head that dribbles in is cut off.

    uvicorn waits between two requests only; a caller that begins none, or never ends its first
    line, would hold its connection as long as it likes.

    A connection too many is closed as soon as it is there: who only holds it open costs nothing.
    """

    most = 0  # connections at once; 0: any number
    _cut: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn narrows it
        """Somebody connected: from now on the head of a request is waited for."""
        super().connection_made(transport)
        if 0 < self.most < len(self.connections):
            self.connections.discard(self)
            transport.close()
            return
        held = transport.get_extra_info("socket")
        # asyncio does not see that a socket bound by hand speaks TCP. Head and body are two
        # packets; without this the second waits 40 ms for the first to be acknowledged.
        held.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            # Who takes nothing of an answer for so long is gone.
            held.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _DEAF_MILLISECONDS)
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """They are gone."""
        self._stop_waiting()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Something came: the head of a request, more of its body, or what nobody asked for."""
        super().handle_events()
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()
        elif self._cut is None and not self.transport.is_closing():
            self._wait_for_head()

    def _wait_for_head(self) -> None:
        self._cut = self.loop.call_later(_HEAD_SECONDS, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._cut is not None:
            self._cut.cancel()
            self._cut = None


def protocol_for(connections: int) -> type[PatientProtocol]:
    """The protocol for so many connections at once; uvicorn makes one of it for each."""

    class Bounded(PatientProtocol):
        most = connections

    return Bounded


class OrderlyServer(uvicorn.Server):
    """A server that ends with 0 when it is told to stop, and says so to those who must know."""

    def __init__(
        self,
        config: uvicorn.Config,
        speaks: type[PatientProtocol],
        when_ready: Callable[[], None],
        when_stopping: Callable[[], None],
    ) -> None:
        super().__init__(config)
        self._speaks = speaks
        self._when_ready = when_ready
        self._when_stopping = when_stopping
        self._taking: set[asyncio.Task[object]] = set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """It listens from now on; a child of several takes what its parent hands it."""
        channels = [each for each in sockets or [] if each.family == socket.AF_UNIX]
        await super().startup([each for each in sockets or [] if each not in channels])
        for channel in channels:
            channel.setblocking(False)
            asyncio.get_running_loop().add_reader(channel, self._take_in, channel)
        self._when_ready()

    def _take_in(self, channel: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        try:
            told, handles, _, _ = socket.recv_fds(channel, 1, 1)
        except BlockingIOError:
            return
        for handle in handles:
            connection = socket.socket(fileno=handle)
            connection.setblocking(False)
            taking = loop.create_task(loop.connect_accepted_socket(self._protocol, connection))
            self._taking.add(taking)
            taking.add_done_callback(self._taking.discard)
        if not told:  # the parent is gone, however that happened
            loop.remove_reader(channel)
            self.handle_exit(signal.SIGTERM, None)

    def _protocol(self) -> asyncio.Protocol:
        state = self.lifespan.state
        return self._speaks(self.config, self.server_state, state, asyncio.get_running_loop())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take nothing more in, and finish what runs."""
        for each in sockets or []:
            asyncio.get_running_loop().remove_reader(each)
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal came."""
        self._when_stopping()
        super().handle_exit(sig, frame)

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Signals end the server; unlike in uvicorn, they are not raised once more afterwards."""
        before = {each: signal.signal(each, self.handle_exit) for each in _SIGNALS}
        try:
            yield
        finally:
            for each, old in before.items():
                signal.signal(each, old)


_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True, slots=True)
class Serving:
    """How one process serves."""

    listener: socket.socket  # of a child: the channel that connections come through
    names: Names
    share: int = 1  # of how many processes it is one
    has_mcp: bool = True


def serve(owner: Engram, serving: Serving, when_ready: Callable[[], None] = lambda: None) -> None:
    """Serve until told to stop; then finish what runs, and leave the store to whoever opened it."""
    service = Service(owner, serving.names, serving.share, has_mcp=serving.has_mcp)
    sender, dreams = WebhookSender(owner), DreamStarter(owner)
    speaks = protocol_for(owner.settings.network.max_connections)
    quieten_loggers()
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL + 1)  # it may print what it was sent
    config = uvicorn.Config(
        app=service.app(),
        http=speaks,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=_LEAVE_SECONDS,
        h11_max_incomplete_event_size=_MOST_HEAD_BYTES,
        backlog=_BACKLOG,
    )
    # A receiver that is being waited for may take ten seconds; nobody waits for it to stop.
    ending = threading.Thread(target=sender.close, name="engram-ending", daemon=True)

    def stop() -> None:
        if not service.is_stopping:
            service.stop()
            dreams.close()
            ending.start()

    server = OrderlyServer(config, speaks, when_ready, stop)
    _collect_seldom()
    sender.start()
    dreams.start()
    try:
        server.run(sockets=[serving.listener])
    finally:
        stop()
        service.close()
        ending.join(_SENDING_SECONDS)


def _collect_seldom() -> None:
    """Look for garbage less often: what was loaded stays, and an answer leaves few cycles behind.

    Measured: a recall takes a tenth less.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)
