"""What is shown at all: ordinary questions get their nearest few, and nobody gets a long tail."""

import pytest

from recall.stores import HASHING, QUIET, WORDS_ONLY, store_of

LIFE = [
    "My niece Paula cannot stand olives", "I grew up in Bergen, born on 2 May 1979",
    "We settled in Valencia in June 2021", "My husband Tomek teaches chemistry at a grammar school",
    "The cat is a tabby called Miso", "I swallow an iron tablet after supper",
    "The project Otter is a tide calculator written in Go", "Otter keeps its tables in DuckDB",
    "Releases of Otter go through Jenkins to a rented server",
    "Our van is a white Ducato, number plate 88-KL-31",
    "The bookshop's owner is Frau Winkler, she closes at six",
]  # fmt: skip


@pytest.fixture(scope="module")
def engram():
    with store_of(LIFE, settings={**QUIET, "embedder": {"kind": "builtin"}}) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("where do I live?", "Valencia"), ("how old am I?", "1979"),
        ("what does my husband do for work?", "chemistry"),
    ],
)  # fmt: skip
def test_an_ordinary_question_gets_its_nearest_few(engram, question, word):
    found = [hit.memory.content for hit in engram.recall(question)]

    assert any(word in text for text in found[:3])


def test_what_no_word_and_nothing_near_speaks_for_is_called_unknown(engram):
    for question in ("who is the president of France?", "zeppelin", "airspeed of a swallow"):
        result = engram.recall(question)
        assert result.assessment == "unknown"
        assert len(result) <= 3


def test_what_is_far_behind_the_first_hit_is_shown_to_who_asks_for_more(engram):
    plain, more = engram.recall("Otter"), engram.recall("Otter", limit=50)

    assert all("Otter" in hit.memory.content for hit in plain)
    assert len(more) > len(plain)
    assert [hit.memory.id for hit in more][: len(plain)] == [hit.memory.id for hit in plain]


def test_a_plate_that_stands_in_one_memory_is_found_with_confidence(engram):
    result = engram.recall("88-KL-31")

    assert [hit.memory.content for hit in result] == [LIFE[9]]
    assert result.assessment == "confident"


def test_a_name_is_no_ground_for_confidence_where_others_hardly_speak():
    said = [
        {"text": "The tram stops at the mill.", "speaker": "Nuria"},
        {"text": "Understood, I shall tell you in time.", "speaker": "Bot", "source": "agent"},
        {"text": "The tram now stops at the weir.", "speaker": "Nuria"},
        {"text": "My cousin Jost is afraid of heights, so we took the stairs.", "speaker": "Nuria"},
        {"text": "We hired two red bicycles in Delft.", "speaker": "Nuria"},
    ]
    with store_of(said, settings={**QUIET, "embedder": {"kind": "builtin"}}) as engram:
        assert engram.recall("What is Nuria's parrot called?").assessment == "unknown"
        assert engram.recall("What does Nuria's uncle cook?").assessment == "unknown"
        assert "Delft" in engram.recall("Where did Nuria hire bicycles?")[0].memory.content


@pytest.mark.parametrize("settings", [WORDS_ONLY, HASHING], ids=["words", "meaning"])
def test_of_a_question_without_end_the_beginning_is_read(settings):
    short = {**settings, "recall": {"max_query_bytes": 256}}
    with store_of(["The zebra is here."], settings=short) as engram:
        result = engram.recall("zebra " + "é" * 5_000 + " lion")
        reduced = {**short, "recall": {"max_query_bytes": 256, "in_memory": False}}
    with store_of(["The zebra is here."], settings=reduced) as engram:
        again = engram.recall("zebra " + "\ud800" * 5_000)

    assert len(result) == len(again) == 1
    for each in (result, again):
        assert "question: only its first 256 bytes were read" in each.degraded
