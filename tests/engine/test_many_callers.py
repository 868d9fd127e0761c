"""One open store, several callers: what a server does with the keys it knows."""

import time

import pytest

from engram import Engram, Scope
from engram.errors import AccessDenied
from engram.memory.scopes import Principal, PrincipalKind

HASHING = {"embedder": {"kind": "hashing"}, "capture": {"read_after_turns": 1}}


@pytest.fixture
def owner(tmp_path):
    with Engram.open(tmp_path / "store", settings=HASHING) as engram:
        yield engram


def agent(project: str) -> Principal:
    return Principal(PrincipalKind.AGENT, Scope(project=project))


def test_only_the_owner_hands_out_views(owner):
    view = owner.seen_by(agent("acme"))

    with pytest.raises(AccessDenied):
        view.seen_by(Principal.of(None))


def test_closing_a_view_closes_nothing(owner):
    owner.seen_by(agent("acme")).close()

    assert owner.remember("The store is still open.").memory is not None


def test_views_see_only_their_own(owner):
    acme, beta = owner.seen_by(agent("acme")), owner.seen_by(agent("beta"))
    acme.remember("The acme build runs on Bazel.")

    assert len(acme.recall("What does the build run on?")) == 1
    assert len(beta.recall("What does the build run on?")) == 0


def test_turns_of_every_caller_are_read_in_the_background(owner):
    views = [owner.seen_by(agent(project)) for project in ("acme", "beta", "gamma")]
    for view in views:
        for number in range(20):
            view.observe(f"My server number {number} runs on port {8000 + number}.", session="s")

    end = time.monotonic() + 20
    while any(view.unread() for view in views) and time.monotonic() < end:
        time.sleep(0.05)

    assert [view.unread() for view in views] == [0, 0, 0]
