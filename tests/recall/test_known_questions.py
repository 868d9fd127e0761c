import numpy as np
import pytest

from engram import Engram, Scope
from engram.errors import EmbedderUnavailable
from engram.recall.embed_question import QuestionVector, WantedVector
from engram.recall.known_questions import KnownQuestions


class CountingEmbedder:
    identity = "counting"
    is_prompt = True

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: list[str]) -> np.ndarray:
        self.asked += texts
        return np.ones((len(texts), 4), dtype=np.float32)


def vector_of(text: str) -> QuestionVector:
    return QuestionVector(vector=np.full(4, len(text), dtype=np.float32))


def test_a_question_is_known_to_whoever_asked_it_and_to_nobody_else():
    known = KnownQuestions()
    wanted = WantedVector("Where is Ada?", embedder=CountingEmbedder())
    known.keep("person:/a/", wanted, vector_of("x"))

    assert known.find("person:/a/", wanted) is not None
    assert known.find("person:/b/", wanted) is None


def test_another_embedder_and_another_text_have_other_vectors():
    known = KnownQuestions()
    wanted = WantedVector("Where is Ada?", embedder=CountingEmbedder())
    known.keep("a", wanted, vector_of("x"))
    other = CountingEmbedder()
    other.identity = "other"

    assert known.find("a", WantedVector("Where is Ada?", embedder=other)) is None
    assert known.find("a", WantedVector("Where is Eve?", embedder=wanted.embedder)) is None


def test_the_table_is_bounded_and_keeps_what_was_asked_last():
    known = KnownQuestions(most=2)
    embedder = CountingEmbedder()
    first, second, third = (WantedVector(text, embedder=embedder) for text in ("1", "2", "3"))
    known.keep("a", first, vector_of("1"))
    known.keep("a", second, vector_of("2"))
    known.find("a", first)
    known.keep("a", third, vector_of("3"))

    assert known.find("a", second) is None
    assert known.find("a", first) is not None
    assert known.find("a", third) is not None


def test_a_failure_is_not_kept():
    known = KnownQuestions()
    wanted = WantedVector("Where is Ada?", embedder=CountingEmbedder())
    known.keep("a", wanted, QuestionVector(problem="late"))

    assert known.find("a", wanted) is None


@pytest.mark.failure("F25", "F26")
def test_the_same_question_is_embedded_once_for_each_caller(tmp_path):
    with Engram.open(tmp_path, settings={"embedder": {"kind": "hashing"}}) as engram:
        engram.remember("Ada's office is in Porto.", wait=True)
        embedder = engram._parts.embedding.embedder
        asked: list[str] = []
        embed = type(embedder).embed

        def counted(self, texts):
            asked.extend(texts)
            return embed(self, texts)

        type(embedder).embed = counted
        try:
            for _ in range(3):
                assert engram.recall("Where is Ada's office?").hits
            other = engram.seen_by(type(engram.principal).of(Scope(project="acme")))
            assert other.recall("Where is Ada's office?").hits
        finally:
            type(embedder).embed = embed

    assert len(asked) == 2


def test_a_known_question_finds_its_answer_while_the_embedder_is_away(tmp_path):
    with Engram.open(tmp_path, settings={"embedder": {"kind": "hashing"}}) as engram:
        engram.remember("Ada's office is in Porto.", wait=True)
        engram.recall("Where is Ada's office?")
        embedder = engram._parts.embedding.embedder
        embed = type(embedder).embed

        def refused(self, texts):
            raise EmbedderUnavailable

        type(embedder).embed = refused
        try:
            again = engram.recall("Where is Ada's office?")
        finally:
            type(embedder).embed = embed

    assert again.hits
    assert again.degraded == ()
