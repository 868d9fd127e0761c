"""Groups of near vectors: the same every time, whole, and without chains."""

import time
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.memory.dreams.clusters import (
    Vectors,
    centre_of,
    centred_groups,
    groups,
    near_centre,
    nearest,
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


@given(SEEDS, st.sampled_from([0.3, 0.6, 0.8, 0.95]), st.sampled_from([2, 5, 512]))
def test_every_row_is_in_one_group_and_near_to_its_centre(seed, threshold, block):
    matrix = heaps(seed, spread=0.3)

    found = centred_groups(matrix, threshold, block=block)

    assert sorted(place for group in found for place in group) == list(range(len(matrix)))
    for group in found:
        rows = matrix[list(group)]
        assert len(group) == 1 or (rows @ centre_of(rows) > threshold).all()


@given(SEEDS)
def test_the_same_rows_give_the_same_groups_whatever_the_blocks(seed):
    matrix = heaps(seed)

    found = centred_groups(matrix, 0.7)

    assert found == centred_groups(matrix, 0.7) == centred_groups(matrix, 0.7, block=7)


def test_clear_heaps_are_found():
    matrix = heaps(1, heaps=6, each=8, spread=0.05)

    assert sorted(map(len, centred_groups(matrix, 0.8))) == [8] * 6


def test_a_chain_of_neighbours_is_no_group():
    angles = np.arange(0, np.pi, np.pi / 20)
    chain = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)

    connected = groups(len(chain), neighbour_pairs(chain, 0.95))
    centred = centred_groups(chain, 0.95)

    assert connected == [tuple(range(20))]
    assert max(map(len, centred)) < 8


def test_the_nearest_centre_is_the_first_of_equals():
    rows = unit_rows(np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]))
    centres = unit_rows(np.array([[1.0, 0.0], [0.0, 1.0]]))

    which, likeness = nearest(rows, centres)

    assert which.tolist() == [0, 0, 1]
    assert likeness == pytest.approx([1.0, 0.7071, 1.0], abs=1e-3)
    assert nearest(rows, centres[:0])[1].tolist() == [-1.0] * 3


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

    centred_groups(heaps(2), 0.8, block=10, breathe=lambda: pauses.append(1))
    neighbour_pairs(heaps(2), 0.8, block=10, breathe=lambda: pauses.append(1))

    assert len(pauses) >= 6


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["apart", "alike"])
def test_ten_thousand_rows_take_seconds(kind):
    random = np.random.default_rng(1)
    rows = random.normal(size=(10_000, 384))
    matrix = unit_rows(rows if kind == "apart" else np.repeat(rows[:1], 10_000, axis=0))

    started = time.process_time()
    pairs = neighbour_pairs(matrix, 0.75)
    groups(len(matrix), pairs)
    centred_groups(matrix, 0.75)

    assert time.process_time() - started < 10  # of two processors, whoever else uses them
