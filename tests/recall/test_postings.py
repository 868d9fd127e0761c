"""The inverted index: the same answers as a plain search, however it grew."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.recall.postings import Postings

TOKENS = st.sampled_from([2, 3, 5, 8, 1_000, 2**31, 2**32 - 1])
ROWS = st.lists(TOKENS, max_size=6)
PAGES = st.lists(st.lists(ROWS, max_size=8), max_size=12)


def build(pages: list[list[list[int]]]) -> tuple[Postings, list[list[int]]]:
    """An index filled page by page, and every row there is."""
    index, every = Postings(), []
    for page in pages:
        numbers = np.arange(len(every), len(every) + len(page)).repeat([len(row) for row in page])
        joined = [token for row in page for token in row]
        index.add(np.array(joined, dtype=np.uint32), numbers.astype(np.int64))
        every += page
    return index, every


@given(PAGES, TOKENS)
def test_an_index_finds_what_a_plain_search_finds(pages, token):
    index, every = build(pages)

    found = index.find(token)

    expected = {row: Counter(tokens)[token] for row, tokens in enumerate(every) if token in tokens}
    assert found.rows.tolist() == sorted(expected)
    assert found.counts.tolist() == [expected[row] for row in found.rows.tolist()]


@given(PAGES)
def test_an_index_is_the_same_filled_at_once_and_row_by_row(pages):
    _, every = build(pages)
    at_once, _ = build([every])
    by_row, _ = build([[row] for row in every])

    for token in (2, 3, 2**32 - 1):
        assert at_once.find(token).rows.tolist() == by_row.find(token).rows.tolist()
        assert at_once.find(token).counts.tolist() == by_row.find(token).counts.tolist()


def test_an_index_that_grew_by_many_small_steps_has_few_blocks():
    index = Postings()
    for row in range(1_000):
        index.add(np.array([7, row + 10], dtype=np.uint32), np.array([row, row]))

    assert len(index.find(7).rows) == 1_000
    assert len(index._blocks) <= 12


def test_what_was_found_is_not_disturbed_by_what_is_added():
    index, _ = build([[[5], [5]]])
    before = index.find(5)

    index.add(np.array([5], dtype=np.uint32), np.array([2]))

    assert before.rows.tolist() == [0, 1]
    assert index.find(5).rows.tolist() == [0, 1, 2]


@pytest.mark.parametrize("token", [0, 1, 99, 2**32 - 1])
def test_a_token_that_stands_nowhere_is_not_found(token):
    index, _ = build([[[5]]])

    assert len(index.find(token).rows) == 0
    assert len(Postings().find(token).rows) == 0


def test_a_word_repeated_without_end_is_counted_up_to_a_limit():
    index = Postings()
    index.add(np.full(70_000, 9, dtype=np.uint32), np.zeros(70_000, dtype=np.int64))

    assert index.find(9).counts.tolist() == [65_535]
