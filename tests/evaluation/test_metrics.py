"""The figures mean what their names say."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram.evaluation.metrics import (
    all_at,
    auroc,
    hit_at,
    interval,
    is_current_first,
    marks,
    mean_marks,
    ndcg_at,
    recall_at,
    reciprocal_rank,
    session_hit_at,
)
from engram.memory.figures import percentile

TURNS = [f"t{number}" for number in range(30)]
rankings = st.lists(st.sampled_from(TURNS), unique=True, max_size=25)
evidences = st.sets(st.sampled_from(TURNS), min_size=1, max_size=8)
depths = st.integers(min_value=1, max_value=25)
scores = st.lists(st.floats(min_value=-5, max_value=5), min_size=1, max_size=20)


def test_recall_is_the_share_of_the_evidence_found():
    ranked = ["a", "x", "b", "c"]

    assert recall_at(ranked, {"a", "b", "z", "c"}, 3) == 0.5
    assert recall_at(ranked, {"z"}, 4) == 0.0


def test_any_and_every_are_different_questions():
    ranked = ["a", "x", "b"]

    assert (hit_at(ranked, {"a", "b"}, 2), all_at(ranked, {"a", "b"}, 2)) == (1.0, 0.0)
    assert (hit_at(ranked, {"a", "b"}, 3), all_at(ranked, {"a", "b"}, 3)) == (1.0, 1.0)


def test_gain_is_discounted_by_place_and_measured_against_the_best_order():
    best = 1 + 1 / math.log2(3)

    assert ndcg_at(["x", "a", "b"], {"a", "b"}, 10) == pytest.approx(
        (1 / math.log2(3) + 1 / math.log2(4)) / best
    )


def test_more_evidence_than_places_can_still_be_a_perfect_order():
    evidence = {f"t{number}" for number in range(15)}

    assert ndcg_at([f"t{number}" for number in range(15)], evidence, 10) == pytest.approx(1.0)


@given(rankings, evidences, depths)
def test_hit_all_and_recall_agree_with_each_other(ranked, evidence, k):
    share = recall_at(ranked, evidence, k)

    assert hit_at(ranked, evidence, k) == float(share > 0)
    assert all_at(ranked, evidence, k) == float(share == 1)
    assert 0 <= ndcg_at(ranked, evidence, k) <= 1 + 1e-9


@given(rankings, evidences, depths)
def test_looking_further_never_finds_less(ranked, evidence, k):
    assert recall_at(ranked, evidence, k) <= recall_at(ranked, evidence, k + 1)


@given(rankings, evidences)
def test_evidence_moved_to_the_front_makes_a_perfect_ranking(ranked, evidence):
    front = sorted(evidence) + [turn for turn in ranked if turn not in evidence]

    found = marks(front, evidence, {})

    assert found.recall_at_10 == found.all_at_10 == found.reciprocal_rank == 1.0
    assert found.ndcg_at_10 == pytest.approx(1.0)


@given(rankings, evidences)
def test_swapping_evidence_upward_never_lowers_the_gain(ranked, evidence):
    for place in range(1, len(ranked)):
        if ranked[place] in evidence and ranked[place - 1] not in evidence:
            better = [*ranked]
            better[place - 1], better[place] = better[place], better[place - 1]
            assert ndcg_at(better, evidence, 10) >= ndcg_at(ranked, evidence, 10)


@given(st.lists(st.tuples(rankings, evidences), min_size=1, max_size=5))
def test_the_mean_lies_between_the_smallest_and_the_largest(pairs):
    each = [marks(ranked, evidence, {}) for ranked, evidence in pairs]

    mean = mean_marks(each)

    recalls = [one.recall_at_10 for one in each]
    assert min(recalls) - 1e-9 <= mean.recall_at_10 <= max(recalls) + 1e-9


def test_the_reciprocal_rank_counts_from_one():
    assert reciprocal_rank(["x", "a"], {"a"}) == 0.5
    assert reciprocal_rank(["x"], {"a"}) == 0.0


def test_another_turn_of_the_same_session_is_a_session_hit():
    session_of = {"a": "1", "b": "1", "c": "2", "d": None, "e": None}

    assert session_hit_at(["b"], {"a"}, session_of, 10) == 1.0
    assert session_hit_at(["c"], {"a"}, session_of, 10) == 0.0
    assert session_hit_at(["d"], {"e"}, session_of, 10) == 0.0


@pytest.mark.parametrize(
    ("ranked", "verdict"),
    [
        (["new", "old"], True),
        (["old", "new"], False),
        (["new"], True),
        (["old"], False),
        (["x"], None),
        ([*TURNS[:20], "old"], None),
    ],
)
def test_the_current_statement_should_stand_above_the_one_it_replaced(ranked, verdict):
    assert is_current_first(ranked, {"new", "old"}, {"old"}) is verdict


def test_without_a_current_or_a_stale_statement_there_is_no_verdict():
    assert is_current_first(["a"], {"a"}, set()) is None
    assert is_current_first(["a"], {"a"}, {"a"}) is None


@given(scores, scores)
def test_the_area_is_the_share_of_pairs_in_the_right_order(positives, negatives):
    wins = sum((p > n) + (p == n) / 2 for p in positives for n in negatives)

    assert auroc(positives, negatives) == pytest.approx(wins / len(positives) / len(negatives))


@given(scores, scores)
def test_turning_the_sides_around_turns_the_area_around(positives, negatives):
    assert auroc(positives, negatives) == pytest.approx(1 - auroc(negatives, positives))


def test_without_unanswerable_questions_there_is_no_area():
    assert auroc([0.3], []) is None


@settings(max_examples=20)  # each draws two thousand samples, twice
@given(st.lists(st.floats(min_value=0, max_value=1), min_size=1, max_size=30))
def test_an_interval_holds_within_the_values_and_is_the_same_every_time(values):
    low, high = interval(values)

    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9
    assert interval(values) == (low, high)


def test_an_interval_narrows_with_more_questions():
    few, many = interval([0.0, 1.0] * 10), interval([0.0, 1.0] * 400)

    assert many[1] - many[0] < few[1] - few[0]
    assert interval([]) is None


def test_a_percentile_is_one_of_the_values():
    values = [5.0, 1.0, 3.0, 2.0, 4.0]

    assert [percentile(values, share) for share in (0.5, 0.95, 0.2)] == [3.0, 5.0, 1.0]
    assert percentile([], 0.5) == 0.0
