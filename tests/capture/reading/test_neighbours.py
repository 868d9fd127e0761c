"""What a sentence is worth does not depend on who stands beside it; lead-ins are cut."""

import pytest

from engram.capture.reading.salience import KEEP
from engram.memory.vocabulary import Layer
from tests.capture.reading.talk import from_user, only, texts

_FACTS = (
    "Oskar is responsible for the ticket booth.",
    "The lighthouse belongs to the county.",
    "Henrike runs the film archive.",
    "The curator is Philippa.",
    "The film archive belongs to Henrike, call there before opening it.",
)
_ASIDES = (
    "Sorry for the digression.",
    "That's everything.",
    "I just got back from the canteen.",
    "Good that you remind me.",
    "Anyway, on with the work.",
    "Isn't that odd?",
    "It's windy again.",
    "My brother and I went to the sea with two old friends last summer.",
)


def _kept(text: str) -> list[str]:
    return [each.text for each in from_user(text).propositions if each.salience >= KEEP]


@pytest.mark.parametrize("aside", _ASIDES)
@pytest.mark.parametrize("fact", _FACTS)
def test_a_plain_fact_is_kept_whatever_stands_beside_it(fact, aside):
    assert fact in _kept(fact)
    assert fact in _kept(f"{aside} {fact}")
    assert fact in _kept(f"{fact} {aside}")


def test_a_preference_beside_an_aside_is_kept():
    assert _kept("Sorry for the digression. I like green tea.") == ["The user likes green tea."]


@pytest.mark.parametrize(
    "text",
    [
        "Well, I see. Hard work pays off in the end.",
        "Thanks! Losing an old friend is tough on everybody.",
        "I see. Small steps can make a real difference.",
    ],
)
def test_a_truism_is_not_worth_more_for_standing_beside_little(text):
    assert _kept(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "We moved the retro to 11:40.",
        "The choir was moved to the annex.",
        "We switched the heating over to gas.",
        "We changed the limit from 5 to 9.",
        "Our landlord is now Mr Okafor.",
        "We no longer use the fax.",
        "I don't eat eggs any more.",
        "That's all. We moved the retro to 11:40.",
    ],
)
def test_who_tells_a_change_is_kept(text):
    (found,) = [each for each in from_user(text).propositions if each.salience >= KEEP]

    assert found.layer is Layer.SEMANTIC  # it tells how things are from then on


@pytest.mark.parametrize("text", ["It is different now.", "Maybe we no longer need it."])
def test_a_change_of_nothing_definite_or_in_doubt_is_no_reason_to_keep(text):
    assert _kept(text) == []


@pytest.mark.parametrize(
    "lead",
    [
        "Before I forget: ",
        "Before I forget, ",
        "By the way: ",
        "BTW, ",
        "Oh and ",
        "Oh, and ",
        "One more thing: ",
        "Just one last thing, ",
        "Just so you know, ",
        "So you know: ",
        "For the record: ",
        "FYI: ",
        "FYI ",
        "Quick note: ",
        "As I said, ",
        "That reminds me: ",
    ],
)
def test_what_only_leads_up_to_a_statement_is_cut(lead):
    assert texts(f"{lead}the code for the shed is 8812.") == ["The code for the shed is 8812."]


@pytest.mark.parametrize("text", ["Before I forget.", "One more thing.", "Just so you know."])
def test_a_lead_in_alone_says_nothing(text):
    assert texts(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Before I forget things I write them down.", "Before Ann forgets things Ann writes them"
                                                      " down."),
        ("As I said goodbye, my brother cried.", "As Ann said goodbye, Ann's brother cried."),
    ],
)  # fmt: skip
def test_a_clause_that_only_looks_like_a_lead_in_stays(text, expected):
    assert only(text).text == expected
