"""A sentence that says outright that something is otherwise now ends what was said before."""

import pytest

from engram.memory.claims.updates import is_update


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
    ],
)
def test_whatever_can_stand_beside_the_other_ends_nothing(earlier, later):
    assert not is_update(earlier, later)
