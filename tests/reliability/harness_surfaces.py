"""Callers of one store through every door: MCP over pipes, HTTP, the command line.

Each writes and asks until it is told to stop, and keeps what it was told is kept. Whatever is not
an answer is noted as a failure.
"""

import http.client
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from harness_child import environment

PROGRAM = [sys.executable, "-m", "engram"]
HANDSHAKE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "load", "version": "1"},
}
ANSWER_SECONDS = 30


@dataclass
class Account:
    """What one caller was told is kept, and what went wrong."""

    name: str
    kept: list[str] = field(default_factory=list)
    recalls: int = 0
    failures: list[str] = field(default_factory=list)


class McpCaller:
    """A client of a server over pipes, one request at a time."""

    def __init__(self, store: Path) -> None:
        self.process = subprocess.Popen(
            [*PROGRAM, "mcp", "--store", str(store)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=surroundings(),
        )
        self._last = 0
        self.ask("initialize", HANDSHAKE)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, params: dict[str, object]) -> dict:
        """The answer to a request: the next line with its number."""
        self._last += 1
        self._send({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params})
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise ConnectionError("the server has gone")
            answer = json.loads(line)
            if answer.get("id") == self._last:
                return answer

    def call(self, tool: str, **arguments: object) -> dict:
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments})
        if "result" not in answer or answer["result"].get("isError"):
            raise AssertionError(json.dumps(answer)[:400])
        return answer["result"]

    def _send(self, message: dict[str, object]) -> None:
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def close(self) -> int:
        """Close its input, which ends it; how it ended."""
        self.process.stdin.close()
        code = self.process.wait(15)
        self.process.stdout.close()
        return code


class HttpCaller:
    """A caller of the API with a key, on a connection that stays open."""

    def __init__(self, address: str, key: str) -> None:
        self._place = urlsplit(address)
        self._key = key
        self._connection = self._connected()

    def _connected(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(
            self._place.hostname, self._place.port, timeout=ANSWER_SECONDS
        )

    def post(self, path: str, document: dict[str, object]) -> dict:
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        self._connection.request("POST", f"/api/v1{path}", json.dumps(document), headers)
        answer = self._connection.getresponse()
        read = answer.read()
        if not 200 <= answer.status < 300:
            raise AssertionError(f"{answer.status}: {read[:300]!r}")
        return json.loads(read)

    def close(self) -> None:
        self._connection.close()


def surroundings() -> dict[str, str]:
    """As a user has it, but that nothing is started that the test did not start."""
    found = environment({"ENGRAM_DAEMON__START": "never"})
    return {name: value for name, value in found.items() if name != "PYTHONPATH"}


def run_command(store: Path, *arguments: str) -> dict:
    """One command in a process of its own; its document."""
    done = subprocess.run(
        [*PROGRAM, *arguments, "--store", str(store), "--json"],
        capture_output=True,
        env=surroundings(),
        timeout=60,
        check=False,
    )
    if done.returncode != 0:
        raise AssertionError(f"{arguments[0]}: {done.stdout[:300]!r} {done.stderr[:300]!r}")
    return json.loads(done.stdout)


@contextmanager
def ended(process: "subprocess.Popen[bytes]") -> Iterator["subprocess.Popen[bytes]"]:
    """A process that does not outlive the test."""
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None and not pipe.closed:
                pipe.close()


@contextmanager
def http_server(store: Path) -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """`engram serve`, and where it answers."""
    command = [*PROGRAM, "serve", "--store", str(store), "--port", "0", "--json"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, env=surroundings())
    with ended(server):
        text = b""
        while not text.rstrip().endswith(b"}"):
            line = server.stdout.readline()
            assert line, "the server has not begun"
            text += line
        yield json.loads(text)["url"], server


@contextmanager
def daemon(store: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """The process in the background."""
    started = subprocess.Popen(
        [sys.executable, "-m", "engram.surfaces.daemon", str(store)],
        stdin=subprocess.DEVNULL,
        env=surroundings(),
    )
    with ended(started):
        yield started


def keep_calling(
    account: Account,
    is_over: Callable[[], bool],
    remember: Callable[[str], object],
    recall: Callable[[str], object],
) -> None:
    """Tell and ask in turn until it is over; what was answered is kept for the reckoning."""
    number = 0
    while not is_over():
        text = f"{account.name} keeps parcel {number} on shelf {number % 7}."
        try:
            remember(text)
            account.kept.append(text)
            recall(f"Where does {account.name} keep parcel {number}?")
            account.recalls += 1
        except (AssertionError, OSError, ValueError, subprocess.SubprocessError,
                http.client.HTTPException) as error:  # fmt: skip
            account.failures.append(f"{type(error).__name__}: {error}")
            if len(account.failures) > 3:
                return
        number += 1


def largest_log(store: Path, is_over: Callable[[], bool]) -> Callable[[], int]:
    """Watch how large the write-ahead log becomes; call what is returned for the answer."""
    seen = [0]

    def watch() -> None:
        while not is_over():
            with suppress(OSError):
                seen[0] = max(seen[0], (store / "engram.db-wal").stat().st_size)
            threading.Event().wait(0.05)

    watching = threading.Thread(target=watch)
    watching.start()

    def answer() -> int:
        watching.join()
        return seen[0]

    return answer


def everyone(store: Path, key: str, is_over: Callable[[], bool]) -> list[Account]:
    """Two MCP servers, one HTTP server with two callers, commands and a daemon, all at once."""
    accounts = [Account(name) for name in ("Ada", "Bruno", "Chen", "Dalia", "Emeka")]
    with ExitStack() as doors:
        background = doors.enter_context(daemon(store))
        address, server = doors.enter_context(http_server(store))
        mcp = [McpCaller(store) for _ in range(2)]
        for each in mcp:
            doors.enter_context(ended(each.process))
        web = [HttpCaller(address, key) for _ in range(2)]
        for each in web:
            doors.callback(each.close)
        ways = [
            *[_by_mcp(each) for each in mcp],
            *[_by_http(each) for each in web],
            _by_command(store),
        ]
        threads = [
            threading.Thread(target=keep_calling, args=(account, is_over, *way))
            for account, way in zip(accounts, ways, strict=True)
        ]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        _note_those_that_ended(accounts, {"daemon": background, "HTTP server": server})
        endings = [each.close() for each in mcp]
        accounts[0].failures += [f"an MCP server ended with {code}" for code in endings if code]
    return accounts


def _note_those_that_ended(accounts: list[Account], processes: dict[str, object]) -> None:
    for name, process in processes.items():
        if process.poll() is not None:
            accounts[0].failures.append(f"the {name} ended with {process.returncode}")


_Way = tuple[Callable[[str], object], Callable[[str], object]]


def _by_mcp(caller: McpCaller) -> _Way:
    return (
        lambda text: caller.call("memory_store", content=text),
        lambda question: caller.call("memory_search", query=question),
    )


def _by_http(caller: HttpCaller) -> _Way:
    return (
        lambda text: caller.post("/memories", {"text": text}),
        lambda question: caller.post("/recall", {"query": question, "limit": 3}),
    )


def _by_command(store: Path) -> _Way:
    return (
        lambda text: run_command(store, "remember", text),
        lambda question: run_command(store, "recall", question, "--limit", "3"),
    )
