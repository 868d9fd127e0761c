"""Scoring of times: which ranges are right, and what is a false alarm."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from engram.errors import InvalidInput
from engram.evaluation.task_dates import (
    DateScore,
    LabelledSentence,
    is_exact,
    naive_times,
    read_sentences,
    score_dates,
    score_sentence,
)
from engram.text.calendar import Grain

NOW = datetime(2025, 6, 11, 9, tzinfo=UTC)


def day(month, number):
    return datetime(2025, month, number, tzinfo=UTC)


def sentence(text, *expected, is_silent=False):
    return LabelledSentence(text, NOW, tuple(expected), is_silent)


def test_a_range_is_exact_when_start_and_end_agree():
    right = ((day(6, 9), day(6, 10)),)

    assert is_exact((day(6, 9), day(6, 10), Grain.DAY), right)
    assert not is_exact((day(6, 9), day(6, 11), Grain.DAY), right)
    assert not is_exact((day(6, 8), day(6, 10), Grain.DAY), right)


def test_a_moment_without_an_end_asks_for_its_start_alone():
    assert is_exact((day(6, 9), day(6, 20), Grain.DAY), ((day(6, 9), None),))


@pytest.mark.parametrize(
    ("found", "is_right"),
    [
        ((day(6, 2), day(6, 6), Grain.WEEK), True),  # the last day it names belongs to it
        ((day(6, 2), day(6, 7), Grain.WEEK), False),
        ((day(6, 2), day(6, 6), Grain.DAY), False),  # a day is a day
        ((day(6, 4), day(6, 4) + timedelta(hours=6), Grain.PART), True),  # overlaps
        ((day(6, 9), day(6, 9) + timedelta(hours=6), Grain.PART), False),
    ],
)
def test_the_two_conventions_are_allowed_and_not_where_ends_must_be_as_labelled(found, is_right):
    right = ((day(6, 2), day(6, 5)),)

    assert is_exact(found, right) is is_right
    assert not is_exact(found, right, is_strict=True)


def test_a_time_where_none_is_labelled_is_a_false_alarm_only_in_a_silent_sentence():
    found = [(day(6, 9), day(6, 10), Grain.DAY)]
    silent = sentence("every second week", is_silent=True)
    labelled = sentence("on the ninth or so", ("the ninth", ((day(6, 8), day(6, 9)),)))

    assert score_sentence(silent, found) == DateScore(unlabelled=1, silent=1, false_alarms=1)
    assert score_sentence(labelled, found) == DateScore(expected=1, unlabelled=1)


def test_the_rules_understand_more_than_the_naive_reader():
    sentences = [
        sentence("The mast broke yesterday.", ("yesterday", ((day(6, 10), day(6, 11)),))),
        sentence("We sailed on 3 May 2025.", ("3 May 2025", ((day(5, 3), day(5, 4)),))),
        sentence("It was on 2025-05-03.", ("2025-05-03", ((day(5, 3), day(5, 4)),))),
        sentence("We row every week.", is_silent=True),
    ]

    ours, naive = score_dates(sentences), score_dates(sentences, naive_times)

    assert (ours.exact_share, ours.precision, ours.false_alarm_share) == (1.0, 1.0, 0.0)
    assert (naive.exact, naive.expected) == (2, 3)


def test_a_day_that_does_not_exist_is_not_found_by_the_naive_reader():
    assert list(naive_times("due 2025-02-30", NOW)) == []


def test_shares_of_nothing_are_zero():
    assert (DateScore().exact_share, DateScore().precision, DateScore().exact_ends_share) == (
        0,
    ) * 3


def test_a_file_is_read_with_every_value_that_is_right(tmp_path):
    file = tmp_path / "dates.jsonl"
    values = [
        {"type": "date", "value": "2025-05-03"},
        {"type": "daterange", "start": "2025-05-01", "end": "2025-05-04"},
        {"type": "datetime", "value": "2025-05-03 07:00:00"},
        {"type": "date", "value": "not resolved"},
    ]
    expected = [
        {"text": "then", "type": "date", "values": values},
        {"text": "for long", "type": "duration", "values": []},
    ]
    row = {"text": "then and for long", "reference": "2025-06-11T09:00:00", "expected": expected}
    file.write_text(json.dumps(row) + "\n\n")

    (read,) = read_sentences(file)

    assert read.now == NOW
    assert not read.is_silent
    ((words, ranges),) = read.expected
    assert words == "then"
    assert ranges == (
        (day(5, 3), day(5, 4)),
        (day(5, 1), day(5, 4)),
        (day(5, 3) + timedelta(hours=7), None),
    )


def test_a_range_open_to_one_side_reaches_to_the_end_of_time(tmp_path):
    file = tmp_path / "dates.jsonl"
    values = [{"type": "daterange", "end": "2025-05-04"}]
    row = {
        "text": "before", "reference": "2025-06-11T09:00:00",
        "expected": [{"text": "before", "type": "daterange", "values": values}],
    }  # fmt: skip
    file.write_text(json.dumps(row))

    ((_, ((start, end),)),) = read_sentences(file)[0].expected

    assert start.year < 10
    assert end == day(5, 4)


@pytest.mark.parametrize("text", ["{", '{"text": "a"}', "[]", '{"text": "a", "expected": 3}'])
def test_what_is_no_such_file_is_refused_by_name(tmp_path, text):
    file = tmp_path / "dates.jsonl"
    file.write_text(text)

    with pytest.raises(InvalidInput, match=r"dates\.jsonl"):
        read_sentences(file)
