"""What putting a prompt together costs beyond embedding, for models of several sizes."""

import time
from pathlib import Path

from benchmarks.context.prefix import Message, exchanges
from benchmarks.conversations import questions
from benchmarks.figures import Figure, middle, named_size
from benchmarks.stores import Kept, kept_store, opened
from engram import Engram
from engram.memory.figures import percentile
from engram.providers.hashing import HashingEmbedder

_QUESTIONS = 120
_MODELS = ("gpt-4", "gpt-4o", "claude-sonnet-4")
_BAR = 30.0
_BARRED = "gpt-4o"  # a window of 128,000 tokens, which most models have at least


def measure(stores: Path, count: int = 10_000) -> list[Figure]:
    """Prompts for the same questions, with twenty exchanges before each."""
    kept = kept_store(stores, count)
    with opened(kept) as engram:
        return [figure for model in _MODELS for figure in _of_model(engram, kept, model)]


def _of_model(engram: Engram, kept: Kept, model: str) -> list[Figure]:
    before: list[Message] = [message for each in exchanges(20) for message in each]
    asked = questions(_QUESTIONS, among=kept.count)
    embedder = HashingEmbedder()
    wall: list[float] = []
    computing: list[float] = []
    for place, text in enumerate([*asked[:10], *asked]):
        messages: list[Message] = [*before, {"role": "user", "content": text}]
        started, began = time.perf_counter(), time.process_time()
        engram.context(messages, model=model, session=f"{model}-{place % 3}", mode="standard")
        taken, computed = time.perf_counter() - started, time.process_time() - began
        started = time.perf_counter()
        embedder.embed([text])
        embedding = time.perf_counter() - started
        if place >= 10:  # the first ones load what all need
            wall.append((taken - embedding) * 1000)
            computing.append((computed - embedding) * 1000)
    size, bar = named_size(kept.count), f"< {_BAR:.0f} ms" if model == _BARRED else ""
    slow = percentile(wall, 0.95)
    return [
        Figure(f"context for {model}, p95 at {size}", slow, "ms", None, "", bar,
               not bar or slow < _BAR),
        Figure(f"context for {model}, p50 at {size}", middle(wall), "ms", None, "", "", True),
        Figure(f"context for {model}, p95 at {size}, processor time", percentile(computing, 0.95),
               "ms", None, "", "", True),
    ]  # fmt: skip
