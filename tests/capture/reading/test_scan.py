"""How urgent a turn is, told in one look."""

import time

import pytest

from engram.capture.reading.scan import Signal, scan


@pytest.mark.parametrize(
    ("text", "level", "reason"),
    [
        ("Remember that my flight leaves at noon.", Signal.HIGH, "asked to remember"),
        ("Actually, it is the north gate.", Signal.HIGH, "correction"),
        ("From now on answer in French.", Signal.HIGH, "instruction"),
        ("Nice. Always use metric units.", Signal.HIGH, "instruction"),
        ("We decided to rent the hall.", Signal.HIGH, "decision"),
        ("I'll send the slides by Friday.", Signal.HIGH, "commitment"),
        ("My name is Ann Lee.", Signal.HIGH, "identity"),
        ("I'm allergic to pollen.", Signal.HIGH, "health"),
        ("I prefer window seats.", Signal.MEDIUM, "preference"),
        ("My sister plays the harp.", Signal.MEDIUM, "relationship"),
        ("I moved to Porto.", Signal.MEDIUM, "place"),
        ("It broke last night.", Signal.MEDIUM, "event"),
        ("I'm planning a trip.", Signal.MEDIUM, "plan"),
        ("I had soup.", Signal.LOW, "statement"),
    ],
)
def test_a_turn_has_a_level_and_says_why(text, level, reason):
    found = scan(text)

    assert found.level is level
    assert reason in found.reasons


@pytest.mark.parametrize("text", ["", "ok", "How come?", "Nice weather."])
def test_what_tells_nothing_has_no_signal(text):
    assert scan(text).level is Signal.NONE


def test_tool_output_has_no_signal_whatever_it_says():
    assert scan("Remember that my name is Ann.", role="tool").level is Signal.NONE


def test_all_reasons_are_named_not_the_first_alone():
    found = scan("I prefer tea. My sister lives in Bonn. We decided to meet.")

    assert {"preference", "relationship", "decision"} <= set(found.reasons)


def test_two_thousand_words_take_less_than_ten_milliseconds():
    text = "The quick train runs from the old town to the harbour every hour of the day. " * 130
    taken = []
    for _ in range(7):
        began = time.thread_time()
        scan(text)
        taken.append(time.thread_time() - began)

    assert len(text.split()) >= 2_000
    assert min(taken) < 0.010
