"""When promises are due, and how long promises and guesses are kept."""

import time
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram.memory.deadlines import (
    ExpiryOptions,
    commitment_expires,
    deadline_in,
    speculative_expires,
)

AT = datetime(2026, 3, 18, 15, 30, tzinfo=UTC)  # a Wednesday

DEADLINES = [
    ("I'll send it by Friday", "2026-03-21T00:00"),
    ("I'll send it before Friday", "2026-03-20T00:00"),
    ("Done before the end of March", "2026-04-01T00:00"),
    ("The report is due 3 May", "2026-05-04T00:00"),
    ("The report is due on 3 May", "2026-05-04T00:00"),
    ("It is due by the end of April.", "2026-05-01T00:00"),
    ("I will answer within two weeks", "2026-04-01T15:30"),
    ("Please wait until tomorrow noon", "2026-03-19T12:00"),
    ("by 5pm", "2026-03-18T17:00"),
    ("by 9am", "2026-03-19T09:00"),
    ("by noon", "2026-03-19T12:00"),
    ("by 5 pm tomorrow", "2026-03-19T17:00"),
    ("by the end of the week", "2026-03-23T00:00"),
    ("I'll have it by EOD", "2026-03-19T00:00"),
    ("by end of day", "2026-03-19T00:00"),
    ("before the end of the day", "2026-03-19T00:00"),
    ("before Monday morning", "2026-03-23T05:00"),
    ("by next Tuesday", "2026-03-25T00:00"),
    ("no later than 2026-04-01", "2026-04-02T00:00"),
    ("The deadline is 1 April", "2026-04-02T00:00"),
    ("The deadline for the report is 12 May", "2026-05-13T00:00"),
    ("in the next 10 days", "2026-03-28T15:30"),
    ("within a month", "2026-04-18T15:30"),
    ("within 48 hours", "2026-03-20T15:30"),
    ("by June", "2026-07-01T00:00"),
    ("by May 2027", "2027-06-01T00:00"),
    ("by the 25th", "2026-03-26T00:00"),
    ("by the end of next month", "2026-05-01T00:00"),
    ("until the end of the year", "2027-01-01T00:00"),
    ("by the end of Q2", "2026-07-01T00:00"),
    ("due tomorrow", "2026-03-20T00:00"),
    ("due in two weeks", "2026-04-02T00:00"),
    ("till Sunday", "2026-03-23T00:00"),
    ("before 10am on Friday", "2026-03-20T10:00"),
    ("by Friday at 5pm", "2026-03-20T17:00"),
    ("before Christmas", "2026-12-25T00:00"),
    ("by March 31st at the latest", "2026-04-01T00:00"),
    ("Written by Ann, to be read by Friday", "2026-03-21T00:00"),
]

NO_DEADLINES = [
    "I'll come by train",
    "The cake was made by Ann",
    "By 2019 she had moved",
    "It grew by 10",
    "It fell by 20 percent",
    "We won by two votes",
    "I will do it tomorrow",
    "Wait until I call",
    "Wash your hands before lunch",
    "Late due to rain",
    "By the way, see you Friday",
    "Done by then",
    "Everything within reason",
    "It was due on 3 May 2019",
    "",
]


@pytest.mark.parametrize(("text", "expected"), DEADLINES)
def test_a_deadline_is_the_moment_after_which_it_is_too_late(text, expected):
    assert deadline_in(text, AT) == datetime.fromisoformat(expected).replace(tzinfo=UTC)


@pytest.mark.parametrize("text", NO_DEADLINES)
def test_other_words_name_no_deadline(text):
    assert deadline_in(text, AT) is None


def test_a_day_is_over_where_the_speaker_is():
    at = datetime(2026, 3, 18, 9, tzinfo=ZoneInfo("Asia/Tokyo"))

    assert deadline_in("by Friday", at) == datetime(2026, 3, 20, 15, tzinfo=UTC)
    assert deadline_in("within two days", at) == datetime(2026, 3, 20, 0, tzinfo=UTC)


def test_a_commitment_lives_ninety_days_from_when_it_was_last_said():
    said_again = AT + timedelta(days=60)

    assert commitment_expires(AT) == AT + timedelta(days=90)
    assert commitment_expires(AT, refreshed_at=said_again) == said_again + timedelta(days=90)
    assert commitment_expires(AT, refreshed_at=AT - timedelta(days=9)) == AT + timedelta(days=90)


@pytest.mark.parametrize("days", [2, 400])
def test_a_commitment_with_a_deadline_stays_until_that_has_passed(days):
    deadline = AT + timedelta(days=days)

    assert commitment_expires(AT, deadline) == deadline + timedelta(days=7)


def test_a_commitment_said_again_after_its_deadline_lives_on():
    deadline, said_again = AT + timedelta(days=2), AT + timedelta(days=5)

    assert commitment_expires(AT, deadline, said_again) == said_again + timedelta(days=90)


def test_a_guess_lives_thirty_days():
    assert speculative_expires(AT) == AT + timedelta(days=30)


def test_every_length_can_be_set():
    options = ExpiryOptions(commitment_days=10, deadline_grace_days=1, speculative_days=3)

    assert commitment_expires(AT, None, None, options) == AT + timedelta(days=10)
    assert commitment_expires(AT, AT, None, options) == AT + timedelta(days=1)
    assert speculative_expires(AT, options) == AT + timedelta(days=3)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            "by before until due within Friday May 3 2026 the end of week noon two 5pm , .".split()
        ),
        max_size=12,
    )
)
def test_a_deadline_is_always_still_to_come(words):
    found = deadline_in(" ".join(words), AT)

    assert found is None or (found > AT and found.tzinfo is UTC)


@pytest.mark.parametrize(
    "piece", ["by ", "by Friday ", "due ", "deadline for x ", "within 1 ", "1 "]
)
def test_long_input_is_read_at_once(piece):
    text = piece * (262_144 // len(piece))

    started = time.thread_time()
    deadline_in(text, AT)
    assert time.thread_time() - started < 0.25
