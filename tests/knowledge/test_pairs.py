"""What a second fact that was handed in does to the first, on a hundred pairs.

What statements in words do to each other is the pair judge's to say; `make eval` measures it.
"""

import pytest
from clock import FakeClock

from engram import Engram, Scope
from engram.memory.vocabulary import Status

from .pairs import BACKGROUND, BOTH, FACTS, REPLACES, SAME


@pytest.fixture(scope="module")
def told():
    """One store; every pair has a project of its own in it.

    Nothing is protected by itself: of addresses, which would be, nobody keeps what they claim.
    """
    clock = FakeClock()
    settings = {"embedder": {"kind": "hashing"}, "security": {"tiers": "asked"}}
    with Engram.open(":memory:", clock=clock, settings=settings) as opened:
        for fact in BACKGROUND:
            _learn(opened, fact, None)
        yield opened, clock


def _of_facts(told, scope: Scope, old, new) -> str:
    engram, clock = told
    first = _learn(engram, old, scope)
    clock.advance(days=1)
    second = _learn(engram, new, scope)
    status = engram.get(first.belief.id, scope=scope).status
    if status is Status.SUPERSEDED:
        return REPLACES
    return SAME if second.kind == "confirmed" else BOTH if second.kind == "learned" else second.kind


def _learn(engram, fact, scope):
    subject, relation_, said = fact
    if relation_.startswith("."):
        return engram.knowledge.learn(subject, property=relation_[1:], value=said, scope=scope)
    return engram.knowledge.learn(subject, relation_, said, scope=scope)


def test_there_are_a_hundred_and_none_twice():
    assert len(FACTS) == 100
    assert len({repr(pair[:2]) for pair in FACTS}) == 100


def test_all_of_a_hundred_are_right(told):
    wrong = {}
    for n, (old, new, expected) in enumerate(FACTS):
        got = _of_facts(told, Scope(project=f"fact {n}"), old, new)
        if got != expected:
            wrong[n] = got

    assert wrong == {}
