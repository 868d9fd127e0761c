"""How often a turn is rightly told to continue a topic, to drift or to leave it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.context.transitions import Transition, transitions
from engram.memory.momentum import TopicShift, Turn, topic_shift
from engram.providers.embedder import Embedder
from engram.providers.hashing import HashingEmbedder
from engram.providers.minilm import MiniLmEmbedder

BAR = 0.8


@dataclass(frozen=True, slots=True)
class Told:
    """A transition and what it was taken for."""

    label: TopicShift
    found: TopicShift
    is_held_out: bool


def measure(folder: Path, count: int = 100) -> bool:
    """Print the figures by half and by label; whether what was held out meets the bar."""
    rows = transitions(folder, count)
    print(f"{len(rows)} transitions, half of them held out")
    is_met = True
    for name, embedder in (("minilm", MiniLmEmbedder()), ("hashing", HashingEmbedder())):
        told = [_told(each, embedder) for each in rows]
        for half in (False, True):
            some = [each for each in told if each.is_held_out == half]
            print(f"{name:8} {'held out' if half else 'chosen on':10} {_line(some)}")
        print(f"{name:8} {'all':10} {_line(told)}")
        if name == "minilm":
            is_met = _share([each for each in told if each.is_held_out]) >= BAR
    return is_met


def _told(row: Transition, embedder: Embedder) -> Told:
    texts = [*row.before, row.next]
    *before, turn = [
        Turn(text, vector) for text, vector in zip(texts, embedder.embed(texts), strict=True)
    ]
    return Told(row.label, topic_shift(turn, before), row.is_held_out)


def _share(told: Sequence[Told]) -> float:
    return sum(each.label is each.found for each in told) / max(len(told), 1)


def _line(told: Sequence[Told]) -> str:
    parts = [f"{_share(told):.2f} right of {len(told)}"]
    for label in TopicShift:
        mine = [each for each in told if each.label is label]
        taken = {found: sum(each.found is found for each in mine) for found in TopicShift}
        counts = ", ".join(f"{found} {count}" for found, count in taken.items())
        parts.append(f"{label}: {counts}")
    return "; ".join(parts)
