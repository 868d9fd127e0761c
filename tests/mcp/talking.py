"""A client that says what it likes, line by line, to a server in a process of its own."""

import json
import os
import queue
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

COMMAND = [sys.executable, "-m", "engram", "mcp"]
HANDSHAKE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


def request(known: object, method: str, **params: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": known, "method": method, "params": params}


def call(known: object, tool: str, **arguments: object) -> dict[str, object]:
    return request(known, "tools/call", name=tool, arguments=arguments)


INITIALIZE = request(0, "initialize", **HANDSHAKE)
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


class Talk:
    """One server process; every byte it writes is checked to be of the protocol."""

    def __init__(
        self,
        store: Path | str,
        *options: str,
        command: list[str] | None = None,
        is_deaf: bool = False,
        **environment: str,
    ) -> None:
        self.process = subprocess.Popen(
            [*(command or COMMAND), "--store", str(store), *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "ENGRAM_EMBEDDER__KIND": "hashing", **environment},
        )
        self.stderr = b""
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._threads = [
            threading.Thread(target=self._read, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        self._threads[1].start()
        if not is_deaf:
            self.listen()

    def listen(self) -> None:
        """Begin to read what the server says."""
        self._threads[0].start()

    def __enter__(self) -> "Talk":
        return self

    def __exit__(self, *failure: object) -> None:
        self.process.kill()
        self.process.wait()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(5)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with suppress(OSError):
                pipe.close()

    def _read(self) -> None:
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def _read_errors(self) -> None:
        self.stderr = self.process.stderr.read()

    def begin(self) -> dict:
        """Shake hands."""
        self.send(INITIALIZE)
        answer = self.answer()
        self.send(INITIALIZED)
        return answer

    def send(self, *messages: object) -> None:
        for message in messages:
            self.raw(json.dumps(message).encode() + b"\n")

    def raw(self, data: bytes) -> None:
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def answer(self, timeout: float = 30) -> dict:
        """The next line that comes back."""
        line = self._lines.get(timeout=timeout)
        assert line is not None, f"it ended: {self.process.poll()}"
        return json.loads(line, parse_constant=_refused)

    def answers(self, count: int, timeout: float = 60) -> list[dict]:
        return [self.answer(timeout) for _ in range(count)]

    def ask(self, message: dict) -> dict:
        """Send a request and wait for the answer to it; notifications in between are left out."""
        self.send(message)
        while True:
            found = self.answer()
            if found.get("id") == message["id"] and "method" not in found:
                return found

    def tool(self, known: object, name: str, **arguments: object) -> dict:
        """What a tool gives back; it must be an answer, be it a refusal."""
        return self.ask(call(known, name, **arguments))["result"]

    def rest(self, timeout: float = 10) -> list[dict]:
        """Everything that still comes until it ends."""
        found = []
        while (line := self._lines.get(timeout=timeout)) is not None:
            found.append(json.loads(line, parse_constant=_refused))
        return found

    def is_quiet(self, seconds: float = 0.2) -> bool:
        """Whether nothing more comes for a while."""
        try:
            return self._lines.get(timeout=seconds) is None
        except queue.Empty:
            return True

    def end(self, timeout: float = 10) -> float:
        """Close its stdin, and give back how long it took to go."""
        started = time.perf_counter()
        self.process.stdin.close()
        assert self.process.wait(timeout) == 0
        return time.perf_counter() - started

    @property
    def resident_megabytes(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024


def _refused(name: str) -> float:
    raise AssertionError(f"{name} is not JSON")
