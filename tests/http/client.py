"""A small client that calls the app in this process, and one that speaks bytes over a socket."""

import asyncio
import json
import socket
from collections.abc import Mapping
from dataclasses import dataclass

HOST = "127.0.0.1:8377"


@dataclass(frozen=True)
class Reply:
    """What came back."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str | None:
        return next((value for key, value in self.headers if key == name), None)

    @property
    def names(self) -> list[str]:
        return [key for key, _ in self.headers]

    def json(self):
        return json.loads(self.body)


class Client:
    """Calls an app with a key, as one caller."""

    def __init__(self, app, key: str | None = None) -> None:
        self.app = app
        self.key = key
        self.received = 0  # how often the app asked for (a part of) the body

    def ask(
        self,
        method: str,
        path: str,
        document: object = None,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes | list[bytes] | None = None,
    ) -> Reply:
        """Send one request; headers given as None are left out."""
        if document is not None:
            body = json.dumps(document).encode()
        pieces = body if isinstance(body, list) else [body or b""]
        sent: dict[str, str | None] = {"host": HOST}
        if self.key is not None:
            sent["authorization"] = f"Bearer {self.key}"
        if document is not None:
            sent["content-type"] = "application/json"
        if body is not None and not isinstance(body, list):
            sent["content-length"] = str(len(body))
        elif body is not None:
            sent["transfer-encoding"] = "chunked"
        sent.update({name.lower(): value for name, value in (headers or {}).items()})
        pairs = [
            (name.encode(), value.encode("latin-1"))
            for name, value in sent.items()
            if value is not None
        ]
        raw, _, query = path.partition("?")
        scope = {
            "type": "http",
            "method": method,
            "path": raw,
            "raw_path": raw.encode(),
            "query_string": query.encode(),
            "headers": pairs,
            "http_version": "1.1",
            "scheme": "http",
            "server": ("127.0.0.1", 8377),
            "client": ("127.0.0.1", 50000),
            "root_path": "",
        }
        return asyncio.run(self._exchange(scope, pieces))

    async def _exchange(self, scope: dict, pieces: list[bytes]) -> Reply:
        told: list[dict] = []
        self.received = 0

        async def receive() -> dict:
            self.received += 1
            if self.received > len(pieces):
                return {"type": "http.disconnect"}
            piece = pieces[self.received - 1]
            return {
                "type": "http.request",
                "body": piece,
                "more_body": self.received < len(pieces),
            }

        async def send(message: dict) -> None:
            told.append(message)

        await self.app(scope, receive, send)
        start = told[0]
        body = b"".join(each.get("body", b"") for each in told[1:])
        headers = tuple((name.decode(), value.decode()) for name, value in start["headers"])
        return Reply(start["status"], headers, body)


def spoken(port: int, sent: bytes, *, seconds: float = 5.0) -> bytes:
    """What a server says to these bytes until it closes or has nothing more to say."""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as line:
        line.sendall(sent)
        heard = b""
        try:
            while piece := line.recv(65_536):
                heard += piece
        except (TimeoutError, ConnectionResetError):
            pass
        return heard
