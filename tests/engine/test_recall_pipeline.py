"""Recall as a whole: what holds of any store, any caller and any question."""

import json
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import numpy as np
import pytest
from clock import START, FakeClock
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from recall.stores import HASHING, WORDS_ONLY, store_of, texts

from engram import Engram
from engram.errors import EmbedderUnavailable
from engram.memory.scopes import Scope
from engram.recall.options import Rerank
from engram.recall.signals import SIGNALS

WORDS = (
    "zebra",
    "lion",
    "tea",
    "boat",
    "Lyon",
    "garden",
    "now",
    "3",
    "Kate",
    "42",
    "likes",
    "my_x",
)
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
QUESTIONS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
STRATEGIES = st.sampled_from(list(Rerank))


def opened(**settings_of: object) -> Engram:
    return Engram.open(":memory:", clock=FakeClock(), settings={**HASHING, **settings_of})


def scores(engram: Engram, question: str, scope: Scope | None = None) -> list[tuple[str, float]]:
    result = engram.recall(question, scope=scope, limit=50)
    return [(hit.memory.content, hit.score) for hit in result]


# How much is given back


@settings(max_examples=40)
@given(
    st.lists(SENTENCES, min_size=1, max_size=20), QUESTIONS, st.integers(1, 60),
    st.integers(1, 8), STRATEGIES,
)  # fmt: skip
def test_no_answer_is_longer_than_its_budget_and_limit(said, question, budget, limit, rerank):
    with opened(recall={"rerank": rerank.value}) as engram:
        engram.remember_many([f"{text} {'word ' * (i % 5)}{i}" for i, text in enumerate(said)])

        result = engram.recall(question, budget=budget, limit=limit)

        assert sum(-(-len(hit.memory.content) // 4) for hit in result) <= budget
        assert result.quality.tokens <= budget
        assert len(result) <= limit
        assert len({hit.memory.id for hit in result}) == len(result)


@settings(max_examples=25)
@given(st.lists(SENTENCES, min_size=1, max_size=15), QUESTIONS, STRATEGIES)
def test_every_order_gives_back_the_same_memories(said, question, rerank):
    items = [f"{text} {number}" for number, text in enumerate(said)]
    with store_of(items, settings=HASHING) as plain:
        expected = {hit.memory.content for hit in plain.recall(question, limit=50)}
    with store_of(items, settings={**HASHING, "recall": {"rerank": rerank.value}}) as other:
        found = [hit.memory.content for hit in other.recall(question, limit=50)]

    assert set(found) == expected
    assert len(found) == len(expected)


# The same answer every time


@settings(max_examples=25)
@given(st.lists(SENTENCES, min_size=2, max_size=12), QUESTIONS, st.randoms(use_true_random=False))
def test_the_order_of_telling_does_not_matter_beyond_ties(said, question, random):
    items = [
        {"text": f"{text} {number}", "at": (START - timedelta(days=number)).isoformat()}
        for number, text in enumerate(said)
    ]
    shuffled = list(items)
    random.shuffle(shuffled)

    with store_of(items, settings=HASHING) as one, store_of(shuffled, settings=HASHING) as other:
        expected, found = dict(scores(one, question)), scores(other, question)

    # What is told first is newer to the store than what comes after, and so counts a little more.
    assert dict(found) == pytest.approx(expected, abs=0.02)
    assert [score for _, score in found] == sorted(dict(found).values(), reverse=True)


@settings(max_examples=15)
@given(st.lists(SENTENCES, min_size=1, max_size=12), QUESTIONS)
def test_asking_in_between_changes_no_answer(said, question):
    items = [
        {"text": f"{text} {number}", "session": ["one", None][number % 2], "speaker": "Kate"}
        for number, text in enumerate(said)
    ]
    # Reads that are written down make a memory matter more: none is, however slow the machine.
    quiet = {
        **HASHING, "security": {"read_audit": "off", "flush_seconds": 60.0},
        "capture": {"reconcile": False},  # what replaces what is decided elsewhere
    }  # fmt: skip
    with store_of(items, settings=quiet) as at_once, store_of((), settings=quiet) as by_steps:
        for item in items:
            by_steps.remember_many([item], wait=True)
            by_steps.recall(question)

        # How new a statement is counts too, and the steps take some time.
        by_step, whole = (dict(scores(each, question)) for each in (by_steps, at_once))
        assert by_step == pytest.approx(whole, abs=1e-3)


SPOKEN = [
    {"text": f"{WORDS[i % 7]} and {WORDS[(i * 5) % 11]} on day {i}", "session": f"s{i // 6}",
     "speaker": ("Ann", "Bob")[i % 2]}
    for i in range(60)
]  # fmt: skip
ASKED = ["zebra and lion?", "What did Ann say about the boat?", "Where is Lyon now?", "tea day 14"]
_ASK = """
import json, sys
from datetime import UTC, datetime
from engram import Engram
settings = json.loads(sys.argv[2])
clock = lambda: datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
with Engram.open(sys.argv[1], settings=settings, clock=clock, read_only=True) as engram:
    for question in json.loads(sys.argv[3]):
        hits = engram.recall(question)
        print(json.dumps([[hit.memory.label, hit.score, str(hit.why)] for hit in hits]))
"""


def told(engram: Engram, question: str) -> list[list[object]]:
    return [[hit.memory.label, hit.score, str(hit.why)] for hit in engram.recall(question)]


@pytest.mark.failure("F05")
@pytest.mark.parametrize("rerank", ["none", "rrf_then_mmr"])
def test_another_process_gives_the_same_answers(open_store, store_path, rerank):
    chosen = {**HASHING, "recall": {"rerank": rerank}}
    with open_store(settings=chosen) as engram:
        engram.remember_many(SPOKEN, wait=True)
    # Only reading, so that being asked changes nothing.
    here, reopened = (
        [told(open_store(settings=chosen, read_only=True), question) for question in ASKED]
        for _ in range(2)
    )

    done = subprocess.run(
        [sys.executable, "-c", _ASK, store_path, json.dumps(chosen), json.dumps(ASKED)],
        check=True, capture_output=True, timeout=60,
    )  # fmt: skip
    there = [json.loads(line) for line in done.stdout.splitlines()]

    assert all(here)
    assert here == reopened == there


def test_questions_are_answered_while_others_write(open_store):
    engram = open_store(settings=WORDS_ONLY)
    first = engram.remember("zebra zero", session="talk", speaker="Ann").memory
    is_done = threading.Event()

    def ask() -> list[int]:
        counts = []
        while not is_done.is_set():
            hits = engram.recall("zebra", limit=500)
            assert all("zebra" in hit.memory.content for hit in hits)
            counts.append(len(hits))
        return counts

    with ThreadPoolExecutor(3) as pool:
        asked = [pool.submit(ask) for _ in range(3)]
        for number in range(60):
            engram.remember(f"zebra {number}", session="talk", speaker="Bob")
            assert f"zebra {number}" in texts(engram, f"zebra {number}", limit=500)
            engram.revise(first.id, f"zebra zero, revision {number}")
        is_done.set()
        answers = [each.result(timeout=30) for each in asked]

    assert all(counts == sorted(counts) for counts in answers)
    assert len(engram.recall("zebra", limit=500)) == 61


# Any question at all


@pytest.fixture(scope="module")
def worldly():
    said = [
        "a b c",
        "日本語のテキスト",
        "שלום עולם",
        "x_y.z@w",
        "مرحبا بالعالم",
        "café 😀",
        "* ^ :",
    ]
    with store_of(said, settings=HASHING) as engram:
        yield engram


@pytest.mark.failure("F46", "F47")
@settings(max_examples=150)
@given(st.text(alphabet=st.characters(), max_size=80))
@example("\ud800\udfff")
@example("\x00" * 50)
@example("😀😀😀")
@example("👩‍👩‍👧 \u202e\u200b")
@example("שלום? مرحبا؟")
@example("'" * 200)
@example('"' * 201)
@example("since the the the")
@example("what did I do last " * 20)
def test_any_question_is_answered_and_never_raises(worldly, question):
    result = worldly.recall(question)

    assert result.assessment in ("confident", "uncertain", "unknown")
    assert 0.0 <= result.confidence <= 1.0
    assert all(0.0 <= hit.score <= 1.0 and 0.0 <= hit.probability <= 1.0 for hit in result)


@pytest.mark.failure("F47")
@pytest.mark.parametrize(
    "unit",
    ["a ", "zebra_1.2/", "日本", "\x00", "😀", "(((", "א", "last week since ", "Ann's ", '"x" '],
)
def test_a_question_of_sixteen_thousand_bytes_is_answered(worldly, unit):
    question = (unit * 16_384).encode()[:16_384].decode(errors="ignore")

    assert worldly.recall(question).assessment in ("confident", "uncertain", "unknown")


def test_an_empty_store_answers_that_it_knows_nothing():
    with store_of((), settings=HASHING) as engram:
        result = engram.recall("Where is the key?")

    assert len(result) == 0
    assert (result.assessment, result.confidence) == ("unknown", 0.0)
    assert result.degraded == ()


# What is missing is named


def test_with_an_embedder_the_level_is_full_and_nothing_is_degraded():
    with store_of(["The key is in the shed."], settings=HASHING) as engram:
        result = engram.recall("Where is the key?")

    assert (result.level, result.degraded) == ("full", ())


def test_without_an_embedder_words_alone_decide_and_that_is_said():
    with store_of(["The key is in the shed."]) as engram:
        result = engram.recall("Where is the key?")

    assert result.level == "text_only"
    assert result.degraded == ("meaning: no embedder is configured",)
    assert len(result) == 1


class Broken:
    """An embedder that made the vectors and is gone when the question comes."""

    identity = "broken"
    is_prompt = True

    def embed(self, texts):
        raise EmbedderUnavailable(hint="It is away.")


def test_an_embedder_that_fails_is_named_and_words_still_find(monkeypatch):
    with store_of(["The key is in the shed."], settings=HASHING) as engram:
        monkeypatch.setattr(engram._parts.embedding, "embedder_for", lambda space: Broken())
        result = engram.recall("Where is the key?")

    assert result.level == "text_only"
    assert len(result.degraded) == 1
    assert result.degraded[0].startswith(f"meaning: {EmbedderUnavailable.code}")
    assert len(result) == 1


def test_the_embedder_of_other_vectors_is_missed_by_name(open_store):
    made = open_store(settings=HASHING)
    made.remember("The key is in the shed.", wait=True)
    made.close()
    gone = open_store(settings={**HASHING, "embedder": {"kind": "none"}})

    assert gone.recall("key").degraded == ("meaning: no embedder is configured",)


HASTY = {**HASHING, "recall": {"wait_seconds": 0.0}}


def test_what_waits_for_its_vector_is_counted_and_found_by_words(open_store, monkeypatch):
    before = open_store(settings=WORDS_ONLY)
    before.remember_many([f"Zebra number {i}." for i in range(5)])
    before.close()
    engram = open_store(settings=HASTY)
    monkeypatch.setattr(engram._parts.embedding, "wake", lambda: None)

    result = engram.recall("zebra")

    assert len(result) == 5
    assert result.level == "text_only"
    assert result.degraded == ("meaning: nothing is embedded yet",)


def test_a_part_that_waits_is_told_beside_what_was_compared(open_store, monkeypatch):
    engram = open_store(settings=HASTY)
    engram.remember_many(["A zebra.", "A lion."], wait=True)
    monkeypatch.setattr(engram._parts.embedding, "wake", lambda: None)
    engram.remember("A tiger.")

    result = engram.recall("zebra tiger")

    assert result.level == "full"
    assert result.degraded == ("meaning: 1 of 3 memories wait for their vectors",)
    assert {hit.memory.content for hit in result} >= {"A zebra.", "A tiger."}


OUT_OF_MEMORY = {**WORDS_ONLY, "recall": {"in_memory": False}}


def test_without_the_table_in_memory_recall_is_reduced_and_says_so():
    with store_of(["The key is in the shed.", "Ada moved."], settings=OUT_OF_MEMORY) as engram:
        result = engram.recall("Where is the key?")

    assert result.level == "reduced"
    assert [hit.memory.content for hit in result] == ["The key is in the shed."]
    assert len(result.degraded) == 1
    assert [stage.name for stage in result.trace] == ["text"]


def test_a_reduced_recall_keeps_scopes_filters_and_moments(clock):
    with store_of((), settings=OUT_OF_MEMORY, clock=clock) as engram:
        mine = engram.remember("My zebra.", scope=Scope(project="a"), subject="s").memory
        engram.remember("Their zebra.", scope=Scope(project="b"))
        engram.remember("A plain zebra.", scope=Scope(project="a"))
        then = clock()
        clock.advance(days=1)
        engram.forget(mine.id, scope=Scope(project="a"))

        assert texts(engram, "zebra", scope=Scope(project="a")) == ["A plain zebra."]
        assert texts(
            engram, "zebra", scope=Scope(project="a"), filters={"subject": "s"}, known_at=then
        ) == ["My zebra."]


# Filters come before the cut


def test_a_filter_that_leaves_one_in_a_hundred_still_fills_the_answer():
    said = [
        {"text": f"zebra lion {i} boat {i % 17}", "metadata": {"rare": i % 100 == 0}}
        for i in range(1_500)
    ]
    with store_of(said, settings=HASHING) as engram:
        result = engram.recall("zebra boat 3", filters={"metadata": {"rare": True}}, limit=10)

        assert len(result) == 10
        assert result.quality.candidates == 15
        assert all(hit.memory.metadata["rare"] is True for hit in result)
        assert result.level == "full"


def test_one_scope_of_a_hundred_gets_the_nearest_of_its_own(monkeypatch):
    monkeypatch.setattr("engram.recall.gather.EXHAUSTIVE", 5)
    monkeypatch.setattr("engram.recall.gather.PER_SEARCH", 12)
    rare = Scope(project="rare")
    with store_of((), settings=HASHING) as engram:
        items = [
            {"text": f"note {i} about thing {i % 31} and {WORDS[i % 5]}",
             "scope": rare if i % 50 == 0 else Scope(project=f"p{i % 20}")}
            for i in range(1_000)
        ]  # fmt: skip
        engram.remember_many(items, wait=True)

        result = engram.recall("zebra thing 7", scope=rare, limit=10)

    assert len(result) == 10
    assert {hit.memory.scope.path for hit in result} == {rare.path}


def test_a_large_selection_finds_what_an_exhaustive_look_finds(monkeypatch):
    said = [f"note {i} about {WORDS[i % 7]} and item{i}" for i in range(800)]
    with store_of(said, settings=HASHING) as engram:
        questions = [f"note {i} about {WORDS[i % 7]} and item{i}?" for i in range(0, 800, 50)]
        exhaustive = [texts(engram, question, limit=1) for question in questions]
        monkeypatch.setattr("engram.recall.gather.EXHAUSTIVE", 50)
        monkeypatch.setattr("engram.recall.gather.PER_SEARCH", 40)

        assert [texts(engram, question, limit=1) for question in questions] == exhaustive
        assert engram.recall(questions[0]).quality.candidates < 200


MOMENTS = {
    "as of then": ({"as_of": START - timedelta(days=40)}, ["Ada's office was in Lyon."]),
    "as of now": ({"as_of": START}, ["Ada's office was in Porto."]),
    "facts only": ({"mode": "facts_only"}, ["Ada's office was in Porto."]),
    "a narrative": ({"filters": {"memory_type": "narrative"}}, ["The tale of Ada's office."]),
    "nobody's": ({"filters": {"speaker": "Bob"}}, []),
}


@pytest.mark.parametrize("name", MOMENTS)
def test_moments_modes_and_filters_hold_with_vectors(name):
    conditions, expected = MOMENTS[name]
    past, since = (START - timedelta(days=90)).isoformat(), (START - timedelta(days=20)).isoformat()
    said = [
        {"text": "Ada's office was in Lyon.", "valid_from": past, "valid_until": since},
        {"text": "Ada's office was in Porto.", "valid_from": since},
        {"text": "The tale of Ada's office.", "memory_type": "narrative", "valid_from": since},
    ]
    with store_of(said, settings=HASHING) as engram:
        found = texts(engram, "Where was Ada's office?", **conditions)

    assert found[:1] == expected
    assert len(found) <= 2


def test_what_was_known_then_is_searched_by_its_meaning_of_then(clock):
    with store_of(["The kitten sleeps."], settings=HASHING, clock=clock) as engram:
        then = clock()
        clock.advance(days=1)
        engram.revise("mem-0001", "The invoice is paid.")
        engram.settle()

        now, past = engram.recall("kittens"), engram.recall("kittens", known_at=then)

    assert len(now) == 0
    assert [hit.memory.content for hit in past] == ["The kitten sleeps."]


@pytest.mark.failure("F49")
def test_what_is_forgotten_is_found_by_no_means_any_more():
    with store_of(["The kitten sleeps.", "The kitten eats."], settings=HASHING) as engram:
        assert len(engram.recall("kittens")) == 2
        engram.forget("mem-0001")

        assert texts(engram, "kittens") == ["The kitten eats."]
        assert engram.recall("kittens").quality.candidates == 1


# Every hit says why


@settings(max_examples=25)
@given(st.lists(SENTENCES, min_size=1, max_size=12), QUESTIONS, STRATEGIES)
def test_every_hit_has_its_signals_with_ranks(said, question, rerank):
    with opened(recall={"rerank": rerank.value}) as engram:
        engram.remember_many([f"{text} {i}" for i, text in enumerate(said)], wait=True)

        result = engram.recall(question)

        assume(len(result))
        for hit in result:
            assert hit.why.signals
            assert all(
                1 <= signal.rank <= len(said) if signal.name in SIGNALS else signal.rank == 0
                for signal in hit.why.signals
            )
            assert all(np.isfinite(signal.score) for signal in hit.why.signals)
        names = [stage.name for stage in result.trace]
        assert names[0] == "select"
        assert names[-1] == "explain"
        assert all(stage.milliseconds >= 0 for stage in result.trace)


def test_the_trace_takes_no_longer_than_the_recall():
    with store_of(["A zebra."], settings=HASHING) as engram:
        result = engram.recall("zebra")

    assert sum(stage.milliseconds for stage in result.trace) <= result.quality.milliseconds + 1


def test_the_same_words_said_twice_by_one_speaker_are_shown_once():
    side = Scope(project="side")
    said = [
        {"text": "The zebra sleeps."},
        {"text": "the zebra  SLEEPS.", "scope": side},
        {"text": "The zebra sleeps.", "scope": side, "speaker": "Ann"},
    ]
    with store_of(said, settings=HASHING) as engram:
        speakers = [hit.memory.speaker for hit in engram.recall("zebra", scope=side)]

    assert sorted(map(str, speakers)) == ["Ann", "None"]
