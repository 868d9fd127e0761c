"""Three plain ways to search the same turns, so that every figure stands beside a known one.

They know nothing but the words of each turn: BM25 over single turns by FTS5, MiniLM over single
turns, and the reciprocal rank fusion of the two.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import apsw
import numpy as np
from numpy.typing import NDArray

from engram.evaluation.conversations import Turn
from engram.evaluation.metrics import ASKED_FOR
from engram.evaluation.rankings import Found
from engram.language.lexicon import FUNCTION_WORDS
from engram.memory.tokens.estimate import tokens_in

BM25, MINILM, FUSED = "BM25", "MiniLM", "RRF"
_DEPTH = 100  # how far down the fusion looks into each list
_RRF_K = 60  # the RRF paper's value
_BATCH = 64

Scored = list[tuple[str, float]]  # turn ids with their scores, best first
Search = Callable[[str], Scored]


class TurnsToVectors(Protocol):
    """The part of an embedder that a baseline needs."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One normalised vector per text."""
        ...


class Baselines:
    """The baselines over one conversation."""

    def __init__(self, turns: Sequence[Turn], embedder: TurnsToVectors | None) -> None:
        self._tokens = {turn.id: tokens_in(turn.text) for turn in turns}
        self._by_words = word_search(turns)
        self._by_meaning = None if embedder is None else meaning_search(turns, embedder)

    def ask(self, question: str) -> Mapping[str, Found]:
        """What each baseline finds; those that need an embedder only when there is one."""
        words, words_milliseconds = _timed(self._by_words, question)
        found = {BM25: self._found(words, words_milliseconds)}
        if self._by_meaning is not None:
            near, near_milliseconds = _timed(self._by_meaning, question)
            found[MINILM] = self._found(near, near_milliseconds)
            both = fuse(words, near)
            found[FUSED] = self._found(both, words_milliseconds + near_milliseconds)
        return found

    def _found(self, scored: Scored, milliseconds: float) -> Found:
        shown = scored[:ASKED_FOR]
        return Found(
            hits=tuple((turn,) for turn, _ in shown),
            tokens=tuple(self._tokens[turn] for turn, _ in shown),
            confidence=shown[0][1] if shown else 0.0,
            milliseconds=milliseconds,
        )


def _timed(search: Search, question: str) -> tuple[Scored, float]:
    started = time.perf_counter()
    found = search(question)
    return found, (time.perf_counter() - started) * 1000


def word_search(turns: Sequence[Turn]) -> Search:
    """BM25 over single turns: any content word of the question may match."""
    connection = apsw.Connection(":memory:")
    connection.execute(
        "CREATE VIRTUAL TABLE turns USING fts5("
        "words, tokenize = 'porter unicode61 remove_diacritics 2')"
    )
    rows = [(number, _readable(turn.text)) for number, turn in enumerate(turns)]
    connection.executemany("INSERT INTO turns(rowid, words) VALUES (?, ?)", rows)
    ids = [turn.id for turn in turns]

    def search(question: str) -> Scored:
        wanted = any_word(question)
        if not wanted:
            return []
        found = connection.execute(
            "SELECT rowid, bm25(turns) FROM turns WHERE turns MATCH ? "
            "ORDER BY bm25(turns), rowid LIMIT ?",
            (wanted, _DEPTH),
        )
        return [(ids[int(row[0])], -float(row[1])) for row in found]

    return search


def any_word(question: str) -> str:
    """A query of FTS5 for any word of the question; its function words go unless alone."""
    letters = (letter if letter.isalnum() else " " for letter in _readable(question))
    words = list(dict.fromkeys("".join(letters).lower().split()))
    content = [word for word in words if word not in FUNCTION_WORDS]
    return " OR ".join(f'"{word}"' for word in content or words)


def _readable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def meaning_search(turns: Sequence[Turn], embedder: TurnsToVectors) -> Search:
    """Cosine similarity to single turns, exactly, over all of them."""
    vectors = np.vstack(
        [
            embedder.embed([turn.text for turn in turns[start : start + _BATCH]])
            for start in range(0, len(turns), _BATCH)
        ]
    )
    ids = [turn.id for turn in turns]

    def search(question: str) -> Scored:
        similarities = vectors @ embedder.embed([question])[0]
        best = np.argsort(-similarities, kind="stable")[:_DEPTH]
        return [(ids[int(place)], float(similarities[place])) for place in best]

    return search


def fuse(*rankings: Scored) -> Scored:
    """Reciprocal rank fusion: one over 60 plus the rank, summed; ties keep the first seen order."""
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, (turn, _) in enumerate(ranking, start=1):
            scores[turn] = scores.get(turn, 0.0) + 1 / (_RRF_K + rank)
    return sorted(scores.items(), key=lambda each: -each[1])
