"""The whole app: the gate, and behind it the routes made from the operations."""

import threading
import time
from collections.abc import MutableMapping
from contextlib import nullcontext
from dataclasses import dataclass, field

from starlette.types import ASGIApp, Receive, Scope, Send

from engram.engine import Engram
from engram.errors import EngramError, KeyUnknown
from engram.memory.access import Admission
from engram.security.rates import RateLimits
from engram.surfaces.http.answers import document, send_answer
from engram.surfaces.http.bodies import check_depth, replay
from engram.surfaces.http.calls import Calls
from engram.surfaces.http.gate import (
    ADMISSION,
    ROUTE,
    Doors,
    Gate,
    Limits,
    Names,
    read_headers,
)
from engram.surfaces.http.metrics import Metrics
from engram.surfaces.http.openapi import description_endpoint
from engram.surfaces.http.routing import API, Asked, Endpoint, Route, Routes, answer, not_there
from engram.surfaces.http.streams import Streams
from engram.surfaces.http.watching import Watching
from engram.surfaces.http.webhook_in import hook_endpoint, is_taking
from engram.surfaces.mcp.http import McpApp, mcp_app
from engram.surfaces.operations import OPERATIONS
from engram.surfaces.work import Workshop

_OTHERS = "(other)"


@dataclass(slots=True)
class Service:
    """Everything one server process holds."""

    owner: Engram
    names: Names
    share: int = 1  # of how many processes this is one: they share what a key may ask for
    has_mcp: bool = False
    is_stopping: bool = False
    metrics: Metrics = field(default_factory=Metrics)
    workshop: Workshop = field(init=False)
    streams: Streams = field(init=False)
    _rates: RateLimits = field(init=False)

    def __post_init__(self) -> None:
        self.workshop = Workshop(
            self.owner.settings.network.threads,
            most_seconds=lambda: self.limits().request_seconds,
        )
        self.streams = Streams(self.owner)
        self._rates = RateLimits(time.monotonic)

    def limits(self) -> Limits:
        """What a request may take, by the settings in force."""
        network = self.owner.settings.network
        return Limits(network.max_body_bytes, network.max_depth, network.request_seconds)

    def app(self) -> ASGIApp:
        """The app: nothing is reached but through the gate."""
        doors = Doors(
            names=self.names,
            recognise=self._recognise,
            is_taking=self._is_taking,
            limits=self.limits,
            seconds_to_wait=self._seconds_to_wait,
            observe=self.metrics.observe,
            refused=self._refused,
        )
        mounted: dict[str, ASGIApp] = {f"{API}/streams": self.streams}
        mcp = mcp_app(self.owner, _admission, self.workshop) if self.has_mcp else None
        if mcp is not None:
            mounted["/mcp"] = self._looked_through(mcp)
        return Gate(Inner(self.routes(), mounted, mcp), doors)

    def routes(self) -> Routes:
        """Every path of our own with what serves it."""
        calls = Calls(self.owner, self.workshop, self.limits, self.streams.long_work)
        table: dict[str, dict[str, Endpoint]] = {}
        for operation in OPERATIONS.values():
            if not operation.is_local:
                methods = table.setdefault(API + operation.path, {})
                methods[operation.method] = calls.endpoint(operation)
        watching = Watching(self.owner, self.workshop, self.metrics, lambda: self.is_stopping)
        table.update(watching.table())
        hook = hook_endpoint(self.owner, self.workshop)
        table[f"{API}/hooks/{{webhook_id}}"] = {"POST": hook}
        table[f"{API}/openapi.json"] = {"GET": description_endpoint()}
        return Routes(table)

    def _looked_through(self, app: ASGIApp) -> ASGIApp:
        """MCP parses JSON by itself: it is handed none that is too deep, or no message at all."""
        from engram.surfaces.mcp.messages import refusal_of

        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            body: bytes = (await receive()).get("body", b"")  # the gate has read it
            depth = self.limits().max_depth

            def look() -> dict[str, object] | None:
                check_depth(body, depth)
                return refusal_of(body) if scope["method"] == "POST" else None

            refusal = await self.workshop.do(look)
            if refusal is not None:
                await send_answer(document(refusal, 400), send)
            else:
                await app(scope, replay(body, receive), send)

        return serve

    async def _recognise(self, key: str) -> Admission | None:
        return await self.workshop.look_up(lambda: self.owner.recognise(key))

    async def _is_taking(self, webhook_id: str) -> bool:
        return await self.workshop.look_up(lambda: is_taking(self.owner, webhook_id))

    def _seconds_to_wait(self, admission: Admission) -> float | None:
        minute, session = admission.per_minute, admission.per_session
        return self._rates.check(
            admission.key_id,
            max(1, minute // self.share),
            None if session is None else max(1, session // self.share),
        )

    def _refused(self, error: EngramError, admission: Admission | None) -> None:
        """Take down who was refused; counted in memory, so nobody waits for it."""
        self.owner.note_refusal(error, caller=admission.principal.actor if admission else "")

    def stop(self) -> None:
        """It was told to stop: whoever asks whether it is ready hears so."""
        self.is_stopping = True
        # From a signal: whatever holds the lock of the streams may be what was interrupted.
        threading.Thread(target=self.streams.close, name="engram-stopping").start()

    def close(self) -> None:
        """Wait for the work that runs."""
        self.streams.close()
        self.workshop.close()


class Inner:
    """What lies behind the gate: our own routes, and apps that have paths of their own."""

    def __init__(
        self, routes: Routes, mounted: dict[str, ASGIApp], mcp: McpApp | None = None
    ) -> None:
        self._routes = routes
        self._mounted = mounted
        self._mcp = mcp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request that was let in."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        path = scope.get("raw_path") or b""
        found = self._routes.find(path)
        if found is not None:
            route, names = found
            scope[ROUTE] = route.template
            await self._answer(route, await _asked(scope, receive, path, names), send)
            return
        for prefix, app in self._mounted.items():
            if path == prefix.encode() or path.startswith(f"{prefix}/".encode()):
                scope[ROUTE] = prefix
                await app(scope, receive, send)
                return
        scope[ROUTE] = _OTHERS
        raise not_there()

    async def _live(self, receive: Receive, send: Send) -> None:
        """From the first request to the last: MCP answers while it is entered, and no longer."""
        async with self._mcp.running() if self._mcp is not None else nullcontext():
            await receive()
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})

    async def _answer(self, route: Route, asked: Asked, send: Send) -> None:
        told = await answer(route, asked)
        await send_answer(told, send, is_bare=asked.method == "HEAD")


async def _asked(scope: Scope, receive: Receive, path: bytes, names: dict[str, str]) -> Asked:
    """The request as our own endpoints see it; the gate has read its body already."""
    message = await receive()
    return Asked(
        method=str(scope["method"]),
        path=path.decode("latin-1"),
        query=scope["query_string"],
        headers=read_headers(scope),
        body=message.get("body", b""),
        admission=scope[ADMISSION],
        names=names,
    )


def _admission(scope: MutableMapping[str, object]) -> Admission:
    """Who the gate let in; fails closed."""
    admission = scope.get(ADMISSION)
    if not isinstance(admission, Admission):
        raise KeyUnknown
    return admission
