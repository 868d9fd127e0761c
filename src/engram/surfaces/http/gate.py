"""The outermost layer: who is let in, decided before a byte of the body is read.

In this order: the name the server was called by, the page it was called from, the size of what
announces itself, the key, how often that key came, and the length of the body. Nothing behind the
gate runs for a request that fails any of it. A webhook has a signature instead of a key: that there
is such a webhook is found out here, whether the signature is right by what lies behind.
"""

import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from urllib.parse import unquote

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engram.errors import (
    EngramError,
    KeyUnknown,
    RequestRefused,
    SignatureInvalid,
    TooManyRequests,
)
from engram.memory.access import Admission
from engram.security.access_keys import slip_in
from engram.surfaces.http.answers import guarded, send_answer
from engram.surfaces.http.bodies import Disconnected, read_body, replay, too_large
from engram.surfaces.http.problems import Refused, of_refusal, problem
from engram.surfaces.http.routing import API
from engram.surfaces.unexpected import unexpected

ADMISSION = "engram.admission"  # where those behind the gate find who is calling
ROUTE = "engram.route"  # where they leave which path it was, for the metrics
REFUSED_ROUTE = "(refused)"
OPEN_PATHS = frozenset({b"/livez", b"/readyz"})
HOOKS = f"{API}/hooks/".encode()  # a webhook's signature is its key; checked by what lies behind

_MOST_TARGET_BYTES = 8_192
_MOST_HEADER_BYTES = 16_384
_MOST_HEADERS = 100
_MOST_HOOK_BYTES = 262_144  # a message is one text; who sends it is known only afterwards
_SMALL_BODY = 65_536  # as much is read and thrown away to keep a connection
_CLOSE = ((b"connection", b"close"),)
_TOO_OFTEN = "engram.too_often"  # who is known, and comes no further all the same
_TELLING = frozenset({401, 403, 421, 429})  # who was refused by these is taken down
_LOCAL_NAMES = ("127.0.0.1", "localhost", "[::1]")

Observe = Callable[[str, str, int, float], None]  # route, method, status, seconds


@dataclass(frozen=True, slots=True)
class Names:
    """The names this server answers to, and the pages that may call it."""

    hosts: frozenset[str]
    origins: frozenset[str]

    @classmethod
    def of(cls, port: int, allowed: Iterable[str] = ()) -> "Names":
        """The names of this machine with the right port, and those that were given."""
        hosts = {f"{name}:{port}" for name in _LOCAL_NAMES}
        if port == 80:
            hosts |= set(_LOCAL_NAMES)
        origins = {f"http://{host}" for host in hosts}
        for given in allowed:
            name = given.lower()
            # Without a port it may stand behind a proxy on the usual ones.
            names = {name} if _has_port(name) else {name, f"{name}:{port}"}
            hosts |= names
            origins |= {f"{scheme}://{each}" for each in names for scheme in ("http", "https")}
        return cls(frozenset(hosts), frozenset(origins))


def _has_port(name: str) -> bool:
    return ":" in name.rpartition("]")[2]


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request may take; read for each, so that a setting takes effect at once."""

    max_body_bytes: int
    max_depth: int
    request_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Doors:
    """What the gate decides by."""

    names: Names
    recognise: Callable[[str], Awaitable[Admission | None]]
    is_taking: Callable[[str], Awaitable[bool]]  # whether messages come in by such a webhook
    limits: Callable[[], Limits]
    seconds_to_wait: Callable[[Admission], float | None]  # None: it may come in
    observe: Observe
    refused: Callable[[EngramError, Admission | None], None]  # takes down who was refused


@dataclass(slots=True)
class _Told:
    """What went out so far."""

    status: int = 0


class Gate:
    """Lets through what may pass; everything else is answered here."""

    def __init__(self, inner: ASGIApp, doors: Doors) -> None:
        self._inner = inner
        self._doors = doors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] == "lifespan":
            await self._inner(scope, receive, send)
        elif scope["type"] == "http":
            await self._serve(scope, receive, guarded(send))
        else:
            await send({"type": "websocket.close", "code": 1008})

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        told = _Told()
        tell = _noting(told, send)
        is_bare = scope["method"] == "HEAD"
        try:
            await self._pass(scope, receive, tell)
        except Disconnected:
            told.status = told.status or 499
        except Refused as refused:
            if refused.status in _TELLING:
                known = scope.get(ADMISSION) or scope.get(_TOO_OFTEN)
                self._doors.refused(refused.error, known)
            if not told.status:
                await send_answer(of_refusal(refused), tell, is_bare=is_bare)
        except EngramError as error:
            self._doors.refused(error, scope.get(ADMISSION))
            if not told.status:
                await send_answer(problem(error), tell, is_bare=is_bare)
        except Exception as error:  # the boundary: nothing that went wrong is told to a caller
            answer = problem(unexpected(error))
            if told.status:
                raise
            await send_answer(answer, tell, is_bare=is_bare)
        finally:
            route = str(scope.get(ROUTE, REFUSED_ROUTE))
            seconds = time.perf_counter() - began
            self._doors.observe(route, _method(scope), told.status, seconds)

    async def _pass(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = read_headers(scope)
        check_names(headers, self._doors.names)
        check_sizes(scope)
        length = announced_length(headers)
        closing = () if length is not None and length <= _SMALL_BODY else _CLOSE
        try:
            await self._admit(scope, headers)
        except Refused as refused:
            refused.headers = (*refused.headers, *closing)
            raise
        if _path(scope) in OPEN_PATHS:  # whoever has no key has nothing read
            tell = send if length == 0 else closing_after(send)
            await self._inner(scope, replay(b"", receive), tell)
            return
        check_is_plain(headers)
        limits = self._doors.limits()
        most = min(limits.max_body_bytes, _MOST_HOOK_BYTES if _is_hook(scope) else 2**62)
        if length is not None and length > most:
            raise too_large(most)
        body = await read_body(receive, most=most, seconds=limits.request_seconds)
        await self._inner(scope, replay(body, receive), send)

    async def _admit(self, scope: Scope, headers: dict[str, list[str]]) -> None:
        """Write down who is calling, or refuse: without a key there is nothing here."""
        scope[ADMISSION] = None
        if _path(scope) in OPEN_PATHS:
            return
        if _is_hook(scope):
            name = _path(scope).removeprefix(HOOKS).decode("latin-1")
            if not await self._doors.is_taking(unquote(name)):
                raise Refused(SignatureInvalid())
            return
        key = given_key(headers)
        admission = await self._doors.recognise(key) if key else None
        if admission is None:
            # Said of the writing alone: it is not told whether there is such a key.
            raise Refused(KeyUnknown(hint=(slip_in(key) if key else "") or None))
        wait = self._doors.seconds_to_wait(admission)
        if wait is not None:
            scope[_TOO_OFTEN] = admission
            after = str(max(1, int(wait + 0.999))).encode()
            raise Refused(TooManyRequests(), 429, ((b"retry-after", after),))
        scope[ADMISSION] = admission


def read_headers(scope: Scope) -> dict[str, list[str]]:
    """The headers by name; one that was sent twice is there twice."""
    found: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
    return found


def check_names(headers: dict[str, list[str]], names: Names) -> None:
    """Refuse what was sent to another name, or by a page of another site (DNS rebinding)."""
    hosts = headers.get("host", [])
    if len(hosts) != 1 or hosts[0].lower() not in names.hosts:
        raise Refused(RequestRefused(), 421, _CLOSE)
    origins = headers.get("origin", [])
    if len(origins) > 1 or any(each.lower() not in names.origins for each in origins):
        raise Refused(RequestRefused(), 403, _CLOSE)


def check_sizes(scope: Scope) -> None:
    """Refuse a target or headers that are larger than anything that is served needs."""
    path, query = scope.get("raw_path") or b"", scope.get("query_string") or b""
    if len(path) + len(query) > _MOST_TARGET_BYTES:
        hint = f"The address may have {_MOST_TARGET_BYTES} bytes; send long texts in a body."
        raise Refused(RequestRefused(hint=hint), 414, _CLOSE)
    pairs = scope["headers"]
    if len(pairs) > _MOST_HEADERS or sum(len(a) + len(b) for a, b in pairs) > _MOST_HEADER_BYTES:
        hint = f"The headers may have {_MOST_HEADER_BYTES} bytes, and be {_MOST_HEADERS}."
        raise Refused(RequestRefused(hint=hint), 431, _CLOSE)


def announced_length(headers: dict[str, list[str]]) -> int | None:
    """How long the body says it is; None when it comes in pieces and does not say."""
    if "transfer-encoding" in headers:
        if "content-length" in headers:
            hint = "A body has a length or comes in pieces; two readers may see two requests here."
            raise Refused(RequestRefused(hint=hint), 400, _CLOSE)
        return None
    length = headers.get("content-length", ["0"])[0]
    return int(length) if length.isascii() and length.isdigit() else None


def check_is_plain(headers: dict[str, list[str]]) -> None:
    """Refuse a body that is packed: nothing here unpacks one, since a little may become much."""
    named = ",".join(headers.get("content-encoding", [])).lower().split(",")
    if any(each.strip() not in ("", "identity") for each in named):
        hint = "Send the body as it is, without `Content-Encoding`."
        raise Refused(RequestRefused(hint=hint), 415, ((b"accept-encoding", b"identity"), *_CLOSE))


def closing_after(send: Send) -> Send:
    """A `send` whose answer is the last of its connection, as what was sent there stays unread."""

    async def tell(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), *_CLOSE]}
        await send(message)

    return tell


def _path(scope: Scope) -> bytes:
    path: bytes = scope.get("raw_path") or b""
    return path


def _is_hook(scope: Scope) -> bool:
    return _path(scope).startswith(HOOKS) and scope["method"] == "POST"


def given_key(headers: dict[str, list[str]]) -> str:
    """The key that came with a request; two are none, since nobody knows which is meant."""
    bearers = headers.get("authorization", [])
    plain = headers.get("x-engram-key", [])
    if len(bearers) + len(plain) != 1:
        return ""
    if plain:
        return plain[0].strip()
    scheme, _, key = bearers[0].partition(" ")
    return key.strip() if scheme.lower() == "bearer" else ""


def _noting(told: _Told, send: Send) -> Send:
    async def note(message: Message) -> None:
        if message["type"] == "http.response.start":
            told.status = message["status"]
        await send(message)

    return note


def _method(scope: Scope) -> str:
    """The method, if it is one of HTTP: anything else would make a line of its own each time."""
    method = str(scope["method"])
    known = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
    return method if method in known else "other"
