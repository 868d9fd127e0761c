"""What is not learnt, and the reason given for it."""

import pytest

from engram.capture.reading.propositions import read_turn
from engram.capture.reading.turns import Turn
from tests.capture.reading.talk import AT, from_assistant, reasons, said, texts


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("How are you?", "question"),
        ("What do you think about the plan", "question"),
        ("Did you call Kim?", "question"),
        ("Okay.", "filler"),
        ("Sounds good!", "filler"),
        ("Yes, exactly.", "filler"),
        ("Good morning everyone.", "greeting"),
        ("Talk to you soon!", "greeting"),
        ("It was great to see you all.", "greeting"),
        ("Thank you for the tip.", "thanks"),
        ("I really appreciate your support.", "thanks"),
        ("That's really impressive!", "compliment"),
        ("You're doing a brilliant job.", "compliment"),
        ("I'm so proud of you.", "compliment"),
        ("Congratulations on the promotion!", "compliment"),
        ("Never give up the violin!", "encouragement"),
        ("Don't let the weather stop you.", "encouragement"),
        ("Imagine we had a boat.", "hypothetical"),
        ("I would go if I had the money.", "hypothetical"),
        ("If I were rich, I'd buy an island.", "hypothetical"),
        ("I wish I had a garden.", "hypothetical"),
        ("Please summarise the report.", "request"),
        ("Could you check the log for me.", "request"),
        ("Run the parser tests in the crane planner, please.", "request"),
        ("Run ruff check . for the parser, please.", "request"),
        ("Please sketch another layout for the kiosk.", "request"),
        ('"The early bird catches the worm, they say."', "quoted"),
        ("> I never liked that idea.", "quoted"),
        ("```\nmy_name = 'Ann'\n```", "code"),
        ("def open_door(key):", "code"),
        ("2024-01-01 10:00:00 ERROR disk is full", "pasted"),
        ('Traceback (most recent call last)', "pasted"),
        ('{"name": "Ann", "city": "Porto"}', "pasted"),
        ("| name | city |", "pasted"),
        ("<memory id=3>Ann lives in Porto.</memory>", "recalled"),
        ("Recalled memories:\nAnn lives in Porto.\nAnn has a dog.", "recalled"),
        ("[image: a dog on a beach]", "attachment"),
        ("It was that.", "too vague"),
        ("So tired.", "fragment"),
    ],
)  # fmt: skip
def test_what_tells_nothing_is_skipped_with_its_reason(text, reason):
    reading = said(text)

    assert reading.propositions == ()
    assert reason in [each.reason for each in reading.skipped]


@pytest.mark.parametrize(
    "text",
    [
        "Please always use tabs in this repository.",
        "Please do not call me before noon.",
        "Run clubs please my sister more than chess clubs do.",
    ],
)
def test_what_is_asked_for_good_is_no_passing_request(text):
    assert said(text).propositions


def test_a_fence_is_closed_again_and_prose_behind_it_is_read():
    assert texts("```\nx = 1\n```\nI prefer short functions.") == ["Ann prefers short functions."]


def test_a_recalled_block_ends_where_it_ends():
    text = "<memory>\nAnn lives in Porto.\n</memory>\nI moved to Bern."

    assert texts(text) == ["Ann moved to Bern."]


def test_tool_output_and_system_prompts_teach_nothing():
    for role, reason in (("tool", "tool output"), ("system", "system prompt")):
        reading = read_turn(Turn(text="I live in Porto.", role=role, at=AT))

        assert reading.propositions == ()
        assert [each.reason for each in reading.skipped] == [reason]


@pytest.mark.failure("F38")
@pytest.mark.parametrize(
    "echo",
    [
        "Ann lives in Porto with two cats.",
        "ann lives in porto with two cats",
        "I live in Porto with two cats.",
        "Ann lives in Porto",
    ],
)
def test_what_was_recalled_is_not_learnt_again(echo):
    reading = said(echo, recalled=("Ann lives in Porto with two cats.",))

    assert reading.propositions == ()
    assert [each.reason for each in reading.skipped] == ["recalled"]


def test_what_differs_from_the_recalled_is_learnt():
    recalled = ("The printer is at 192.168.7.1.",)

    reading = said("The printer is at 192.168.9.1.", recalled=recalled)

    assert [each.text for each in reading.propositions] == ["The printer is at 192.168.9.1."]


@pytest.mark.parametrize(
    ("text", "expected", "category"),
    [
        ("I'll send the report by Friday.",
         "The assistant will send the report by 2023-05-26.", "commitment"),
        ("I'd recommend Postgres for this.",
         "The assistant recommended Postgres for this.", "fact"),
        ("You should rotate the key.", "The assistant recommended to rotate the key.", "fact"),
        ("I suggest using two replicas.", "The assistant recommended using two replicas.", "fact"),
        ("I've fixed the login form.", "The assistant has fixed the login form.", "moment"),
        ("I decided to keep the old schema.",
         "The assistant decided to keep the old schema.", "decision"),
    ],
)  # fmt: skip
def test_what_an_assistant_promised_did_or_recommended_is_kept_as_such(text, expected, category):
    (found,) = from_assistant(text).propositions

    assert (found.text, found.category) == (expected, category)


@pytest.mark.parametrize(
    "text",
    ["An index speeds up reading.", "Paris is the capital of France.", "I'll be happy to help."],
)
def test_general_explanations_of_an_assistant_are_no_facts_about_the_user(text):
    reading = from_assistant(text)

    assert reading.propositions == ()
    assert [each.reason for each in reading.skipped] == ["general knowledge"]


def test_a_turn_too_long_is_read_to_a_point_and_says_so():
    reading = said("I moved to Porto. " + "I sold the van. " * 3_000)

    assert reading.propositions[0].text == "Ann moved to Porto."
    assert "too long" in [each.reason for each in reading.skipped]


def test_nothing_in_nothing_out():
    assert said("").propositions == ()
    assert reasons("") == []
