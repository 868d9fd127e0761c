"""How long a turn takes to be heard, and how fast turns are read: rules alone, no embedder."""

import time
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure, middle, timed
from benchmarks.material import memories
from benchmarks.writing import bare_database, bare_insert
from engram import Engram
from engram.capture.reading.scan import scan
from engram.memory.figures import percentile

_ONE_BY_ONE = 600
_AT_ONCE = 1_500
_PER_SESSION = 24
_WORDS = 2_000
_SCANS = 50
_BEGINNING = datetime(2026, 3, 2, 9, tzinfo=UTC)
Spoken = dict[str, Any]  # as `observe` takes it
_NO_EMBEDDER = {"embedder": {"kind": "none"}}
# What stands around the sentences that tell something, as people talk: most of it is not learnt.
_AROUND = (
    "{told}.",
    "Good morning! {told}.",
    "Sounds great, thanks a lot!",
    "{told}. What do you think about that?",
    "How was your weekend? I hope you had some rest.",
    "I just heard that {told}. I really like how it turned out.",
)


def measure(folder: Path) -> list[Figure]:
    turns = spoken(_ONE_BY_ONE + _AT_ONCE)
    return [
        *_hearing(folder, turns[:_ONE_BY_ONE]),
        *_reading(folder, turns[_ONE_BY_ONE:]),
        _scanning(),
    ]


def spoken(count: int) -> list[Spoken]:
    """That many turns of two people in sessions, as `observe` takes them."""
    told = iter(memories(count, seed=17))
    frames = cycle(_AROUND)
    return [
        {
            "text": next(frames).format(told=next(told).partition(" (note")[0]),
            "speaker": ("Ada", "Bruno")[place % 2],
            "session": f"talk-{place // _PER_SESSION}",
            "at": _BEGINNING + timedelta(minutes=place),
        }
        for place in range(count)
    ]


def _hearing(folder: Path, turns: list[Spoken]) -> list[Figure]:
    """Turn by turn as a talk goes on; what is due is read in the background meanwhile."""
    bare = bare_database(folder / "bare-turns.db")
    plain, heard = [], []
    with Engram.open(folder / "heard", settings=_NO_EMBEDDER) as engram:
        engram.observe("The first one loads what reading takes.")
        # In turns, so that a busy disk slows both alike.
        for turn in turns:
            plain.append(timed(partial(bare_insert, bare, turn["text"])) * 1000)
            heard.append(timed(partial(engram.observe, **turn)) * 1000)
    base, worst = middle(plain), percentile(heard, 0.95)
    name = "bare one-row commit"
    return [
        Figure("observe p50", middle(heard), "ms", base, name, "", True),
        Figure("observe p95", worst, "ms", percentile(plain, 0.95), name, "< 10 ms", worst < 10),
    ]


def _reading(folder: Path, turns: list[Spoken]) -> list[Figure]:
    with Engram.open(folder / "read", settings=_NO_EMBEDDER) as engram:
        # Whoever reads in the background is kept out: one reader is measured, not two in a race.
        engram._parts.reading = _Asleep()
        kept = timed(lambda: engram.observe_many(turns))
        worked = time.process_time()
        seconds = timed(engram.flush)
        worked = time.process_time() - worked
        learnt = sum(each.count for each in engram.capture_statistics() if each.outcome == "stored")
    assert learnt, "nothing was learnt, so this says nothing"
    rate = len(turns) / seconds
    return [
        Figure("observe_many", len(turns) / kept, "/s", None, "", "", True),
        Figure("reading turns by rules", rate, "/s", None, "", "≥ 300/s", rate >= 300),
        Figure("reading turns by rules, processor time", len(turns) / worked, "/s", None, "", "",
               True),
        Figure("statements learnt per turn", learnt / len(turns), "", None, "", "", True),
    ]  # fmt: skip


class _Asleep:
    """A background reader that does not read."""

    def wake(self) -> None:
        """Stay asleep."""

    def close(self) -> None:
        """Nothing runs."""


def _scanning() -> Figure:
    words = " ".join(memories(400, seed=19)).split()[:_WORDS]
    text = " ".join(words)
    took = middle([timed(partial(scan, text)) * 1000 for _ in range(_SCANS)])
    return Figure("scan of 2,000 words", took, "ms", None, "", "< 10 ms", took < 10)
