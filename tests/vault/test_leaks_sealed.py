"""The leak matrix once more: with protected memories, in an encrypted store, by four processes."""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from clock import FakeClock
from engine.test_leaks import (
    BROAD,
    BY_ID,
    PRINCIPALS,
    READS_BY_ID,
    SCOPES,
    SEES,
    UNKNOWN_ID,
    World,
    _answer,
    _everything_in,
    outcome,
)

from engram import Principal, Scope
from engram.errors import AccessDenied
from engram.memory.scopes import PrincipalKind

KEY = "ef" * 32
CALLERS = ("owner", "project", "agent", "channel user", "orchestrator", "skill", "anonymous")
TIERS = ("confidential", "sensitive")
# Of these the owner's tell what it did under other scopes, or show every scope.
OWNERS = ("audit", "review", "export")
TESTS = Path(__file__).parents[1]


def template(path: Path) -> World:
    """Every scope has a protected memory, with a history, and one that waits."""
    world = World(path, FakeClock())
    owner = world.open(Principal.of(None))
    for index, (name, scope) in enumerate(SCOPES.items()):
        token, tier = f"token{index}x", TIERS[index % len(TIERS)]
        made = owner.remember(
            f"The shared secret of this place is {token}.", scope=scope, secrecy=tier,
            metadata={"note": f"metadata {token}"}, subject=f"subject {token}",
        )  # fmt: skip
        revised = owner.revise(
            made.memory.id, f"The shared secret here was {token}.", scope=scope, reason=token
        )
        above = Principal.orchestrator(Scope(scope.project, scope.squad, scope.agent))
        held = owner.seen_by(above).remember(
            f"Proposed {token}.", category="identity", scope=scope, secrecy=tier
        )
        world.ids[name], world.labels[name] = made.memory.id, made.memory.label
        world.pending[name], world.tokens[name] = held.memory.id, token
        world.changes[name] = [str(revised.change_id), made.change_id, held.change_id]
        world.clock.advance(minutes=1)
    owner.dream()
    owner.settle(60)
    return world


@pytest.fixture(scope="module", params=["plain", "encrypted"])
def world(request, tmp_path_factory) -> Iterator[World]:
    """One store for all tests: they only look."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "encrypted":
            patch.setenv("ENGRAM_KEY", KEY)
        made = template(tmp_path_factory.mktemp("sealed-leaks") / "store")
        yield made
        for each in made.opened:
            each.close()


@pytest.mark.failure("F22", "F23", "F25")
@pytest.mark.parametrize("name", CALLERS)
def test_what_is_given_back_holds_nothing_foreign(world: World, name: str):
    caller = world.open(PRINCIPALS[name])
    secrets = world.secrets_of(world.foreign(name))

    for method, ask in BROAD.items():
        if name == "owner" and method in OWNERS:
            continue
        given = _everything_in(_answer(ask, caller))

        leaked = [secret for secret in secrets if secret in given]
        assert not leaked, f"{method} gives {len(leaked)} foreign things away"


@pytest.mark.failure("F22", "F25", "F28")
@pytest.mark.parametrize("name", CALLERS)
def test_a_foreign_id_is_answered_like_an_unknown_one(world: World, name: str):
    caller = world.open(PRINCIPALS[name])

    for method in sorted(READS_BY_ID):
        unknown = outcome(lambda act=BY_ID[method]: act(caller, UNKNOWN_ID))
        for scope in world.foreign(name):
            for known_as in (world.ids, world.labels, world.pending):
                found = outcome(lambda act=BY_ID[method], id_=known_as[scope]: act(caller, id_))
                assert found == unknown, f"{method} tells of a memory of {scope}"


@pytest.mark.parametrize("name", CALLERS)
def test_each_caller_reads_its_own_chain_and_nothing_more(world: World, name: str):
    """What the matrix would find if it leaked: everybody in a scope reads what is protected."""
    caller = world.open(PRINCIPALS[name])

    told = _everything_in([caller.get(world.ids[scope]) for scope in SCOPES])

    assert {scope for scope in SCOPES if world.tokens[scope] in told} == SEES[name]


def test_a_caller_from_outside_who_may_not_curate_reads_no_protected_text(world: World):
    owner = world.open(Principal.of(None))
    key = Principal(PrincipalKind.AGENT, SCOPES["agent"], credential="key:x", may_curate=False)
    caller = owner.seen_by(key)

    told = []
    for ask in BROAD.values():
        with contextlib.suppress(AccessDenied):  # such a caller may not do everything
            told.append(_everything_in(ask(caller)))
    told = " ".join(told)

    assert caller.get(world.ids["agent"]) is not None
    assert "secret here was" not in told
    assert "metadata token" not in told


_LOOK = """
import json, sys
sys.path.insert(0, sys.argv[1])
from engine.test_leaks import BROAD, PRINCIPALS, _answer, _everything_in
from engram import Engram
name, secrets = sys.argv[3], json.loads(sys.stdin.readline())
METHODS = {
    "recall", "reason", "context", "timeline", "list", "stats", "entities", "topics", "turn",
    "working", "changes_since", "overview",
}
found = []
with Engram.open(sys.argv[2], principal=PRINCIPALS[name]) as caller:
    sys.stdout.write("ready\\n"); sys.stdout.flush(); sys.stdin.readline()
    for _ in range(2):
        for method, ask in BROAD.items():
            if method not in METHODS:
                continue
            given = _everything_in(_answer(ask, caller))
            found += [method for secret in secrets if secret in given]
print(json.dumps(found))
"""


@pytest.mark.failure("F22", "F23")
def test_four_processes_at_once_give_nothing_foreign_away(world: World):
    names = ("owner", "agent", "channel user", "orchestrator")
    started = [
        subprocess.Popen(
            [sys.executable, "-c", _LOOK, str(TESTS), str(world.path), name],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=dict(os.environ),
        )
        for name in names
    ]  # fmt: skip
    for name, process in zip(names, started, strict=True):
        process.stdin.write(json.dumps(world.secrets_of(world.foreign(name))) + "\n")
        process.stdin.flush()
    for process in started:
        assert process.stdout.readline() == "ready\n"

    told = [process.communicate("\n", timeout=120)[0] for process in started]

    assert [process.returncode for process in started] == [0] * len(started)
    assert [json.loads(each) for each in told] == [[]] * len(started)
