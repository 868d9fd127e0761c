"""`why`: for every stage a memory that is lost there, and never another verdict than recall's."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram import Engram
from engram.memory.scopes import Scope
from recall.stores import HASHING, WORDS_ONLY, store_of

ZEBRA = "A zebra lives here."


def lost_at(engram: Engram, query: str, memory_id: str, **options: object) -> str | None:
    """The stage that `why` names, checked against what recall does."""
    explanation = engram.why(query, memory_id, **options)
    hits = {hit.memory.id for hit in engram.recall(query, **options)}
    assert explanation.recalled == (explanation.memory.id in hits)
    assert all(stage.detail for stage in explanation.stages)
    return explanation.lost_at.name if explanation.lost_at else None


@pytest.fixture(params=[WORDS_ONLY, HASHING], ids=["words", "meaning"])
def engram(request, clock):
    with store_of([ZEBRA], settings=request.param, clock=clock) as opened:
        yield opened


def test_a_hit_passes_every_stage(engram):
    explanation = engram.why("Where is the zebra?", "mem-0001", budget=100)

    assert explanation.recalled
    assert explanation.lost_at is None
    assert [stage.name for stage in explanation.stages][-4:] == ["fuse", "floor", "limit", "budget"]


def test_a_question_without_words_is_where_all_are_lost(engram):
    assert lost_at(engram, "?!", "mem-0001") == "question"


def test_what_was_forgotten_is_lost_by_its_status(engram):
    engram.forget("mem-0001")

    assert lost_at(engram, "zebra", "mem-0001") == "status"


def test_what_no_longer_holds_is_lost_by_time(engram):
    past = engram.remember("A zebra was there.", valid_until="2020-01-01T00:00:00Z").memory

    assert lost_at(engram, "zebra", past.id) == "time"


def test_another_type_is_lost_by_the_mode(engram):
    tale = engram.remember("A zebra tale.", memory_type="narrative").memory

    assert lost_at(engram, "zebra", tale.id, mode="facts_only") == "mode"


def test_what_a_filter_leaves_out_is_lost_there_and_the_filter_is_named(engram):
    assert lost_at(engram, "zebra", "mem-0001", filters={"subject": "plants"}) == "filters"
    stages = engram.why("zebra", "mem-0001", filters={"subject": "plants"}).stages
    assert "subject" in stages[-1].detail


def test_what_is_not_of_the_time_asked_about_is_lost_in_gathering(engram):
    engram.remember("A quiet day.", at="2026-01-05T00:00:00Z")

    assert lost_at(engram, "What happened in January?", "mem-0001") == "gather"
    stages = engram.why("What happened in January?", "mem-0001").stages
    assert "time" in stages[-1].detail


def test_what_many_others_outrank_is_lost_in_fusing(engram):
    engram.remember_many([f"zebra zebra zebra {i}" for i in range(40)], wait=True)

    assert lost_at(engram, "zebra zebra", "mem-0001", limit=1) in ("fuse", "limit")
    assert lost_at(engram, "zebra zebra", "mem-0001", limit=100) is None


def test_what_says_the_same_as_a_better_one_is_lost_as_a_repeat(engram):
    side = Scope(project="side")
    again = engram.remember(ZEBRA, scope=side, wait=True).memory

    lost = {lost_at(engram, "zebra", memory_id, scope=side) for memory_id in ("mem-0001", again.id)}

    assert lost == {None, "diversify"}


def test_what_has_nothing_to_do_with_the_question_is_lost_at_the_floor(engram):
    assert lost_at(engram, "violin concerts", "mem-0001") == "floor"


def test_what_does_not_fit_is_lost_by_limit_or_budget(engram):
    engram.remember("zebra zebra", wait=True)

    lost = {lost_at(engram, "zebra zebra", label, limit=1) for label in ("mem-0001", "mem-0002")}
    assert lost == {None, "limit"}
    assert lost_at(engram, "zebra", "mem-0001", budget=1) == "budget"


def test_a_gathered_memory_says_which_words_and_how_near(engram):
    (stage,) = [
        stage for stage in engram.why("Where is the zebra?", "mem-0001").stages
        if stage.name == "gather"
    ]  # fmt: skip

    assert "zebra" in stage.detail


REDUCED = {**WORDS_ONLY, "recall": {"in_memory": False}}


def test_why_follows_a_reduced_recall_too():
    said = [ZEBRA, "A lion lives here.", *(f"zebra zebra {i}" for i in range(20))]
    with store_of(said, settings=REDUCED) as engram:
        assert lost_at(engram, "zebra", "mem-0001", limit=50) is None
        assert lost_at(engram, "zebra", "mem-0002") == "text"
        assert lost_at(engram, "zebra zebra", "mem-0001", limit=1) == "limit"
        assert lost_at(engram, "zebra", "mem-0001", limit=50, budget=1) == "budget"


WORDS = ("zebra", "lion", "tea", "boat", "Lyon", "now", "3", "likes")
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)


@settings(max_examples=40)
@given(
    st.lists(SENTENCES, min_size=1, max_size=14), SENTENCES, st.integers(1, 5),
    st.none() | st.integers(1, 12), st.sampled_from(["none", "rrf", "mmr", "rrf_then_mmr"]),
    st.booleans(),
)  # fmt: skip
def test_why_and_recall_never_disagree(said, question, limit, budget, rerank, in_memory):
    items = [
        {"text": text, "memory_type": ("fact", "narrative")[number % 2]}
        for number, text in enumerate(said)
    ]
    chosen = {**HASHING, "recall": {"rerank": rerank, "in_memory": in_memory}}
    with store_of(items, settings=chosen) as engram:
        for memory in engram.list():
            lost_at(engram, question, memory.id, limit=limit, budget=budget)


def test_a_miss_says_how_near_it_is_and_how_near_is_needed():
    said = ["A zebra lives here.", "A zebra and a lion live here."]
    with store_of(said, settings=HASHING) as engram:
        stage = engram.why("violin concerts", "mem-0001").lost_at

        assert stage is not None
        assert stage.name == "floor"
        assert "where 0.27 is needed" in stage.detail
    with store_of(said, settings=WORDS_ONLY) as engram:
        stage = engram.why("violin concerts", "mem-0001").lost_at

        assert stage is not None
        assert "nothing was compared by meaning" in stage.detail


def test_what_trails_far_behind_is_shown_to_who_names_a_limit():
    said = ["The zebra ran from the lion by the old mill pond.", *(f"zebra {i}" for i in range(10)),
            "The red boat is by the mill."]  # fmt: skip
    question = "Did the zebra run from the lion by the old mill pond?"
    with store_of(said, settings=WORDS_ONLY) as engram:
        assert lost_at(engram, question, "mem-0006") == "floor"
        assert "name a limit" in engram.why(question, "mem-0006").lost_at.detail
        assert lost_at(engram, question, "mem-0006", limit=50) is None
