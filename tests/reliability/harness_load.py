"""Mixed work on one store by one of many processes, and what it must have come to."""

import random
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from harness_oracle import AUDIT, sound_contents

from engram.engine import Engram
from engram.errors import StoreBusy

_QUIET = {"storage": {"backup_every_hours": 0}, "security": {"flush_seconds": 0.2}}
_PAUSE_SECONDS = 0.02  # agents think between calls; a long run stays below what a list can hold
_KINDS = ("remember", "recall", "revise", "forget", "pin", "undo", "list", "get")
_WEIGHTS = (30, 20, 10, 8, 8, 8, 6, 10)


@dataclass(slots=True)
class Worker:
    """One process's share of the work; it knows exactly what its own memories must look like."""

    engram: Engram
    name: str
    chance: random.Random
    expected: dict[str, list[object]] = field(default_factory=dict)  # id: text, status, pinned
    reads: int = 0
    writes: int = 0
    _last: tuple[str, str, list[object]] | None = None  # a change, and what it would give back

    def step(self, number: int) -> None:
        """Do one thing."""
        active = [each for each, (_, status, _) in self.expected.items() if status == "active"]
        kind = self.chance.choices(_KINDS, _WEIGHTS)[0] if active else "remember"
        target = self.chance.choice(active) if active else ""
        if kind in ("recall", "list", "get"):
            self._read(kind, target)
        elif kind == "remember":
            self._remember(number)
        elif kind == "undo":
            self._undo()
        else:
            self._alter(kind, target, number)

    def _read(self, kind: str, target: str) -> None:
        self.reads += 1
        if kind == "recall":
            assert self.engram.recall(self.expected[target][0], limit=5)
        elif kind == "list":
            assert self.engram.list(limit=5)
        else:
            found = self.engram.get(target)
            state = [found.content, found.status.value, found.is_pinned]
            assert state == self.expected[target]

    def _remember(self, number: int) -> None:
        text = f"Worker {self.name} learned lesson {number}."
        outcome = self.engram.remember(text)
        self.expected[outcome.memory.id] = [text, "active", False]
        self._last = None
        self.writes += 1

    def _alter(self, kind: str, target: str, number: int) -> None:
        before = list(self.expected[target])
        if kind == "revise":
            text = f"Worker {self.name} revised lesson {number}."
            changed = self.engram.revise(target, text)
            self.expected[target][0] = text
        elif kind == "forget":
            changed = self.engram.forget(target)
            self.expected[target][1] = "archived"
        elif before[2]:
            return  # pinned already
        else:
            changed = self.engram.pin(target)
            self.expected[target][2] = True
        self._last = (changed.change_id, target, before)
        self.writes += 1

    def _undo(self) -> None:
        if self._last is None:
            return
        change, target, before = self._last
        self.engram.undo(change)
        self.expected[target] = before
        self._last = None
        self.writes += 1


def mixed_work(store: str, name: str, operations: int, seed: int) -> dict[str, object]:
    """A fixed amount of mixed work; any error ends the process."""
    with Engram.open(store, settings=_QUIET) as engram:
        worker = Worker(engram, name, random.Random(seed))
        for number in range(operations):
            worker.step(number)
    return {"expected": worker.expected, "reads": worker.reads, "writes": worker.writes}


def mixed_work_for(store: str, name: str, seconds: float, seed: int) -> dict[str, object]:
    """Mixed work for a time; returns how much of the machine it held on to at its worst."""
    with Engram.open(store, settings=_QUIET) as engram:
        worker = Worker(engram, name, random.Random(seed))
        deadline, number, slowest = time.monotonic() + seconds, 0, 0.0
        while time.monotonic() < deadline:
            started = time.monotonic()
            worker.step(number)
            slowest = max(slowest, time.monotonic() - started)
            number += 1
            time.sleep(_PAUSE_SECONDS)
    counts = {"reads": worker.reads, "writes": worker.writes, "slowest_seconds": slowest}
    return {"expected": worker.expected, **counts}


def states_of(store: str) -> dict[str, object]:
    """What a fresh process sees: every memory's state, and the audit's verdict and counts."""
    with Engram.open(store, settings=_QUIET) as engram:
        memories = engram.list(status="any", limit=100_000)
        verdict = engram.verify_audit()
    audit = sound_contents(Path(store) / "engram.db")[AUDIT]
    return {
        "states": {each.id: [each.content, each.status.value, each.is_pinned] for each in memories},
        "is_intact": verdict.is_intact,
        "actions": Counter(str(line[3]) for line in audit),
    }


def remember_in_threads(store: str, name: str, threads: int) -> int:
    """Many threads of one process remember at the same time."""
    from concurrent.futures import ThreadPoolExecutor

    with Engram.open(store, settings=_QUIET) as engram, ThreadPoolExecutor(threads) as pool:
        texts = [f"Thread {name}-{number} was here." for number in range(threads)]
        return len({outcome.memory.id for outcome in pool.map(engram.remember, texts)})


def write_until_halted(store: str) -> None:
    """One write; ENGRAM_FAILPOINT halts it in the middle of its transaction."""
    with Engram.open(store, settings=_QUIET) as engram:
        engram.remember("Written while others wait.")


def hold_the_lock_and_try(store: str, timeout_seconds: float) -> dict[str, object]:
    """Read, and try to write, while another process stands in the middle of its transaction."""
    settings = {"storage": {"busy_timeout_seconds": timeout_seconds, "backup_every_hours": 0}}
    engram = Engram.open(store, settings=settings)
    started = time.monotonic()
    found = len(engram.list())
    recalled = len(engram.recall("waiting"))
    reading_seconds = time.monotonic() - started
    started = time.monotonic()
    try:
        engram.remember("Nobody will read this.")
        outcome = "stored"
    except StoreBusy as error:
        outcome = error.code
    waited_seconds = time.monotonic() - started
    return {
        "found": found,
        "recalled": recalled,
        "reading_seconds": reading_seconds,
        "outcome": outcome,
        "waited_seconds": waited_seconds,
    }


def fork_while_open(store: str, children: int) -> dict[str, object]:
    """Processes forked from one that has the store open: they read and write, and so does it."""
    import os

    engram = Engram.open(store, settings=_QUIET)
    engram.remember("The parent was first.")
    engram.recall("parent")
    statuses = []
    for number in range(children):
        process = os.fork()
        if process == 0:
            os._exit(_child_of_fork(engram, number))
        engram.remember(f"The parent goes on beside child {number}.")
        statuses.append(os.waitpid(process, 0)[1])
    engram.remember("The parent is last.")
    others = _visit(store)
    engram.close()
    return {"statuses": statuses, "visit": others}


def _child_of_fork(engram: Engram, number: int) -> int:
    try:
        assert engram.recall("parent")
        engram.remember(f"Child {number} was here.")
        engram.close()
    except BaseException:  # noqa: BLE001  # the parent sees the status
        import traceback

        traceback.print_exc()
        return 1
    return 0


def _visit(store: str) -> str:
    """Whether a stranger can come in while the parent has the store open."""
    import subprocess
    import sys

    code = (
        "import sys; from engram import Engram\n"
        "engram = Engram.open(sys.argv[1], settings={'storage': {'busy_timeout_seconds': 2.0}})\n"
        "engram.remember('A visitor came by.'); engram.close()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, store], capture_output=True, text=True, check=False
    )
    return "welcome" if done.returncode == 0 else done.stderr.splitlines()[-1]
