"""A model's sentence gives everybody the part that they have in the memories it names.

The statements are our own. On the set `seen` the rules were made; `held_out` was looked at when
they were done; `fresh` was written after that, and showed kinds of sentences that were not read.
"""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram.memory.grounding import Sources
from engram.recall.model_reason_asking import supported
from engram.recall.model_reason_replies import Told
from tests.recall.stores import store_of

LABELLED = [
    json.loads(line)
    for line in (Path(__file__).parent / "labelled" / "parts.jsonl").read_text().splitlines()
]
# Of each sort, the share that must be judged rightly: dropped when not true. Of what is true only
# what keeps to the words and their order is taken: the sources can always be quoted instead.
BARS = {"true": 0.3, "turned": 0.9, "denied": 0.97, "altered": 0.9}
NAMES = ("Ada", "Grace", "Roger", "Bergen", "the dog", "a cat", "Ada's brother")
SMALL = ("manages", "lives in", "was sold by", "is", "from", "to", ",", "and", "who", "of", "3")


def is_believed(case: dict[str, object]) -> bool:
    sources = [str(each) for each in case["sources"]]
    return not Sources(sources).inventions(str(case["says"]))


def share_right(sort: str, sets: set[str]) -> float:
    cases = [each for each in LABELLED if each["is"] == sort and each["set"] in sets]
    right = [each for each in cases if is_believed(each) == (sort == "true")]
    return len(right) / len(cases)


@pytest.mark.parametrize("sort", BARS)
def test_what_is_true_is_believed_and_what_is_turned_round_denied_or_altered_is_not(sort: str):
    assert share_right(sort, {"seen", "held_out", "fresh"}) >= BARS[sort]


def test_the_statements_are_many_and_each_is_there_once():
    assert len(LABELLED) >= 250
    assert len({(tuple(each["sources"]), each["says"]) for each in LABELLED}) == len(LABELLED)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([*NAMES, *SMALL]), max_size=14).map(" ".join) | st.text())
def test_what_was_told_in_these_words_is_always_believed(text: str):
    assert not Sources([text]).inventions(text)


def test_a_turned_sentence_of_a_model_is_dropped_and_one_in_the_words_of_its_sources_kept():
    with store_of(("Roger lives in Bergen.", "Grace manages Ada.")) as engram:
        shown = {1: engram.get("mem-0001"), 2: engram.get("mem-0002")}

    found = supported(
        [
            Told(text="Bergen lives in Roger.", sources=[1]),
            Told(text="Ada manages Grace.", sources=[2]),
            Told(text="Grace manages Ada.", sources=[1, 2]),
        ],
        shown,
    )

    assert [each.text for each in found] == ["Grace manages Ada."]


def test_what_one_memory_says_outright_is_no_matter_of_another_that_doubts_it():
    told = ["Ivo might sell the boat.", "Ivo sells the boat."]

    assert Sources(told[:1]).inventions("Ivo sells the boat.")
    assert not Sources(told).inventions("Ivo sells the boat.")


def test_who_speaks_of_themselves_is_who_the_statement_names():
    with store_of() as engram:
        engram.remember("I manage Grace.", speaker="Ada")
        shown = {1: engram.get("mem-0001")}

    said = [
        Told(text="Ada manages Grace.", sources=[1]),
        Told(text="Grace manages Ada.", sources=[1]),
    ]

    assert [each.text for each in supported(said, shown)] == ["Ada manages Grace."]
