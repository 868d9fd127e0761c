"""What every index of vectors must do; each back end runs this suite as its own."""

import threading

import numpy as np
import pytest

from engram.errors import VectorRefused

DIMENSION = 96


def unit(rows):
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def clustered(count, *, seed=1, dimension=DIMENSION, clusters=40):
    """Vectors as texts have them: in clusters, some dimensions weightier than others."""
    chance = np.random.default_rng(seed)
    weight = 1 / np.sqrt(1 + np.arange(dimension) / 8)
    centres = chance.standard_normal((clusters, dimension)) * weight + 0.2 * weight
    noise = 0.6 * chance.standard_normal((count, dimension)) * weight
    return unit(centres[chance.integers(0, clusters, count)] + noise)


def exactly(ids, vectors, query, k, allowed=None):
    """The k nearest by brute force, ties by id."""
    cosines = np.einsum("ij,j->i", vectors, query, optimize=False)
    rows = np.arange(len(ids)) if allowed is None else np.flatnonzero(allowed)
    order = np.lexsort((ids[rows], -cosines[rows]))[:k]
    return ids[rows[order]], cosines[rows[order]]


class Kept:
    """Stands for the database: the exact vectors of an index that keeps less."""

    def __init__(self):
        self.vectors = {}

    def fetch(self, ids):
        found = np.array(sorted(each for each in ids.tolist() if each in self.vectors), np.int64)
        rows = [self.vectors[each] for each in found.tolist()]
        return found, np.array(rows, np.float32).reshape(len(found), -1)


class VectorIndexContract:
    """Subclass it and say how an empty index is made."""

    least_recall = 1.0

    def make(self, dimension=DIMENSION):
        raise NotImplementedError

    def filled(self, ids, vectors):
        kept = Kept()
        kept.vectors = dict(zip(ids.tolist(), vectors, strict=True))
        index = self.make(vectors.shape[1])
        index.add(ids, vectors)
        return index, kept.fetch

    def recall(self, found, wanted):
        return len(set(found.tolist()) & set(wanted.tolist())) / max(1, len(wanted))

    def test_an_empty_index_finds_nothing(self):
        index = self.make()

        found = index.search(clustered(1)[0], 5, None, Kept().fetch)

        assert len(found) == len(index) == len(index.ids) == 0

    def test_asking_for_more_than_there_is_gives_all_there_is_best_first(self):
        ids, vectors = np.array([7, 3, 9]), clustered(3)
        index, fetch = self.filled(ids, vectors)

        found = index.search(vectors[1], 10, None, fetch)

        wanted, cosines = exactly(ids, vectors, vectors[1], 10)
        assert found.ids.tolist() == wanted.tolist()
        assert index.ids[found.positions].tolist() == wanted.tolist()
        np.testing.assert_allclose(found.similarities, cosines, atol=2e-3)

    def test_the_nearest_are_those_that_brute_force_finds(self):
        ids, vectors = np.arange(10, 3_010), clustered(3_000)
        index, fetch = self.filled(ids, vectors)

        shares = []
        for query in clustered(40, seed=2):
            found = index.search(query, 10, None, fetch)
            shares.append(self.recall(found.ids, exactly(ids, vectors, query, 10)[0]))
            assert np.all(np.diff(found.similarities) <= 0)

        assert np.mean(shares) >= self.least_recall

    @pytest.mark.parametrize("share", [0.0, 0.01, 0.1, 0.5, 1.0])
    def test_the_filter_comes_before_the_cut(self, share):
        ids, vectors = np.arange(3_000), clustered(3_000)
        index, fetch = self.filled(ids, vectors)
        allowed = np.random.default_rng(5).random(3_000) < share

        shares = []
        for query in clustered(20, seed=3):
            found = index.search(query, 10, allowed, fetch)
            wanted, _ = exactly(ids, vectors, query, 10, allowed)
            assert len(found) == min(10, int(allowed.sum()))
            assert allowed[found.positions].all()
            shares.append(self.recall(found.ids, wanted) if len(wanted) else 1.0)

        assert np.mean(shares) >= self.least_recall

    def test_a_mask_that_is_shorter_covers_the_first_rows_only(self):
        ids, vectors = np.arange(100), clustered(100)
        index, fetch = self.filled(ids, vectors)

        found = index.search(vectors[99], 100, np.ones(60, dtype=np.bool_), fetch)

        assert sorted(found.ids.tolist()) == list(range(60))

    def test_equal_vectors_come_in_the_order_of_their_ids(self):
        vectors = np.repeat(clustered(1), 6, axis=0)
        index, fetch = self.filled(np.array([5, 1, 4, 2, 6, 3]), vectors)

        found = index.search(vectors[0], 4, None, fetch)

        assert found.ids.tolist() == [1, 2, 3, 4]

    def test_thousands_of_equal_vectors_are_no_trouble(self):
        vectors = np.repeat(clustered(1), 5_000, axis=0)
        index, fetch = self.filled(np.arange(5_000)[::-1].copy(), vectors)

        found = index.search(vectors[0], 3, None, fetch)

        assert len(found) == 3
        np.testing.assert_allclose(found.similarities, 1.0, atol=2e-3)

    @pytest.mark.failure("F48")
    @pytest.mark.parametrize("shape", [(2, DIMENSION + 1), (2, DIMENSION - 1), (3, DIMENSION)])
    def test_vectors_of_another_dimension_are_refused_and_leave_nothing(self, shape):
        index = self.make()

        with pytest.raises(VectorRefused):
            index.add(np.array([1, 2]), np.ones(shape, np.float32))
        with pytest.raises(VectorRefused):
            index.search(np.ones(DIMENSION + 1, np.float32), 1, None, Kept().fetch)

        assert len(index) == 0

    @pytest.mark.parametrize("bad", [np.nan, np.inf])
    def test_what_is_not_a_number_is_refused(self, bad):
        vectors = clustered(2)
        vectors[1, 3] = bad
        index = self.make()

        with pytest.raises(VectorRefused):
            index.add(np.array([1, 2]), vectors)
        with pytest.raises(VectorRefused):
            index.search(vectors[1], 1, None, Kept().fetch)

        assert len(index) == 0

    @pytest.mark.failure("F08")
    @pytest.mark.parametrize("times", [0.0, 0.9, 1.1, 60_000.0, 1e30])
    def test_what_is_not_of_length_one_is_refused(self, times):
        vectors = clustered(2)
        vectors[1] *= np.float32(times)
        index = self.make()

        with pytest.raises(VectorRefused):
            index.add(np.array([1, 2]), vectors)

        assert len(index) == 0

    @pytest.mark.failure("F04")
    def test_it_grows_past_any_capacity_and_always_counts_right(self):
        vectors = clustered(3_000)
        index, kept = self.make(), Kept()
        ends = [1, 2, 3, 63, 64, 65, 66, 1_023, 1_024, 1_025, 2_900, 3_000]

        start = 0
        for end in ends:
            ids = np.arange(start, end)
            kept.vectors.update(zip(ids.tolist(), vectors[start:end], strict=True))
            index.add(ids, vectors[start:end])
            assert len(index) == end
            assert index.search(vectors[end - 1], 1, None, kept.fetch).ids.tolist() == [end - 1]
            start = end

        assert index.ids.tolist() == list(range(3_000))

    def test_the_same_question_gets_the_same_answer_to_the_last_bit(self):
        ids, vectors = np.arange(2_000), clustered(2_000)
        index, fetch = self.filled(ids, vectors)
        query = clustered(1, seed=9)[0]

        answers = [index.search(query, 20, None, fetch) for _ in range(5)]

        assert {each.ids.tobytes() for each in answers} == {answers[0].ids.tobytes()}
        assert {each.similarities.tobytes() for each in answers} == {
            answers[0].similarities.tobytes()
        }

    def test_the_order_of_insertion_does_not_show(self):
        ids, vectors = np.arange(2_000), clustered(2_000)
        index, fetch = self.filled(ids, vectors)
        order = np.random.default_rng(4).permutation(2_000)
        other, _ = self.filled(ids[order], vectors[order])

        shares = []
        for query in clustered(20, seed=6):
            first = index.search(query, 10, None, fetch)
            second = other.search(query, 10, None, fetch)
            shares.append(self.recall(first.ids, second.ids))
            if self.least_recall == 1.0:
                assert first.ids.tolist() == second.ids.tolist()

        assert np.mean(shares) >= self.least_recall

    def test_threads_may_search_while_others_add(self):
        vectors = clustered(4_000)
        kept = Kept()
        kept.vectors = dict(enumerate(vectors))
        index = self.make()
        index.add(np.arange(1_000), vectors[:1_000])
        problems = []

        def search(seed):
            try:
                for query in clustered(30, seed=seed):
                    found = index.search(query, 10, None, kept.fetch)
                    assert len(found) == len(set(found.ids.tolist())) == 10
            except BaseException as error:  # noqa: BLE001  # collected for the assertion
                problems.append(error)

        threads = [threading.Thread(target=search, args=(seed,)) for seed in (11, 12, 13)]
        for thread in threads:
            thread.start()
        for start in range(1_000, 4_000, 100):
            index.add(np.arange(start, start + 100), vectors[start : start + 100])
        for thread in threads:
            thread.join()

        assert problems == []
        assert len(index) == 4_000
