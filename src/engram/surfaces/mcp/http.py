"""The same server for many callers over HTTP, each by its key; mounted behind the gate.

The gate in front has checked the key, Host, Origin, rates and sizes before anything gets here, and
the work is done by the same threads, for as long, as that of every other request. Who is calling is
taken from what it found, at every request anew: no message can say who it is from.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

from engram.memory.access import Admission
from engram.memory.roles import may
from engram.surfaces.mcp.seats import Seat
from engram.surfaces.mcp.toolsets import ToolSet, tools_for
from engram.surfaces.operations import Operation
from engram.surfaces.operations.coarse import coarse
from engram.surfaces.work import Workshop

if TYPE_CHECKING:
    from engram.engine import Engram

AsgiScope = MutableMapping[str, object]
Receive = Callable[[], Awaitable[MutableMapping[str, object]]]
Send = Callable[[MutableMapping[str, object]], Awaitable[None]]
AdmissionOf = Callable[[AsgiScope], Admission]


class McpApp:
    """An ASGI application; it answers while `running()` is entered, once."""

    def __init__(
        self, owner: "Engram", admission_of: AdmissionOf, workshop: Workshop, tools: ToolSet
    ) -> None:
        from engram.surfaces.mcp.adapter import Exchange, make_server

        self._owner = owner
        self._admission_of = admission_of
        self._tools = tools
        self._exchange = Exchange(
            make_server(self._seat_of, workshop),
            max_body_bytes=owner.settings.network.max_body_bytes,
        )

    def running(self) -> AbstractAsyncContextManager[None]:
        """Enter this for as long as requests come; what runs when it is left is called off."""
        return self._exchange.running()

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        """Answer one request; there is nothing to listen to, and no session to end."""
        if scope.get("method") == "POST":
            await self._exchange.answer(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 405, "headers": [(b"allow", b"POST")]})
        await send({"type": "http.response.body", "body": b""})

    def _seat_of(self, request: object) -> Seat:
        """What the key behind a request is served with."""
        scope: AsgiScope = request.scope  # type: ignore[attr-defined]  # Starlette's, over HTTP
        admission = self._admission_of(scope)

        def is_allowed(operation: Operation) -> bool:
            return not operation.is_local and may(admission.role, operation.need)

        def engram() -> "Engram":
            return self._owner.seen_by(admission.principal)

        tools = tools_for(self._tools, is_allowed)
        return Seat(tools, engram) if admission.is_trusted else Seat(tools, engram, coarse)


def mcp_app(
    owner: "Engram",
    admission_of: AdmissionOf,
    workshop: Workshop,
    *,
    tools: str = ToolSet.STANDARD,
) -> McpApp:
    """The MCP server of an open store for callers over HTTP, to be mounted behind the gate."""
    return McpApp(owner, admission_of, workshop, ToolSet(tools))
