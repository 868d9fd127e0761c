"""How soon a fresh MCP server answers, beside a bare server of the SDK that has no tools."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.figures import Figure, middle

_RUNS = 11
_SLOWEST = 1.25  # times a server that has nothing to offer
_ENGRAM = [sys.executable, "-m", "engram", "mcp"]
_BARE = """
import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

async def main():
    server = Server("bare")
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())

anyio.run(main)
"""
_PARAMS = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}
_READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


class _Server:
    """A server that has just been started."""

    def __init__(self, command: list[str]) -> None:
        self.started = time.perf_counter()
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self) -> "_Server":
        return self

    def __exit__(self, *failure: object) -> None:
        self._process.communicate(timeout=30)

    def ask(self, method: str, **params: object) -> tuple[float, dict[str, object]]:
        """Ask, and give back how many milliseconds after the start the answer was there."""
        self._write({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        assert self._process.stdout is not None
        answer = json.loads(self._process.stdout.readline())
        taken = (time.perf_counter() - self.started) * 1000
        assert "result" in answer, answer
        assert not answer["result"].get("isError"), answer
        return taken, answer["result"]

    def ready(self) -> None:
        self._write(_READY)

    def _write(self, message: dict[str, object]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()


def measure(folder: Path) -> list[Figure]:
    """The first answer of all, the list of tools, the first memory and the first recall."""
    bare = [sys.executable, "-c", _BARE]
    ours = [*_ENGRAM, "--store", str(folder / "mcp-start")]
    _first_session(ours)  # makes the store
    samples: list[tuple[float, ...]] = []
    for _ in range(_RUNS):  # in turns, so that both meet the same machine
        samples.append((_initialize(bare), *_first_session(ours)))
    plain, initialize, listed, stored, found = (
        middle(list(each)) for each in zip(*samples, strict=True)
    )
    within = initialize <= _SLOWEST * plain
    return [
        Figure("MCP initialize", initialize, "ms", plain, "bare SDK", f"≤ {_SLOWEST}×", within),
        Figure("MCP tools/list after the start", listed, "ms", None, "", "", True),
        Figure("MCP first memory stored after the start", stored, "ms", None, "", "", True),
        Figure("MCP first recall after the start", found, "ms", None, "", "", True),
        *_sizes(folder),
    ]


def _initialize(command: list[str]) -> float:
    with _Server(command) as server:
        return server.ask("initialize", **_PARAMS)[0]


def _first_session(command: list[str]) -> tuple[float, ...]:
    with _Server(command) as server:
        asked: list[Callable[[], float]] = [
            lambda: server.ask("initialize", **_PARAMS)[0],
            lambda: server.ask("tools/list")[0],
            lambda: _call(server, "memory_store", content="Billing runs on Postgres 17."),
            lambda: _call(server, "memory_search", query="which database runs billing?"),
        ]
        first = asked[0]()
        server.ready()
        return (first, *[act() for act in asked[1:]])


def _call(server: _Server, tool: str, **arguments: object) -> float:
    return server.ask("tools/call", name=tool, arguments=arguments)[0]


def _sizes(folder: Path) -> list[Figure]:
    """What each set of tools takes of every prompt."""
    figures = []
    for name, most in (("minimal", 1_024), ("standard", 4_096), ("full", 0)):
        options = ["--tools", name, "--as", "person", "--store", str(folder / "mcp-start")]
        with _Server([*_ENGRAM, *options]) as server:
            server.ask("initialize", **_PARAMS)
            server.ready()
            tools = server.ask("tools/list")[1]["tools"]
        size = len(json.dumps(tools, separators=(",", ":")).encode())
        bar = f"≤ {most:,} bytes" if most else ""
        holds = size <= most or not most
        figures.append(Figure(f"MCP tools, {name}", size, "bytes", None, "", bar, holds))
    return figures
