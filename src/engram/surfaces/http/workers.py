"""Several processes behind one socket: the parent accepts, and hands connections out in turn.

Were they all to accept from one socket, whoever wakes first would take them all: eight callers that
keep their connections could end up with one process while the others idle. Children are started
anew and not forked: an open store must not be carried into another process.
"""

import select
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from types import FrameType

from engram.errors import ProcessError
from engram.security.keys import Credentials
from engram.surfaces.handing_over import hand_over

_LOOK_SECONDS = 0.2
_LEAVE_SECONDS = 6.0  # a child takes five at most
_HEALTHY_SECONDS = 5.0  # one that ends sooner would only do so again
_WORKER = "--worker"


@dataclass
class Workers:
    """The children of one server."""

    command: Sequence[str]  # that serves as a child, but for where its connections come from
    listener: socket.socket
    size: int
    secret: Credentials  # handed over through a pipe
    _running: dict[int, "_Child"] = field(default_factory=dict)
    _turns: Iterator[int] = field(default_factory=count)
    _stop: threading.Event = field(default_factory=threading.Event)

    def run(self, when_ready: Callable[[], None]) -> None:
        """Serve until told to stop; a child that died is started again."""
        before = {each: signal.signal(each, self._told) for each in (signal.SIGINT, signal.SIGTERM)}
        try:
            for number in range(self.size):
                self._start(number)
            when_ready()  # who connects now waits in the socket until a child is there
            self._hand_out()
        finally:
            self._end_all()
            for each, old in before.items():
                signal.signal(each, old)

    def _told(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002  # as called
        self._stop.set()

    def _hand_out(self) -> None:
        self.listener.setblocking(False)
        looked_at = time.monotonic()
        while not self._stop.is_set():
            if time.monotonic() - looked_at >= _LOOK_SECONDS:
                self._restart_the_dead()
                looked_at = time.monotonic()
            if select.select([self.listener], [], [], _LOOK_SECONDS)[0]:
                self._hand_over_one()

    def _hand_over_one(self) -> None:
        """Give a connection to the next child that takes it; with none, whoever called hears so."""
        try:
            connection, _ = self.listener.accept()
        except OSError:  # gone again before it was looked at
            return
        with connection:
            for _ in range(self.size):
                if self._running[next(self._turns) % self.size].takes(connection):
                    return

    def _start(self, number: int) -> None:
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        port = self.listener.getsockname()[1]
        with theirs:
            process = subprocess.Popen(  # noqa: S603  # this very program, its own arguments
                [*self.command, _WORKER, f"{theirs.fileno()}:{self.size}:{port}"],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.PIPE,
            )
        self._running[number] = _Child(process, ours, time.monotonic())
        hand_over(self.secret, process)

    def _restart_the_dead(self) -> None:
        for number, child in list(self._running.items()):
            if child.process.poll() is None:
                continue
            child.end(0.0)
            if time.monotonic() - child.began < _HEALTHY_SECONDS:
                raise ProcessError(hint="A worker ended as soon as it began; it says why above.")
            self._start(number)

    def _end_all(self) -> None:
        for child in self._running.values():
            child.process.terminate()
        until = time.monotonic() + _LEAVE_SECONDS
        for child in self._running.values():
            child.end(until - time.monotonic())


@dataclass(frozen=True, slots=True)
class _Child:
    process: subprocess.Popen[bytes]
    channel: socket.socket  # its connections go through it
    began: float

    def takes(self, connection: socket.socket) -> bool:
        """Hand it a connection; one that is stuck or gone takes none."""
        try:
            socket.send_fds(self.channel, [b"c"], [connection.fileno()])
        except OSError:
            return False
        return True

    def end(self, seconds: float) -> None:
        """Wait so long for it to end by itself."""
        try:
            self.process.wait(max(0.0, seconds))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.channel.close()
