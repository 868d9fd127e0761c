"""What every embedder must do, whoever computes the vectors."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram.errors import EmbedderUnavailable
from engram.providers.embedder import Embedder

HARD_TEXTS = [
    "", " ", "\n\t", "\x00", "a\x00b", "\ud800", "\udfff and more", "\ud83d\ude00", "🎉" * 40,
    "\u202eright to left\u202c", "e\u0301\u0323" * 50, "字" * 300, "a" * 5_000, "\ufffd",
    "\U0001d518\U0001d52b",
]  # fmt: skip
ANY_TEXT = st.text(st.characters(), max_size=40)  # surrogates and controls too


def assert_unit_rows(rows: np.ndarray, count: int) -> None:
    assert rows.dtype == np.float32
    assert rows.shape[0] == count
    assert np.isfinite(rows).all()
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)


class EmbedderContract:
    """Subclasses give a fixture `embedder`; it is not closed by these tests."""

    def fresh(self) -> Embedder:
        """Another embedder of the same kind, to be closed."""
        raise NotImplementedError

    @pytest.mark.parametrize("text", HARD_TEXTS, ids=ascii)
    def test_any_text_has_a_finite_vector_of_length_one(self, embedder, text):
        assert_unit_rows(embedder.embed([text]), 1)

    def test_random_text_has_a_vector_too(self, embedder):
        @settings(max_examples=30)
        @given(ANY_TEXT)
        def holds(text: str) -> None:
            assert_unit_rows(embedder.embed([text]), 1)

        holds()

    @pytest.mark.parametrize("piece", ["word ", "x", " ", "語", "\ud800"], ids=ascii)
    def test_a_megabyte_has_a_vector(self, embedder, piece):
        assert_unit_rows(
            embedder.embed([piece * (1_048_576 // len(piece.encode("utf-8", "replace")))]), 1
        )

    def test_a_batch_gives_the_same_bits_as_each_text_alone(self, embedder):
        texts = [f"{'The tide turns early today. ' * (n % 7)}{n}" for n in range(24)]

        together = embedder.embed(texts)
        backwards = embedder.embed(texts[::-1])[::-1]
        alone = np.vstack([embedder.embed([text]) for text in texts])

        assert np.array_equal(together, alone)
        assert np.array_equal(together, backwards)

    def test_no_texts_give_no_rows(self, embedder):
        known = embedder.embed(["something"]).shape[1]

        assert embedder.embed([]).shape == (0, known)

    def test_the_dimension_is_that_of_the_vectors(self, embedder):
        rows = embedder.embed(["one", "two"])

        assert rows.shape[1] == embedder.dimension
        assert embedder.is_loaded

    def test_many_threads_get_what_one_gets(self, embedder):
        texts = [f"note number {n}" for n in range(8)]
        expected = embedder.embed(texts)
        found: list[np.ndarray] = []

        threads = [
            threading.Thread(target=lambda: found.append(embedder.embed(texts))) for _ in range(4)
        ]
        for each in threads:
            each.start()
        for each in threads:
            each.join()

        assert len(found) == 4
        assert all(np.array_equal(rows, expected) for rows in found)

    def test_the_identity_is_known_at_once_and_does_not_change(self, embedder):
        fresh = self.fresh()

        identity = fresh.identity
        fresh.embed(["now it is loaded"])

        assert fresh.identity == identity == embedder.identity
        fresh.close()

    def test_a_closed_embedder_is_unavailable(self):
        fresh = self.fresh()
        fresh.close()

        with pytest.raises(EmbedderUnavailable) as raised:
            fresh.embed(["a secret thought"])

        assert not fresh.is_loaded
        assert "secret" not in str(raised.value)

    def test_warming_twice_and_closing_twice_is_no_harm(self):
        fresh = self.fresh()

        fresh.warm()
        fresh.warm()
        assert_unit_rows(fresh.embed(["ready"]), 1)

        fresh.close()
        fresh.close()
