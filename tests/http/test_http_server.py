"""The real process: how it starts and ends, and what it makes of those who mean no good."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

import pytest
from client import spoken

from engram import Engram

ENGRAM = [sys.executable, "-m", "engram"]
# The same program with less patience, so that a test need not have it.
HASTY = [
    sys.executable,
    "-c",
    "import engram.surfaces.http.server as s; s._HEAD_SECONDS = 0.5\n"
    "from engram.surfaces.cli import main; main()",
]


@dataclass
class Running:
    """A server process."""

    process: subprocess.Popen
    port: int
    key: str

    def ask(self, method: str, path: str, document: object = None, *, key: str | None = None):
        line = HTTPConnection("127.0.0.1", self.port, timeout=20)
        headers = {"Authorization": f"Bearer {key or self.key}", "Content-Type": "application/json"}
        line.request(method, path, json.dumps(document) if document is not None else None, headers)
        reply = line.getresponse()
        body = reply.read()
        line.close()
        return reply.status, json.loads(body) if body else None

    def head(self, more: str = "", path: str = "/api/v1/memories", method: str = "POST") -> bytes:
        return (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            f"Authorization: Bearer {self.key}\r\nContent-Type: application/json\r\n{more}"
        ).encode()

    def end(self, number: int = signal.SIGTERM) -> tuple[int, float]:
        began = time.monotonic()
        self.process.send_signal(number)
        code = self.process.wait(15)
        return code, time.monotonic() - began


@contextmanager
def serving(
    store: Path, *options: str, program: list[str] = ENGRAM, **settings: str
) -> Iterator[Running]:
    with Engram.open(store) as engram:
        key = engram.issue_key("test", role="writer", kind="person").text
    process = subprocess.Popen(
        [*program, "serve", "--port", "0", "--json", "--store", str(store), *options],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, **settings},
    )  # fmt: skip
    try:
        told = "".join(iter(process.stdout.readline, "}\n")) + "}"
        port = int(json.loads(told)["url"].rpartition(":")[2])
        yield Running(process, port, key)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        process.wait(10)
        process.stdout.close()
        process.stderr.close()


@pytest.fixture(scope="module")
def shared(tmp_path_factory) -> Iterator[Running]:
    """One server for all who only speak to it."""
    store = tmp_path_factory.mktemp("shared") / "store"
    with serving(store, ENGRAM_EMBEDDER__KIND="hashing") as running:
        yield running


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_told_to_stop_it_ends_in_order_with_what_was_written(tmp_path, number):
    with serving(tmp_path / "store") as server:
        assert server.ask("POST", "/api/v1/memories", {"text": "The build is red."})[0] == 200

        code, seconds = server.end(number)

        assert (code, server.process.stderr.read()) == (0, "")
        assert seconds < 5
    with Engram.open(tmp_path / "store") as engram:
        assert [each.content for each in engram.list()] == ["The build is red."]
        checks = {check.name: check.detail for check in engram.health().checks}
        assert "last run" not in checks  # it left in order


def test_requests_in_flight_are_answered_before_it_ends(tmp_path):
    items = {"items": [{"text": f"Room {number} is free."} for number in range(300)]}
    with serving(tmp_path / "store") as server:
        answers = []
        asking = threading.Thread(
            target=lambda: answers.append(server.ask("POST", "/api/v1/memories/bulk", items))
        )
        asking.start()
        time.sleep(0.15)

        code, seconds = server.end()
        asking.join()

        assert code == 0
        assert seconds < 6
    with Engram.open(tmp_path / "store") as engram:
        kept = engram.stats().memories
    # Either it was begun, and then it was finished and answered; or it was not taken at all.
    assert answers
    assert (answers[0][0], kept) in ((200, 300), (503, 0))


@pytest.mark.failure("F44")
def test_what_was_acknowledged_survives_a_kill(tmp_path):
    with serving(tmp_path / "store") as server:
        for number in range(20):
            status, _ = server.ask("POST", "/api/v1/memories", {"text": f"Room {number} is free."})
            assert status == 200
        server.process.kill()
        server.process.wait(10)
    with Engram.open(tmp_path / "store") as engram:
        assert len(engram.list(limit=100)) == 20


def test_a_port_that_is_taken_is_told(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = subprocess.run(
            [*ENGRAM, "serve", "--port", str(port), "--store", str(tmp_path / "store"), "--json"],
            capture_output=True, text=True, timeout=60,
        )  # fmt: skip

    assert ended.returncode == 1
    assert f"127.0.0.1:{port}" in json.loads(ended.stdout)["error"]["hint"]
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--host", "0.0.0.0"], "--public"),
        (["--host", "0.0.0.0", "--public"], "engram keys issue"),
        (["--workers", "0"], "workers"),
        (["--port", "70000"], "port"),
    ],
)
def test_nobody_listens_beyond_this_machine_by_accident(tmp_path, options, words):
    ended = subprocess.run(
        [*ENGRAM, "serve", "--port", "0", "--store", str(tmp_path / "store"), *options],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip

    assert ended.returncode == 2
    assert words in " ".join(ended.stderr.replace("│", " ").split())


def test_a_server_without_keys_starts_and_says_how_to_make_one(tmp_path):
    process = subprocess.Popen(
        [*ENGRAM, "serve", "--port", "0", "--store", str(tmp_path / "store")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    lines = [process.stdout.readline(), process.stdout.readline()]
    process.terminate()
    process.communicate(timeout=20)

    assert "Engram serves http://127.0.0.1:" in lines[0]
    assert "engram keys issue" in lines[1]


def test_public_needs_a_key_and_answers_to_the_names_it_was_given(tmp_path):
    options = ("--host", "0.0.0.0", "--public", "--allow-host", "memory.example.org")
    with serving(tmp_path / "store", *options) as server:
        for host, status in (("memory.example.org", b"200"), ("evil.example.org", b"421")):
            asked = f"GET /livez HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
            assert spoken(server.port, asked.encode()).split()[1] == status


INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


def test_several_processes_share_the_callers_evenly_and_end_together(tmp_path):
    open_to_us = {"ENGRAM_SECURITY__HARDEN_PROCESS": "false"}  # its /proc is looked at
    with serving(tmp_path / "store", "--workers", "2", **open_to_us) as server:
        lines = [HTTPConnection("127.0.0.1", server.port, timeout=30) for _ in range(8)]
        statuses = [_kept_open(line, server.key) for line in lines]
        children = _children(server)
        held = [_connections(child, server.port) for child in children]
        assert [_greeted(line, server.key) for line in lines] == [200] * 8  # over MCP
        for line in lines:
            line.close()

        code, seconds = server.end()

        assert statuses == [200] * 8
        assert held == [4, 4]
        assert (code, server.process.stderr.read()) == (0, "")
        assert seconds < 8
        assert not [each for each in children if _is_running(each)]


def _greeted(line: HTTPConnection, key: str) -> int:
    headers = {
        "Authorization": f"Bearer {key}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
    }
    line.request("POST", "/mcp", json.dumps(INITIALIZE), headers)
    reply = line.getresponse()
    reply.read()
    return reply.status


def _kept_open(line: HTTPConnection, key: str) -> int:
    line.request("GET", "/api/v1/stats", headers={"Authorization": f"Bearer {key}"})
    reply = line.getresponse()
    reply.read()
    return reply.status


def _children(server: Running) -> list[int]:
    found = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(server.process.pid)], capture_output=True, text=True
    )
    return [int(each) for each in found.stdout.split()]


def _connections(pid: int, port: int) -> int:
    """How many connections of that port a process holds."""
    table = Path("/proc/net/tcp").read_text().splitlines()[1:]
    ours = {row.split()[9] for row in table if int(row.split()[1].rpartition(":")[2], 16) == port}
    held = [str(each.readlink()) for each in Path(f"/proc/{pid}/fd").iterdir()]
    return sum(name.removeprefix("socket:[").rstrip("]") in ours for name in held)


def test_a_child_that_died_is_started_again(tmp_path):
    with serving(tmp_path / "store", "--workers", "2") as server:
        assert server.ask("GET", "/api/v1/stats")[0] == 200
        first = _children(server)
        time.sleep(5.1)  # one that dies sooner would only do so again

        os.kill(first[0], signal.SIGKILL)
        deadline = time.monotonic() + 20
        while len(set(_children(server)) - set(first)) < 1 and time.monotonic() < deadline:
            time.sleep(0.1)

        assert [server.ask("GET", "/api/v1/stats")[0] for _ in range(6)] == [200] * 6


def test_children_end_when_their_parent_was_killed(tmp_path):
    with serving(tmp_path / "store", "--workers", "2") as server:
        assert server.ask("GET", "/api/v1/stats")[0] == 200
        children = _children(server)

        server.process.kill()

        deadline = time.monotonic() + 15
        while any(_is_running(each) for each in children) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert len(children) == 2
        assert not [each for each in children if _is_running(each)]


def _is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


PAGE = Path(__file__).parent.parent.parent / "docs" / "http.md"


@pytest.mark.skipif(shutil.which("curl") is None, reason="the page shows curl")
@pytest.mark.parametrize(
    "example",
    re.findall(r"^```bash\n(curl .*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S),
)
def test_the_examples_of_the_page_work(shared, example):
    command = example.replace("curl ", "curl -sS --fail ").replace(":8377", f":{shared.port}")

    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, timeout=30,
        env={**os.environ, "ACCESS_KEY": shared.key},
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)


# Those who mean no good


def statuses(heard: bytes) -> list[int]:
    return [int(each) for each in re.findall(rb"HTTP/1\.1 (\d{3}) ", heard)]


def test_a_gigabyte_that_is_announced_is_refused_unread(shared):
    began = time.monotonic()

    heard = spoken(shared.port, shared.head("Content-Length: 1073741824\r\n\r\n"))

    assert statuses(heard) == [413]
    assert b"connection: close" in heard.lower()
    assert time.monotonic() - began < 3


def test_a_body_without_an_end_is_read_no_further_than_allowed(shared):
    chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    with socket.create_connection(("127.0.0.1", shared.port), timeout=10) as line:
        line.sendall(shared.head("Transfer-Encoding: chunked\r\n\r\n"))
        sent = 0
        with suppress(OSError):
            for _ in range(2_000):
                line.sendall(chunk)
                sent += len(chunk)
        heard = b""
        with suppress(OSError):
            heard = line.recv(65_536)

    assert sent < 60_000_000
    assert not heard or statuses(heard) == [413]
    assert shared.ask("GET", "/api/v1/stats")[0] == 200


@pytest.mark.parametrize(
    "wrong",
    [
        "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        "Content-Length: -1\r\n\r\n",
        "Content-Length: abc\r\n\r\n",
        "Content-Length: 99999999999999999999999\r\n\r\n",
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: gzip\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\nZZZ\r\n",
        "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
        "X-Bad\x00: 1\r\n\r\n",
        "X-Bad : 1\r\n\r\n",
        " folded\r\n\r\n",
        "X: " + "a" * 100_000 + "\r\n\r\n",
    ],
)
def test_a_head_that_can_be_read_in_two_ways_is_refused(shared, wrong):
    heard = spoken(shared.port, shared.head(wrong), seconds=1)

    assert len(statuses(heard)) <= 1
    assert not heard or 400 <= statuses(heard)[0] < 600
    assert statuses(heard) != [500]
    assert shared.ask("GET", "/api/v1/stats")[0] == 200


def test_less_body_than_announced_is_not_taken_for_all_of_it(shared):
    before = shared.ask("GET", "/api/v1/stats")[1]["memories"]
    body = b'{"text": "The build is red."}'

    with socket.create_connection(("127.0.0.1", shared.port)) as line:
        line.sendall(shared.head(f"Content-Length: {len(body) + 5}\r\n\r\n") + body)
    time.sleep(0.3)

    assert shared.ask("GET", "/api/v1/stats")[1]["memories"] == before


@pytest.mark.parametrize(
    "garbage",
    [
        b"\x00" * 1_000,
        b"GET\r\n\r\n",
        b"\x16\x03\x01\x02\x00",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\r\n" * 5_000,
    ],
)
def test_what_is_no_http_harms_nobody(shared, garbage):
    heard = spoken(shared.port, garbage, seconds=1)

    assert statuses(heard) in ([], [400], [421])
    assert shared.ask("GET", "/api/v1/stats")[0] == 200


def test_two_requests_in_one_packet_are_two_requests(shared):
    one = shared.head("\r\n", "/api/v1/stats", "GET")
    last = shared.head("Connection: close\r\n\r\n", "/api/v1/stats", "GET")

    assert statuses(spoken(shared.port, one + last)) == [200, 200]


def test_many_at_once_are_all_answered(shared):
    replies: list[int] = []

    def ask() -> None:
        for _ in range(5):
            replies.append(shared.ask("GET", "/api/v1/stats")[0])

    threads = [threading.Thread(target=ask) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert replies == [200] * 100


def test_who_dribbles_is_not_waited_for(tmp_path):
    with serving(
        tmp_path / "store", program=HASTY, ENGRAM_NETWORK__REQUEST_SECONDS="0.5"
    ) as server:
        silent = spoken(server.port, b"", seconds=5)
        slow_head = _dribbled(server.port, server.head()[:40])
        slow_body = _dribbled(server.port, server.head("Content-Length: 400\r\n\r\n{"))
        refused = _dribbled(
            server.port, b"GET / HTTP/1.1\r\nHost: evil\r\nContent-Length: 9\r\n\r\n"
        )

        assert (silent, slow_head) == (b"", b"")
        assert statuses(slow_body) == [408]
        assert statuses(refused) == [421]
        assert server.ask("GET", "/livez")[0] == 200


def _dribbled(port: int, begun: bytes) -> bytes:
    """What is heard by somebody who sends one byte at a time; the server must be the one to end."""
    with socket.create_connection(("127.0.0.1", port), timeout=0.2) as line:
        line.sendall(begun)
        heard, deadline = b"", time.monotonic() + 10
        while time.monotonic() < deadline:
            try:
                line.sendall(b"a")
                piece = line.recv(65_536)
            except TimeoutError:
                continue
            except OSError:
                return heard
            if not piece:
                return heard
            heard += piece
    raise AssertionError("the server waited for longer than ten seconds")


def test_mcp_and_streams_lie_behind_the_same_gate(tmp_path):
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    with serving(tmp_path / "store") as server:
        body = json.dumps(hello)
        accept = "Accept: application/json, text/event-stream\r\nConnection: close\r\n"
        length = f"Content-Length: {len(body)}\r\n\r\n"
        greeted = spoken(server.port, server.head(accept + length, "/mcp") + body.encode())
        stream = server.head("\r\n", "/api/v1/streams/changes", "GET")
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as line:
            line.sendall(stream)
            heard = line.recv(65_536)
            assert server.ask("GET", "/mcp", key="nobody")[0] == 401
            assert server.ask("GET", "/api/v1/streams/changes", key="nobody")[0] == 401

            code, seconds = server.end()

    assert statuses(greeted) == [200]
    assert b"serverInfo" in greeted
    assert statuses(heard) == [200]
    assert b"text/event-stream" in heard
    assert code == 0
    assert seconds < 5


def test_connections_beyond_the_limit_are_closed_at_once(tmp_path):
    with serving(tmp_path / "store", ENGRAM_NETWORK__MAX_CONNECTIONS="5") as server:
        held = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(5)]
        time.sleep(0.2)
        beyond = [socket.create_connection(("127.0.0.1", server.port), 3) for _ in range(20)]
        heard = [line.recv(1) for line in beyond]  # they say nothing, and are not kept
        held[0].sendall(server.head("\r\n", "/livez", "GET"))
        served = held[0].recv(65_536)
        for line in [*held, *beyond]:
            line.close()
        time.sleep(0.2)

        assert heard == [b""] * 20
        assert statuses(served) == [200]
        assert server.ask("GET", "/api/v1/stats")[0] == 200


def test_nothing_is_printed_by_a_server_whatever_it_is_sent(tmp_path):
    canary = "canary-9d1e"
    with serving(tmp_path / "store") as server:
        server.ask("GET", f"/{canary}")
        server.ask("POST", "/api/v1/memories", {"text": canary, "scope": f"project={canary}"})
        spoken(server.port, f"GET /{canary} {canary}\r\n{canary}\r\n\r\n".encode(), seconds=1)
        upgrade = f"Upgrade: {canary}\r\nConnection: upgrade\r\n\r\n"
        spoken(server.port, server.head(upgrade, "/livez", "GET"), seconds=1)
        server.end()
        printed = server.process.stdout.read() + server.process.stderr.read()
        logged = "".join(
            path.read_text() for path in (tmp_path / "store" / "logs").rglob("*") if path.is_file()
        )

    assert printed == ""
    assert canary not in logged
