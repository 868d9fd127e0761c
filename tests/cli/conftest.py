"""Runs the command line: in this process for breadth, in one of its own, or on a terminal."""

import fcntl
import json
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from command_line import invoke

from engram import Engram


@dataclass(frozen=True)
class Answer:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def document(self):
        """The one JSON document on stdout; anything beside it is an error."""
        return json.loads(self.out)

    @property
    def error_code(self):
        return self.document["error"]["code"]


Run = Callable[..., Answer]


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch):
    for name in list(os.environ):
        if name.startswith("ENGRAM_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("ENGRAM_DAEMON__START", "never")  # no command leaves a process behind


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store that is there, and empty."""
    path = tmp_path / "store"
    Engram.open(path).close()
    return path


@pytest.fixture
def run(store: Path) -> Run:
    """Run a command in this process, on the test's own store."""

    def call(*arguments: object, typed: str | bytes | None = None, **environment: str) -> Answer:
        words = [*map(str, arguments), "--store", str(store)]
        found = invoke(words, typed=typed, env=environment)
        return Answer(found.exit_code, found.stdout, found.stderr)

    return call


@pytest.fixture
def ask(run: Run):
    """Run a command with --json and give back its document; it must succeed."""

    def call(*arguments: object, typed: str | bytes | None = None, **environment: str):
        answer = run(*arguments, "--json", typed=typed, **environment)
        assert answer.code == 0, answer
        return answer.document

    return call


@pytest.fixture
def spawn(store: Path) -> Run:
    """Run a command in a process of its own, as a user's shell does."""

    def call(*arguments: object, typed: str | bytes = b"", **environment: str) -> Answer:
        given = typed.encode() if isinstance(typed, str) else typed
        found = subprocess.run(
            [sys.executable, "-m", "engram", *map(str, arguments)],
            input=given,
            capture_output=True,
            env={**os.environ, "ENGRAM_STORE": str(store), **environment},
            timeout=60,
            check=False,
        )
        return Answer(found.returncode, found.stdout.decode(), found.stderr.decode())

    return call


def _as_in_a_terminal() -> None:
    """Take the terminal, and heed Ctrl-C also where whoever runs the tests ignores it."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Terminal:
    """A command on a terminal, with a person who waits for each question before typing."""

    def __init__(self, store: Path, *arguments: object, **environment: str) -> None:
        self.seen = ""
        self._heeded = 0  # how much of it was already waited for; more may have come with it
        self._near, far = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "engram", *map(str, arguments)],
            stdin=far,
            stdout=far,
            stderr=far,
            env={**os.environ, "ENGRAM_STORE": str(store), "TERM": "xterm", **environment},
            start_new_session=True,
            preexec_fn=_as_in_a_terminal,
        )
        os.close(far)

    def answer(self, question: str, line: str) -> None:
        """Wait for a question, then type a line."""
        self.wait_for(question)
        time.sleep(0.05)  # getpass throws away what was typed before it turned the echo off
        os.write(self._near, line.encode() + b"\n")

    def interrupt(self, typed: str, until: str) -> None:
        """Type half a line and press Ctrl-C, again if need be, until something is shown.

        A key that is pressed just before the line is waited for is noticed only with the next one.
        """
        os.write(self._near, typed.encode())
        self.wait_for(typed)
        for _ in range(30):
            start = len(self.seen)
            os.write(self._near, b"\x03")
            while until not in self.seen[start:] and self._read(1.0):
                pass
            if until in self.seen[start:]:
                self._heeded = len(self.seen)
                return
        pytest.fail(f"Ctrl-C did nothing: {self.seen}")

    def wait_for(self, question: str) -> None:
        """Read on until something is shown that was not waited for before."""
        while (at := self.seen.find(question, self._heeded)) < 0:
            assert self._read(30), f"waited in vain for {question!r}: {self.seen}"
        self._heeded = at + len(question)

    def _read(self, seconds: float) -> bool:
        """Take what is shown, if anything is in time."""
        if not select.select([self._near], [], [], seconds)[0]:
            return False
        try:
            self.seen += os.read(self._near, 4096).decode(errors="replace")
        except OSError:
            pytest.fail(f"ended too early: {self.seen}")
        return True

    def leave(self) -> int:
        """Read the rest and give back the exit code."""
        while select.select([self._near], [], [], 30)[0]:
            try:
                self.seen += os.read(self._near, 4096).decode(errors="replace")
            except OSError:
                break
        return self._process.wait(timeout=30)

    def end(self) -> None:
        """Take the terminal away."""
        self._process.kill()
        self._process.wait()
        os.close(self._near)


@pytest.fixture
def terminal(store: Path):
    """Start a command on a terminal; one that a failed test leaves behind is ended."""
    started: list[Terminal] = []

    def start(*arguments: object, **environment: str) -> Terminal:
        started.append(Terminal(store, *arguments, **environment))
        return started[-1]

    yield start
    for each in started:
        each.end()
