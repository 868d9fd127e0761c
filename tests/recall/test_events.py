"""Events in questions: what a question counts from, and when that was."""

from datetime import UTC, datetime, timedelta

import pytest
from clock import FakeClock

from engram.recall.events import find_event
from recall.stores import WORDS_ONLY, store_of


def _event(text):
    found = find_event(text)
    return found and (found.relation.value, found.event)


@pytest.mark.parametrize(
    ("text", "relation", "event"),
    [
        ("What has changed since the deploy?", "since", "the deploy"),
        ("What did I buy after I moved to Berlin?", "after", "I moved to Berlin"),
        ("After the interview what did I eat?", "after", "the interview"),
        ("Before my exam, how did I feel?", "before", "my exam"),
        ("What broke since we switched to Postgres?", "since", "we switched to Postgres"),
        ("Who was in charge until the merger?", "until", "the merger"),
    ],
)
def test_an_event_to_count_from_is_told(text, relation, event):
    assert _event(text) == (relation, event)


@pytest.mark.parametrize(
    "text",
    [
        "What has changed since March?",
        "What did I do after the 5th?",
        "What did I own before June 2023?",
        "What did I say before Christmas?",
        "What happened after that?",
        "What have I done since then?",
        "Since I am vegan, what should I eat?",
        "Why bother, after all?",
        "Where do I live?",
        "",
    ],
)
def test_a_date_a_reason_or_a_saying_is_no_event(text):
    assert find_event(text) is None


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("What did I eat when I was in Ghent?", "I was in Ghent"),
        ("When we stayed with Olga, what did I read?", "we stayed with Olga"),
        ("What broke while Ravi was away?", "Ravi was away"),
        ("Who spoke during the town meeting?", "the town meeting"),
    ],
)
def test_a_clause_in_the_past_is_an_event(text, event):
    assert _event(text) == ("during", event)


@pytest.mark.parametrize(
    "text",
    ["When did I go to Ghent?", "When was I in Ghent?", "What helps when I am tired?"],
)
def test_a_question_for_the_time_is_no_event(text):
    assert find_event(text) is None


STAY = datetime(2026, 2, 3, 9, tzinfo=UTC)
SAID = [
    {"text": f"{text}.", "at": (STAY + timedelta(days=day)).isoformat()}
    for day, text in (
        (-20, "I sold the old piano"), (-1, "We will be in Ghent from February 3 to February 8"),
        (1, "I had waffles by the canal"), (4, "I climbed the belfry"), (15, "I fixed the gate"),
    )
]  # fmt: skip


@pytest.fixture(scope="module")
def engram():
    with store_of(SAID, settings=WORDS_ONLY, clock=FakeClock(STAY + timedelta(days=30))) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What did I do when I was in Ghent?", {"waffles", "belfry", "Ghent"}),
        ("What happened after I was in Ghent?", {"gate"}),
        ("What did I do before I was in Ghent?", {"piano", "Ghent"}),
    ],
)
def test_an_event_is_looked_up_and_bounds_what_is_found(engram, question, found):
    hits = engram.recall(question)

    words = ("piano", "Ghent", "waffles", "belfry", "gate")
    assert {word for word in words for hit in hits if word in hit.memory.content} == found
    assert hits.assessment == "confident"
