"""The rules of reconciling by themselves, and what holds of them whatever is said."""

from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest
from clock import START, FakeClock
from hypothesis import given, settings
from hypothesis import strategies as st

from engram import Engram
from engram.errors import InvalidInput
from engram.memory.knowledge.belief import corroborated
from engram.memory.knowledge.epistemic import Reported
from engram.memory.knowledge.reconcile import (
    Contested,
    Held,
    Position,
    Rival,
    Standing,
    plan,
    same_value,
    standing,
)
from engram.memory.vocabulary import Status

DAY = timedelta(days=1)
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
CITIES = ("Lyon", "Porto", "Turin", "Bonn")

positions = st.builds(
    lambda strength, confidence, trust, day, start: Position(
        force=strength * confidence, strength=strength, trust=trust, confidence=confidence,
        at=NOON + day * DAY, valid_from=None if start is None else NOON + start * DAY,
    ),
    st.floats(0, 1), st.floats(0, 1), st.sampled_from([0.3, 0.7, 1.0]), st.integers(0, 9),
    st.none() | st.integers(0, 9),
)  # fmt: skip


def _position(force=0.7, strength=0.7, trust=1.0, day=0, **more):
    return Position(
        force=force, strength=strength, trust=trust, confidence=1.0, at=NOON + day * DAY, **more
    )


@pytest.mark.parametrize(
    ("known", "claim", "expected"),
    [
        (_position(), _position(day=1), Standing.REPLACES),
        (_position(day=1), _position(), Standing.PRECEDES),
        (_position(), _position(), Standing.CONTESTS),
        (_position(force=0.4), _position(force=0.7), Standing.CONTESTS),  # exactly the gap
        (_position(force=0.39), _position(force=0.7), Standing.REPLACES),
        (_position(force=0.7), _position(force=0.39, day=1), Standing.YIELDS),
        (_position(trust=1.0), _position(trust=0.7, day=1), Standing.CONTESTS),
        (_position(trust=0.7, day=1), _position(trust=1.0), Standing.CONTESTS),
        (_position(valid_until=NOON + DAY), _position(day=1), Standing.APART),
        (_position(day=9, valid_from=NOON), _position(day=1, valid_from=NOON + DAY),
         Standing.REPLACES),
        (_position(repeated_at=NOON + 5 * DAY), _position(day=1), Standing.CONTESTS),
    ],
)  # fmt: skip
def test_a_gap_decides_then_the_date_then_nobody(known, claim, expected):
    assert standing(known, claim, agrees=False) is expected


@given(positions, positions)
def test_what_one_wins_by_its_date_the_other_loses_by_it(one, other):
    forth = standing(one, other, agrees=False)
    back = standing(other, one, agrees=False)

    opposite = {
        Standing.APART: {Standing.APART},
        Standing.REPLACES: {Standing.PRECEDES, Standing.YIELDS, Standing.CONTESTS},
        Standing.PRECEDES: {Standing.REPLACES},
        Standing.YIELDS: {Standing.REPLACES},
        Standing.CONTESTS: {Standing.CONTESTS, Standing.REPLACES},
    }
    assert back in opposite[forth]
    assert not (forth is back is Standing.REPLACES)


@given(positions, st.lists(st.tuples(positions, st.booleans(), st.booleans()), max_size=4))
def test_nothing_is_retired_that_may_not_be_and_only_by_what_stands(claim, others):
    rivals = [Rival(position, agrees, free) for position, agrees, free in others]

    decided = plan(claim, rivals)

    assert all(rivals[n].may_be_retired for n in (*decided.retire, *decided.challenge))
    assert not (decided.retire and decided.status is Status.CHALLENGED)
    assert decided.confidence >= claim.confidence
    assert (decided.status is Status.SUPERSEDED) == (decided.successor is not None)
    if decided.kind in ("contested", "challenged"):
        assert decided.against


@given(st.floats(0, 1), st.integers(1, 50), st.integers(1, 50))
def test_more_voices_are_never_less_sure_and_never_certain(confidence, few, many):
    fewer, more = sorted((few, many))

    assert corroborated(confidence, fewer) <= corroborated(confidence, more) + 1e-12
    assert corroborated(confidence, many) <= max(confidence, 0.99)
    assert corroborated(confidence, 1) == confidence


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Porto", "Porto, Portugal", True),
        (8080, "8080", True),
        (True, "true", True),
        (1, True, False),
        ("red", "blue", False),
        ([1, 2], [1, 2], True),
        (["a"], ["a", "b"], False),
        ({"a": 1}, {"a": 2}, False),
    ],
)
def test_values_that_say_the_same_agree(one, other, expected):
    assert same_value(one, other) is expected
    assert same_value(other, one) is expected


# Whatever the order


def _opened():
    clock = FakeClock()
    return Engram.open(":memory:", clock=clock), clock


def _outlook(engram, days=range(0, 40, 3)):
    """What is believed at many moments, as targets."""
    seen = []
    for day in days:
        state = engram.knowledge.belief("Ada", "located_in", as_of=START + day * DAY)
        match state:
            case Held(beliefs):
                seen.append(("held", tuple(sorted(each.object for each in beliefs))))
            case Contested(positions):
                seen.append(("contested", tuple(sorted(each.object for each in positions))))
            case _:
                seen.append(("none", ()))
    return seen


@settings(max_examples=12)
@given(
    st.lists(st.integers(1, 30), min_size=2, max_size=4, unique=True),
    st.randoms(use_true_random=False),
)
def test_claims_of_equal_trust_come_to_the_same_in_any_order(days, random):
    said = list(zip(days, CITIES, strict=False))
    outlooks = []
    for order in (said, list(reversed(said)), random.sample(said, len(said))):
        engram, clock = _opened()
        with engram:
            clock.set(START + 50 * DAY)
            for day, city in order:
                engram.knowledge.learn("Ada", "located_in", city, at=START + day * DAY)
            outlooks.append(_outlook(engram, range(min(days), 40, 3)))

    assert outlooks[0] == outlooks[1] == outlooks[2]


def test_independent_claims_make_the_same_graph_in_any_order():
    facts = [
        ("Ada", "works_for", "Acme"), ("Robin", "works_for", "Acme"), ("Ada", "knows", "Robin"),
        ("Acme", "located_in", "Lyon"),
    ]  # fmt: skip
    graphs = set()
    for order in permutations(facts):
        engram, _ = _opened()
        with engram:
            kinds = {engram.knowledge.learn(*fact).kind for fact in order}
            edges = {
                (each.source.label, each.relation, each.object, each.memory.status)
                for name in ("Ada", "Acme")
                for each in engram.knowledge.node(name).beliefs_out
            }
        graphs.add((frozenset(kinds), frozenset(edges)))

    assert len(graphs) == 1


_claims = st.tuples(
    st.sampled_from(CITIES), st.integers(0, 9), st.sampled_from([0.1, 0.5, 0.9]),
    st.sampled_from([0.2, 0.6, 1.0]),
)  # fmt: skip


@settings(max_examples=20)
@given(st.lists(_claims, min_size=1, max_size=6))
def test_no_position_is_ever_lost(said):
    engram, clock = _opened()
    with engram:
        clock.set(START + 20 * DAY)
        for city, day, trust, confidence in said:
            engram.knowledge.learn(
                "Ada", "located_in", city, at=START + day * DAY, confidence=confidence,
                epistemic=Reported(f"voice {day}", trust),
            )  # fmt: skip
            clock.advance(minutes=1)
        told = {each.object for each in engram.knowledge.history("Ada", "located_in")}
        state = engram.knowledge.belief("Ada", "located_in")
        shown = state.positions if isinstance(state, Contested) else state.beliefs

        assert told == {city for city, *_ in said}
        assert {each.object for each in shown} <= told


_steps = st.lists(
    st.tuples(
        st.integers(0, 5), st.sampled_from(["part_of", "has_part", "is_a", "has_kind",
        "subclass_of", "before", "after", "causes", "caused_by", "enables"]), st.integers(0, 5),
    ),
    max_size=14,
)  # fmt: skip
_FAMILIES = (
    ("part_of",),
    ("is_a", "subclass_of", "instance_of"),
    ("before",),
    ("causes", "enables"),
)


@settings(max_examples=20)
@given(_steps)
def test_relations_without_circles_have_none_whatever_the_order(steps):
    engram, _ = _opened()
    with engram:
        for start, relation, end in steps:
            try:
                engram.knowledge.learn(f"Thing {start}", relation, f"Thing {end}")
            except InvalidInput:
                continue
        edges = [
            each
            for node in engram.knowledge.nodes(limit=100)
            for each in engram.knowledge.node(node.id).beliefs_out
        ]
        for family in _FAMILIES:
            ways = {(e.source.id, e.target.id) for e in edges if e.relation in family}
            assert not _has_circle(ways)


def _has_circle(ways):
    while ways:
        ends = {end for _, end in ways}
        left = {(start, end) for start, end in ways if start in ends}
        if left == ways:
            return True
        ways = left
    return False
