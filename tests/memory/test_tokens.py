"""The estimate of what a text takes in a window."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.tokens.measure import BAR, errors
from benchmarks.tokens.sample import checked, fitted
from engram.errors import InvalidInput
from engram.memory.tokens.estimate import Estimator, tokens_in
from engram.memory.tokens.families import FAMILIES, MEASURED, family_of
from engram.memory.tokens.pieces import pieces

SENTENCE = "The gardener planted three apple trees behind the old school."


@pytest.mark.parametrize("family", MEASURED)
def test_a_text_it_was_not_fitted_to_is_counted_to_a_twentieth_on_average(family):
    found = errors(family)

    assert found.mean_of_texts <= BAR
    assert found.mean_of_kinds <= BAR
    assert found.worst_kind <= 2.5 * BAR


def test_the_weights_are_checked_on_other_texts_than_they_are_fitted_to():
    held_back = {text for texts in checked().values() for text in texts}

    assert not held_back & set(fitted())
    assert len(held_back) + len(fitted()) >= 60


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("a", 1), ("the", 1), ("time for work", 3), ("123456789", 3), ("\n\n\n", 1)],
)
def test_plain_texts_are_counted_as_one_would_by_hand(text, tokens):
    assert tokens_in(text) == tokens


def test_other_languages_take_more_for_as_many_letters():
    english = tokens_in("the members of the committee agreed about the opening hours")
    german = tokens_in("die Ausschussmitglieder beschlossen neue Öffnungszeiten jetzt")

    assert german > 1.5 * english


def test_indentation_and_rules_cost_little():
    assert tokens_in("\n" + " " * 40 + "return value") <= 6
    assert tokens_in("=" * 80) <= 16


@given(st.text(max_size=400))
@settings(max_examples=60)
def test_nothing_is_lost_between_the_pieces(text):
    assert "".join(pieces(text)) == text
    assert all(0 < len(piece) <= 100 for piece in pieces(text))


@given(st.text(max_size=200), st.sampled_from(sorted(FAMILIES)))
@settings(max_examples=60)
def test_only_an_empty_text_takes_nothing(text, family):
    assert (Estimator(family).count(text) == 0) == (text == "")


@given(st.lists(st.sampled_from(SENTENCE.split()), min_size=1, max_size=30))
@settings(max_examples=40)
def test_words_together_take_no_more_than_one_by_one_and_a_blank_each(words):
    together = tokens_in(" ".join(words))

    assert together <= sum(tokens_in(word) + 1 for word in words)


@pytest.mark.parametrize(
    "letter", ["a", "A", "7", " ", "\n", "!", "\0", "漢", "é", "👩", "\u200d", "'"]
)
def test_a_long_row_of_one_letter_is_counted_without_delay(letter):
    started = time.thread_time()
    found = tokens_in(letter * 300_000)

    assert 0 < found <= 1_200_000
    assert time.thread_time() - started < 3


def test_half_a_pair_of_characters_is_no_reason_to_stumble():
    assert tokens_in("so \ud83d it goes") > 3


def test_a_family_that_is_not_measured_is_counted_on_the_safe_side():
    for family in FAMILIES.values():
        measured = Estimator(family.like).count(SENTENCE)
        found = Estimator(family.name)

        assert found.name == family.name
        assert not found.is_exact
        assert found.count(SENTENCE) >= measured
        assert (found.count(SENTENCE) > measured) == (not family.is_measured)


def test_a_tokenizer_that_does_not_exist_is_refused_by_name():
    with pytest.raises(InvalidInput) as refused:
        family_of("wordpiece")

    assert "cl100k" in refused.value.hint
