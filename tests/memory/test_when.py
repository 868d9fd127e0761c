"""Times in texts: what is found, what must not be, and that any text is safe."""

import json
import time
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram.language.when.lexicons import lexicon
from engram.language.when.spans import (
    EARLIEST,
    LATEST,
    find_times,
    names_time,
)
from engram.text.calendar import holiday_of

NOW = datetime(2026, 3, 18, 15, 30, tzinfo=UTC)  # a Wednesday
LABELLED = [
    json.loads(line)
    for line in (Path(__file__).parent / "labelled" / "when.jsonl").read_text("utf-8").splitlines()
]


def ranges(text: str, now: datetime = NOW) -> list[list[str]]:
    return [
        [span.start.isoformat()[:16], span.end.isoformat()[:16]] for span in find_times(text, now)
    ]


@pytest.mark.parametrize("row", LABELLED, ids=lambda row: row["text"])
def test_every_labelled_sentence_is_read_exactly(row):
    assert ranges(row["text"]) == row["times"]


def test_the_place_of_a_time_is_where_it_stands_in_the_text():
    text = "İstanbul’da: what did I say on 3 May 2025, or in June 2024?"

    found = find_times(text, NOW)

    assert [text[slice(*span.place)] for span in found] == ["3 May 2025", "June 2024"]
    assert [span.text for span in found] == ["3 May 2025", "June 2024"]


def test_a_name_without_a_year_is_the_latest_one_unless_the_words_look_ahead():
    assert ranges("What did I say in May?") == [["2025-05-01T00:00", "2025-06-01T00:00"]]
    assert ranges("What will I do in May?") == [["2026-05-01T00:00", "2026-06-01T00:00"]]


def test_the_weekday_of_today_means_the_one_a_week_ago():
    assert ranges("What did I say on Wednesday?") == [["2026-03-11T00:00", "2026-03-12T00:00"]]


def test_a_leap_day_is_the_last_one_there_was():
    assert ranges("What did I do on February 29th?") == [["2024-02-29T00:00", "2024-03-01T00:00"]]


@pytest.mark.parametrize(
    ("text", "start", "words"),
    [
        ("Meeting on 2026-03-25T09:30:00+01:00", "25T09:30", "2026-03-25T09:30:00+01:00"),
        ("Meeting on 2026-03-25T09:30:00-0500.", "25T09:30", "2026-03-25T09:30:00-0500"),
        ("Meeting on 2026-03-25T09:30-05:00", "25T09:30", "2026-03-25T09:30-05:00"),
        ("Meeting on 2026-03-25 09:30:00-05:00", "25T09:30", "2026-03-25 09:30:00-05:00"),
        ("Meeting on 2026-03-25 09:30:00.250 +01:00", "25T09:30", "2026-03-25 09:30:00.250 +01:00"),
        ("Meeting on Friday at 9:30 am UTC-05:00", "20T09:30", "Friday at 9:30 am UTC-05:00"),
        ("Deployed yesterday at 10:00+02:00", "17T10:00", "yesterday at 10:00+02:00"),
    ],
)  # fmt: skip
def test_an_offset_is_part_of_its_time(text, start, words):
    (span,) = find_times(text, NOW)

    assert (span.start.isoformat()[8:16], span.text) == (start, words)


@pytest.mark.parametrize("words", ["at 9:30-11:00", "09:30-11:00", "from 09:30 - 11:00"])
def test_a_range_of_hours_is_no_offset(words):
    assert ranges(f"Open on 2026-03-25 {words}") == [["2026-03-25T09:30", "2026-03-25T11:00"]]


@pytest.mark.parametrize(
    ("text", "hour"),
    [
        ("2026-03-18T10:00:00Z", 10),
        ("2026-03-18T10:00", 10),
        ("The log says 2026-03-18 11:02:33", 11),
        ("The log says 2026-03-18 11:02", 11),
        ("The log says 18.03.2026 11:02", 11),
        ("The log says 9:02:33 today", 9),
        ("The meeting is today at 5:00", 17),
        ("The meeting is on 2026-03-18 at 5:00", 17),
    ],
)
def test_an_hour_in_a_stamp_or_with_seconds_is_one_of_24(text, hour):
    (span,) = find_times(text, NOW)

    assert span.start.hour == hour


def test_how_long_a_thing_took_is_no_time_of_day():
    text = "Yesterday I ran the race. It took 3:59:12."

    assert ranges(text) == [["2026-03-17T00:00", "2026-03-18T00:00"]]


@pytest.mark.parametrize("text", ["on February 30th", "on 2025-02-29", "on 31 April 2025"])
def test_a_day_that_does_not_exist_is_no_time(text):
    assert find_times(text, NOW) == ()


def test_days_begin_at_midnight_where_the_asker_is():
    now = datetime(2026, 3, 18, 1, 30, tzinfo=ZoneInfo("Asia/Tokyo"))

    (span,) = find_times("What did I say yesterday?", now)

    assert span.start == datetime(2026, 3, 16, 15, tzinfo=UTC)
    assert span.end - span.start == timedelta(days=1)


def test_a_day_when_the_clocks_change_has_23_hours():
    now = datetime(2026, 3, 30, 12, tzinfo=ZoneInfo("Europe/Berlin"))

    (span,) = find_times("What did I say yesterday?", now)

    assert span.end - span.start == timedelta(hours=23)


def test_an_open_range_has_no_bound_on_its_other_side():
    since, before = find_times("since March 2025", NOW)[0], find_times("before May 2025", NOW)[0]

    assert (since.end, before.start) == (LATEST, EARLIEST)
    assert since.is_open
    assert before.is_open
    assert not find_times("in May 2025", NOW)[0].is_open


@pytest.mark.parametrize("now", ["9999-12-31T23:00:00+00:00", "0001-01-01T00:00:00+00:00"])
@pytest.mark.parametrize("words", ["will we meet monday", "did we meet monday", "last week", "may"])
def test_at_the_ends_of_the_calendar_nothing_breaks(now, words):
    for span in find_times(words, datetime.fromisoformat(now)):
        assert span.start < span.end


@pytest.mark.parametrize(
    ("name", "year", "expected"),
    [
        ("easter", 2024, "2024-03-31"),
        ("easter", 2025, "2025-04-20"),
        ("easter", 2038, "2038-04-25"),
        ("good friday", 2026, "2026-04-03"),
        ("thanksgiving", 2025, "2025-11-27"),
        ("memorial day", 2026, "2026-05-25"),
        ("labor day", 2026, "2026-09-07"),
        ("mother's day", 2026, "2026-05-10"),
        ("halloween", 2026, "2026-10-31"),
        ("mothering sunday", 2026, "2026-03-15"),
        ("early may bank holiday", 2026, "2026-05-04"),
        ("whitsun", 2026, "2026-05-24"),
        ("trinity sunday", 2026, "2026-05-31"),
        ("august bank holiday", 2026, "2026-08-31"),
        ("remembrance sunday", 2026, "2026-11-08"),
        ("black friday", 2026, "2026-11-27"),
        ("advent sunday", 2024, "2024-12-01"),
        ("advent sunday", 2026, "2026-11-29"),
        ("second sunday in advent", 2026, "2026-12-06"),
    ],
)
def test_holidays_fall_on_their_days(name, year, expected):
    ((_, rule),) = lexicon("en").words[name]

    assert holiday_of(rule, year).date().isoformat() == expected


def test_whether_a_time_is_named_needs_no_clock():
    assert names_time("What did I do on Friday?")
    assert not names_time("You may ask a second question.")


# Any text is safe

_MORE_WORDS = """5 31 2024 12:30 5pm 3rd 1/2 24/7 12.05 2024-02-30 90s 9999 0 1000 2999 - / , . ?
    half other rest calendar christmas thanksgiving 2020-01 3-8pm 10/1-11/2/2017 12/31/9999 the"""
_WORDS = st.sampled_from([*sorted(lexicon("en").words), *_MORE_WORDS.split()])


@settings(max_examples=400)
@given(st.lists(_WORDS, max_size=10).map(" ".join), st.datetimes(datetime(1900, 1, 1)))
def test_any_words_of_time_give_ranges_in_order_or_nothing(text, moment):
    now = moment.replace(year=min(moment.year, 2200), month=1, day=15, tzinfo=UTC)

    found = find_times(text, now)

    assert all(span.start < span.end for span in found)
    assert all(span.start.tzinfo is UTC and span.end.tzinfo is UTC for span in found)
    places = [span.place for span in found]
    assert places == sorted(places)
    assert all(first[1] <= second[0] for first, second in pairwise(places))


@given(st.text(max_size=80))
def test_any_text_is_read_without_an_error(text):
    found = find_times(text, NOW)

    assert all(text[slice(*span.place)] == span.text for span in found)
    names_time(text)


@given(st.lists(_WORDS, max_size=10).map(" ".join))
def test_the_same_words_always_give_the_same_times(text):
    assert find_times(text, NOW) == find_times(text, NOW)


@pytest.mark.parametrize(
    "unit",
    ["5 ", "1-", "1/", "a", "may ", "the 5th of may to ", "from 5 to ", "since ", "'", "2020-01-",
     "twenty ", "12:30 pm - ", "new year's ", "İ", "\n"],
)  # fmt: skip
def test_a_hostile_text_is_read_in_linear_time(unit):
    text = (unit * 100_000)[:100_000]

    def seconds(length: int) -> float:
        began = time.thread_time()
        find_times(text[:length], NOW)
        return time.thread_time() - began

    quarter = seconds(25_000)
    assert seconds(100_000) < 8 * quarter + 1.0


def test_a_question_is_read_in_less_than_a_millisecond():
    question = "Who was the plumber we hired on 3 June 2023, and what did he say last week?"
    find_times(question, NOW)
    began = time.thread_time()

    for _ in range(50):
        find_times(question, NOW)

    assert (time.thread_time() - began) / 50 < 0.001


@pytest.mark.parametrize(
    ("text", "day"),
    [("The heater died last night.", "2026-03-17"), ("She called this morning.", "2026-03-18")],
)
def test_a_part_of_a_day_that_is_told_names_the_day(text, day):
    ((start, end),) = ranges(text)

    assert start == f"{day}T00:00"
    assert end > f"{day}T23:59"


def test_this_winter_is_the_one_that_goes_on():
    ((start, end),) = ranges("Eleven does this winter.", datetime(2026, 2, 20, tzinfo=UTC))

    assert (start, end) == ("2025-12-01T00:00", "2026-03-01T00:00")
