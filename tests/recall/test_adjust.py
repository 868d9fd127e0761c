"""Adjustments: small and bounded, and feedback counts where it was given."""

import time

import pytest
from clock import START
from hypothesis import given
from hypothesis import strategies as st
from memory.samples import SHARES, memories, memory

from engram.memory.feedback import HIGHEST, LOWEST, Feedback, context_factor, word_similarity
from engram.memory.vocabulary import RetentionMode
from engram.recall.adjust import Adjusted, adjust
from engram.recall.options import RecallOptions
from recall.stores import HASHING, store_of, texts

OPTIONS = RecallOptions()


def adjusted(told, relevance: float = 0.5, options: RecallOptions = OPTIONS) -> Adjusted:
    return adjust(
        told, relevance, (), word_similarity("zebra"), START,
        options=options, mode=RetentionMode.L2,
    )  # fmt: skip


WEIGHTS = st.floats(0, 0.5)


@given(memories(), SHARES, WEIGHTS, WEIGHTS, WEIGHTS, WEIGHTS)
def test_no_adjustment_goes_beyond_its_bounds(told, relevance, trust, freshness, weight, affect):
    options = RecallOptions(
        trust_weight=trust, freshness_weight=freshness, importance_weight=weight,
        affect_weight=affect,
    )  # fmt: skip

    change = adjusted(told, relevance, options)

    least = (1 - trust) * (1 - freshness) * (1 - weight / 2)
    most = (1 + weight / 2) * (1 + affect)
    assert least - 1e-9 <= change.factor <= most + 1e-9
    assert all(name in ("trust", "freshness", "importance", "affect") for name in change.reasons)


@given(memories(), memories(), st.floats(0.3, 1))
def test_by_default_no_adjustment_carries_a_bad_match_over_a_good_one(one, other, relevance):
    good = relevance * adjusted(one, relevance).factor
    bad = relevance / 2 * adjusted(other, relevance / 2).factor

    assert good > bad


@given(memories(), SHARES)
def test_without_weights_nothing_is_adjusted(told, relevance):
    options = RecallOptions(
        trust_weight=0.0, freshness_weight=0.0, importance_weight=0.0, affect_weight=0.0
    )

    assert adjusted(told, relevance, options).factor == 1.0
    assert adjusted(told, relevance, options).reasons == {}


@pytest.mark.parametrize(
    ("name", "better", "worse"),
    [
        ("trust", {"trust": 1.0}, {"trust": 0.2}),
        ("importance", {"base_importance": 0.9}, {"base_importance": 0.1}),
        ("affect", {"arousal": 0.9}, {"arousal": 0.0}),
    ],
)
def test_each_adjustment_goes_the_right_way(name, better, worse):
    higher, lower = adjusted(memory(**better)), adjusted(memory(**worse))

    assert higher.factor > lower.factor
    assert higher.reasons.get(name, 1.0) > lower.reasons.get(name, 1.0)


# Feedback with a question


SAID = ["The zebra sleeps in the barn.", "The zebra sleeps in the hay."]


@pytest.fixture
def engram(clock):
    with store_of(SAID, settings=HASHING, clock=clock) as opened:
        yield opened


def score_of(engram, question: str, label: str) -> float:
    return next(hit.score for hit in engram.recall(question) if hit.memory.label == label)


def test_what_did_not_help_goes_down_for_that_question(engram):
    question = "Where does the zebra sleep?"
    first, second = (hit.memory.label for hit in engram.recall(question))
    before = score_of(engram, question, first), score_of(engram, question, second)

    engram.feedback(first, helpful=False, query=question)

    after = score_of(engram, question, first), score_of(engram, question, second)
    assert after[0] < 0.55 * before[0]
    assert after[1] == pytest.approx(before[1])


def test_what_did_not_help_with_one_question_is_not_held_back_for_another(engram):
    first = engram.recall("Where does the zebra sleep?")[0].memory
    elsewhere = score_of(engram, "barn or hay", first.label)
    here = score_of(engram, "Where does the zebra sleep?", first.label)

    engram.feedback(first.id, helpful=False, query="Where does the zebra sleep?")

    lost_here = 1 - score_of(engram, "Where does the zebra sleep?", first.label) / here
    lost_elsewhere = 1 - score_of(engram, "barn or hay", first.label) / elsewhere
    assert lost_here > 0.4
    assert lost_elsewhere < 0.05


def test_what_helped_is_lifted_within_bounds(engram):
    label = engram.recall("zebra sleep")[1].memory.label
    before = score_of(engram, "zebra sleep", label)

    for number in range(5):
        engram.feedback(label, helpful=True, query=f"zebra sleep {'!' * number}")

    after = score_of(engram, "zebra sleep", label)
    assert before < after <= min(1.0, before * HIGHEST * 1.1)


def test_nobody_is_held_back_below_the_lowest(engram, clock):
    first = engram.recall("zebra sleep")[0].memory
    before = score_of(engram, "zebra sleep", first.label)

    for _ in range(6):
        engram.feedback(first.id, helpful=False, query="zebra sleep")
        clock.advance(days=1)

    assert score_of(engram, "zebra sleep", first.label) >= before * LOWEST * 0.8


def test_a_hit_says_that_feedback_moved_it(engram):
    first = engram.recall("zebra sleep")[0].memory
    engram.feedback(first.id, helpful=False, query="zebra sleep")

    hit = next(hit for hit in engram.recall("zebra sleep") if hit.memory.id == first.id)
    (signal,) = [signal for signal in hit.why.signals if signal.name == "feedback"]
    assert signal.score < 1


def test_why_tells_how_far_feedback_holds_a_memory_back(engram):
    engram.feedback("mem-0001", False, query="where is the zebra")

    hit = next(each for each in engram.recall("where is the zebra") if each.memory.number == 1)
    (told,) = [signal for signal in hit.why.signals if signal.name == "feedback"]
    stages = {
        stage.name: stage.detail for stage in engram.why("where is the zebra", "mem-0001").stages
    }

    assert (told.rank, told.detail) == (0, "×0.50")
    assert "feedback: ×0.50" in str(hit.why)
    assert "feedback ×0.50" in stages["fuse"]


def test_many_long_words_of_feedback_are_compared_quickly():
    given = [
        Feedback(1, i % 2 == 0, f"question {i} " + "what about the office " * 700, START, "a", "c")
        for i in range(400)
    ]

    begun = time.perf_counter()
    for question in ("where is the office", "who has the key"):
        context_factor(given, word_similarity(question), START)
        context_factor(given, word_similarity(question), START)

    assert time.perf_counter() - begun < 1.0


def test_a_correction_takes_the_wrong_ones_place(engram):
    wrong = engram.recall("Where does the zebra sleep, in the barn?")[0].memory
    assert wrong.content == SAID[0]

    engram.feedback(wrong.id, helpful=False, correction="The zebra sleeps in the stable.")
    engram.settle()

    found = texts(engram, "Where does the zebra sleep?")
    assert SAID[0] not in found
    assert "The zebra sleeps in the stable." in found
