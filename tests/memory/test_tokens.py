"""The estimate of what a text takes in a window."""

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.tokens.measure import BAR, Errors, errors, is_within_bar
from benchmarks.tokens.sample import checked, fitted
from engram.errors import InvalidInput
from engram.memory.tokens.estimate import Estimator, tokens_in
from engram.memory.tokens.families import FAMILIES, MEASURED, family_of
from engram.memory.tokens.holding import holder
from engram.memory.tokens.pieces import cutter
from engram.providers.tokenizers import ExactCounter

SENTENCE = "The gardener planted three apple trees behind the old school."


@pytest.mark.parametrize("family", MEASURED)
def test_a_text_it_was_not_fitted_to_is_counted_to_a_twentieth_on_average(family):
    found = errors(family)

    assert found.mean_of_texts <= BAR / 2
    assert found.worst_text <= 2 * BAR


@pytest.mark.parametrize("family", MEASURED)
def test_no_kind_of_text_is_counted_wrong_by_more_than_a_twentieth(family):
    found = errors(family)

    assert len(found.by_kind) == 30
    assert found.worst_kind <= BAR


def test_one_kind_beyond_the_bar_is_enough_to_fail():
    good = Errors("cl100k", {"sql": 0.01, "thai": -0.05}, {"sql": [0.01], "thai": [-0.05]})
    bad = Errors("o200k", {"sql": 0.01, "thai": -0.051}, {"sql": [0.01], "thai": [-0.051]})

    assert is_within_bar([good])
    assert not is_within_bar([good, bad])


def test_what_is_fitted_is_checked_on_other_texts():
    held_back = {text for texts in checked().values() for text in texts}

    assert len(held_back) == 90
    assert not held_back & set(fitted())


@pytest.mark.parametrize("family", MEASURED)
def test_words_that_a_vocabulary_holds_are_known_and_others_hardly_ever_pass(family):
    chance, exact, is_held = random.Random(3), ExactCounter(family), holder(family)
    words = {word for text in fitted() for word in text.split() if word.isalpha()}
    held = [word for word in words if exact.count(word) == 1]
    strange = ["".join(chance.choices("abcdefghijklmnop", k=9)) for _ in range(2_000)]

    assert len(held) > 500
    assert all(is_held(word.encode()) for word in held)
    assert sum(is_held(word.encode()) for word in strange) < 40


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


@given(st.text(max_size=400), st.sampled_from(MEASURED))
@settings(max_examples=60)
def test_nothing_is_lost_between_the_pieces(text, family):
    pieces = cutter(family)(text)

    assert "".join(pieces) == text
    assert all(0 < len(piece) <= 170 for piece in pieces)


@given(st.text("aB cD'é中\u0301 \n.7_/", max_size=60))
@settings(max_examples=60)
def test_plain_text_is_cut_the_same_whatever_stands_after_it(text):
    plain = "".join(letter for letter in text if letter.isascii())

    for family in MEASURED:
        alone, together = cutter(family)(plain + "\n"), cutter(family)(plain + "\n€")
        assert together[: len(alone)] == alone


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


@pytest.mark.parametrize("letters", ["abcXYZ019+/", "漢字仮名交文", "กขคงจ", "бджфы", "👍🏽❤️"])
@pytest.mark.parametrize("family", MEASURED)
def test_letters_in_any_order_are_counted_without_delay(letters, family):
    text = "".join(random.Random(5).choices(letters, k=20_000))

    started = time.thread_time()
    found = Estimator(family).count(text)

    assert found > 1_000
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


def test_digits_count_one_by_one_where_the_family_takes_them_so():
    assert Estimator("qwen").count("1234567890") >= 10
    assert Estimator("deepseek").count("1234567890") < 10
    assert family_of("gemini").more_digits("7 of 1234, or 56") == 3


def test_a_tokenizer_that_does_not_exist_is_refused_by_name():
    with pytest.raises(InvalidInput) as refused:
        family_of("wordpiece")

    assert "cl100k" in refused.value.hint
