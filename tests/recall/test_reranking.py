"""The five ways to order hits, each in a whole recall; the last with a real cross-encoder."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from providers.test_cross_encoder import write_model, write_tokenizer

from engram.recall.intent import PLANS, Intent
from engram.recall.meaning import Nearness
from engram.recall.options import Rerank
from engram.recall.ranking import _fused
from engram.recall.signals import SIGNALS, TIME, signal_matrix
from recall.stores import HASHING, candidates_of, store_of, texts

SAID = [
    "the soup is salt", "the key is the shed", "where is the soup", "the shed is green",
    "the key is the soup", "nothing of the kind",
]  # fmt: skip
QUESTION = "where is the key"


def ordered_by(rerank: str, **more: object):
    return store_of(SAID, settings={**HASHING, "recall": {"rerank": rerank, **more}})


@pytest.mark.parametrize("rerank", [each.value for each in Rerank])
def test_every_way_finds_the_same_and_the_best_of_them(rerank):
    with ordered_by("none") as plain, ordered_by(rerank) as engram:
        expected, result = plain.recall(QUESTION), engram.recall(QUESTION)

    assert {hit.memory.content for hit in result} == {hit.memory.content for hit in expected}
    assert "key" in result[0].memory.content


def test_the_order_of_none_and_rrf_is_that_of_the_scores():
    for rerank in ("none", "rrf"):
        with ordered_by(rerank) as engram:
            scores = [hit.score for hit in engram.recall(QUESTION)]

        assert scores == sorted(scores, reverse=True)


def test_fused_ranks_score_the_best_of_every_ranking_near_one():
    with ordered_by("rrf") as fused, ordered_by("none") as fitted:
        assert fused.recall(QUESTION)[0].score > 0.8
        assert fused.recall(QUESTION)[0].score > fitted.recall(QUESTION)[0].score


@pytest.mark.parametrize("rerank", ["mmr", "rrf_then_mmr"])
def test_variety_puts_something_else_before_a_near_repetition(rerank):
    said = [
        "Zebra stripes and lion manes were painted on barn doors.",
        "Zebra stripes and lion manes were painted on barn door.",
        "Lion tamers teach zebra foals jumping tricks at circus.",
        "Rent is due.",
    ]
    question = "zebra and lion"
    # Said again is less important; here the order is that of the words alone.
    weights = {"importance_weight": 0.0}
    with store_of(said, settings={**HASHING, "recall": weights}) as plain:
        assert set(texts(plain, question)[:2]) == set(said[:2])
    with store_of(said, settings={**HASHING, "recall": {**weights, "rerank": rerank}}) as engram:
        first, second = texts(engram, question)[:2]

    assert first in said[:2]
    assert second == said[2]


# A reader of its own


@pytest.fixture
def reader(tmp_path):
    write_tokenizer(tmp_path)
    write_model(tmp_path)
    return tmp_path


def test_a_cross_encoder_decides_the_order(reader):
    with ordered_by("cross_encoder", reranker_folder=str(reader)) as engram:
        result = engram.recall("where is the key, the soup, the salt or the shed", limit=5)

    assert texts_of(result) == [  # by what each word is worth to this reader
        "the key is the shed", "the shed is green", "the key is the soup", "where is the soup",
        "the soup is salt",
    ]  # fmt: skip
    assert [hit.score for hit in result] == sorted((hit.score for hit in result), reverse=True)
    assert result.degraded == ()


def texts_of(result) -> list[str]:
    return [hit.memory.content for hit in result]


def test_without_a_cross_encoder_the_fitted_order_stays_and_that_is_said(reader):
    with ordered_by("none") as plain, ordered_by("cross_encoder") as engram:
        expected, result = plain.recall(QUESTION), engram.recall(QUESTION)

    assert texts_of(result) == texts_of(expected)
    assert result.degraded == (
        "rerank: no cross-encoder is configured: set recall.reranker_folder",
    )
    assert result.level == "full"


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_broken_cross_encoder_is_named_and_the_fitted_order_stays(reader, name):
    (reader / name).write_bytes(b"{}")
    with ordered_by("none") as plain:
        expected = texts(plain, QUESTION)
    with ordered_by("cross_encoder", reranker_folder=str(reader)) as engram:
        result = engram.recall(QUESTION)

    assert texts_of(result) == expected
    (reason,) = result.degraded
    assert reason.startswith("rerank: E")
    assert QUESTION not in reason


class Spy:
    """Reads nothing, and takes down how much it was given."""

    def __init__(self) -> None:
        self.given: list[list[str]] = []

    def score(self, question: str, texts: Sequence[str]) -> np.ndarray:
        self.given.append(list(texts))
        return np.arange(len(texts), dtype=np.float32)  # the last of them is the best


def test_a_cross_encoder_reads_the_best_thirty_and_leaves_the_others(monkeypatch):
    said = [f"the key number {i}" for i in range(50)]
    with store_of(said, settings=HASHING) as plain:
        fitted = texts(plain, "key number 7", limit=50)
    spy = Spy()
    with store_of(said, settings={**HASHING, "recall": {"rerank": "cross_encoder"}}) as engram:
        monkeypatch.setattr(engram._parts, "reranker", lambda _: spy)
        result = texts(engram, "key number 7", limit=50)

    assert spy.given == [fitted[:30]]
    assert result == [*reversed(fitted[:30]), *fitted[30:]]


def test_the_signals_of_a_hit_are_the_same_in_any_order():
    told = []
    for rerank in ("none", "mmr", "rrf"):
        with ordered_by(rerank) as engram:
            told.append(
                {
                    hit.memory.content: [each for each in hit.why.signals if each.name in SIGNALS]
                    for hit in engram.recall(QUESTION, limit=50)
                }
            )

    assert told[0] == told[1] == told[2]
    assert any(told[0].values())


@pytest.mark.parametrize("rerank", [each.value for each in Rerank])
def test_every_way_keeps_every_candidate_once(rerank):
    said = [f"the key number {i}" for i in range(60)]
    with store_of(said, settings={**HASHING, "recall": {"rerank": rerank}}) as engram:
        result = texts(engram, "key number 7", limit=100)

    assert sorted(result) == sorted(said)


def test_a_probability_is_the_same_however_hits_are_ordered():
    with ordered_by("none") as fitted, ordered_by("rrf") as fused:
        expected = {hit.memory.content: hit.probability for hit in fitted.recall(QUESTION, limit=9)}
        found = {hit.memory.content: hit.probability for hit in fused.recall(QUESTION, limit=9)}

    assert found == pytest.approx(expected)


def fused_order(**more: object) -> list[int]:
    """Two rows, the first found by its words and the second by its meaning, as ranks fuse them."""
    with store_of(["the key is here", "the lock is there"], settings=HASHING) as engram:
        found = candidates_of(engram, "key")
    near = Nearness(found.rows, np.array([0.0, 0.9]), 0.0, 1.0, 0.0, 2)
    plan = replace(found.plan, **more)
    seen = replace(found, plan=plan, nearness=near, similarity=near.similarities)
    signals = signal_matrix(seen)
    signals[:, TIME] = [0.0, 1.0]
    return np.argsort(-_fused(seen, signals), kind="stable").tolist()


def test_the_share_of_text_decides_between_words_and_meaning_when_ranks_are_fused():
    timeless = replace(PLANS[Intent.LOOKUP], time_weight=0.0)

    assert fused_order(text_share=0.7, search=timeless) == [0, 1]
    assert fused_order(text_share=0.1, search=timeless) == [1, 0]


def test_the_weight_of_time_decides_between_equals_when_ranks_are_fused():
    plan = PLANS[Intent.TEMPORAL]

    assert fused_order(text_share=0.6, search=replace(plan, time_weight=0.0)) == [0, 1]
    assert fused_order(text_share=0.6, search=plan) == [1, 0]
