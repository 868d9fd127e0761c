"""Affect: six signals, negation, and bounds."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.language import affect as module
from engram.language.affect import Affect, TaskOutcome, affect


def test_a_plain_statement_has_no_affect():
    assert affect("The office is on the second floor.") == Affect(0.0, 0.0, 0.0)
    assert affect("") == Affect(0.0, 0.0, 0.0)


def test_words_of_feeling_give_valence_and_intensity():
    assert affect("A wonderful evening") == Affect(0.15, 0.1, pytest.approx(0.015))
    assert affect("A horrible evening").valence == -0.15
    assert affect("happy and proud").valence == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("I am happy", 1),
        ("I am not happy", -1),
        ("I don’t really enjoy it", -1),
        ("it was not a very good idea", -1),
        ("never had a problem", 1),
        ("not bad", 1),
        ("no, it is great", 1),
        ("it is not blue but lovely", 1),
        ("I did not go there because the weather was terrible", -1),
        ("not good. Wonderful, wonderful!", 1),
    ],
)
def test_a_negation_turns_round_what_it_reaches_and_no_more(text, sign):
    valence = affect(text).valence

    assert (valence > 0) - (valence < 0) == sign


@pytest.mark.parametrize(
    ("text", "louder"),
    [
        ("we ship it", "we ship it!"),
        ("we ship it", "we SHIP it"),
        ("we ship it", "we **ship** it"),
        ("we ship it", "we ship it asap"),
        ("we ship it", "we ship it, the deadline is near"),
    ],
)
def test_emphasis_and_urgency_add_intensity_but_no_valence(text, louder):
    assert affect(text).intensity < affect(louder).intensity
    assert affect(louder).valence == 0.0


def test_acronyms_are_not_loud():
    assert affect("the API returns JSON over HTTP").intensity == 0.0


@pytest.mark.parametrize(
    ("outcome", "valence", "intensity"),
    [
        (TaskOutcome.SUCCESS, 0.3, 0.2),
        (TaskOutcome.PARTIAL, 0.1, 0.0),
        (TaskOutcome.FAILURE, -0.3, 0.3),
        (TaskOutcome.RETRY, -0.15, 0.15),
        (None, 0.0, 0.0),
    ],
)
def test_how_a_task_went_counts(outcome, valence, intensity):
    found = affect("The job is over.", outcome=outcome)

    assert (found.valence, found.intensity) == (valence, intensity)
    assert found.arousal == pytest.approx(abs(valence) * intensity)


def test_a_correction_adds_intensity():
    assert affect("It is blue.", is_correction=True) == Affect(0.0, 0.25, 0.0)


def test_the_word_lists_are_large_and_disjoint():
    assert len(module._PLEASANT) >= 75
    assert len(module._UNPLEASANT) >= 75
    assert not module._PLEASANT & module._UNPLEASANT


@given(
    st.text(max_size=200)
    | st.lists(st.sampled_from(["love!", "HATE", "not", "asap", "!!"])).map(" ".join),
    st.sampled_from([None, *TaskOutcome]),
    st.booleans(),
)
def test_all_three_stay_within_their_bounds(text, outcome, flag):
    found = affect(text, outcome=outcome, is_correction=flag)

    assert -1.0 <= found.valence <= 1.0
    assert 0.0 <= found.intensity <= 1.0
    assert found.arousal == pytest.approx(abs(found.valence) * found.intensity)


@pytest.mark.parametrize("piece", ["not ", "!", "**", "love ", "a", "__a"])
def test_a_long_text_is_read_at_once(piece):
    text = piece * 50_000

    started = time.thread_time()
    affect(text)

    assert time.thread_time() - started < 0.25
