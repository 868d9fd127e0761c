"""How far a question leans on the conversation it is part of."""

from datetime import UTC, datetime

import numpy as np
import pytest

from engram.memory.momentum import MOST_SHARE, TopicShift, momentum_of, telling_tokens
from engram.recall.embed_question import QuestionVector
from engram.recall.heading import Heading, leaning_plan, leaning_told, leaning_vector
from engram.recall.plan import plan_question
from engram.recall.selection import People

EAST, NORTH = np.eye(2, dtype=np.float32)
NOW = datetime(2026, 11, 16, tzinfo=UTC)
SAID = telling_tokens("Ada moved her office to Porto.")


def heading(shift: TopicShift = TopicShift.CONTINUATION, most: float = MOST_SHARE) -> Heading:
    return Heading(momentum_of([NORTH] * 4), SAID, 4, shift, most)


def plan(text: str):
    return plan_question(text, People({}, {}), NOW)


def test_a_question_without_words_of_its_own_leans_but_never_past_the_most():
    leaned = leaning_vector(QuestionVector(None, EAST), heading(), telling=0)

    assert leaned is not None
    assert leaned.vector is not None
    assert 0.3 < leaned.leaning <= MOST_SHARE
    assert leaned.vector @ NORTH > 0
    assert leaned.vector @ EAST > leaned.vector @ NORTH


@pytest.mark.parametrize("telling", [2, 3, 20])
def test_a_clear_question_is_left_as_it_is(telling):
    query = QuestionVector(None, EAST)
    question = plan("Where is the harbour office?")

    assert leaning_vector(query, heading(), telling) is query
    assert leaning_plan(question, heading(), telling) is question


def test_a_question_that_leaves_the_topic_takes_nothing_along():
    query, question = QuestionVector(None, EAST), plan("And when was that?")

    assert leaning_vector(query, heading(TopicShift.SWITCH), 0) is query
    assert leaning_plan(question, heading(TopicShift.SWITCH), 0) is question


def test_a_share_of_nothing_takes_nothing_along():
    query, question = QuestionVector(None, EAST), plan("And when was that?")

    assert leaning_vector(query, heading(most=0.0), 0) is query
    assert leaning_plan(question, heading(most=0.0), 0) is question


def test_what_cannot_lean_is_left_alone():
    question = plan("And when was that?")
    bare = Heading(None, (), 1, TopicShift.CONTINUATION)
    other = Heading(momentum_of([np.ones(3, dtype=np.float32)]), (), 1, TopicShift.CONTINUATION)
    query = QuestionVector(None, EAST)

    assert leaning_vector(None, heading(), 0) is None
    assert leaning_vector(query, None, 0) is query
    assert leaning_vector(query, bare, 0) is query
    assert leaning_vector(query, other, 0) is query  # another embedder's
    assert leaning_plan(question, None, 0) is question
    assert leaning_plan(question, bare, 0) is question


def test_words_of_the_turns_before_count_for_less_than_words_that_were_asked():
    question = leaning_plan(plan("Which river?"), heading(), telling=1)

    asked = [term for term in question.terms if term.is_asked]
    carried = [term for term in question.terms if not term.is_asked]

    assert [term.text for term in asked] == ["river"]
    assert {token for term in carried for token in term.tokens} == set(SAID)
    assert all(0 < term.share < 1 and not term.is_identifier for term in carried)


def test_it_is_told_how_far_a_question_leans():
    question = plan("And when was that?")
    leaned = leaning_vector(QuestionVector(None, EAST), heading(), 0)

    told = leaning_told(leaned, heading(), leaning_plan(question, heading(), 0))

    assert told.startswith("leans on the 4 turns before by ")
    assert "% of its meaning and 4 of their words" in told
    assert leaning_told(leaned, None, question) == ""
    assert leaning_told(QuestionVector(None, EAST), heading(), question) == ""
