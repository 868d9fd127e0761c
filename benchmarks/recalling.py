"""What a recall costs beyond embedding the question, beside bare searches of the same memories."""

import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

import apsw
import numpy as np
from numpy.typing import NDArray

from benchmarks.conversations import questions
from benchmarks.figures import Figure, middle, named_size, timed
from benchmarks.stores import Kept, opened, vectors_of
from engram import Engram
from engram.memory.figures import percentile
from engram.providers.hashing import HashingEmbedder

_BARS = {10_000: 10.0, 100_000: 25.0, 1_000_000: 50.0}
_QUESTIONS = 300
_TURN = 10  # questions that one side answers before it is the other's turn
_BARE_AT_A_MILLION = 2  # of those, what the bare searches are asked where they take very long
_HITS = 10
_Asked = TypeVar("_Asked")
_FTS5, _SCAN = "bare FTS5 query", "NumPy exact scan"


@dataclass(frozen=True, slots=True)
class Timings:
    """Milliseconds per question of each side."""

    count: int
    ours: list[float] = field(default_factory=list)
    computing: list[float] = field(default_factory=list)  # the same, as the processor counts it
    bare: list[float] = field(default_factory=list)
    scan: list[float] = field(default_factory=list)
    words_only: list[float] = field(default_factory=list)
    bare_again: list[float] = field(default_factory=list)  # in turns with those


def measure(kept: Kept) -> Timings:
    """Ask all sides the same questions, in turns, so that a busy machine slows all alike."""
    timings = Timings(kept.count)
    asked = questions(_QUESTIONS, among=kept.count)
    bare = apsw.Connection(str(kept.bare_path), flags=apsw.SQLITE_OPEN_READONLY)
    with opened(kept) as engram:
        _ask_by_all_means(engram, bare, asked, timings)
    with opened(kept, embedder="none") as engram:
        _warm(engram, kept.count)
        for turn in _in_turns(asked):
            timings.bare_again.extend(_each(_few(turn, kept), partial(_bare_query, bare)))
            timings.words_only.extend(_each(turn, engram.recall))
    bare.close()
    return timings


def _ask_by_all_means(
    engram: Engram, bare: apsw.Connection, asked: list[str], timings: Timings
) -> None:
    embedder = HashingEmbedder()
    matrix = vectors_of(engram).matrix
    _warm(engram, timings.count)
    _scan(matrix, matrix[0])
    for turn in _in_turns(asked):
        few = _few(turn, timings)
        timings.scan.extend(_each(embedder.embed(few), partial(_scan, matrix)))
        # After the scan: its threads go on spinning for a while, and would count as ours.
        timings.bare.extend(_each(few, partial(_bare_query, bare)))
        for text in turn:
            began = time.process_time()
            timings.ours.append(_beyond_embedding(engram, embedder, text))
            timings.computing.append((time.process_time() - began) * 1000)


def _warm(engram: Engram, count: int) -> None:
    for question in questions(20, among=count, seed=6):
        engram.recall(question)


def _in_turns(asked: list[str]) -> list[list[str]]:
    return [asked[start : start + _TURN] for start in range(0, len(asked), _TURN)]


def _few(turn: list[str], sized: Kept | Timings) -> list[str]:
    """What the bare searches are asked: less of it where each takes very long."""
    return turn if sized.count < 1_000_000 else turn[:_BARE_AT_A_MILLION]


def _each(asked: Iterable[_Asked], answer: Callable[[_Asked], object]) -> list[float]:
    return [timed(partial(answer, one)) * 1000 for one in asked]


def _beyond_embedding(engram: Engram, embedder: HashingEmbedder, question: str) -> float:
    """A whole recall through the public API, less what embedding that question takes."""
    whole = timed(lambda: engram.recall(question, limit=_HITS))
    return (whole - timed(lambda: embedder.embed([question]))) * 1000


def _bare_query(connection: apsw.Connection, question: str) -> list[tuple[object, ...]]:
    """The same question as anybody would put it to FTS5: its words, joined by OR."""
    words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question))
    query = f"SELECT rowid, text FROM bare WHERE bare MATCH ? ORDER BY bm25(bare) LIMIT {_HITS}"
    return connection.execute(query, (words,)).fetchall()


def _scan(matrix: NDArray[np.float32], query: NDArray[np.float32]) -> NDArray[np.int64]:
    """The nearest of all vectors, each compared."""
    similarities = matrix @ query
    nearest = np.argpartition(-similarities, _HITS)[:_HITS]
    return nearest[np.argsort(-similarities[nearest])]


def figures(timings: Timings) -> list[Figure]:
    """One size, as rows."""
    size, bar = named_size(timings.count), _BARS[timings.count]
    ours, words = _p95(timings.ours), _p95(timings.words_only)
    bare, scan = _p95(timings.bare), _p95(timings.scan)
    half, half_bare, half_scan = map(middle, (timings.ours, timings.bare, timings.scan))
    computing, again = _p95(timings.computing), _p95(timings.bare_again)
    return [
        Figure(f"recall p95 at {size}", ours, "ms", bare, _FTS5, f"< {bar:.0f} ms", ours < bar),
        Figure(f"recall p95 at {size}", ours, "ms", scan, _SCAN, "", True),
        Figure(f"recall p95 at {size}, processor time", computing, "ms", None, "", "", True),
        Figure(f"recall p50 at {size}", half, "ms", half_bare, _FTS5, "", True),
        Figure(f"recall p50 at {size}", half, "ms", half_scan, _SCAN, "", True),
        Figure(f"recall without an embedder, p95 at {size}", words, "ms", again, _FTS5, "≤ 3×",
               words <= 3 * again),
    ]  # fmt: skip


def growth(smaller: Timings, larger: Timings) -> list[Figure]:
    """How much more a question costs in a store ten times as large."""
    step = f"{named_size(larger.count)} over {named_size(smaller.count)}"
    ours = middle(larger.ours) / middle(smaller.ours)
    bare = middle(larger.bare) / middle(smaller.bare)
    scan = middle(larger.scan) / middle(smaller.scan)
    return [
        Figure(f"recall p50, {step}", ours, "times", bare, _FTS5, "", True),
        Figure(f"recall p50, {step}", ours, "times", scan, _SCAN, "", True),
    ]


def _p95(samples: list[float]) -> float:
    return percentile(samples, 0.95)
