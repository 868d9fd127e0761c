"""How much a durable remember costs over a bare one-row commit, and how fast many go in."""

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import apsw

from benchmarks.figures import Figure, middle, timed
from benchmarks.material import memories
from engram import Engram
from engram.memory.figures import percentile

_ROUNDS = 120
_PER_ROUND = 25
_BULK = 5_000
_UNTIL_IT_EMBEDS_SECONDS = 2.5  # a burst of writes is let through first
_BESIDE_SECONDS = 4.0
_WAITED_FOR = 30


def measure(folder: Path) -> list[Figure]:
    texts = iter(memories(_ROUNDS * _PER_ROUND + _BULK))
    bare = bare_database(folder / "bare.db")
    plain, durable = [], []
    with Engram.open(folder / "store", settings={"embedder": {"kind": "none"}}) as engram:
        engram.remember("warm")
        # In turns, so that a busy disk slows both alike.
        for _ in range(_ROUNDS):
            batch = [next(texts) for _ in range(_PER_ROUND)]
            plain += [timed(partial(bare_insert, bare, text)) for text in batch]
            durable += [timed(partial(engram.remember, text)) for text in batch]
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
        *_beside_the_embedder(folder, ours),
    ]  # fmt: skip


def _beside_the_embedder(folder: Path, alone: float) -> list[Figure]:
    """Whether a writer waits for the model: it computes meanwhile, and is waited for when asked."""
    texts = iter(memories(60_000, seed=13))
    with Engram.open(folder / "embedded") as engram:
        engram.remember(next(texts), wait=True)  # the model is loaded from here on
        _remember_for(engram, texts, _UNTIL_IT_EMBEDS_SECONDS)
        before = _vectors(engram)
        samples = _remember_for(engram, texts, _BESIDE_SECONDS)
        assert _vectors(engram) > before, "nothing was embedded meanwhile, so this says nothing"
    with Engram.open(folder / "waited") as engram:
        engram.remember(next(texts), wait=True)
        waited = [
            timed(partial(engram.remember, text, wait=True)) * 1000
            for text, _ in zip(texts, range(_WAITED_FOR), strict=False)
        ]
    ours, worst, asked = middle(samples), percentile(samples, 0.95), middle(waited)
    return [
        Figure("remember while the model embeds", ours, "ms", alone, "no embedder", "", True),
        Figure("remember while the model embeds, p95", worst, "ms", percentile(waited, 0.95),
               "remember(wait=True)", "", True),
        Figure("remember(wait=True)", asked, "ms", ours, "not waiting", "", True),
    ]  # fmt: skip


def _remember_for(engram: Engram, texts: Iterator[str], seconds: float) -> list[float]:
    """Milliseconds of each, one after the other until time is up."""
    samples, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        samples.append(timed(partial(engram.remember, next(texts))) * 1000)
    return samples


def _vectors(engram: Engram) -> int:
    worker = engram._parts.embedding
    assert worker is not None
    return sum(fill.space.vectors for fill in worker.fills())


def bare_database(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path))
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "full")
    connection.execute("CREATE TABLE rows (number INTEGER PRIMARY KEY, text TEXT)")
    return connection


def bare_insert(connection: apsw.Connection, text: str) -> None:
    connection.execute("INSERT INTO rows (text) VALUES (?)", (text,))
