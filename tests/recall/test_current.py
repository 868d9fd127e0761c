"""The current statement before the one it replaced, when what holds now is asked for."""

from dataclasses import replace
from datetime import timedelta
from itertools import permutations

import pytest
from clock import START
from hypothesis import given
from hypothesis import strategies as st
from memory.samples import memory

from engram.memory.scopes import Scope
from engram.memory.vocabulary import SourceClass
from engram.recall.current import AMONG, Statement, current_first, rival_pairs
from recall.stores import HASHING, store_of, texts

OLD = "My monthly gym budget is 40 dollars."
NEW = "I raised my monthly gym budget, it is now 65 dollars."


def statement(number: int, content: str, *, days: int = 0, total: float = 5.0, **fields: object):
    told = memory(number=number, content=content, at=START + timedelta(days=days), **fields)
    return Statement(told, total, frozenset({0, 1}))


def order_of(*statements: Statement) -> list[int]:
    order, _ = current_first(statements, [2.0, 3.0], lambda one, other: 0.9, lambda figures: 0.9)
    return [statements[place].memory.number for place in order]


# The rule


def test_the_later_statement_comes_before_the_earlier_one():
    assert order_of(statement(1, OLD), statement(2, NEW, days=9)) == [2, 1]


def test_of_three_values_the_latest_comes_first_wherever_they_were_found():
    told = (
        statement(1, "Band practice is on Tuesday."),
        statement(3, "Band practice is on Monday now.", days=18),
        statement(2, "Band practice was moved to Thursday.", days=9),
    )

    assert [order_of(*found)[0] for found in permutations(told)] == [3] * 6


def test_what_comes_first_already_stays_there():
    assert order_of(statement(2, NEW, days=9), statement(1, OLD)) == [2, 1]


def test_later_is_what_happened_later_in_whatever_order_it_was_told():
    earlier_told_later = statement(2, OLD, days=0)
    later_told_first = statement(1, NEW, days=9)

    assert order_of(earlier_told_later, later_told_first) == [1, 2]
    assert order_of(later_told_first, earlier_told_later) == [1, 2]


def test_of_one_moment_the_one_told_later_is_the_later_one():
    assert order_of(statement(1, OLD), statement(2, NEW)) == [2, 1]


def test_nobody_speaks_for_another_speaker():
    mine, theirs = statement(1, OLD, speaker="Ann"), statement(2, NEW, days=9, speaker="Bob")

    assert order_of(mine, theirs) == [1, 2]


def test_an_agent_does_not_replace_what_a_person_said():
    said = statement(1, OLD)
    by_agent = statement(2, NEW, days=9, source_class=SourceClass.AGENT)

    assert order_of(said, by_agent) == [1, 2]


def test_what_nobody_vouches_for_does_not_replace_what_somebody_does():
    agent = {"source_class": SourceClass.AGENT}
    verified = statement(1, OLD, last_verified_at=START, **agent)

    assert order_of(verified, statement(2, NEW, days=9, **agent)) == [1, 2]


def test_a_statement_without_a_number_or_a_change_replaces_nothing():
    assert order_of(statement(1, OLD), statement(2, "My gym is nice.", days=9)) == [1, 2]


def test_an_unlikely_replacement_is_left_alone():
    statements = [statement(1, OLD), statement(2, NEW, days=9)]

    order, moved = current_first(
        statements, [1.0, 1.0], lambda one, other: 0.0, lambda figures: 0.1
    )

    assert order == [0, 1]
    assert moved == {}


def test_what_was_moved_is_told_with_what_it_goes_before():
    statements = [statement(1, OLD), statement(2, "No.", days=1), statement(3, NEW, days=9)]

    order, moved = current_first(
        statements, [1.0, 1.0], lambda one, other: 0.9,
        lambda figures: 0.9 if figures["same unit"] else 0.0,
    )  # fmt: skip

    assert order == [2, 0, 1]
    assert moved == {2: 0}


def test_what_another_was_moved_in_front_of_is_not_told_to_go_before_it():
    told = [
        statement(1, "Fee now 40."),
        statement(2, "Fee, once more, now 50.", days=1),
        statement(3, "Fee, in the end, now 60.", days=2),
    ]
    near = {(2, 3): 0.9, (1, 2): 0.8, (1, 3): 0.0}

    order, moved = current_first(
        told,
        [2.0, 3.0],
        lambda one, other: near[one.number, other.number],
        lambda figures: figures["nearness"],
    )

    assert all(order.index(one) < order.index(other) for one, other in moved.items())


def test_figures_are_told_for_each_pair():
    (pair,) = rival_pairs(
        [statement(1, OLD), statement(2, NEW, days=9, total=3.0)], [2.0, 3.0], lambda *_: 0.7
    )

    assert (pair.earlier, pair.later) == (0, 1)
    assert pair.figures["shared terms"] == 1.0
    assert pair.figures["nearness"] == 0.7
    assert pair.figures["change is told"] == pair.figures["same unit"] == 1.0
    assert pair.figures["another number"] == 1.0
    assert pair.figures["score gap"] > 0


CONTENTS = st.sampled_from([OLD, NEW, "Nothing.", "It is now 3 weeks.", "We moved."])


@given(
    st.lists(st.tuples(CONTENTS, st.integers(0, 5), st.sampled_from(["Ann", "Bob"])), max_size=14),
    st.floats(0, 1),
)
def test_every_hit_keeps_one_place_and_those_far_down_stay(rows, probability):
    statements = [
        statement(number, content, days=days, speaker=speaker)
        for number, (content, days, speaker) in enumerate(rows, start=1)
    ]

    order, moved = current_first(
        statements, [1.0, 1.0], lambda one, other: 0.5, lambda figures: probability
    )

    assert sorted(order) == list(range(len(rows)))
    assert order[AMONG:] == list(range(len(rows)))[AMONG:]
    for later, earlier in moved.items():
        assert rows[later][1] >= rows[earlier][1]
        assert rows[later][2] == rows[earlier][2]
        assert order.index(later) < order.index(earlier)


# In a whole recall


FILL = [f"The neighbour's {thing} needs repair." for thing in ("fence", "roof", "car", "door")]


@pytest.fixture
def changed(clock):
    with store_of([OLD, *FILL], settings=HASHING, clock=clock) as engram:
        clock.advance(days=20)
        engram.remember(NEW, wait=True)
        yield engram


@pytest.mark.parametrize(
    "question",
    ["What is my monthly gym budget?", "How much is my gym budget now?",
     "What's my current monthly gym budget?"],
)  # fmt: skip
def test_the_newer_value_answers_a_question_about_now(changed, question):
    assert texts(changed, question)[0] == NEW


def test_a_value_of_another_scope_replaces_nothing_that_can_be_seen(changed, clock):
    clock.advance(days=5)
    elsewhere = "I raised my monthly gym budget again, it is now 90 dollars."
    changed.remember(elsewhere, scope=Scope(project="other"), wait=True)

    assert texts(changed, "What is my monthly gym budget?")[0] == NEW
    assert elsewhere not in texts(changed, "What is my monthly gym budget?")


def test_scores_still_fall_from_hit_to_hit(changed):
    scores = [hit.score for hit in changed.recall("What is my monthly gym budget?")]

    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("My favourite editor is Vim", "My favourite editor is Vim!"),
        ("My favourite editor is Vim", "My favourite colour is red"),
        ("I work at Acme", "I do not work at Globex"),
        ("I like tea", "I like coffee"),
    ],
)
def test_a_claim_of_something_else_replaces_nothing(earlier, later):
    said = [statement(1, earlier), statement(2, later, days=9)]

    assert current_first(said, [1.0, 1.0], lambda *_: 0.0, lambda _: 0.0) == ([0, 1], {})


def test_what_lacks_the_identifier_asked_for_replaces_nothing():
    earlier = replace(statement(1, "E4012 now means 5"), identifiers=frozenset({0}))
    later = statement(2, "E4013 now means 6", days=9)

    assert order_of(earlier, later) == [1, 2]
    assert order_of(earlier, replace(later, identifiers=frozenset({0}))) == [2, 1]


def test_what_the_judge_decided_comes_first_whatever_the_figures_say():
    said = [statement(1, "I row on Mondays."), statement(2, "I swapped rowing for judo.", days=9)]

    order = current_first(said, [1.0], lambda *_: 0.0, lambda _: 0.0, decided=[(0, 1)])

    assert order == ([1, 0], {1: 0})
    assert current_first(said, [1.0], lambda *_: 0.0, lambda _: 0.0) == ([0, 1], {})
