"""Groups of near vectors: the same every time, whole, and without chains."""

import time
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.memory.dreams.clusters import (
    Vectors,
    groups,
    near_centre,
    neighbour_pairs,
    stacked,
)

SEEDS = st.integers(0, 10_000)


def unit_rows(matrix: np.ndarray) -> Vectors:
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return (matrix / lengths).astype(np.float32)


def heaps(seed: int, *, heaps: int = 5, each: int = 6, spread: float = 0.15) -> Vectors:
    """Rows in heaps, shuffled."""
    random = np.random.default_rng(seed)
    middles = unit_rows(random.normal(size=(heaps, 16)))
    rows = np.repeat(middles, each, axis=0) + spread * random.normal(size=(heaps * each, 16))
    return unit_rows(rows[random.permutation(len(rows))])


@given(SEEDS, st.sampled_from([0.2, 0.5, 0.8]), st.sampled_from([1, 3, 7, 512]))
def test_the_pairs_are_those_of_a_plain_comparison_whatever_the_blocks(seed, threshold, block):
    matrix = heaps(seed)
    likeness = matrix @ matrix.T
    expected = {
        (one, other)
        for one, other in combinations(range(len(matrix)), 2)
        if likeness[other, one] > threshold
    }

    found = neighbour_pairs(matrix, threshold, block=block)

    # A cosine within rounding of the threshold may fall on either side of it.
    odd = expected ^ {(int(one), int(other)) for one, other in found}
    assert all(abs(likeness[one, other] - threshold) < 1e-5 for one, other in odd)


@given(SEEDS, st.integers(0, 30))
def test_what_was_added_is_compared_with_everything(seed, start):
    matrix = heaps(seed)
    whole = neighbour_pairs(matrix, 0.5)

    added = neighbour_pairs(matrix, 0.5, start=start, block=4)

    assert added.tolist() == [pair for pair in whole.tolist() if pair[1] >= start]


def test_of_too_many_pairs_the_first_are_given():
    matrix = np.repeat(unit_rows(np.ones((1, 4))), 50, axis=0)

    assert len(neighbour_pairs(matrix, 0.9, most=100)) == 100
    assert neighbour_pairs(matrix, 0.9, most=3).tolist() == [[0, 1], [0, 2], [1, 2]]


def test_what_hangs_together_by_way_of_others_is_one_group():
    pairs = np.array([[5, 6], [0, 1], [3, 4], [1, 4]])

    assert groups(8, pairs) == [(0, 1, 3, 4), (2,), (5, 6), (7,)]
    assert groups(2, np.zeros((0, 2), dtype=np.intp)) == [(0,), (1,)]


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=60))
def test_groups_are_the_connected_parts(pairs):
    near = [pair for pair in pairs if pair[0] != pair[1]]
    homes = list(range(31))
    for one, other in near:
        homes = [homes[one] if home == homes[other] else home for home in homes]
    expected = {tuple(n for n in range(31) if homes[n] == home) for home in set(homes)}

    found = groups(31, np.array(near, dtype=np.intp).reshape(-1, 2))

    assert set(found) == expected
    assert found == sorted(found)


def test_who_is_far_from_the_centre_goes_until_all_are_near():
    matrix = unit_rows(np.array([[1.0, 0.0], [1.0, 0.1], [1.0, -0.1], [-1.0, 0.2]]))

    assert near_centre(matrix, range(4), 0.9) == (0, 1, 2)
    assert near_centre(matrix, [3], 0.9) == (3,)
    assert near_centre(matrix, [], 0.9) == ()


def test_who_has_no_vector_is_left_out():
    vectors = {3: np.array([1.0, 0.0], dtype=np.float32)}

    kept, matrix = stacked(vectors, [2, 3])

    assert kept == (3,)
    assert matrix.tolist() == [[1.0, 0.0]]
    assert stacked({}, [1])[0] == ()


def test_others_are_let_by_between_blocks():
    pauses = []

    neighbour_pairs(heaps(2), 0.8, block=10, breathe=lambda: pauses.append(1))

    assert len(pauses) >= 3


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["apart", "alike"])
def test_ten_thousand_rows_take_seconds(kind):
    random = np.random.default_rng(1)
    rows = random.normal(size=(10_000, 384))
    matrix = unit_rows(rows if kind == "apart" else np.repeat(rows[:1], 10_000, axis=0))

    started = time.process_time()
    pairs = neighbour_pairs(matrix, 0.75)
    groups(len(matrix), pairs)

    assert time.process_time() - started < 10  # of two processors, whoever else uses them
