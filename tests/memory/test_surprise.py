"""Surprise: the formula, its bounds, and what counts as a repetition."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.memory.surprise import MOST_CHANGE, Surprise, surprise


@pytest.mark.parametrize(
    ("distance", "score", "change"),
    [
        (0.1, 0.076, -0.25),
        (0.2, 0.18, -0.19),
        (0.35, 0.5, 0.0),
        (0.5, 0.82, 0.19),
        (0.7, 0.97, 0.28),
    ],
)
def test_the_curve_goes_through_its_known_points(distance, score, change):
    found = surprise([1 - distance] * 5)

    assert found.score == pytest.approx(score, abs=0.005)
    assert found.importance_change == pytest.approx(change, abs=0.005)


def test_in_an_empty_store_everything_is_unheard_of():
    assert surprise([]) == Surprise(1.0, 0.15, is_redundant=False)


def test_only_the_five_nearest_count_in_any_order():
    near = [0.8, 0.7, 0.6, 0.5, 0.4]

    assert surprise([*reversed(near), *[0.0] * 50]) == surprise(near)


def test_a_single_neighbour_is_enough():
    assert surprise([0.65]).score == pytest.approx(0.5)


@pytest.mark.parametrize(("nearest", "is_redundant"), [(0.919, False), (0.92, True), (1.0, True)])
def test_what_is_nearly_there_already_is_redundant(nearest, is_redundant):
    assert surprise([nearest, 0.0, 0.0, 0.0, 0.0]).is_redundant is is_redundant


def test_what_is_no_number_counts_as_unlike():
    assert surprise([float("nan"), float("inf")]) == surprise([0.0, 0.0])


@given(st.lists(st.floats(-2.0, 2.0), max_size=9))
def test_surprise_stays_within_its_bounds(similarities):
    found = surprise(similarities)

    assert 0.0 <= found.score <= 1.0
    assert -MOST_CHANGE <= found.importance_change <= MOST_CHANGE


@given(st.lists(st.floats(0.0, 0.9), min_size=1, max_size=5), st.floats(0.0, 0.1))
def test_nearer_neighbours_never_make_it_more_surprising(similarities, step):
    nearer = [each + step for each in similarities]

    assert surprise(nearer).score <= surprise(similarities).score
