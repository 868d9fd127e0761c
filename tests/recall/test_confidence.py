"""Confidence, weights and the trace: the numbers and words that come with an answer."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.recall.confidence import CONFIDENT, UNKNOWN_BELOW, Scored, answer_figures, assessment
from engram.recall.ranking import relevance_of
from engram.recall.signals import SIGNALS, signal_matrix
from engram.recall.trace import Trace
from engram.recall.weights import Logistic, load_weights
from recall.stores import candidates_of, store_of

# Words


@given(st.floats(0, 1))
def test_a_probability_has_a_word(probability):
    word = assessment(probability, has_hits=True)

    assert word == (
        "confident" if probability >= CONFIDENT
        else "uncertain" if probability >= UNKNOWN_BELOW
        else "unknown"
    )  # fmt: skip
    assert assessment(probability, has_hits=False) == "unknown"


# Figures


def scored(engram, question: str) -> Scored:
    found = candidates_of(engram, question)
    signals = signal_matrix(found)
    sums = signals @ load_weights().signals
    return Scored(found, signals, sums, sums, np.argsort(-sums, kind="stable"))


def figures(engram, question: str) -> dict[str, float]:
    return answer_figures(scored(engram, question), load_weights().signals, question)


TALK = [
    {"text": "I adopted a kitten.", "speaker": "Ann", "session": "talk"},
    {"text": "I sold the boat.", "speaker": "Bob", "session": "talk"},
    {"text": "The weather is fine.", "speaker": "Bob", "session": "talk"},
]


def test_what_nobody_ever_mentioned_is_counted():
    with store_of(TALK) as engram:
        assert figures(engram, "kitten boat")["unknown terms"] == 0.0
        assert figures(engram, "kitten zeppelin")["unknown terms"] == 0.5
        assert figures(engram, "zeppelin")["best coverage"] == 0.0
        assert figures(engram, "kitten")["best coverage"] == 1.0


def test_it_tells_whether_the_person_asked_about_said_it():
    with store_of(TALK) as engram:
        hers = figures(engram, "Did Ann adopt a kitten?")
        his = figures(engram, "Did Bob adopt a kitten?")
        nobodys = figures(engram, "Who adopted a kitten?")

    assert hers["speaker gap"] > 0 > his["speaker gap"]
    assert hers["one person named"] == his["one person named"] == 1.0
    assert nobodys["speaker gap"] == nobodys["one person named"] == 0.0


@given(st.text(max_size=60))
def test_figures_are_numbers_for_any_question(question):
    with store_of(TALK) as engram:
        found = figures(engram, question)

    assert all(math.isfinite(value) for value in found.values())
    assert 0.0 <= load_weights().answer(found) <= 1.0
    assert 0.0 <= load_weights().answer_by_words(found) <= 1.0


def test_the_fitted_figures_are_all_made_here():
    with store_of(TALK) as engram:
        made = set(figures(engram, "kitten"))

    assert set(load_weights().answer.weights) <= made
    assert set(load_weights().answer_by_words.weights) <= made


# Weights


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_a_logistic_gives_a_probability_that_grows_with_its_figure(one, other):
    rule = Logistic(-1.0, {"sum": 0.5})
    low, high = sorted((one, other))

    assert 0.0 <= rule({"sum": low}) <= rule({"sum": high}) <= 1.0
    assert rule.of_each({"sum": np.array([low, high])}) == pytest.approx(
        [rule({"sum": low}), rule({"sum": high})]
    )


def test_the_weights_that_ship_fit_the_signals():
    weights = load_weights()

    assert weights.signals.shape == (len(SIGNALS),)
    assert np.isfinite(weights.signals).all()
    assert load_weights() is weights


@given(st.lists(st.floats(-5, 30), min_size=2, max_size=20), st.floats(0, 1), st.floats(0, 1))
def test_a_better_match_in_a_surer_answer_is_never_less_likely_one(sums, one, other):
    low, high = sorted((one, other))
    values = np.sort(np.array(sums))

    unsure = relevance_of(values, low, load_weights())
    sure = relevance_of(values, high, load_weights())

    assert (np.diff(unsure) >= 0).all()
    assert (sure >= unsure - 1e-12).all()


# The trace


def test_a_trace_tells_stages_in_their_order_with_what_they_found():
    trace = Trace()
    with trace.stage("gather") as notes:
        notes.count = 7
        notes.detail = "by words"
    with trace.stage("fuse"):
        pass

    assert [(stage.name, stage.count, stage.detail) for stage in trace.stages] == [
        ("gather", 7, "by words"), ("fuse", 0, ""),
    ]  # fmt: skip
    assert all(stage.milliseconds >= 0 for stage in trace.stages)
    assert trace.degraded == []


def test_a_stage_that_raises_is_still_told():
    trace = Trace()

    with pytest.raises(ZeroDivisionError), trace.stage("fuse"):
        raise ZeroDivisionError

    assert [stage.name for stage in trace.stages] == ["fuse"]


def test_a_failed_stage_is_named_with_its_problem():
    trace = Trace()

    trace.fail("meaning", "nothing is embedded yet")

    assert trace.degraded == ["meaning: nothing is embedded yet"]
