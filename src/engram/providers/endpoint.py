"""Where a model server answers, and one careful exchange with it over HTTP."""

import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from engram.errors import ConfigInvalid, EmbedderUnavailable

_CHUNK_BYTES = 65_536
_TOO_LONG = "The server took too long; see embedder.timeout_seconds."
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One address that is posted to."""

    scheme: str
    host: str
    port: int
    path: str

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}{self.path}"

    @property
    def is_on_this_machine(self) -> bool:
        """Whether what is sent there stays here."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server said."""

    status: int
    body: bytes
    retry_after: str | None


def read_endpoint(url: str, *, leaf: str, allow_plain_http: bool) -> Endpoint:
    """The endpoint that a URL such as `http://localhost:11434/v1` stands for.

    The settings are shown and the endpoint becomes part of a vector space's name, so a URL must
    hold no secret: names, passwords, queries and fragments are refused.
    """
    try:
        parts = urlsplit(url.strip())
        scheme, host, port = parts.scheme, parts.hostname or "", parts.port
    except ValueError as error:
        raise ConfigInvalid(hint="`embedder.url` cannot be read as a URL.") from error
    if scheme not in _PORTS or not host:
        raise ConfigInvalid(hint="`embedder.url` must begin with http:// or https:// and a host.")
    if parts.username is not None or parts.query or parts.fragment:
        raise ConfigInvalid(
            hint="`embedder.url` must hold no name, password, query or fragment; "
            "the key goes into ENGRAM_EMBEDDER_KEY."
        )
    path = parts.path.rstrip("/") or "/v1"
    path = path if path.endswith(f"/{leaf}") else f"{path}/{leaf}"
    endpoint = Endpoint(scheme, host, port or _PORTS[scheme], path)
    if scheme == "http" and not (allow_plain_http or endpoint.is_on_this_machine):
        raise ConfigInvalid(
            hint="`embedder.url` would send texts unencrypted to another machine; use https, or "
            "set embedder.allow_plain_http."
        )
    return endpoint


def post(
    endpoint: Endpoint,
    body: bytes,
    headers: Mapping[str, str],
    *,
    most_bytes: int,
    seconds_left: Callable[[], float],
) -> Answer:
    """One request and its answer; redirects are not followed, time and size are limited."""
    connection = _connection(endpoint, _time_left(seconds_left))
    late = threading.Event()
    try:
        connection.connect()
        with _hung_up_when_late(connection.sock, _time_left(seconds_left), late):
            connection.request("POST", endpoint.path, body=body, headers=dict(headers))
            response = connection.getresponse()
            content = _limited(response, most_bytes)
        return Answer(response.status, content, response.getheader("Retry-After"))
    except (OSError, http.client.HTTPException, ValueError) as error:
        if late.is_set() or isinstance(error, TimeoutError):
            raise EmbedderUnavailable(hint=_TOO_LONG) from TimeoutError()
        raise EmbedderUnavailable(
            hint=f"There is no proper answer from {endpoint.host}:{endpoint.port}; is the server "
            "running? Recall goes by text until then."
        ) from error
    finally:
        connection.close()


@contextmanager
def _hung_up_when_late(
    sock: socket.socket, seconds: float, late: threading.Event
) -> Iterator[None]:
    """End the exchange when its time is over, whatever it is waiting for.

    A timeout of the socket begins anew with every byte, and a server may send headers or a body
    one by one for ever.
    """

    def hang_up() -> None:
        late.set()
        with suppress(OSError):  # it is over already
            socket.socket.shutdown(sock, socket.SHUT_RDWR)

    timer = threading.Timer(seconds, hang_up)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _connection(endpoint: Endpoint, timeout: float) -> http.client.HTTPConnection:
    if endpoint.scheme == "http":
        return http.client.HTTPConnection(endpoint.host, endpoint.port, timeout=timeout)
    context = ssl.create_default_context()
    return http.client.HTTPSConnection(
        endpoint.host, endpoint.port, timeout=timeout, context=context
    )


def _limited(response: http.client.HTTPResponse, most_bytes: int) -> bytes:
    """The whole body, read piece by piece so that one that is too large is not read to its end."""
    pieces: list[bytes] = []
    size = 0
    while piece := response.read1(_CHUNK_BYTES):
        size += len(piece)
        if size > most_bytes:
            raise EmbedderUnavailable(hint="The server's answer is larger than vectors can be.")
        pieces.append(piece)
    if response.length:  # what was promised and did not come
        raise http.client.IncompleteRead(b"", response.length)
    return b"".join(pieces)


def _time_left(seconds_left: Callable[[], float]) -> float:
    left = seconds_left()
    if left <= 0.0:
        raise EmbedderUnavailable(hint=_TOO_LONG)
    return left
