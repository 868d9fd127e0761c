"""What was said just now: found at once by its words, and by its meaning if that takes a moment."""

import threading
import time
from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram import Engram
from engram.errors import EmbedderUnavailable, StoreCorrupt, VectorRefused
from engram.providers.hashing import HashingEmbedder
from engram.recall.embed_question import WantedVector, embed_question, in_time
from engram.recall.meaning import Nearness
from recall.stores import HASHING, QUIET, store_of, texts

HASTY = {**HASHING, "recall": {"wait_seconds": 0.0}}
RARE = "kowalczyk quokka zirconium marzipan obelisk tarantella".split()


def without_worker(engram: Engram) -> Engram:
    """From here on nothing is embedded unless a question waits for it."""
    engram._parts.embedding.wake = lambda: None
    return engram


@given(st.sets(st.sampled_from(RARE), min_size=1, max_size=3), st.integers(0, 40))
@settings(max_examples=15)
def test_a_memory_made_of_the_questions_rare_words_is_among_the_first_while_it_waits(words, known):
    said = " ".join(sorted(words))
    with store_of([f"The dentist visit {i} was short." for i in range(known)],
                  settings=HASTY) as engram:  # fmt: skip
        without_worker(engram).remember(said)

        result = engram.recall(f"What about {said} and the dentist visit?")

    assert said in [hit.memory.content for hit in result][:3]
    assert result.assessment != "confident"
    assert any("wait" in each or "yet" in each for each in result.degraded)


def test_an_exact_name_comes_first_while_it_waits():
    said = [f"Ticket PAY-{i} about the payment service was closed" for i in range(30)]
    with store_of(said, settings=HASTY) as engram:
        without_worker(engram).remember("Ticket PAY-7731 about the payment service was reopened")

        assert "7731" in texts(engram, "what about ticket PAY-7731?")[0]


def test_what_waits_is_as_near_as_its_words_and_never_nearer_than_the_nearest():
    rows = np.arange(4)
    waits = np.array([False, False, True, True])
    near = Nearness(rows[:2], np.array([0.1, 0.7]), 0.4, 0.3, 0.0, 2, waits)

    found = near.of(rows, like=np.array([0.0, 0.0, 0.0, 1.0]))

    assert found.tolist() == pytest.approx([0.1, 0.7, 0.4, 0.7])


def test_what_was_said_just_now_is_found_by_its_meaning():
    with store_of(settings={**QUIET, "embedder": {"kind": "builtin"}}) as engram:
        engram.remember("We install Python dependencies with uv.")

        result = engram.recall("which package manager do I use?")

    assert [hit.memory.content for hit in result] == ["We install Python dependencies with uv."]
    assert result.level == "full"
    assert result.degraded == ()


def test_many_that_wait_are_not_waited_for():
    with store_of(settings=HASHING) as engram:
        without_worker(engram).remember_many([f"zebra {i}" for i in range(40)])

        assert engram.recall("zebra").level == "text_only"


class Slow:
    """An embedder that answers when it is told to."""

    identity = "slow"
    is_prompt = False

    def __init__(self) -> None:
        self.released = threading.Event()

    def embed(self, texts: list[str]) -> np.ndarray:
        self.released.wait(5)
        return np.ones((len(texts), 4), dtype=np.float32) / 2


class Broken:
    identity = "broken"
    is_prompt = False

    def embed(self, texts: list[str]) -> np.ndarray:
        raise EmbedderUnavailable(hint="no")


def test_an_embedder_that_is_late_is_named_and_nobody_waits_for_it():
    slow = Slow()
    begun = time.monotonic()

    found = embed_question(WantedVector("key", None, slow), 0.05)

    slow.released.set()
    assert time.monotonic() - begun < 2
    assert found.vector is None
    assert found.problem == "the embedder took longer than 0.05 s"
    assert found.milliseconds >= 50


def test_an_embedder_that_fails_is_named():
    assert embed_question(WantedVector("key", None, Broken()), 5).problem == (
        f"{EmbedderUnavailable.code}: no"
    )


def test_work_in_time_gives_its_result_or_its_error():
    def fail() -> None:
        raise KeyError

    assert in_time(lambda: 7, 5) == 7
    with pytest.raises(KeyError):
        in_time(fail, 5)
    with pytest.raises(TimeoutError):
        in_time(lambda: time.sleep(0.2), 0.01)


@pytest.fixture
def embedded():
    patience = {**HASHING, "recall": {"timeout_seconds": 0.5}}
    with store_of(["The key is in the shed."], settings=patience) as engram:
        engram.recall("shed")
        yield engram


def test_a_late_embedder_leaves_recall_by_words_within_its_time(embedded, monkeypatch):
    slow = Slow()
    monkeypatch.setattr(embedded._parts.embedding.embedder, "embed", slow.embed)
    monkeypatch.setattr(HashingEmbedder, "is_prompt", False)
    begun = time.monotonic()

    result = embedded.recall("key")

    took = time.monotonic() - begun
    slow.released.set()
    assert took < 0.5 + 0.3
    assert [hit.memory.content for hit in result] == ["The key is in the shed."]
    assert result.level == "text_only"
    assert result.degraded == ("meaning: the embedder took longer than 0.4 s",)


def test_no_view_is_open_while_a_question_is_embedded(embedded, monkeypatch):
    store, opened, seen = embedded._store, [], []
    read = store.read

    @contextmanager
    def counted(*given, **more):
        with read(*given, **more) as see:
            opened.append(see)
            yield see
            opened.remove(see)

    def embed(_: list[str]) -> np.ndarray:
        seen.append(len(opened))
        raise EmbedderUnavailable(hint="seen")

    monkeypatch.setattr(store, "read", counted)
    monkeypatch.setattr(embedded._parts.embedding.embedder, "embed", embed)

    assert embedded.recall("key").degraded == (f"meaning: {EmbedderUnavailable.code}: seen",)
    assert seen == [0]


@pytest.mark.parametrize("error", [VectorRefused, StoreCorrupt])
def test_vectors_that_cannot_be_read_leave_words(embedded, monkeypatch, error):
    def refuse(_: object) -> None:
        raise error(hint="no")

    monkeypatch.setattr(embedded._parts.vectors, "refresh", refuse)

    result = embedded.recall("key")

    assert len(result) == 1
    assert result.degraded == (f"meaning: {error.code}: no",)


def test_a_vector_of_another_dimension_leaves_words(embedded, monkeypatch):
    short = np.ones((1, 3), dtype=np.float32) / np.sqrt(3)
    monkeypatch.setattr(embedded._parts.embedding.embedder, "embed", lambda _: short)

    result = embedded.recall("key")

    assert len(result) == 1
    assert result.level == "text_only"
    assert result.degraded[0].startswith(f"meaning: {VectorRefused.code}")
