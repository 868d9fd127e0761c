"""The same server over HTTP: each request by its key, whatever came before it."""

import socket
import threading
import time
from contextlib import asynccontextmanager, contextmanager

import anyio
import httpx2
import pytest
import uvicorn
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from engram import Engram, Scope
from engram.memory.access import Admission
from engram.surfaces.mcp.http import mcp_app
from engram.surfaces.work import Workshop

KEY = "engram.admission"


class Behind:
    """Stands where the gate does: finds out who is calling by the key, and nothing else."""

    def __init__(self, owner: Engram, tools: str) -> None:
        self.owner = owner
        self.workshop = Workshop(2, most_seconds=lambda: owner.settings.network.request_seconds)
        self.app = mcp_app(owner, lambda scope: scope[KEY], self.workshop, tools=tools)

    async def __call__(self, scope, receive, send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        admission = self.owner.recognise(headers.get("authorization", "").removeprefix("Bearer "))
        assert isinstance(admission, Admission)
        await self.app({**scope, KEY: admission}, receive, send)

    async def _live(self, receive, send) -> None:
        await receive()
        async with self.app.running():
            await send({"type": "lifespan.startup.complete"})
            await receive()
        self.workshop.close()
        await send({"type": "lifespan.shutdown.complete"})


@contextmanager
def served(owner: Engram, tools: str = "full"):
    """Serve on a port of this machine; gives the address."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        config = uvicorn.Config(Behind(owner, tools), log_level="error", lifespan="on", ws="none")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        finally:
            server.should_exit = True
            thread.join(10)


@pytest.fixture
def owner(open_store) -> Engram:
    return open_store()


def key(owner: Engram, role: str = "writer", **options) -> str:
    return owner.issue_key(f"a {role}", role=role, **options).text


@asynccontextmanager
async def client(url: str, text: str, mode: str = "legacy"):
    headers = {"Authorization": f"Bearer {text}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as found,
    ):
        yield found


def asked(url: str, text: str, *questions, mode: str = "legacy"):
    async def talk():
        async with client(url, text, mode) as caller:
            try:
                return [await question(caller) for question in questions]
            except MCPError as refusal:
                return refusal

    found = anyio.run(talk)
    if isinstance(found, MCPError):
        raise found
    return found


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_a_caller_writes_and_recalls_over_http_in_both_eras(owner, mode):
    with served(owner, "standard") as url:
        stored, found = asked(
            url,
            key(owner),
            lambda caller: caller.call_tool("memory_store", {"content": "Ada lives in Porto."}),
            lambda caller: caller.call_tool("memory_search", {"query": "Where does Ada live?"}),
            mode=mode,
        )

    assert stored.structured_content["kind"] == "stored"
    assert found.structured_content["hits"][0]["content"] == "Ada lives in Porto."


def test_tools_are_those_that_the_role_allows_and_none_works_on_files(owner):
    with served(owner) as url:
        by_role = {
            role: {
                tool.name
                for tool in asked(url, key(owner, role), lambda caller: caller.list_tools())[
                    0
                ].tools
            }
            for role in ("reader", "writer", "curator", "admin")
        }

    assert {"recall", "memory_search"} <= by_role["reader"]
    assert not by_role["reader"] & {"remember", "memory_store", "forget", "approve", "issue_key"}
    assert {"remember", "memory_delete"} <= by_role["writer"] - by_role["reader"]
    assert "approve" in by_role["curator"] - by_role["writer"]
    assert "issue_key" in by_role["admin"] - by_role["curator"]
    assert not by_role["admin"] & {"scan", "harvest"}


def test_a_tool_that_is_not_listed_cannot_be_called(owner):
    with served(owner) as url, pytest.raises(MCPError) as refused:
        asked(
            url, key(owner, "reader"), lambda caller: caller.call_tool("remember", {"text": "A."})
        )

    assert refused.value.error.code == -32602
    assert owner.list() == []


def test_each_caller_sees_its_own_scope(owner):
    owner.remember("Acme plans a launch.", scope=Scope(project="acme"))
    owner.remember("Zenith plans a launch.", scope=Scope(project="zenith"))
    with served(owner) as url:
        found = {
            name: asked(
                url,
                key(owner, scope=Scope(project=name)),
                lambda caller: caller.call_tool("list", {}),
                lambda caller: caller.read_resource("memory://recall"),
            )
            for name in ("acme", "zenith")
        }

    for name, other in (("acme", "Zenith"), ("zenith", "Acme")):
        listed, page = found[name]
        assert len(listed.structured_content["memories"]) == 1
        assert other not in listed.model_dump_json() + page.model_dump_json()


def test_a_reader_is_told_no_exact_figures(owner):
    owner.remember("Ada lives in Porto.")
    with served(owner) as url:
        question = {"query": "Where does Ada live?"}
        told = [
            asked(url, key(owner, role), lambda caller: caller.call_tool("recall", question))[0]
            for role in ("reader", "writer")
        ]

    coarse, exact = (each.structured_content["hits"][0]["score"] for each in told)
    assert coarse == round(exact, 1) != exact


def test_no_session_is_kept_so_none_can_be_taken_over(owner):
    with served(owner, "standard") as url, httpx2.Client(timeout=30) as http:
        headers = {
            "Authorization": f"Bearer {key(owner)}",
            "Accept": "application/json, text/event-stream",
        }
        hello = {
            "jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {"protocolVersion": "2025-11-25", "capabilities": {},
                       "clientInfo": {"name": "t", "version": "1"}},
        }  # fmt: skip
        first = http.post(url, json=hello, headers=headers)
        got = [http.request(method, url, headers=headers) for method in ("GET", "DELETE", "PUT")]
        large = http.post(url, content=b"x" * 3_000_000, headers=headers)

    assert first.status_code == 200
    assert "mcp-session-id" not in first.headers
    assert [answer.status_code for answer in got] == [405, 405, 405]
    assert large.status_code == 413


def test_progress_comes_with_the_answer(owner):
    told = []

    async def hear(done, total, message):
        told.append((done, total))

    items = [{"text": f"Fact number {n} of many."} for n in range(300)]
    with served(owner) as url:
        answer = asked(
            url,
            key(owner),
            lambda caller: caller.call_tool(
                "remember_many", {"items": items}, progress_callback=hear
            ),
        )[0]

    assert not answer.is_error
    assert told
    assert told[-1][1] == 300


def test_who_goes_away_has_the_work_called_off(store_path, open_store):
    owner = open_store(settings={"storage": {"rows_per_commit": 10}})
    items = [{"text": f"Fact number {n} of many."} for n in range(1_000)]
    body = {
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "remember_many", "arguments": {"items": items},
                   "_meta": {"progressToken": 1}},
    }  # fmt: skip
    headers = {
        "Authorization": f"Bearer {key(owner)}",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2025-11-25",
    }
    with served(owner) as url, httpx2.Client(timeout=30) as http:
        with http.stream("POST", url, json=body, headers=headers) as answer:
            next(answer.iter_bytes())  # it has begun
        count, before = -1, -2
        while count != before:
            time.sleep(0.5)
            before, count = count, owner.stats().memories

    assert 0 < count < 1_000
