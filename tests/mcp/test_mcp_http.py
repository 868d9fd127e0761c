"""The same server over HTTP: each request by its key, whatever came before it."""

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager

import anyio
import httpx2
import pytest
import uvicorn
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from engram import Engram, Scope
from engram.errors import RequestTimeout
from engram.memory.access import Admission
from engram.surfaces.http.app import Service
from engram.surfaces.http.gate import Names
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
    with served_by(lambda port: Behind(owner, tools)) as url:  # any port
        yield url


@contextmanager
def served_behind_the_gate(owner: Engram):
    """The same as part of the whole service."""
    services = []

    def app(port: int):
        services.append(Service(owner, Names.of(port), has_mcp=True))
        return services[0].app()

    with served_by(app) as url:
        yield url
    services[0].close()


@contextmanager
def served_by(app):
    """Serve an app that is made for a port."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        config = uvicorn.Config(app(port), log_level="error", lifespan="on", ws="none")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{port}/mcp"
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


# The limits of the service


def called(text: str, tool: str, **arguments: object) -> dict[str, object]:
    """One request by itself, as the SDK sends it."""
    return {
        "json": {
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments},
        },
        "headers": {
            "Authorization": f"Bearer {text}",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2025-11-25",
        },
    }  # fmt: skip


def test_a_tool_that_takes_too_long_is_given_up(open_store, monkeypatch):
    owner = open_store(settings={"network": {"request_seconds": 0.3}})
    is_answered = threading.Event()
    monkeypatch.setattr(Engram, "list", lambda *_, **__: is_answered.wait(10))

    with served_behind_the_gate(owner) as url:
        answer = asked(url, key(owner), lambda caller: caller.call_tool("memory_list", {}))[0]
        is_answered.set()

    assert answer.is_error
    assert answer.structured_content["error"]["code"] == RequestTimeout.code


def test_what_is_deeper_than_allowed_is_not_parsed(open_store):
    owner = open_store(settings={"network": {"max_depth": 4}})
    text = key(owner)

    with served_behind_the_gate(owner) as url, httpx2.Client(timeout=30) as http:
        flat = http.post(url, **called(text, "memory_store", content="Ada lives in Porto."))
        deep = http.post(url, **called(text, "memory_store", content=[["Ada lives in Porto."]]))

    assert flat.status_code == 200
    assert deep.status_code == 400
    assert "network.max_depth" in deep.json()["detail"]


def test_tools_and_requests_are_worked_on_by_the_same_threads(open_store, monkeypatch):
    owner = open_store(settings={"network": {"threads": 1}})
    text, running, most = key(owner), [], []

    def slow(*_: object, **__: object) -> list[object]:
        running.append(1)
        most.append(len(running))
        time.sleep(0.2)
        running.pop()
        return []

    monkeypatch.setattr(Engram, "list", slow)
    with served_behind_the_gate(owner) as url, httpx2.Client(timeout=30) as http:
        memories = url.replace("/mcp", "/api/v1/memories")
        asks = [
            lambda: http.post(url, **called(text, "memory_list")),
            lambda: http.get(memories, headers={"Authorization": f"Bearer {text}"}),
        ]
        with ThreadPoolExecutor(2) as pool:
            answers = [each.result() for each in [pool.submit(ask) for ask in asks]]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert most == [1, 1]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ('{"password":"hunter2"}', -32600),
        ('["hunter2"]', -32600),
        ("[]", -32600),
        ('{"jsonrpc":"2.0","id":7,"method":{"name":"hunter2"}}', -32600),
        ('{"jsonrpc":"2.0","result":"hunter2","id":["hunter2"]}', -32600),
        ("hunter2", -32700),
        ("", -32700),
    ],
)
def test_what_is_no_message_is_refused_without_repeating_it(owner, body, code):
    headers = {**called(key(owner), "")["headers"], "Content-Type": "application/json"}
    with served_behind_the_gate(owner) as url, httpx2.Client(timeout=30) as http:
        answer = http.post(url, content=body.encode(), headers=headers)

    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == code
    assert "hunter2" not in answer.text
    assert "input_value" not in answer.text


def test_an_owner_reaches_a_memory_of_any_scope_by_its_id(owner):
    owner.remember("Acme plans a launch.", scope=Scope(project="acme"))
    name = {"id": "mem-0001"}
    with served(owner) as url:
        admin, writer = key(owner, "admin", kind="person"), key(owner)
        read, pinned, deleted, page = asked(
            url, admin,
            lambda caller: caller.call_tool("get", {"memory_id": "mem-0001"}),
            lambda caller: caller.call_tool("pin", {"memory_id": "mem-0001"}),
            lambda caller: caller.call_tool("memory_delete", name),
            lambda caller: caller.read_resource("memory://memory/mem-0001"),
        )  # fmt: skip
        refused = asked(url, writer, lambda caller: caller.call_tool("memory_delete", name))[0]

    assert read.structured_content["content"] == "Acme plans a launch."
    assert not pinned.is_error
    assert deleted.structured_content["memory"]["status"] == "archived"
    assert "Acme" in page.contents[0].text
    assert refused.structured_content["error"]["code"] == "E2005"


def test_a_listing_goes_on_where_its_last_line_says(owner):
    for number in range(4):
        owner.remember(f"Fact number {number}.")
    with served(owner, "standard") as url:
        first, second = asked(
            url,
            key(owner),
            lambda caller: caller.call_tool("memory_list", {"limit": 2}),
            lambda caller: caller.call_tool("memory_list", {"limit": 2, "before": "mem-0003"}),
        )

    assert first.content[0].text.endswith("More: before=mem-0003")
    assert [each["label"] for each in second.structured_content["memories"]] == [
        "mem-0002", "mem-0001",
    ]  # fmt: skip
    assert "More" not in second.content[0].text
