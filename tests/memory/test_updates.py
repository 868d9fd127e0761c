"""A sentence that says outright that something is otherwise now ends what was said before."""

import pytest

from engram.memory.claims.updates import (
    is_update,
    names_what_changed,
    tells_change,
    what_changed,
)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("The treasurer is Konstanze.", "The treasurer is Dimitri now."),
        ("The treasurer is Konstanze.", "The treasurer is now Dimitri."),
        ("Gunnar leads the billing team.", "Philippa leads the billing team now."),
        ("The car is parked in Lark Street.", "The car is now parked in Mill Lane."),
        ("The spare key is under the pot.", "The spare key is now with the baker."),
        ("The staging server runs version 3.1.4.", "The staging server runs version 4.0.2 now."),
        ("The farm shop opens at 7:30.", "The farm shop now opens at 8:15."),
        ("The reading room is on the ground floor.", "The reading room is on the top floor now."),
        ("The standup is at 9:35.", "We moved the standup to 10:05."),
        ("We moved the standup to 10:05.", "The standup is at 9:20 now."),
        ("My phone plan is with Telora.", "I switched my phone plan to Mobilix."),
        ("I switched my phone plan to Mobilix.", "I switched my phone plan to Ringwave."),
        ("Choir practice is on Tuesday.", "Choir practice was moved to Thursday."),
        ("The general meeting is on 9 May.", "The general meeting was moved to 23 May."),
        ("Choir practice is on Tuesday.", "Choir practice is on Monday now."),
        ("Breakfast is at 7:30.", "Breakfast is at 8:15 now."),
        ("The limit is 5.", "We changed the limit from 5 to 9."),
        ("The fee is 18 euros.", "The fee was raised from 18 euros to 21 euros."),
    ],
)
def test_who_says_that_it_is_otherwise_now_ends_what_was_so(earlier, later):
    assert is_update(earlier, later)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("The treasurer is Konstanze.", "The treasurer is Dimitri."),  # nobody says now
        ("I like tea.", "I like coffee now."),
        ("The app uses Redis.", "The app uses Kafka now."),
        ("The report is long.", "The report is now finished."),
        ("The meeting is on Tuesday.", "The meeting is in Porto now."),
        ("Philippa leads the security team.", "Philippa leads the billing team now."),
        ("Ada knows the treasurer.", "Bo knows the treasurer now."),
        ("My sister lives in Lyon.", "My brother lives in Lyon now."),
        ("The budget is 20 euros.", "The budget was not raised to 30 euros."),
        ("The treasurer is Konstanze.", "Maybe the treasurer is Dimitri now."),
        ("The treasurer is Konstanze.", "Is the treasurer Dimitri now?"),
        ("The treasurer is Konstanze.", "The treasurer is also Dimitri now."),
        ("The standup is at 9:35.", "We moved the retro to 10:05."),
        ("The standup is at 10:05.", "We moved the standup to 10:05."),  # the same value
        ("The standup is in Lisbon.", "We moved the standup to 10:05."),
        ("The meeting with Ada is on Tuesday.", "The meeting with Bo is now on Thursday."),
        ("My meeting with Ada starts at 9:00.", "My meeting with Bo starts at 10:00 now."),
        ("The train to school leaves at 7:00.", "The train to work leaves at 8:00 now."),
        ("I am free on Tuesday.", "I am free on Monday now."),
        ("The treasurer is Konstanze.", "Ada's treasurer is Dimitri now."),
    ],
)
def test_whatever_can_stand_beside_the_other_ends_nothing(earlier, later):
    assert not is_update(earlier, later)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("The security lead is Ottilie.", "Our security lead is now Samira."),
        ("Mara's security lead is Ottilie.", "The security lead is Samira now."),
        ("My desk is in the loft.", "Mara moved Mara's desk to the hall."),
        ("The car is parked in Mill Lane.", "My car is now parked in Quay Road."),
    ],
)
def test_what_is_ours_to_the_speaker_is_the_one_spoken_of(earlier, later):
    assert is_update(earlier, later, speaker="Mara")
    assert not is_update(earlier, later)


@pytest.mark.parametrize(
    "text",
    [
        "We no longer use the fax.",
        "I don't eat eggs any more.",
        "We moved the retro to 11:40.",
        "The fee is 21 euros now.",
    ],
)
def test_a_sentence_says_what_is_otherwise_now(text):
    assert tells_change(text)
    assert names_what_changed(text)


@pytest.mark.parametrize("text", ["I'm busy now.", "It is different now."])
def test_a_change_of_nothing_definite_is_told_and_not_named(text):
    assert tells_change(text)
    assert not names_what_changed(text)


@pytest.mark.parametrize(
    "text", ["Maybe we no longer need the fax.", "If we no longer use it, sell it.", "It is hot."]
)
def test_in_doubt_nothing_has_changed(text):
    assert not tells_change(text)


def test_what_was_so_before_is_looked_for_by_what_changed():
    assert what_changed("Mara and others moved the weekly call to Friday.") == "the weekly call"
    assert what_changed("The treasurer is Dimitri now.") == "The treasurer is Dimitri"
    assert what_changed("Mara's cook is Dimitri now.", speaker="Mara") == "the cook is Dimitri"


@pytest.mark.parametrize(
    "earlier",
    [
        "The billing service deploys on Tuesdays.",
        "The billing service is down on Tuesdays.",
        "The billing service pages Ada.",
    ],
)
def test_what_something_does_is_not_over_when_it_is_moved(earlier):
    assert not is_update(earlier, "We moved the billing service to Postgres 16 in March.")


def test_where_something_runs_is_over_when_it_is_moved():
    moved = "We moved the billing service to Postgres 16 in March."

    assert is_update("The billing service runs on MySQL 8.", moved)
