"""Other orders than the fitted one: every candidate keeps exactly one place, whatever is fused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from engram.recall.rerank import diverse_order, fuse_ranks, likeness

VALUES = st.floats(-2, 2, width=32)
SHARES = st.floats(0, 1, width=32)


@st.composite
def rankings(draw: st.DrawFn) -> tuple[list[np.ndarray], list[float]]:
    size, count = draw(st.integers(0, 30)), draw(st.integers(1, 5))
    values = [draw(arrays.arrays(np.float64, size, elements=VALUES)) for _ in range(count)]
    weights = draw(st.lists(st.floats(0.01, 1), min_size=count, max_size=count))
    return values, weights


@given(rankings())
def test_a_fused_score_is_a_share_and_zero_only_for_what_nobody_found(given_rankings):
    values, weights = given_rankings

    fused = fuse_ranks(values, weights)

    found = np.any([each > 0 for each in values], axis=0)
    assert ((fused > 0) == found).all()
    assert (fused <= 1 + 1e-9).all()


@given(rankings())
def test_what_every_ranking_puts_first_scores_one(given_rankings):
    values, weights = given_rankings
    best = [np.append(each, 3.0) for each in values]

    assert fuse_ranks(best, weights)[-1] == pytest.approx(1.0)


@given(rankings(), st.randoms(use_true_random=False))
def test_fusing_does_not_care_in_which_order_the_rankings_come(given_rankings, random):
    values, weights = given_rankings
    places = list(range(len(values)))
    random.shuffle(places)

    other = fuse_ranks([values[place] for place in places], [weights[place] for place in places])

    assert other == pytest.approx(fuse_ranks(values, weights))


def test_nothing_is_fused_from_no_ranking():
    assert len(fuse_ranks([], [])) == 0


def test_what_two_rankings_find_comes_before_what_one_finds_at_the_same_rank():
    text, meaning = np.array([2.0, 1.0, 0.0]), np.array([0.0, 1.0, 2.0])

    assert int(np.argmax(fuse_ranks([text, meaning], [1.0, 1.0]))) == 1


@st.composite
def related(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    size = draw(st.integers(0, 20))
    scores = draw(arrays.arrays(np.float64, size, elements=SHARES))
    alike = draw(arrays.arrays(np.float64, (size, size), elements=SHARES))
    return scores, np.maximum(alike, alike.T)


@given(related(), st.integers(0, 25), SHARES)
def test_variety_keeps_every_candidate_once(scores_and_likeness, most, balance):
    scores, alike = scores_and_likeness

    order = diverse_order(scores, alike, most, balance)

    assert sorted(order) == list(range(len(scores)))


@given(related(), st.integers(1, 25))
def test_the_most_relevant_comes_first_whatever_it_is_like(scores_and_likeness, most):
    scores, alike = scores_and_likeness

    order = diverse_order(scores, alike, most)

    assert not order or scores[order[0]] == scores.max()


@given(related())
def test_without_likeness_variety_is_relevance(scores_and_likeness):
    scores, alike = scores_and_likeness

    order = diverse_order(scores, np.zeros_like(alike), len(scores))

    assert [scores[place] for place in order] == sorted(scores.tolist(), reverse=True)


def test_a_repetition_goes_behind_something_else():
    scores = np.array([1.0, 0.99, 0.9])
    alike = np.array([[1.0, 0.98, 0.1], [0.98, 1.0, 0.1], [0.1, 0.1, 1.0]])

    assert diverse_order(scores, alike, 3) == [0, 2, 1]


def test_those_without_a_vector_are_like_nobody():
    one = np.array([1.0, 0.0], dtype=np.float32)
    other = np.array([0.6, 0.8], dtype=np.float32)

    found = likeness([one, None, other, -one])

    assert found[0, 2] == pytest.approx(0.6)
    assert not found[1].any()
    assert found[0, 3] == 0.0
    assert likeness([]).shape == (0, 0)
