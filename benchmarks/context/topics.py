"""How often a turn is rightly told to continue a topic, to drift or to leave it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.context.transitions import EVEN, Transition, transitions
from engram.memory.momentum import TopicShift, Turn, Vector, topic_shift
from engram.providers.embedder import Embedder
from engram.providers.hashing import HashingEmbedder
from engram.providers.minilm import MiniLmEmbedder

BAR = 0.8
_AT_ONCE = 128


@dataclass(frozen=True, slots=True)
class Told:
    """A transition and what it was taken for."""

    label: TopicShift
    found: TopicShift
    is_held_out: bool


def measure(folder: Path, count: int = 1_000) -> bool:
    """Print the figures by mix, half and label; whether what was held out meets the bar.

    That is so many transitions in the stated mix, with the embedder that is built in.
    """
    minilm, hashing = MiniLmEmbedder(), HashingEmbedder()
    stated = _measured("stated mix, minilm", transitions(folder, count), minilm)
    _measured("stated mix, hashing", transitions(folder, count), hashing)
    _measured("even mix, minilm", transitions(folder, count, EVEN), minilm)
    return _share([each for each in stated if each.is_held_out]) >= BAR


def _measured(name: str, rows: Sequence[Transition], embedder: Embedder) -> list[Told]:
    placed = _placed(rows, embedder)
    told = [_told(each, placed) for each in rows]
    for half, is_held_out in (("chosen on", False), ("held out", True)):
        some = [each for each in told if each.is_held_out == is_held_out]
        print(f"{name}, {half}: {_line(some)}")
    return told


def _placed(rows: Sequence[Transition], embedder: Embedder) -> dict[str, Turn]:
    """Every turn with its vector: each is embedded once, however often it was drawn."""
    texts = list(dict.fromkeys(text for row in rows for text in (*row.before, row.next)))
    return {
        text: Turn(text, vector)
        for start in range(0, len(texts), _AT_ONCE)
        for text, vector in _embedded(texts[start : start + _AT_ONCE], embedder)
    }


def _embedded(texts: list[str], embedder: Embedder) -> Iterator[tuple[str, Vector]]:
    yield from zip(texts, embedder.embed(texts), strict=True)


def _told(row: Transition, placed: Mapping[str, Turn]) -> Told:
    before = [placed[text] for text in row.before]
    return Told(row.label, topic_shift(placed[row.next], before), row.is_held_out)


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
