"""What every test starts from: a clean environment, no network, a clock that can be set."""

import compileall
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from clock import FakeClock
from hypothesis import HealthCheck, settings

import engram as package
from engram import Engram

settings.register_profile(
    "engram",
    deadline=None,
    database=None,
    # With a seed a red run is a change and not a die.
    derandomize="ENGRAM_SEED" in os.environ,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("engram")

_LOCAL = ("127.0.0.1", "::1", "localhost")


def pytest_configure(config: pytest.Config) -> None:
    """Compile the package once: where Python may write no bytecode, every child would do it."""
    if not hasattr(config, "workerinput"):
        compileall.compile_dir(Path(package.__file__).parent, quiet=2)


@pytest.fixture(autouse=True, scope="session")
def _clean_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No setting, key or store of the person who runs the tests gets in.

    For all tests at once: stores that tests share are made in the same surroundings they are
    opened in, or every copy would have to be embedded anew.
    """
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith("ENGRAM_") and name != "ENGRAM_SEED":
                patch.delenv(name)
        # Instant and deterministic; a test that wants the real model asks for it.
        patch.setenv("ENGRAM_EMBEDDER__KIND", "hashing")
        # The same for the judge of replacements: made-up statements look much alike.
        patch.setenv("ENGRAM_CAPTURE__RECONCILE", "false")
        # Nor is a question read beside its hits, unless a test is about that.
        patch.setenv("ENGRAM_RECALL__READ_ANSWERS", "false")
        # No command leaves a process behind; a test that wants one asks for it.
        patch.setenv("ENGRAM_DAEMON__START", "never")
        patch.setenv("ENGRAM_STORE", str(tmp_path_factory.getbasetemp() / "default-store"))
        yield


@pytest.fixture(autouse=True, scope="module")
def _nothing_left_in_the_environment() -> Iterator[None]:
    """What a file's tests set is gone after them."""
    before = {name: value for name, value in os.environ.items() if name.startswith("ENGRAM_")}
    yield
    after = {name: value for name, value in os.environ.items() if name.startswith("ENGRAM_")}
    assert after == before


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that would talk to another machine fails instead."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: object) -> None:
        if isinstance(address, tuple) and address[0] not in _LOCAL:
            raise AssertionError("a test tried to reach the network")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def engram(clock: FakeClock) -> Iterator[Engram]:
    """A store in memory, opened by its owner."""
    with Engram.open(":memory:", clock=clock) as opened:
        yield opened


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def open_store(store_path: Path, clock: FakeClock) -> Iterator[Callable[..., Engram]]:
    """Opens the test's store on disk any number of times; all are closed in the end."""
    opened: list[Engram] = []

    def open_it(path: Path | None = None, **options: object) -> Engram:
        options.setdefault("clock", clock)
        opened.append(Engram.open(path or store_path, **options))
        return opened[-1]

    yield open_it
    for each in reversed(opened):
        each.close()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Write down what failed where the environment asks for it, so that it can be run again."""
    file = os.environ.get("FAILED_TESTS")
    failed = [*terminalreporter.stats.get("failed", ()), *terminalreporter.stats.get("error", ())]
    if file and failed:
        names = dict.fromkeys(report.nodeid for report in failed)
        Path(file).write_text("\n".join(names) + "\n", encoding="utf-8")
