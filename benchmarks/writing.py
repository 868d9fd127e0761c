"""How much a durable remember costs over a bare one-row commit, and how fast many go in."""

from pathlib import Path

import apsw

from benchmarks.figures import Figure, middle, timed
from benchmarks.material import memories
from engram import Engram

_ROUNDS = 120
_PER_ROUND = 25
_BULK = 5_000


def measure(folder: Path) -> list[Figure]:
    texts = iter(memories(_ROUNDS * _PER_ROUND + _BULK))
    bare = _bare_database(folder / "bare.db")
    plain, durable = [], []
    with Engram.open(folder / "store") as engram:
        engram.remember("warm")
        # In turns, so that a busy disk slows both alike.
        for _ in range(_ROUNDS):
            batch = [next(texts) for _ in range(_PER_ROUND)]
            plain += [timed(lambda text=text: _bare_insert(bare, text)) for text in batch]
            durable += [timed(lambda text=text: engram.remember(text)) for text in batch]
        bulk = timed(lambda: engram.remember_many(list(texts)))
    base, ours = middle(plain) * 1000, middle(durable) * 1000
    rate = _BULK / bulk
    return [
        Figure("remember, durable", ours, "ms", base, "bare one-row commit", "≤ 1.5×",
               ours <= 1.5 * base),
        Figure("remember beyond a bare commit", ours - base, "ms", None, "", "", True),
        Figure("remember, one by one", 1000 / ours, "/s", 1000 / base, "bare commits", "≥ 150/s",
               1000 / ours >= 150),
        Figure("remember_many", rate, "/s", None, "", "≥ 1,000/s", rate >= 1_000),
    ]  # fmt: skip


def _bare_database(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path))
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "full")
    connection.execute("CREATE TABLE rows (number INTEGER PRIMARY KEY, text TEXT)")
    return connection


def _bare_insert(connection: apsw.Connection, text: str) -> None:
    connection.execute("INSERT INTO rows (text) VALUES (?)", (text,))
