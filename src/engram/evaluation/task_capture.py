"""How fast turns are taken in and read: one by one as a talk goes on, and many at once.

The store is a folder, so that a turn is on the disk when `observe` returns; it has no embedder,
since embedding is measured with recall. What is due is read in the background meanwhile, as always.
"""

import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from engram.engine import Engram
from engram.evaluation.conversations import Conversation, Turn
from engram.evaluation.put_in import Step, observed, role_of
from engram.memory.figures import percentile

MOST_ONE_BY_ONE = 200  # turns of one conversation: enough for a percentile
_WITHOUT_EMBEDDER = {"embedder": {"kind": "none"}}


@dataclass(frozen=True, slots=True)
class CaptureSpeed:
    """Milliseconds of single turns, and how many turns are read in a second."""

    turns: int
    one_by_one: int
    observe_p50: float
    observe_p95: float
    read_per_second: float  # by the clock
    read_per_processor_second: float  # as if the machine had nothing else to do


def measure_capture(
    conversations: Sequence[Conversation], settings: Mapping[str, object], step: Step
) -> CaptureSpeed:
    """Take every conversation in twice: turn by turn, and at once."""
    milliseconds: list[float] = []
    turns, seconds, processor_seconds = 0, 0.0, 0.0
    for each in conversations:
        said = [turn for turn in each.turns if turn.text.strip()]
        milliseconds += _one_by_one(said[:MOST_ONE_BY_ONE], settings)
        took, worked = _read_at_once(said, settings)
        turns, seconds = turns + len(said), seconds + took
        processor_seconds += worked
        step("read", len(said))
    return CaptureSpeed(
        turns=turns,
        one_by_one=len(milliseconds),
        observe_p50=percentile(milliseconds, 0.5),
        observe_p95=percentile(milliseconds, 0.95),
        read_per_second=turns / seconds if seconds else 0.0,
        read_per_processor_second=turns / processor_seconds if processor_seconds else 0.0,
    )


def _one_by_one(turns: Sequence[Turn], settings: Mapping[str, object]) -> list[float]:
    found: list[float] = []
    with (
        tempfile.TemporaryDirectory(prefix="engram-eval-") as folder,
        Engram.open(Path(folder) / "store", settings={**settings, **_WITHOUT_EMBEDDER}) as engram,
    ):
        engram.observe("The first one loads what reading takes.")
        for turn in turns:
            listen = partial(engram.observe, turn.text, role=role_of(turn), session=turn.session,
                             speaker=turn.speaker, at=turn.at, reference=turn.id)  # fmt: skip
            started = time.perf_counter()
            listen()
            found.append((time.perf_counter() - started) * 1000)
    return found


def _read_at_once(turns: Sequence[Turn], settings: Mapping[str, object]) -> tuple[float, float]:
    """Seconds by the clock and of the processor until all that waited was read."""
    with (
        tempfile.TemporaryDirectory(prefix="engram-eval-") as folder,
        Engram.open(Path(folder) / "store", settings={**settings, **_WITHOUT_EMBEDDER}) as engram,
    ):
        engram.observe_many(map(observed, turns))
        worked = time.process_time()
        started = time.perf_counter()
        engram.flush()
        return time.perf_counter() - started, time.process_time() - worked
