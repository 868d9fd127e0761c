"""What is so for the moment is no lasting fact."""

import pytest

from engram.capture.reading.salience import KEEP
from engram.memory.vocabulary import Layer
from tests.capture.reading.talk import from_user, only, reasons, said


@pytest.mark.parametrize(
    "text",
    [
        "It's misty up on the moor.",
        "It is so windy that the gate bangs.",
        "Here it is gorgeous outside.",
        "It's drizzling again.",
        "I'm starving already.",
        "I am a little sleepy.",
        "I'm still half asleep.",
        "I'm in a bad mood.",
        "I am full of energy.",
        "I'm not very focused.",
        "I'm sluggish today.",
        "The tea is too weak this morning.",
        "My soup is cold.",
        "It is grey since Monday.",
        "It's pouring again, I'm a bit sleepy.",
    ],
)
def test_weather_hunger_and_moods_are_small_talk(text):
    assert said(text).propositions == ()
    assert "small talk" in reasons(text)


@pytest.mark.parametrize(
    "text",
    [
        "The lift is out of order again.",
        "The build is broken right now.",
        "Everything is late already.",
        "My train is late today.",
        "Something with the printer again.",
        "Something with the ticket booth again: the till jams at the last step.",
        "I still have to oil the gate before 15 o'clock.",
        "The siren has been quiet since 11 o'clock.",
    ],
)
def test_what_is_so_just_now_is_a_moment_at_most(text):
    assert only(text).layer is Layer.EPISODIC


@pytest.mark.parametrize(
    "text",
    [
        "I'm allergic to walnuts.",
        "I'm vegetarian.",
        "I'm always tired on Mondays.",
        "It is always foggy in Bergen.",
        "It is cold in winter.",
        "It is windy since the forest was cut.",
        "I'm tired of waiting rooms.",
        "I'm hungry for a challenge.",
        "The tea is kept in the blue tin.",
        "The cellar is cold.",
        "Our treasurer is the mayor again.",
        "I am restless by nature.",
        "The soup costs 4 euros.",
    ],
)
def test_what_lasts_is_not_taken_for_a_moment(text):
    assert only(text).layer is Layer.SEMANTIC


@pytest.mark.parametrize("text", ["I'm vegetarian.", "I'm retired.", "I'm pregnant."])
def test_two_words_can_say_who_one_is(text):
    assert only(text).salience >= KEEP


def test_a_bit_of_something_is_not_said_firmly():
    (found,) = from_user("I am a bit behind with the slides.").propositions

    assert found.confidence < 0.95


def test_a_fact_beside_the_weather_is_read():
    (found,) = said("It's raining again. My sister is a vet.").propositions

    assert found.text == "Ann's sister is a vet."
