"""How much a text recall costs over a bare FTS5 query on the same texts."""

import re
from pathlib import Path

import apsw

from benchmarks.figures import Figure, middle, percentile, timed
from benchmarks.material import memories, questions
from engram import Engram

_QUESTIONS = 400


def measure(folder: Path, *, count: int) -> list[Figure]:
    texts = memories(count)
    bare = _bare_index(folder / f"bare-{count}.db", texts)
    plain, ours = [], []
    with Engram.open(folder / f"store-{count}") as engram:
        engram.remember_many(texts)
        for question in questions(20, seed=3):  # warm caches on both sides
            _bare_query(bare, question)
            engram.recall(question)
        for question in questions(_QUESTIONS):
            plain.append(timed(lambda q=question: _bare_query(bare, q)))
            ours.append(timed(lambda q=question: engram.recall(q)))
    base, value = percentile(plain, 0.95) * 1000, percentile(ours, 0.95) * 1000
    size = f"{count // 1000}K"
    return [
        Figure(f"text recall p95 at {size}", value, "ms", base, "bare FTS5 query", "≤ 3×",
               value <= 3 * base),
        Figure(f"text recall p50 at {size}", middle(ours) * 1000, "ms", middle(plain) * 1000,
               "bare FTS5 query", "", True),
    ]  # fmt: skip


def _bare_index(path: Path, texts: list[str]) -> apsw.Connection:
    connection = apsw.Connection(str(path))
    connection.execute(
        "CREATE VIRTUAL TABLE bare USING fts5 "
        "(text, tokenize = 'porter unicode61 remove_diacritics 2')"
    )
    with connection:
        connection.executemany("INSERT INTO bare (text) VALUES (?)", [(text,) for text in texts])
    return connection


def _bare_query(connection: apsw.Connection, question: str) -> list[tuple[object, ...]]:
    """The same question as anybody would put it to FTS5: its words, joined by OR."""
    words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question))
    query = "SELECT rowid, text FROM bare WHERE bare MATCH ? ORDER BY rank LIMIT 10"
    return connection.execute(query, (words,)).fetchall()
