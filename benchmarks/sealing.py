"""What protection costs: the same memories in the clear and sealed, asked and written in turns."""

import random
from functools import partial
from itertools import islice
from pathlib import Path

from benchmarks.figures import Figure, middle, named_size, timed
from benchmarks.material import memories
from benchmarks.stores import PATIENT
from engram import Engram
from engram.memory.figures import percentile

_COUNT = 10_000
_QUESTIONS, _TURN = 300, 10
_WRITTEN, _AT_ONCE = 600, 20
_PEOPLE = 200  # a store tells of that many persons, each with a key
_MOST_RECALL, _MOST_REMEMBER = 1.25, 1.5
_SUMMARY_WORDS = 6
_KINDS = ("cleartext", "sensitive", "confidential")


def measure(folder: Path) -> list[Figure]:
    """Three stores of the same texts; each question and each batch goes to all of them."""
    texts = memories(_COUNT + _WRITTEN, seed=17)
    settings = {**PATIENT, "embedder": {"kind": "hashing"}}
    stores = {kind: Engram.open(folder / f"sealing-{kind}", settings=settings) for kind in _KINDS}
    try:
        for kind, engram in stores.items():
            engram.remember_many([_item(text, kind) for text in texts[:_COUNT]])
            engram.upkeep.embed()
        recalled = _recalled(stores, texts[:_COUNT])
        remembered = _remembered(stores, texts[_COUNT:])
    finally:
        for engram in stores.values():
            engram.close()
    return [*_figures("recall p95", recalled, _MOST_RECALL), *_written(remembered)]


def _item(text: str, kind: str) -> dict[str, object]:
    """One memory; a sensitive one is found by the words of its summary, as others by their own."""
    said: dict[str, object] = {"text": text, "subject": f"person {len(text) * 31 % _PEOPLE}"}
    if kind == "sensitive":
        said["summary"] = " ".join(text.split()[:_SUMMARY_WORDS])
    return said if kind == "cleartext" else {**said, "secrecy": kind}


def _recalled(stores: dict[str, Engram], texts: list[str]) -> dict[str, list[float]]:
    """Milliseconds per question of each store, in turns, so that a busy machine slows all alike."""
    chance = random.Random(3)
    asked = [_question(chance, chance.choice(texts)) for _ in range(_QUESTIONS)]
    for engram in stores.values():
        for question in asked[:20]:
            engram.recall(question)
    samples: dict[str, list[float]] = {kind: [] for kind in stores}
    for start in range(0, len(asked), _TURN):
        for kind, engram in stores.items():
            for question in asked[start : start + _TURN]:
                samples[kind].append(timed(partial(engram.recall, question, limit=10)) * 1000)
    return samples


def _question(chance: random.Random, text: str) -> str:
    words = text.split(" (note")[0].split()
    kept = sorted(chance.sample(range(len(words)), max(3, len(words) // 2)))
    return " ".join(words[place] for place in kept) + "?"


def _remembered(stores: dict[str, Engram], texts: list[str]) -> dict[str, list[float]]:
    samples: dict[str, list[float]] = {kind: [] for kind in stores}
    rest = iter(texts)
    while batch := list(islice(rest, _AT_ONCE)):
        for kind, engram in stores.items():
            for text in batch:
                item = _item(text, kind)
                content = str(item.pop("text"))
                write = partial(engram.remember, content, **item)  # type: ignore[arg-type]  # ours
                samples[kind].append(timed(write) * 1000)
    return samples


def _figures(name: str, samples: dict[str, list[float]], most: float) -> list[Figure]:
    clear = percentile(samples["cleartext"], 0.95)
    told = []
    for kind in _KINDS[1:]:
        ours = percentile(samples[kind], 0.95)
        told.append(
            Figure(f"{name} of {named_size(_COUNT)} {kind}", ours, "ms", clear, "in the clear",
                   f"≤ {most}×", ours <= most * clear)
        )  # fmt: skip
    return told


def _written(samples: dict[str, list[float]]) -> list[Figure]:
    clear = middle(samples["cleartext"])
    return [
        Figure(f"remember at {named_size(_COUNT)}, {kind}", middle(samples[kind]), "ms", clear,
               "in the clear", f"≤ {_MOST_REMEMBER}×",
               middle(samples[kind]) <= _MOST_REMEMBER * clear)
        for kind in _KINDS[1:]
    ]  # fmt: skip
