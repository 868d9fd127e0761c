"""Working memory: how long it takes to put a full mind away and take it up again."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.figures import Figure, middle, timed
from benchmarks.material import memories
from engram import Engram
from engram.memory.figures import percentile
from engram.memory.tokens.estimate import tokens_in

_MEMORIES = 10_000
_ROUNDS = 300
_SLOTS = 9
_OF_MEMORIES = 4  # of the slots; the others hold words that no memory is behind
_TOKENS = 8_000
_MORNINGS = 60
_NO_EMBEDDER = {"embedder": {"kind": "none"}}
_FULL = {
    **_NO_EMBEDDER,
    "working": {"slots": _SLOTS, "capacity_tokens": _TOKENS, "morning_items": 0},
}


def measure(folder: Path) -> list[Figure]:
    """A mind with every slot and nearly every token taken, in a store of some size."""
    store = folder / "minds"
    with Engram.open(store, settings=_NO_EMBEDDER) as engram:
        kept = engram.remember_many(memories(_MEMORIES))
        look = engram.working.active
        mornings = [timed(partial(look, session=f"day {day}")) for day in range(_MORNINGS)]
    with Engram.open(store, settings=_FULL) as engram:
        _fill(engram, [each.memory.id for each in kept[:_OF_MEMORIES]])
        both = [timed(partial(_away_and_back, engram)) for _ in range(_ROUNDS)]
        slots = engram.working.active()
        looks = [timed(engram.working.active) for _ in range(_ROUNDS)]
    assert len(slots) == _SLOTS, "the mind is not full, so this says nothing"
    assert sum(each.tokens for each in slots) > 0.9 * _TOKENS
    last = percentile(both, 0.99) * 1000
    return [
        Figure("suspend + resume, full mind, p99", last, "ms", None, "", "< 200 ms", last < 200),
        _median("suspend + resume, full mind, median", both),
        _median("what is in mind, full, median", looks),
        _median("morning recall, 10K, median", mornings),
    ]


def _median(name: str, samples: list[float]) -> Figure:
    return Figure(name, middle(samples) * 1000, "ms", None, "", "", True)


def _away_and_back(engram: Engram) -> None:
    engram.working.suspend()
    assert engram.working.resume().kind == "whole"


def _fill(engram: Engram, ids: list[str]) -> None:
    for memory_id in ids:
        engram.working.attend("", memory_id=memory_id, relevance=0.9)
    left = _TOKENS - sum(each.tokens for each in engram.working.active())
    words = iter(memories(20_000, seed=3))
    for _ in range(_SLOTS - len(ids)):
        text = _text_of(words, left // (_SLOTS - len(ids)))
        engram.working.attend(text, relevance=0.9)


def _text_of(words: Iterator[str], tokens: int) -> str:
    """Sentences that take nearly so many tokens."""
    text = ""
    while tokens_in(longer := f"{text} {next(words)}.".strip()) <= tokens:
        text = longer
    return text
