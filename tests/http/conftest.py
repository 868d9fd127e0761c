"""A service over a store in memory, and callers with keys of every role."""

from collections.abc import Callable, Iterator

import pytest
from client import Client

from engram import Engram
from engram.memory.scopes import Scope
from engram.surfaces.http.app import Service
from engram.surfaces.http.gate import Names


@pytest.fixture
def service(engram: Engram) -> Iterator[Service]:
    made = Service(engram, Names.of(8377))
    yield made
    made.close()


@pytest.fixture
def app(service: Service):
    return service.app()


@pytest.fixture
def caller(engram: Engram, app) -> Callable[..., Client]:
    """Makes callers: each has a key of its own."""

    def make(
        role: str = "writer", scope: str = "", kind: str = "person", per_minute: int = 100_000
    ) -> Client:
        issued = engram.issue_key(
            f"{role}-key", role=role, kind=kind, per_minute=per_minute,
            scope=Scope.parse(scope) if scope else None,
        )  # fmt: skip
        return Client(app, issued.text)

    return make


@pytest.fixture
def writer(caller) -> Client:
    return caller("writer")


@pytest.fixture
def stranger(app) -> Client:
    """Somebody without a key."""
    return Client(app)
