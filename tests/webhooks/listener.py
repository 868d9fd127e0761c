"""A server on this machine with streams behind the gate, and a raw client that listens to it."""

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import uvicorn

from engram import Engram
from engram.surfaces.http.app import Service
from engram.surfaces.http.gate import Names
from engram.surfaces.http.streams import Streams


@dataclass(frozen=True)
class Heard:
    """One event; comments and fields without data are not events."""

    id: str | None
    name: str
    document: dict


@dataclass(frozen=True)
class Running:
    """A server that runs."""

    port: int
    streams: Streams


@contextmanager
def serving(owner: Engram) -> Iterator[Running]:
    """Serve the whole API, as `engram serve` does."""
    line = socket.create_server(("127.0.0.1", 0))
    line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16_384)  # so that little waits unread
    port = line.getsockname()[1]
    service = Service(owner, Names.of(port))
    config = uvicorn.Config(service.app(), log_level="critical", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([line])), daemon=True)
    thread.start()
    try:
        yield Running(port, service.streams)
    finally:
        service.streams.close()
        server.should_exit = True
        thread.join(10)
        service.close()
        line.close()
        assert not thread.is_alive()


class Listener:
    """Speaks HTTP over a socket by itself, and reads events off the wire."""

    def __init__(self, port: int, path: str, key: str, **headers: str) -> None:
        self._line = socket.socket()
        self._line.settimeout(10)
        self._line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16_384)
        self._line.connect(("127.0.0.1", port))
        lines = [f"GET /api/v1/streams/{path} HTTP/1.1", f"Host: 127.0.0.1:{port}"]
        lines += [f"Authorization: Bearer {key}"] if key else []
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        self._line.sendall("\r\n".join([*lines, "", ""]).encode())
        self._file = self._line.makefile("rb")
        self.status = int(self._file.readline().split()[1])
        self.headers: dict[str, str] = {}
        while (line := self._file.readline().decode().strip()) != "":
            name, _, value = line.partition(":")
            self.headers[name.lower()] = value.strip()
        self.comments: list[str] = []
        self.is_over = False

    def next(self) -> Heard | None:
        """The next event; None when the stream has ended."""
        while (block := self._block()) is not None:
            fields = dict(line.split(": ", 1) for line in block if not line.startswith(":"))
            self.comments += [line for line in block if line.startswith(":")]
            if "data" in fields:
                document = json.loads(fields["data"])
                return Heard(fields.get("id"), fields["event"], document)
        self.is_over = True
        return None

    def _block(self) -> list[str] | None:
        """One chunk: what was sent in one piece is one block."""
        size = self._file.readline().strip()
        if not size or int(size, 16) == 0:
            return None
        text = self._file.read(int(size, 16) + 2).decode()
        return [line for line in text.split("\n") if line.strip()]

    def take(self, count: int) -> list[Heard]:
        return [self.next() for _ in range(count)]

    def body(self) -> dict:
        return json.loads(self._file.read(int(self.headers["content-length"])))

    def close(self) -> None:
        self._file.close()
        self._line.close()
