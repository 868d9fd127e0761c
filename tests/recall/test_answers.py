"""Reading the first hits beside the question, with the real reader."""

import pytest

from engram import Engram
from engram.errors import ReaderUnavailable
from engram.providers.text_reader import TextReader

READING = {"recall": {"read_answers": True}, "embedder": {"kind": "builtin"}}


@pytest.fixture
def engram():
    with Engram.open(":memory:", settings=READING) as opened:
        yield opened


def test_what_was_told_in_these_words_is_confident_and_what_was_not_told_is_not(engram):
    engram.remember_many(
        ["My dentist is Dr. Ruiz.", "We deploy on Fridays.", "I have two cats."], wait=True
    )

    told, not_told = engram.recall("Who is my dentist?"), engram.recall("What is my salary?")

    assert told[0].memory.content == "My dentist is Dr. Ruiz."
    assert told.assessment == "confident"
    assert not_told.assessment != "confident"


def test_the_later_of_two_hits_that_both_answer_comes_first(engram):
    engram.remember(
        "Retention on the orders topic is 7 days.", speaker="Femi", at="2026-01-03T09:00:00Z"
    )
    engram.remember(
        "As of tonight retention on the orders topic goes to 21 days.", speaker="Femi",
        at="2026-02-03T09:00:00Z",
    )  # fmt: skip
    engram.settle()

    hits = engram.recall("How long is the retention on the orders topic?")

    assert "21 days" in hits[0].memory.content
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_what_held_before_is_given_to_who_asks_for_it(engram):
    engram.remember("My gym is Ironside.", speaker="Lu", at="2026-01-03T09:00:00Z")
    engram.remember("My gym is Pulse now.", speaker="Lu", at="2026-02-03T09:00:00Z")
    engram.settle()

    hits = engram.recall("Which gym did I use before Pulse?")

    assert any("Ironside" in hit.memory.content for hit in hits)


def test_a_reader_that_fails_is_named_and_the_order_stays(engram, monkeypatch):
    engram.remember("The key hangs behind the door.", wait=True)

    def fail(*_arguments: object) -> list[float]:
        raise ReaderUnavailable

    monkeypatch.setattr(TextReader, "answers", fail)
    result = engram.recall("Where does the key hang?")

    assert result[0].memory.content == "The key hangs behind the door."
    assert any(each.startswith("read: E3007") for each in result.degraded)


def test_without_the_setting_nothing_is_read(monkeypatch):
    def fail(*_arguments: object) -> list[float]:
        raise AssertionError

    monkeypatch.setattr(TextReader, "answers", fail)
    with Engram.open(":memory:", settings={"recall": {"read_answers": False}}) as engram:
        engram.remember("The key hangs behind the door.")

        assert len(engram.recall("Where does the key hang?")) == 1
