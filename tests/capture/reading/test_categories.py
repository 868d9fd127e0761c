"""What sort of statement is made: category, kind, firmness, deadline, worth."""

from datetime import UTC, datetime

import pytest

from engram.capture.reading.salience import KEEP
from engram.memory.vocabulary import Kind, Layer, MemoryType
from tests.capture.reading.talk import AT, from_user, only


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("I prefer window seats.", "preference"),
        ("My favourite dish is risotto.", "preference"),
        ("I can't stand loud offices.", "preference"),
        ("We decided to rent the smaller hall.", "decision"),
        ("I chose the blue tiles.", "decision"),
        ("I'll send the slides by Friday.", "commitment"),
        ("I promise to water your plants.", "commitment"),
        ("I have to hand in the form by Monday.", "commitment"),
        ("Actually, it's on the third floor.", "correction"),
        ("I meant the north gate.", "correction"),
        ("Always answer in French.", "instruction"),
        ("Never use tabs in my files.", "instruction"),
        ("When I ask for code, use Python.", "instruction"),
        ("Please don't call me Annie.", "instruction"),
        ("My wife is a carpenter.", "relationship"),
        ("My name is Ann Lee.", "identity"),
        ("I'm a nurse.", "identity"),
        ("I live in Porto.", "location"),
        ("I'm allergic to pollen.", "health"),
        ("My salary is $90,000.", "fiscal"),
        ("I speak fluent Danish.", "skill"),
        ("Staging runs on 10.0.0.7.", "infra"),
        ("I use Emacs for writing.", "tooling"),
        ("I climbed a volcano last week.", "moment"),
        ("Honesty is very important at work.", "principle"),
        ("The tower has nine floors.", "fact"),
        ("I only wear coats made of recycled wool.", "fact"),
        ("I'm not interested in wrestling.", "preference"),
    ],
)
def test_a_statement_is_sorted_by_what_it_does_and_tells(text, category):
    assert only(text).category == category


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Yesterday the lift broke.", Kind.EPISODE),  # 1: a time
        ("I prefer window seats.", Kind.NOTE),  # 2: the category
        ("The team merged the branch.", Kind.EPISODE),  # 4: a deed
        ("The shop is always closed at noon.", Kind.NOTE),  # 5: a word of what holds
        ("Silence everywhere around the lake.", Kind.EPISODE),  # 6: the rest
    ],
)
def test_episode_or_note_by_the_six_steps(text, kind):
    assert only(text).kind is kind


def test_layer_and_type_follow_the_category():
    rule = only("Always answer in French.")
    event = only("I climbed a volcano last week.")
    taste = only("I prefer window seats.")

    assert (rule.layer, rule.memory_type) == (Layer.PROCEDURAL, MemoryType.PROCEDURE)
    assert (event.layer, event.memory_type) == (Layer.EPISODIC, MemoryType.NARRATIVE)
    assert (taste.layer, taste.memory_type) == (Layer.SEMANTIC, MemoryType.FACT)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("I prefer window seats.", 0.95, 1.0),
        ("Always answer in French.", 0.95, 1.0),
        ("I work at a bakery.", 0.7, 0.95),
        ("I think Kim works at a bakery.", 0.4, 0.7),
        ("The tram is probably late.", 0.4, 0.7),
        ("Maybe I'll learn Greek.", 0.0, 0.4),
        ("I might sell the van.", 0.0, 0.4),
    ],
)
def test_hedges_lower_the_confidence(text, low, high):
    assert low <= only(text).confidence <= high


@pytest.mark.parametrize(
    ("text", "deadline"),
    [
        ("I'll send the slides by Friday.", datetime(2023, 5, 27, tzinfo=UTC)),
        ("I'll call the bank tomorrow.", datetime(2023, 5, 27, tzinfo=UTC)),
        ("I'll finish the draft by end of week.", datetime(2023, 5, 29, tzinfo=UTC)),
        ("I promised Kim the keys by Monday.", datetime(2023, 5, 30, tzinfo=UTC)),
        ("I'll finish it before June.", datetime(2023, 6, 1, tzinfo=UTC)),
        ("I'll write to Kim.", None),
        ("I sold the van yesterday.", None),
    ],
)
def test_a_commitment_knows_when_it_is_due(text, deadline):
    assert only(text).deadline == deadline


def test_the_time_that_is_named_is_resolved():
    happened = only("I climbed a volcano last Saturday.").happened

    assert happened is not None
    assert happened.start == datetime(2023, 5, 20, tzinfo=UTC)
    assert only("I work at a bakery.").happened is None


@pytest.mark.parametrize(
    "text",
    [
        "I moved to Porto with my husband last year.",
        "I'm planning to open a bakery with my sister next spring.",
        "I adopted a puppy from the shelter two weeks ago.",
        "I'm on a high-fibre diet.",
        "I have a phobia of deep water.",
        "I do not like aniseed tea.",
        "Always answer in French.",
        "Actually, it's 192.168.9.1.",
        "I prefer window seats on long flights.",
    ],
)
def test_what_is_specific_or_said_on_purpose_is_worth_keeping(text):
    assert only(text).salience >= KEEP


@pytest.mark.parametrize(
    "text", ["It's so good!", "There is always a way.", "That means so much.", "Time really flies."]
)
def test_what_says_little_is_not_worth_keeping(text):
    assert all(each.salience < KEEP for each in from_user(text).propositions)


def test_a_thousand_templated_facts_are_all_worth_keeping():
    facts = [f"Host node-{number} listens on port {9000 + number}." for number in range(1_000)]

    kept = {
        each.text
        for fact in facts
        for each in from_user(fact).propositions
        if each.salience >= KEEP
    }

    assert len(kept) == 1_000


def test_salience_is_a_share():
    assert 0.0 <= only("I work at a bakery.").salience <= 1.0
    assert AT.tzinfo is UTC
