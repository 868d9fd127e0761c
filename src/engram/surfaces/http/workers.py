"""Several processes behind one socket: the parent binds it and watches, its children serve.

Children are started anew and not forked: an open store must not be carried into another process.
Each accepts from the same socket, so the kernel hands every connection to one of them.
"""

import json
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import FrameType

from engram.errors import ProcessError

_LOOK_SECONDS = 0.2
_LEAVE_SECONDS = 6.0  # a child takes five at most
_HEALTHY_SECONDS = 5.0  # one that ends sooner would only do so again
_WORKER = "--worker"
_STDIN = 0


@dataclass
class Workers:
    """The children of one server."""

    command: Sequence[str]  # that serves as a child, but for its socket
    listener: socket.socket
    count: int
    secret: str | None = None  # a passphrase that was typed; handed over through a pipe
    _running: dict[int, "_Child"] = field(default_factory=dict)
    _stop: threading.Event = field(default_factory=threading.Event)

    def run(self, when_ready: Callable[[], None]) -> None:
        """Serve until told to stop; a child that died is started again."""
        before = {each: signal.signal(each, self._told) for each in (signal.SIGINT, signal.SIGTERM)}
        try:
            for number in range(self.count):
                self._start(number)
            when_ready()  # who connects now waits in the socket until a child is there
            while not self._stop.wait(_LOOK_SECONDS):
                self._restart_the_dead()
        finally:
            self._end_all()
            for each, old in before.items():
                signal.signal(each, old)

    def _told(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002  # as called
        self._stop.set()

    def _start(self, number: int) -> None:
        handle = self.listener.fileno()
        child = subprocess.Popen(  # noqa: S603  # this very program, its own arguments
            [*self.command, _WORKER, f"{handle}:{self.count}"],
            pass_fds=[handle],
            stdin=subprocess.PIPE,
        )
        self._running[number] = _Child(child, time.monotonic())
        self._running[number].hand_over(self.secret)

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
    began: float

    def hand_over(self, secret: str | None) -> None:
        """Write the passphrase into the pipe and leave it open.

        Its end tells the child that its parent is gone, however that happened.
        """
        if self.process.stdin is not None:
            self.process.stdin.write(json.dumps({"passphrase": secret}).encode() + b"\n")
            self.process.stdin.flush()

    def end(self, seconds: float) -> None:
        """Wait so long for it to end by itself."""
        try:
            self.process.wait(max(0.0, seconds))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stdin is not None:
            self.process.stdin.close()


def handed_over() -> str | None:
    """In a child: the passphrase its parent was given, if any; it ends when its parent does."""
    told = b""
    # By the handle itself: a thread that waits in a buffer of Python's keeps it from ending.
    while not told.endswith(b"\n") and (piece := os.read(_STDIN, 65_536)):
        told += piece
    threading.Thread(target=_end_with_parent, name="engram-parent", daemon=True).start()
    passphrase = json.loads(told)["passphrase"]
    return str(passphrase) if passphrase is not None else None


def _end_with_parent() -> None:
    while os.read(_STDIN, 1):  # nothing more comes but the end
        pass
    os.kill(os.getpid(), signal.SIGTERM)
