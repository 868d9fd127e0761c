"""Stores for a process in the background, and that process itself, ended whatever happens."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from harness_waiting import wait_until

from engram import Engram
from engram.engine.background import seated


@pytest.fixture(autouse=True)
def _left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No command of a test starts a process that the test did not ask for."""
    monkeypatch.setenv("ENGRAM_DAEMON__START", "never")
    monkeypatch.setenv("ENGRAM_DAEMON__IDLE_SECONDS", "30")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "store"
    Engram.open(path).close()
    return path


Running = subprocess.Popen[bytes]


@pytest.fixture
def run_daemon(store: Path) -> Iterator[Callable[..., Running]]:
    """Runs it as a command starts it, but as our child, so that how it ended can be seen."""
    started: list[Running] = []

    def run(secret: bytes = b"{}", *, is_awaited: bool = True, **environment: str) -> Running:
        child = subprocess.Popen(
            [sys.executable, "-P", "-m", "engram.surfaces.daemon", str(store)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, **environment},
            start_new_session=True,
        )
        started.append(child)
        child.stdin.write(secret)
        child.stdin.close()
        if is_awaited:
            wait_until(lambda: seated(store) is not None)
        return child

    yield run
    for child in started:
        if child.poll() is None:
            child.kill()
        child.wait()
        child.stderr.close()


@pytest.fixture
def end_what_was_started(store: Path) -> Iterator[None]:
    """For tests in which a command starts it: then it is nobody's child."""
    yield
    holder = seated(store)
    if holder is not None and holder.process:
        os.kill(holder.process, signal.SIGKILL)
