"""What a question wants: six intents on labelled questions, and the facts about its wording."""

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.recall.intent import (
    PLANS,
    Intent,
    asks_current_value,
    asks_for_order,
    asks_for_summary,
    asks_how_many,
    asks_when,
    intent_of,
    is_request,
    text_share,
    without_order_frame,
)
from engram.text.terms import quoted_phrases

LABELLED = Path(__file__).parent / "labelled"
WANTED_SHARE = 0.85


def labelled(name: str) -> list[dict[str, str]]:
    lines = (LABELLED / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def right_share(rows: list[dict[str, str]]) -> float:
    right = [row for row in rows if intent_of(row["question"]) == row["intent"]]
    return len(right) / len(rows)


# The rules were made with the first set in view. The second was written before them; the third
# after them, and no rule has been changed for it but one that it showed to be wrong.
@pytest.mark.parametrize("name", ["intent", "intent_held_out", "intent_fresh"])
def test_at_least_85_of_100_labelled_questions_are_understood(name):
    assert right_share(labelled(name)) >= WANTED_SHARE


@pytest.mark.parametrize("intent", list(Intent))
def test_no_intent_is_understood_at_the_cost_of_another(intent):
    rows = [
        row
        for name in ("intent", "intent_held_out", "intent_fresh")
        for row in labelled(name)
        if row["intent"] == intent
    ]

    assert len(rows) >= 50
    assert right_share(rows) >= WANTED_SHARE


def test_no_question_is_in_two_sets():
    names = ("intent", "intent_held_out", "intent_fresh")
    questions = [row["question"] for name in names for row in labelled(name)]

    assert len(questions) == len(set(questions))


def test_a_question_without_any_sign_looks_something_up():
    assert intent_of("my locker code") is Intent.LOOKUP


def test_the_surest_sign_of_several_tells():
    assert intent_of("Why did it fail last Friday?") is Intent.CAUSAL


def test_every_intent_has_a_plan_and_the_two_special_ones_differ():
    assert set(PLANS) == set(Intent)
    assert {intent for intent in Intent if PLANS[intent].hops == 3} == {Intent.CAUSAL}
    assert {intent for intent in Intent if PLANS[intent].time_weight == 0.4} == {Intent.TEMPORAL}
    assert all(plan.hops in (2, 3) and plan.time_weight in (0.15, 0.4) for plan in PLANS.values())


# How much text search counts


@pytest.mark.parametrize(
    ("exact", "loose"),
    [
        ("Where is parse_horizon used?", "Where is the spare key used?"),
        ("What does `make check` do?", "What does the big button do?"),
        ('Who said "over the moon"?', "Who said that they were happy?"),
        ("What is ENG-2041 about?", "What is the story about?"),
        ("error 503", "the error we had with the server when many people came at once"),
        ("src/engram/errors.py", "the file with the things that can go wrong"),
    ],
)
def test_exact_strings_raise_the_share_of_text_search(exact, loose):
    assert text_share(exact) > text_share(loose)


def test_a_long_question_in_plain_words_lowers_the_share_of_text_search():
    short = "Where is my bike?"
    long = (
        "I have been wondering for some time where it might be that I have left the bike which"
        " my brother gave to me when he moved abroad with his family"
    )

    assert text_share(long) < text_share(short)


def test_a_known_intent_is_taken_as_it_is():
    question = "Where is my bike?"

    assert text_share(question, Intent.LOOKUP) == text_share(question)
    assert text_share(question, Intent.EXPLORATORY) < text_share(question)


# Facts about the wording


@pytest.mark.parametrize(
    ("predicate", "yes", "no"),
    [
        (asks_when, "When did I start the course?", "Answer in rhyme when I ask for a poem."),
        (asks_when, "How long did the trip take?", "What did I take on the trip?"),
        (asks_when, "Which year was that?", "Which yearbook was that?"),
        (asks_how_many, "How many plants do I own?", "Which plants do I own?"),
        (asks_how_many, "What's the total cost?", "What is the cottage like?"),
        (asks_how_many, "How old is Ida?", "How is Ida?"),
        (asks_for_summary, "Summarise our talks on tax.", "What did we say on tax?"),
        (asks_for_summary, "Give me an overview of it.", "Give me the view from there."),
        (asks_for_order, "In what order did I buy them?", "What did I order for lunch?"),
        (asks_for_order, "List the order in which we met.", "In order to meet, what do I need?"),
        (asks_for_order, "Draw up a timeline of the move.", "What time was the move?"),
        (is_request, "Can you recommend a film?", "Which film did I see?"),
        (is_request, "What should I cook tonight?", "What did I cook?"),
        (is_request, "I'm looking for a quiet hotel.", "The hotel was quiet."),
        (asks_current_value, "Where do I live?", "Where did I live in 2019?"),
        (asks_current_value, "What is my current weight?", "What was my weight?"),
        (asks_current_value, "How many followers do I have?", "How many did I have before?"),
        (asks_current_value, "Is Ada still in Porto?", "Why is Ada in Porto?"),
        (asks_current_value, "Who's our plumber?", "Who used to be our plumber?"),
        (asks_current_value, "Who leads the choir?", "Who led the choir?"),
        (asks_current_value, "How high is the toll?", "How high was the toll?"),
        (asks_current_value, "When is my next visit?", "When was my last visit?"),
        (asks_current_value, "What is the latest budget?", "Summarise what the budget is."),
    ],
)
def test_a_fact_about_the_wording_is_seen_and_not_imagined(predicate, yes, no):
    assert predicate(yes)
    assert not predicate(no)


@pytest.mark.parametrize(
    ("question", "phrases"),
    [
        ('Who said "let it be"?', ("let it be",)),
        ("Find “blue door” and «la porte bleue».", ("blue door", "la porte bleue")),
        ("Run `make check` for me", ("make check",)),
        ("Where is 'the red book'?", ("the red book",)),
        ("Wo steht „alles gut“?", ("alles gut",)),
        ("What's Ada's dog's name, and isn't it odd?", ()),
        ('An open " quote', ()),
        ('"" and "  "', ()),
    ],
)
def test_quoted_phrases_are_found_and_apostrophes_are_not(question, phrases):
    assert quoted_phrases(question) == phrases


@pytest.mark.parametrize(
    ("question", "left"),
    [
        (
            "Could you tell me the order in which I raised the various parts of my garden plan"
            " across all our chats, in order? Mention only four things.",
            "my garden plan",
        ),
        ("In which order did we talk about the three boats?", "did we talk about the three boats"),
        (
            "Please walk me through the sequence of topics related to baking bread.",
            "baking bread",
        ),
        (
            "How did my talks about the loft conversion progress in order (mention 5 items)?",
            "the loft conversion",
        ),
        (
            "List the order in which I raised bugs in my chat app.",
            "bugs in my chat app",
        ),
        ("What is the timeline of my training for the race?", "What is my training for the race"),
    ],
)
def test_the_frame_of_an_ordering_question_is_taken_off(question, left):
    assert without_order_frame(question) == left


@pytest.mark.parametrize(
    "question",
    ["Can you list my favourite films?", "List the order.", "What did I order?", ""],
)
def test_a_question_that_asks_for_no_order_or_has_nothing_else_stays(question):
    assert without_order_frame(question) == question


@given(st.text(max_size=200))
def test_any_text_has_an_intent_and_a_share(text):
    assert intent_of(text) in PLANS
    assert 0.1 <= text_share(text) <= 0.7
    assert all(phrase in text for phrase in quoted_phrases(text))
    assert without_order_frame(text) is not None


@pytest.mark.parametrize("unit", ["which a or ", "what did ", "'", '"a', "how is the ", "a_", "-a"])
def test_a_hostile_question_is_understood_in_linear_time(unit):
    text = (unit * 100_000)[:100_000]
    predicates = (
        intent_of, text_share, asks_when, asks_how_many, asks_for_summary, asks_for_order,
        is_request, asks_current_value, quoted_phrases, without_order_frame,
    )  # fmt: skip
    began = time.thread_time()

    for predicate in predicates:
        predicate(text)

    assert time.thread_time() - began < 1.0
