"""`engram recall --trace` and `engram why`: which stage took what, found what, or failed."""

import pytest

from engram import Engram

STAGES = [
    "select", "plan", "meaning", "gather", "fuse", "confirm", "adjust", "rerank", "diversify",
    "read", "current",
    "floor", "budget", "explain",
]  # fmt: skip
HASHING = {"ENGRAM_EMBEDDER__KIND": "hashing"}
WORDS_ONLY = {"ENGRAM_EMBEDDER__KIND": "none"}


@pytest.fixture
def filled(run, store):
    texts = ("The spare key is in the shed.", "Ada moved to Lyon.", "The shed is green.")
    with Engram.open(store, settings={"embedder": {"kind": "hashing"}}) as engram:
        engram.remember_many(texts, wait=True)
    return run


def test_a_trace_shows_every_stage_with_its_time_and_count(filled):
    answer = filled("recall", "Where is the spare key?", "--trace", **HASHING)

    rows = [line.split() for line in answer.out.splitlines()]
    stages = {row[0]: row for row in rows if row and row[0] in STAGES}
    assert answer.code == 0
    assert list(stages) == STAGES
    assert all(float(row[1]) >= 0 for row in stages.values())
    assert stages["select"][2] == stages["gather"][2] == "3"
    assert "spare key is in the shed" in answer.out
    assert "level full" in answer.out


def test_without_trace_a_person_sees_hits_alone(filled):
    answer = filled("recall", "Where is the spare key?", **HASHING)

    assert "diversify" not in answer.out


def test_the_document_has_the_trace_and_each_hits_probability(filled, ask):
    for flags in ((), ("--trace",)):
        found = ask("recall", "Where is the spare key?", *flags, **HASHING)

        assert [stage["name"] for stage in found["trace"]] == STAGES
        assert all(set(stage) == {"name", "milliseconds", "count", "detail"}
                   for stage in found["trace"])  # fmt: skip
        assert all(0 <= hit["probability"] <= 1 for hit in found["hits"])
        assert found["hits"][0]["why"]["signals"]


def test_a_stage_that_failed_is_named_in_the_trace(filled):
    answer = filled("recall", "Where is the spare key?", "--trace", **WORDS_ONLY)

    assert "degraded: meaning: no embedder is configured" in answer.out
    assert "level text_only" in answer.out


def test_a_reduced_recall_is_traced_too(filled, ask):
    off = {**WORDS_ONLY, "ENGRAM_RECALL__IN_MEMORY": "false"}

    found = ask("recall", "spare key", **off)
    shown = filled("recall", "spare key", "--trace", **off)

    assert found["level"] == "reduced"
    assert [stage["name"] for stage in found["trace"]] == ["text"]
    assert "level reduced" in shown.out


def test_an_empty_answer_has_a_trace(filled):
    answer = filled("recall", "?!", "--trace", **WORDS_ONLY)

    assert answer.code == 0
    assert "Nothing found." in answer.out
    assert "budget" in answer.out


def test_why_tells_where_a_memory_was_lost(filled, ask):
    recalled = ask("why", "Where is the spare key?", "mem-0001", **WORDS_ONLY)
    lost = ask("why", "Where is the spare key?", "mem-0002", **WORDS_ONLY)
    shown = filled("why", "Where is the spare key?", "mem-0002", **WORDS_ONLY)

    assert recalled["recalled"]
    assert recalled["lost_at"] is None
    assert lost["lost_at"] == "floor"
    assert "lost at floor" in shown.out
