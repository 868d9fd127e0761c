"""The first answer is given by hand; it must be the one that the SDK gives."""

import json
from itertools import product

import anyio
import mcp_types
import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_HANDSHAKE_VERSION

from engram.surfaces.mcp import greeting
from engram.surfaces.mcp.adapter import document_of, make_server, message_of, run_server
from engram.surfaces.mcp.seats import Seat
from engram.surfaces.work import Workshop

CLIENTS = ({"name": "a", "version": "1"}, {"name": "ä\n", "version": "", "title": "日本"})
CAPABILITIES = (
    {},
    {"roots": {"listChanged": True}, "sampling": {}},
    {"roots": {}, "elicitation": {"form": {}, "url": {}}},
    {"sampling": {"context": {}, "tools": {}}, "experimental": {}},
)
VERSIONS = (*HANDSHAKE_PROTOCOL_VERSIONS, "2026-07-28", "2099-01-01", "", "1.0", "zzz")


def initialize(known=1, version="2025-11-25", capabilities=None, client=None, **more):
    params = {
        "protocolVersion": version,
        "capabilities": capabilities or {},
        "clientInfo": client or CLIENTS[0],
    }
    return {"jsonrpc": "2.0", "id": known, "method": "initialize", "params": params} | more


def answer_of_the_sdk(document):
    """What the SDK answers by itself, through the same server."""

    def nobody(request):
        return Seat({}, lambda: pytest.fail("the store was opened"))

    async def ask():
        server = make_server(nobody, Workshop(1))
        to_server, incoming = anyio.create_memory_object_stream(1)
        outgoing, from_server = anyio.create_memory_object_stream(1)
        async with anyio.create_task_group() as group, from_server:
            group.start_soon(run_server, server, incoming, outgoing)
            await to_server.send(message_of(document))
            answer = document_of(await from_server.receive())
            await to_server.aclose()
        return answer

    return anyio.run(ask)


def greeted(document):
    return greeting.greet(json.dumps(document).encode())


@pytest.mark.parametrize("version", VERSIONS)
def test_the_greeting_is_the_answer_of_the_sdk(version):
    for capabilities, client, known in product(CAPABILITIES, CLIENTS, (0, -5, 2**60, "", "é-1")):
        document = initialize(known, version, capabilities, client)

        assert greeted(document) == answer_of_the_sdk(document)


@pytest.mark.parametrize(
    "document",
    [
        initialize(known=None),
        initialize(known=1.5),
        initialize(known=True),
        initialize(jsonrpc="1.0"),
        initialize(params={}),
        initialize(params=None),
        initialize(params={"protocolVersion": 5, "capabilities": {}, "clientInfo": CLIENTS[0]}),
        initialize(client={"name": "a"}),
        initialize(client={"name": "a", "version": 1}),
        initialize(client={"name": "a", "version": "1", "icons": "x"}),
        initialize(capabilities={"roots": {"listChanged": "yes"}}),
        initialize(capabilities={"roots": []}),
        initialize(capabilities={"experimental": {"a": {"b": 1}}}),
        initialize(version="\ud800"),
        initialize(more=1),
        initialize(method="ping"),
        [initialize()],
        "initialize",
    ],
)
def test_what_is_not_the_plain_handshake_is_left_to_the_sdk(document):
    assert greeted(document) is None


@pytest.mark.parametrize("line", [b"", b"{", b"\xff", b"[" * 10_000, None, 5, b" " * 70_000])
def test_a_line_that_is_no_message_is_left_to_the_sdk(line):
    assert greeting.greet(line) is None


def test_the_versions_and_names_are_those_of_the_sdk():
    assert greeting.HANDSHAKE_VERSIONS == HANDSHAKE_PROTOCOL_VERSIONS
    assert greeting.HANDSHAKE_VERSIONS[-1] == LATEST_HANDSHAKE_VERSION
    assert mcp_types.LATEST_PROTOCOL_VERSION not in greeting.HANDSHAKE_VERSIONS
