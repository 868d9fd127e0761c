"""Traits: what a wording is recognised as, its tokens, and whom it calls."""

from array import array

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engram.language.lexicon import query_terms
from engram.memory.traits import (
    BREAK,
    CALLS,
    Mark,
    marks_of,
    token_of,
    traits_of,
)

MARKED = [
    (Mark.PREFERENCE, "I really love strong coffee", "The coffee is in the cupboard"),
    (Mark.PREFERENCE, "My favourite tea is mint", "The tea is mint"),
    (Mark.PREFERENCE, "We can't stand loud music", "We heard loud music"),
    (Mark.PREFERENCE, "I don’t like olives", "There are olives in it"),
    (Mark.DATE, "We met yesterday", "We met at the station"),
    (Mark.DATE, "The move was in October", "The move was hard"),
    (Mark.DATE, "She left three weeks and 3 days ago", "She left the room"),
    (Mark.DATE, "It opens on Tuesday", "It opens slowly"),
    (Mark.NUMBER, "It costs 40 euros", "It costs a lot"),
    (Mark.NUMBER, "They have twelve or a dozen hens", "They have hens"),
    (Mark.RULE, "Always answer in French", "She always answers in French"),
    (Mark.RULE, "Please never use tabs", "They never used tabs"),
    (Mark.RULE, "From now on, write tests first", "He wrote tests first"),
    (Mark.RULE, "When I ask for code, add types", "The code has types"),
    (Mark.QUESTION, "Did you see the film? ", "You saw the film."),
    (Mark.ASKS, "Where did I leave the bike key?", "The bike key is in the blue tin."),
    (Mark.ASKS, "no idea what the landlord is called", "The landlord is called Ferrand."),
    (Mark.ASKS, "Thanks! Who waters the plants?", "I water them, can you help on Friday?"),
    (Mark.CHANGE, "The limit has been raised and is now higher", "The limit is high"),
    (Mark.CHANGE, "We moved to another office", "We like our office"),
    (Mark.FIRST_PERSON, "I keep bees", "Bees are kept"),
    (Mark.FIRST_PERSON, "It is our garden", "It is a garden"),
    (Mark.PLACE, "She works in Porto", "She works in silence"),
    (Mark.PLACE, "We flew to the Azores", "We flew home"),
]


@pytest.mark.parametrize(("mark", "with_it", "without"), MARKED)
def test_a_mark_is_seen_and_not_imagined(mark, with_it, without):
    assert marks_of(with_it) & mark
    assert not marks_of(without) & mark


def test_every_mark_has_an_example():
    assert {mark for mark, _, _ in MARKED} == set(Mark)


def test_a_long_text_is_no_standing_rule():
    assert not marks_of("Always answer in French. " + "And so on. " * 40) & Mark.RULE


def test_case_and_the_shape_of_an_apostrophe_do_not_matter():
    assert marks_of("I’D PREFER TEA") & Mark.PREFERENCE
    assert marks_of("i'd prefer tea") & Mark.PREFERENCE


def tokens(text: str) -> list[int]:
    found = array("I")
    found.frombytes(traits_of(text).tokens)
    return found.tolist()


def calls(text: str) -> list[int]:
    found = tokens(text)
    return found[found.index(CALLS) + 1 :] if CALLS in found else []


def test_tokens_are_the_stems_in_their_order():
    assert tokens("Pottery classes, pottery!") == [
        token_of("pottery"), token_of("class"), token_of("pottery"),
    ]  # fmt: skip


def test_what_is_findable_but_not_said_stands_behind_the_words():
    found = tokens("Call my_function now")
    words, fragments = found[: found.index(BREAK)], found[found.index(BREAK) + 1 :]

    assert words == [token_of(word) for word in ("call", "my", "function", "now")]
    assert token_of("my_function") in fragments


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Hi Kate, how are you?", "kate"),
        ("hey Kate! Long time.", "kate"),
        ("Thanks, Kate.", "kate"),
        ("thank you Kate", "kate"),
        ("That is great news, Kate!", "kate"),
        ("What do you think, Kate?", "kate"),
        ("Good morning Kate", "kate"),
    ],
)
def test_a_name_in_address_is_a_call(text, name):
    assert calls(text) == [token_of(name)]


@pytest.mark.parametrize(
    "text", ["Kate is here.", "hi there", "I met Kate, Tom and Ann", "In Lyon, Paris and so on"]
)
def test_a_name_that_is_only_mentioned_is_no_call(text):
    assert calls(text) == []


def test_several_calls_are_all_noted():
    assert calls("Hi Kate! I will tell him, Tom.") == [token_of("kate"), token_of("tom")]


@given(st.text(max_size=300))
@example("\x00")
@example("\ud800 Hi Kate")
@example("İstanbul")
def test_any_text_has_traits_and_always_the_same(text):
    found = traits_of(text)

    assert found == traits_of(text)
    assert len(found.tokens) % 4 == 0
    assert 0 <= found.flags < 2 * max(Mark)


@given(st.text(max_size=40))
def test_no_word_is_taken_for_a_mark_between_parts(word):
    assert token_of(word) > CALLS


@given(st.text(alphabet=st.characters(codec="ascii"), max_size=40))
def test_every_word_a_text_is_asked_by_stands_in_it(text):
    there = set(tokens(text))

    for term in query_terms(text):
        if term.text.isalpha():
            assert {token_of(token) for token in term.tokens} <= there
