"""The signals: each lifts the right memory over another that differs only in that."""

import json
from datetime import timedelta
from importlib.resources import files
from itertools import pairwise

import numpy as np
import pytest
from clock import START, FakeClock

from engram.language.when.spans import TimeSpan
from engram.memory.times import to_micros
from engram.recall import gather
from engram.recall.signals import SIGNALS, signal_matrix, time_match
from engram.recall.weights import load_weights
from engram.text.calendar import Grain
from recall.stores import (
    HASHING,
    WORDS_ONLY,
    candidates_of,
    signals_of,
    store_of,
    texts,
)

AGENT = {"source": "agent:helper"}


def turns(*pairs: tuple[str, str], session: str = "talk", **more: object) -> list[dict]:
    return [{"text": text, "speaker": who, "session": session, **more} for who, text in pairs]


def days_ago(days: float) -> str:
    return (START - timedelta(days=days)).isoformat()


# Each: what was said, the question, and which memory (1 or 2) the signal is for. The two differ in
# what the signal sees and are alike in all else that the question can see.
LIFTED: dict[str, tuple[list, str, int]] = {
    "text": (["The red kite flew over it.", "The red boat sailed over it."], "red kite", 1),
    "coverage": (["The red kite.", "The red boat."], "red kite", 1),
    "pairs": (["The red kite and a blue boat.", "The blue kite and a red boat."], "red kite", 1),
    "speaker": (turns(("Ann", "A cat came home."), ("Bob", "A cat came here.")),
                "Which cat came to Bob?", 2),
    "person": ([{"text": "The cat is grey, I think.", **AGENT}, "The cat is grey, they say."],
               "Is the cat grey?", 2),
    "standing rule": (["Always answer with types.", "They answered with types."],
                      "Can you help me answer with types?", 1),
    "preference": ([{"text": "Noted: films it is.", **AGENT}, "Films were slow and old.",
                    "I prefer films, slow and old."],
                   "Can you recommend some films, slow or old?", 3),
    "date": (["We met in the park in October.", "We met in the park in company."],
             "When did we meet in the park?", 1),
    "number": (["We picked 14 plums.", "We picked some plums."],
               "How many plums did we pick?", 1),
    "place": (["The fair was in Porto.", "The fair was in silence."], "Where was the fair?", 1),
    "time": ([{"text": "We planted some beans.", "at": days_ago(1)},
              {"text": "We planted some beets.", "at": days_ago(90)}],
             "What did we plant yesterday?", 1),
    "quotation": (['He shouted never mind the rain.', "He never did shout, mind the rain."],
                  'Who said "never mind the rain"?', 1),
    "identifier": (["The bug is in cache_line.", "The bug is in a cache of line."],
                   "Where is cache_line?", 1),
    "opening": (turns(("Ann", "Bees are kept."), ("Bob", "Bees were kept.")), "bees kept", 1),
}  # fmt: skip


@pytest.mark.parametrize("name", LIFTED)
def test_a_signal_is_seen_on_the_memory_it_is_for(name):
    said, question, right = LIFTED[name]

    with store_of(said) as engram:
        found = signals_of(engram, question, name)

    others = [value for number, value in found.items() if number != right]
    assert found[right] > max(others)


@pytest.mark.parametrize("name", sorted(set(LIFTED) - {"opening"}))
def test_a_signal_lifts_the_right_memory_to_the_top(name):
    said, question, right = LIFTED[name]

    with store_of(said) as engram:
        hits = engram.recall(question)

        assert hits[0].memory.number == right


def test_a_question_in_the_talk_lifts_the_answer_after_it():
    said = [
        *turns(("Ann", "Did you sell the old boat?"), ("Bob", "Yes, to my uncle."), session="one"),
        *turns(("Ann", "The old boat is here."), ("Bob", "Yes, by the river."), session="two"),
    ]
    with store_of(said, settings=HASHING) as engram:
        result = engram.recall("Was the old boat sold?", limit=9)

        values = {hit.memory.number: _value(hit, "answer") for hit in result}
        assert values[2] > values.get(4, 0.0)
        order = [hit.memory.number for hit in result]
        assert order.index(2) < order.index(4)


def _value(hit, name: str) -> float:
    return next((signal.score for signal in hit.why.signals if signal.name == name), 0.0)


def test_a_question_answers_less_than_a_statement():
    said = ["Is the kite red?", "So the kite is red."]
    with store_of(said) as engram:
        found = signals_of(engram, "red kite", "question")

    assert found == {1: 1.0, 2: 0.0}
    assert load_weights().signals[list(SIGNALS).index("question")] <= 0


def test_a_long_message_to_an_agent_says_less_of_one_thing_than_a_short_one():
    short = "The kite is red."
    said = [{"text": "Noted, the kite.", **AGENT}, short, f"{short} {'And so on it went. ' * 40}"]
    with store_of(said) as engram:
        found = signals_of(engram, "red kite", "length")

    assert 0.0 == found[1] < found[2] < found[3] <= 1.0
    assert load_weights().signals[list(SIGNALS).index("length")] < 0


def test_how_long_people_speak_among_themselves_does_not_matter():
    with store_of(["The kite is red.", f"The kite is red. {'And so on it went. ' * 40}"]) as engram:
        assert set(signals_of(engram, "red kite", "length").values()) == {0.0}


def test_meaning_lifts_what_is_near():
    said = ["My kitten sleeps all day.", "The invoice is overdue."]
    with store_of(said, settings=HASHING) as engram:
        result = engram.recall("kittens sleeping")

    assert result[0].memory.number == 1
    assert {signal.name for signal in result[0].why.signals} & {"meaning", "session"}


def test_a_talk_that_was_about_it_lifts_all_its_turns():
    said = [
        *turns(("Ann", "The violin lesson is hard."), ("Bob", "The violin teacher is strict."),
               ("Ann", "Tell me more of that."), session="music"),
        *turns(("Ann", "The lawn is long."), ("Bob", "The mower is broken."),
               ("Ann", "Tell me more of this."), session="garden"),
    ]  # fmt: skip
    with store_of(said, settings=HASHING) as engram:
        result = engram.recall("violin lesson and teacher", limit=10)

        order = [hit.memory.number for hit in result]
        assert 3 in order
        assert 6 not in order or order.index(3) < order.index(6)


def test_a_summary_is_not_made_of_what_persons_said_alone():
    said, _, _ = LIFTED["person"]
    with store_of(said) as engram:
        found = signals_of(engram, "Give me a summary about the grey cat", "person in a summary")
        plain = signals_of(engram, "Is the cat grey?", "person in a summary")

    assert found == {1: 0.0, 2: 1.0}
    assert plain == {1: 0.0, 2: 0.0}


@pytest.mark.parametrize("by", [WORDS_ONLY, HASHING], ids=["words", "meaning"])
def test_what_is_linked_to_a_find_is_lifted_and_brought_in(by):
    said = ["The boiler makes a knocking noise.", "Ring Mr Ode.", "Ring Mrs Ade."]
    with store_of(said, settings=by) as engram:
        first, second, _ = [memory.id for memory in reversed(engram.list())]
        assert texts(engram, "boiler noise") == [said[0]]

        engram.relate(first, second, "related")
        result = engram.recall("boiler noise")

    assert [hit.memory.content for hit in result] == said[:2]
    assert result[1].why.path == ("mem-0001", "mem-0002")
    assert "links" in {signal.name for signal in result[1].why.signals}


def test_links_reach_two_steps_and_weaken_with_each():
    said = ["The boiler makes a knocking noise.", *(f"Step {i}." for i in "abcd")]
    with store_of(said) as engram:
        ids = [memory.id for memory in reversed(engram.list())]
        for one, other in pairwise(ids):
            engram.relate(one, other, "related")

        found = texts(engram, "boiler noise")

    assert found == [said[0], "Step a.", "Step b."]


def test_a_way_of_causes_reaches_one_step_further():
    said = ["The boiler makes a knocking noise.", *(f"Step {i}." for i in "abcd")]
    with store_of(said) as engram:
        ids = [memory.id for memory in reversed(engram.list())]
        for one, other in pairwise(ids):
            engram.relate(one, other, "caused_by")

        assert texts(engram, "boiler noise") == [said[0], "Step a.", "Step b.", "Step c."]


def test_a_standing_wish_is_looked_at_for_any_request_in_a_large_store(monkeypatch):
    monkeypatch.setattr(gather, "EXHAUSTIVE", 3)
    monkeypatch.setattr(gather, "PER_SEARCH", 2)
    said = [*(f"The soup number {i} was thin." for i in range(20)), "Always use metric units."]
    with store_of(said) as engram:
        asked = candidates_of(engram, "Can you help me cook soup?")
        told = candidates_of(engram, "Was the soup thin?")

    wish = len(said)
    assert wish in asked.selection.wordings.numbers[asked.rows]
    assert wish not in told.selection.wordings.numbers[told.rows]
    assert len(asked.rows) < 10


def test_a_question_that_finds_nothing_activates_nothing():
    said = ["The boiler makes a knocking noise.", "Ring Mr Ode."]
    with store_of(said) as engram:
        engram.relate("mem-0001", "mem-0002", "related")

        assert texts(engram, "violin concert") == []


def test_neighbours_share_what_is_said_of_a_term():
    said = [
        *turns(("Ann", "How is the violin?"), ("Bob", "I sold it."), session="one"),
        *turns(("Ann", "How is everybody?"), ("Bob", "I sold that."), session="two"),
    ]
    with store_of(said) as engram:
        assert "I sold it." in texts(engram, "violin")
        assert "I sold that." not in texts(engram, "violin")


# What a signal must not see


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("date", "Where did we meet in the park?"),
        ("number", "Who picked plums?"),
        ("place", "When was the fair?"),
        ("time", "What did we plant?"),
        ("quotation", "Who said never mind the rain?"),
        ("preference", "Which films are slow?"),
        ("speaker", "Which cat came home?"),
    ],
)
def test_a_signal_is_silent_when_the_question_does_not_ask_for_it(name, question):
    with store_of(LIFTED[name][0]) as engram:
        assert set(signals_of(engram, question, name).values()) == {0.0}


def test_two_persons_named_lift_neither():
    with store_of(LIFTED["speaker"][0]) as engram:
        assert set(signals_of(engram, "Did Ann and Bob see the cat?", "speaker").values()) == {0.0}


# The matrix


def test_every_signal_has_a_test_here():
    elsewhere = {"meaning", "text and meaning", "session", "answer", "question",
                 "person in a summary", "length", "links"}  # fmt: skip

    assert set(LIFTED) | elsewhere == set(SIGNALS)


def test_every_signal_is_a_number_about_zero_to_one():
    for name, (said, question, _) in LIFTED.items():
        with store_of(said) as engram:
            matrix = signal_matrix(candidates_of(engram, question))

        assert matrix.shape == (len(said), len(SIGNALS)), name
        assert np.isfinite(matrix).all()
        assert (matrix >= 0).all()
        assert (matrix <= 1).all()


def test_nothing_has_no_signals():
    with store_of() as engram:
        assert signal_matrix(candidates_of(engram, "anything")).shape == (0, len(SIGNALS))


def test_every_weight_is_for_a_signal_and_every_signal_has_one():
    shipped = json.loads(files("engram.recall").joinpath("weights.json").read_text("utf-8"))

    assert set(shipped["signals"]) == set(SIGNALS)


@pytest.mark.parametrize(
    ("grain", "day", "value"),
    [
        (Grain.DAY, 0.5, 1.0), (Grain.DAY, 1.5, 0.75), (Grain.DAY, 6, 0.5), (Grain.DAY, -0.5, 0.5),
        (Grain.DAY, 9, 0.0), (Grain.DAY, -2, 0.0), (Grain.RANGE, 0.5, 0.5), (Grain.RANGE, 1.5, 0.0),
    ],
)  # fmt: skip
def test_a_time_is_matched_inside_and_around(grain, day, value):
    span = TimeSpan(START, START + timedelta(days=1), "then", (0, 4), grain)
    at = np.array([to_micros(START + timedelta(days=day))])

    assert time_match(at, span).tolist() == [value]


def test_a_year_ago_means_about_a_year_ago():
    span = TimeSpan(START, START + timedelta(days=1), "a year ago", (0, 10), Grain.YEAR)
    days = [0.5, 3, 30, 300]
    at = np.array([to_micros(START + timedelta(days=day)) for day in days])

    values = time_match(at, span).tolist()

    assert values == sorted(values, reverse=True)
    assert values[0] == 1.0
    assert values[1] > 0.9
    assert values[3] < 0.01


def test_agents_count_as_speaking_only_from_a_share_on():
    with store_of([*(f"Fact {i} of many." for i in range(40)), {"text": "Noted.", **AGENT}],
                  settings=WORDS_ONLY, clock=FakeClock()) as engram:  # fmt: skip
        assert set(signals_of(engram, "fact", "person").values()) == {0.0}
