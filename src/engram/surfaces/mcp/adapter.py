"""The one module that knows the SDK: what it calls, and what it is given back.

The SDK is the protocol: messages and their versions, the handshake, sessions over HTTP. Everything
Engram answers is decided in other modules, by values that know nothing of it.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import lru_cache
from typing import TypeVar, cast

import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from engram.errors import AccessDenied, EngramError, InvalidInput, MemoryNotFound
from engram.surfaces.documents import Document, error_document
from engram.surfaces.mcp import greeting, prompts, resources
from engram.surfaces.mcp.schemas import schema_of, shape_of
from engram.surfaces.mcp.seats import Seat
from engram.surfaces.mcp.tool import Tool
from engram.surfaces.mcp.work import attempted
from engram.surfaces.operations.memories import placed
from engram.surfaces.operations.parsing import parse_document
from engram.surfaces.work import Errand, Workshop
from engram.version import __version__

__all__ = [
    "Server",
    "SessionMessage",
    "document_of",
    "make_server",
    "message_of",
    "run_server",
]

Context = ServerRequestContext[object, object]
SeatOf = Callable[[object], Seat]  # from the request that came over HTTP; None over stdio
T = TypeVar("T")
_UNKNOWN_RESOURCE = -32002  # of the handshake era; later versions call it a wrong argument
_TEXT = "text/plain"


def make_server(
    seat_of: SeatOf, workshop: Workshop, *, on_ready: Callable[[], None] | None = None
) -> "Server[object]":
    """A server that answers for whoever sits in a seat; `on_ready` hears of the handshake's end."""
    # It would print what it is handed: names of callers, and words of theirs.
    logging.getLogger("mcp").addHandler(logging.NullHandler())
    logging.getLogger("mcp").propagate = False
    answers = _Answers(seat_of, workshop)
    server: Server[object] = Server(
        greeting.NAME,
        version=__version__,
        title=greeting.TITLE,
        instructions=greeting.INSTRUCTIONS,
        lifespan=_nothing,
        # Tools differ by caller, and none of them wants its arguments repeated in headers.
        get_tool_input_schema=lambda name: None,  # noqa: ARG005  # named so by the SDK
        on_list_tools=answers.list_tools,
        on_call_tool=answers.call_tool,
        on_list_resources=answers.list_resources,
        on_list_resource_templates=answers.list_templates,
        on_read_resource=answers.read_resource,
        on_list_prompts=answers.list_prompts,
        on_get_prompt=answers.get_prompt,
        on_completion=answers.complete,
    )
    server.middleware.clear()  # it would tell whoever traces this process about every call
    if on_ready is not None:
        ready = on_ready

        async def initialized(ctx: Context, params: types.NotificationParams) -> None:  # noqa: ARG001  # as called
            ready()

        server.add_notification_handler(
            "notifications/initialized", types.NotificationParams, initialized
        )
    return server


@asynccontextmanager
async def _nothing(server: "Server[object]") -> AsyncIterator[object]:  # noqa: ARG001  # as called
    yield None


class _Answers:
    """What each method of the protocol is answered with."""

    def __init__(self, seat_of: SeatOf, workshop: Workshop) -> None:
        self._seat_of = seat_of
        self._workshop = workshop

    async def list_tools(
        self,
        ctx: Context,
        params: types.PaginatedRequestParams | None,  # noqa: ARG002  # there is one page
    ) -> types.ListToolsResult:
        """The tools this caller may use."""
        seat = self._seat_of(ctx.request)
        return types.ListToolsResult(tools=[_listed_tool(each) for each in seat.tools.values()])

    async def call_tool(
        self, ctx: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        """Do what a tool does; a refusal is an answer that says so."""
        seat = self._seat_of(ctx.request)
        tool = seat.tools.get(params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, "There is no such tool.")
        operation = tool.operation
        errand = Errand(_teller(ctx) if operation.is_long else None)

        def work() -> tuple[str, Document]:
            given = parse_document(operation, params.arguments or {}, {})
            engram = seat.engram()
            document = seat.shown(operation.run(engram, placed(engram, given), errand.progress))
            return tool.told(document), tool.brief(document)

        try:
            text, document = await self._workshop.do(
                lambda: attempted(work), errand, is_long=operation.is_long
            )
        except EngramError as error:
            seat.note_refusal(error)
            return _refused(error)
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=text)], structured_content=document
        )

    async def list_resources(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """What there is to read, page by page."""
        start = _start_of(params.cursor if params else None)
        seat = self._seat_of(ctx.request)
        found, following = await self._do(ctx, lambda: resources.listed(seat.engram(), start))
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=each.uri, name=each.name, description=each.description, mime_type=_TEXT
                )
                for each in found
            ],
            next_cursor=None if following is None else str(following),
        )

    async def list_templates(
        self,
        ctx: Context,  # noqa: ARG002  # the same for everybody
        params: types.PaginatedRequestParams | None,  # noqa: ARG002  # there is one page
    ) -> types.ListResourceTemplatesResult:
        """How addresses of what can be read are made."""
        return types.ListResourceTemplatesResult(
            resource_templates=[
                types.ResourceTemplate(
                    uri_template=each.uri,
                    name=each.name,
                    description=each.description,
                    mime_type=_TEXT,
                )
                for each in resources.TEMPLATES
            ]
        )

    async def read_resource(
        self, ctx: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """The text behind an address."""
        seat, uri = self._seat_of(ctx.request), str(params.uri)
        text = await self._do(ctx, lambda: resources.read(seat.engram(), uri))
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=params.uri, mime_type=_TEXT, text=text)]
        )

    async def list_prompts(
        self,
        ctx: Context,  # noqa: ARG002  # the same for everybody
        params: types.PaginatedRequestParams | None,  # noqa: ARG002  # there is one page
    ) -> types.ListPromptsResult:
        """The prompts there are."""
        return types.ListPromptsResult(
            prompts=[_listed_prompt(each) for each in prompts.PROMPTS.values()]
        )

    async def get_prompt(
        self, ctx: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        """A prompt with what it was given."""
        prompt = prompts.PROMPTS.get(params.name)
        if prompt is None:
            raise MCPError(types.INVALID_PARAMS, "There is no such prompt.")
        seat, given = self._seat_of(ctx.request), params.arguments or {}
        text = await self._do(ctx, lambda: prompts.written(seat.engram(), prompt, given))
        message = types.PromptMessage(
            role="user", content=types.TextContent(type="text", text=text)
        )
        return types.GetPromptResult(description=prompt.description, messages=[message])

    async def complete(
        self, ctx: Context, params: types.CompleteRequestParams
    ) -> types.CompleteResult:
        """How a value may go on that somebody has begun to type."""
        seat, asked = self._seat_of(ctx.request), params.argument
        values, total = await self._do(
            ctx, lambda: prompts.completed(seat.engram(), asked.name, asked.value)
        )
        completion = types.Completion(values=values, total=total, has_more=total > len(values))
        return types.CompleteResult(completion=completion)

    async def _do(self, ctx: Context, work: Callable[[], T]) -> T:
        """Have something looked up by a thread; a refusal is an error of the protocol."""
        try:
            return await self._workshop.do(lambda: attempted(work))
        except EngramError as error:
            self._seat_of(ctx.request).note_refusal(error)
            raise _protocol_error(error, ctx.protocol_version) from error


@lru_cache(maxsize=256)
def _listed_tool(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        description=tool.operation.summary,
        input_schema=schema_of(tool.operation.takes),
        output_schema=shape_of(tool.operation.gives) if tool.has_shape else None,
        annotations=types.ToolAnnotations.model_validate(tool.hints()),
    )


def _listed_prompt(prompt: prompts.Prompt) -> types.Prompt:
    return types.Prompt(
        name=prompt.name,
        description=prompt.description,
        arguments=[
            types.PromptArgument(
                name=each.name, description=each.description, required=each.is_required
            )
            for each in prompt.arguments
        ],
    )


def _refused(error: EngramError) -> types.CallToolResult:
    """A refusal as a tool's answer: its code, what went wrong, what to do next."""
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=str(error))],
        structured_content=error_document(error),
        is_error=True,
    )


def _protocol_error(error: EngramError, version: str) -> MCPError:
    code = types.INTERNAL_ERROR
    if isinstance(error, InvalidInput | AccessDenied | MemoryNotFound):
        code = types.INVALID_PARAMS
    if isinstance(error, MemoryNotFound) and version in greeting.HANDSHAKE_VERSIONS:
        code = _UNKNOWN_RESOURCE
    return MCPError(code, str(error), error_document(error)["error"])


def _start_of(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not cursor.isascii() or not cursor.isdigit() or len(cursor) > len(str(10**6)):
        raise MCPError(types.INVALID_PARAMS, "There is no such page.")
    return int(cursor)


def _teller(ctx: Context) -> Callable[[int, int], "Future[None]"]:
    """Tells the client from a thread how far its request is."""
    loop = asyncio.get_running_loop()

    def tell(done: int, total: int) -> "Future[None]":
        told = ctx.session.report_progress(done, total if total > 0 else None)
        return asyncio.run_coroutine_threadsafe(told, loop)

    return tell


# Messages, for whoever carries them


def message_of(document: Mapping[str, object]) -> SessionMessage | None:
    """A message as the SDK wants it; None when the document is none."""
    chosen: type[types.JSONRPCMessage]
    if "method" in document:
        chosen = types.JSONRPCRequest if "id" in document else types.JSONRPCNotification
    else:
        chosen = types.JSONRPCError if "error" in document else types.JSONRPCResponse
    try:
        return SessionMessage(chosen.model_validate(document))
    except ValidationError:
        return None


def document_of(message: SessionMessage) -> dict[str, object]:
    """A message as it is sent."""
    return cast("dict[str, object]", message.message.model_dump(by_alias=True, exclude_unset=True))


async def run_server(
    server: "Server[object]",
    incoming: MemoryObjectReceiveStream[SessionMessage],
    outgoing: MemoryObjectSendStream[SessionMessage],
) -> None:
    """Answer what comes in until there is no more."""
    await server.run(incoming, outgoing, server.create_initialization_options())


# Over HTTP


class Exchange:
    """One server over streamable HTTP, each request by itself.

    No session is kept between requests: there is none to take over, none to run out of, and any of
    several processes can answer the next request.
    """

    def __init__(self, server: "Server[object]", *, max_body_bytes: int) -> None:
        self._transport = StreamableHTTPSessionManager(
            server,
            stateless=True,
            # The gate in front has looked at Host and Origin before this is asked.
            security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
            max_request_body_size=max_body_bytes,
        )

    def running(self) -> AbstractAsyncContextManager[None]:
        """Requests are answered while this is entered."""
        return self._transport.run()

    async def answer(self, scope: object, receive: object, send: object) -> None:
        """Answer one request."""
        # ASGI: what the server in front hands over is handed on.
        await self._transport.handle_request(scope, receive, send)  # type: ignore[arg-type]
