"""Exact counts where the tokenizer is installed, and what is done where it is not."""

import sys

import pytest

from engram.errors import InvalidInput
from engram.memory.tokens.families import FAMILIES
from engram.providers.tokenizers import counter_for, has_exact


@pytest.fixture
def forget_what_is_installed():
    def forget() -> None:
        counter_for.cache_clear()
        has_exact.cache_clear()

    forget()
    yield
    forget()


@pytest.mark.parametrize(
    ("family", "text", "tokens"),
    [
        ("cl100k", "hello world", 2),
        ("o200k", "hello world", 2),
        ("cl100k", "", 0),
        ("cl100k", "antidisestablishmentarianism", 6),
        ("o200k", "お誕生日おめでとう", 8),
        ("cl100k", "お誕生日おめでとう", 9),
    ],
)
def test_known_counts_are_met(family, text, tokens):
    counter = counter_for(family)

    assert counter.is_exact
    assert counter.name == family
    assert counter.count(text) == tokens


@pytest.mark.parametrize("family", ["cl100k", "o200k"])
def test_a_special_token_in_a_text_is_plain_text(family):
    assert counter_for(family).count("<|endoftext|>") > 3
    assert counter_for(family).count("<|im_start|>system") > 3


def test_half_a_pair_of_characters_is_counted_as_its_replacement():
    counter = counter_for("cl100k")

    assert counter.count("a\ud83db") == counter.count("a\ufffdb")
    assert counter.count("\U0001f600") == counter.count("\ud83d\ude00")


@pytest.mark.parametrize("name", [each.name for each in FAMILIES.values() if not each.is_measured])
def test_a_family_without_a_tokenizer_counts_more_than_the_one_it_is_like(name):
    counter, like = counter_for(name), counter_for(FAMILIES[name].like)

    assert not counter.is_exact
    assert counter.name == name
    assert counter.count("A plain sentence about nothing.") > like.count(
        "A plain sentence about nothing."
    )
    assert counter.count("") == 0


def test_digits_are_counted_one_by_one_with_the_tokenizer_too():
    assert counter_for("mistral").count("2031-04-24 14974291") >= 16


def test_without_the_extra_everything_is_estimated_and_says_so(
    monkeypatch, forget_what_is_installed
):
    monkeypatch.setitem(sys.modules, "rs_bpe", None)

    for name in FAMILIES:
        counter = counter_for(name)
        assert not counter.is_exact
        assert counter.name == name
        assert counter.count("A plain sentence about nothing.") >= 6


def test_a_tokenizer_that_does_not_exist_is_refused():
    with pytest.raises(InvalidInput):
        counter_for("nonsense")
