"""A model's sentence gives everybody the part that they have in the memories it names.

The statements are our own. On the set `seen` the rules were made; `held_out` was looked at when
they were done; `fresh` was written after that, and showed kinds of sentences that were not read.
"""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram.memory.clauses.altered import alters
from engram.memory.clauses.exchanged import turns_round
from engram.memory.clauses.reading import Account
from engram.memory.dreams.faithful import Sources
from engram.recall.model_reason_asking import supported
from engram.recall.model_reason_replies import Told
from tests.recall.stores import store_of

LABELLED = [
    json.loads(line)
    for line in (Path(__file__).parent / "labelled" / "parts.jsonl").read_text().splitlines()
]
# Of each sort, the share that must be judged rightly: taken when true, dropped otherwise.
BARS = {"true": 0.97, "turned": 0.88, "denied": 0.97, "altered": 0.9}
NAMES = ("Ada", "Grace", "Roger", "Bergen", "the dog", "a cat", "Ada's brother")
SMALL = ("manages", "lives in", "was sold by", "is", "from", "to", ",", "and", "who", "of", "3")


def is_believed(case: dict[str, object]) -> bool:
    sources = [str(each) for each in case["sources"]]
    invented = Sources(sources).inventions(str(case["says"]))
    is_altered = alters(str(case["says"]), sources)
    return not (invented or is_altered) and not turns_round(
        str(case["says"]), map(Account, sources)
    )


def share_right(sort: str, sets: set[str]) -> float:
    cases = [each for each in LABELLED if each["is"] == sort and each["set"] in sets]
    right = [each for each in cases if is_believed(each) == (sort == "true")]
    return len(right) / len(cases)


@pytest.mark.parametrize("sort", BARS)
def test_what_is_true_is_believed_and_what_is_turned_round_denied_or_altered_is_not(sort: str):
    assert share_right(sort, {"seen"}) == 1.0
    assert share_right(sort, {"held_out", "fresh"}) >= BARS[sort]


def test_the_statements_are_many_and_each_is_there_once():
    assert len(LABELLED) >= 250
    assert len({(tuple(each["sources"]), each["says"]) for each in LABELLED}) == len(LABELLED)


@pytest.mark.parametrize(
    ("told", "speaker", "true", "turned"),
    [
        ("I manage Grace.", "Ada", "Ada manages Grace.", "Grace manages Ada."),
        ("My manager is Grace.", "Ada", "Grace is Ada's manager.", "Ada is Grace's manager."),
        ("I sold the van to Kim.", "Tom", "Kim got the van from Tom.", "Kim sold Tom the van."),
        ("Grace trained me.", "Ada", "Ada was trained by Grace.", "Grace was trained by Ada."),
    ],
)  # fmt: skip
def test_who_speaks_of_themselves_is_who_the_statement_names(told, speaker, true, turned):
    assert not turns_round(true, [Account(told, speaker)])
    assert turns_round(turned, [Account(told, speaker)])


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (("Ada lives in Bergen.", "Roger lives in Norway.", "Bergen is in Norway."),
         "Ada lives in Norway."),
        (("Roger is called Buddy.", "Buddy lives in Bergen."), "Roger lives in Bergen."),
        (("Ada and Grace live in Porto.",), "Grace lives in Porto."),
        (("Ada lives in Lyon.", "Ada lives in Porto."), "Ada lives in Porto."),
        (("She lives in Lyon.", "Grace lives in Porto."), "Ada lives in Lyon."),
        (("Clara is the mother of Roger.",), "Roger is the son of Clara."),
        (("Ada reports to Grace.",), "Grace is the manager of Ada."),
    ],
)  # fmt: skip
def test_what_follows_from_what_was_told_is_not_taken_for_an_exchange(told, said):
    assert not turns_round(said, map(Account, told))


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("Die Katze jagt den Hund.", "Den Hund jagt die Katze."),
        ("Roger vive en Bergen.", "En Bergen vive Roger."),
        ("Roger vit à Bergen avec Ada.", "À Bergen Roger vit avec Ada."),
        ("Роджер любит Аду.", "Аду любит Роджер."),
    ],
)
def test_the_order_of_words_in_other_languages_is_left_alone(told, said):
    assert not turns_round(said, [Account(told)])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([*NAMES, *SMALL]), max_size=14).map(" ".join) | st.text())
def test_what_was_told_in_these_words_is_never_turned_round_or_altered(text: str):
    assert not turns_round(text, [Account(text)])
    assert not alters(text, [text])


def test_a_turned_sentence_of_a_model_is_dropped_and_a_passive_one_kept():
    with store_of(("Roger lives in Bergen.", "Grace manages Ada.")) as engram:
        shown = {1: engram.get("mem-0001"), 2: engram.get("mem-0002")}

    found = supported(
        [
            Told(text="Bergen lives in Roger.", sources=[1]),
            Told(text="Ada manages Grace.", sources=[2]),
            Told(text="Ada is managed by Grace, and Roger lives in Bergen.", sources=[1, 2]),
        ],
        shown,
    )

    assert [each.text for each in found] == ["Ada is managed by Grace, and Roger lives in Bergen."]


def test_what_one_memory_says_outright_is_no_matter_of_another_that_doubts_it():
    told = ["Ivo might sell the boat.", "Ivo sells the boat."]

    assert alters("Ivo sells the boat.", told[:1])
    assert not alters("Ivo sells the boat.", told)
