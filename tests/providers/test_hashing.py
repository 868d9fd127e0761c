"""The embedder without a model: always the same, and near means shared words."""

import numpy as np
import pytest

from engram.errors import EmbedderUnavailable
from engram.providers.choose import choose_embedder
from engram.providers.hashing import HashingEmbedder
from engram.providers.minilm import MiniLmEmbedder
from engram.providers.openai_compatible import UrlEmbedder
from engram.providers.options import EMBEDDER_KINDS, EmbedderOptions
from providers.contract import EmbedderContract

FIXED = [
    0.0,
    0.0,
    0.0,
    -0.174051,
    0.0,
    -0.017405,
    0.0,
    0.580171,
    0.0,
    -0.174051,
    -0.580171,
    0.0,
    -0.290085,
    -0.174051,
    0.348103,
    0.174051,
]


@pytest.fixture
def embedder():
    return HashingEmbedder()


class TestHashing(EmbedderContract):
    def fresh(self) -> HashingEmbedder:
        return HashingEmbedder()


def test_texts_that_share_words_are_near(embedder):
    question, answer, other = embedder.embed([
        "Where is the lighthouse keeper?", "The keeper left the lighthouse.", "Soup needs salt.",
    ])  # fmt: skip

    assert question @ answer > 0.4
    assert abs(question @ other) < 0.25


def test_forms_of_one_word_are_near(embedder):
    walking, walked, sleeping = embedder.embed(["walking", "walked", "snoozed"])

    assert walking @ walked > walking @ sleeping + 0.1


def test_the_vectors_are_the_same_on_every_machine(embedder):
    row = HashingEmbedder(dimension=16).embed(["a lighthouse keeper"])[0]

    assert np.allclose(row, FIXED, atol=1e-6)


@pytest.mark.parametrize("dimension", [16, 100, 4_096])
def test_the_dimension_is_as_asked_for(dimension):
    chosen = choose_embedder(EmbedderOptions(kind="hashing", hashing_dimension=dimension))

    assert chosen is not None
    assert chosen.embed(["one", "two"]).shape == (2, dimension)
    assert str(dimension) in chosen.identity


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("builtin", MiniLmEmbedder), ("url", UrlEmbedder), ("hashing", HashingEmbedder)],
)
def test_the_settings_choose_the_embedder(kind, expected):
    assert isinstance(choose_embedder(EmbedderOptions(kind=kind)), expected)


def test_none_is_a_choice_and_every_kind_is_known():
    assert choose_embedder(EmbedderOptions(kind="none")) is None
    assert set(EMBEDDER_KINDS) == {"builtin", "url", "hashing", "none"}


def test_embedders_of_different_kinds_never_share_a_space():
    identities = [
        choose_embedder(EmbedderOptions(kind="builtin")).identity,
        choose_embedder(EmbedderOptions(kind="hashing")).identity,
        choose_embedder(EmbedderOptions(kind="hashing", hashing_dimension=64)).identity,
        choose_embedder(EmbedderOptions(kind="url")).identity,
        choose_embedder(EmbedderOptions(kind="url", model="another")).identity,
        choose_embedder(EmbedderOptions(kind="url", url="http://localhost:8080")).identity,
        choose_embedder(EmbedderOptions(kind="url", max_characters=900)).identity,
    ]

    assert len(set(identities)) == len(identities)


def test_the_error_says_that_nothing_is_lost():
    assert "Nothing is lost" in EmbedderUnavailable().hint
