"""What each stage of a recall took and found, and which one failed."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from engram.recall.result import StageTrace


@dataclass(slots=True)
class Trace:
    """Collects the stages of one recall in their order."""

    stages: list[StageTrace] = field(default_factory=list)
    degraded: list[str] = field(default_factory=list)
    started: float = field(default_factory=time.perf_counter)
    earlier: float = 0.0  # milliseconds that were taken before

    @contextmanager
    def stage(self, name: str) -> Iterator["StageNotes"]:
        """Time a stage; what it found is noted inside."""
        notes = StageNotes()
        begun = time.perf_counter()
        try:
            yield notes
        finally:
            took = notes.earlier + (time.perf_counter() - begun) * 1000
            self.stages.append(StageTrace(name, took, notes.count, notes.detail))

    def fail(self, stage: str, problem: str) -> None:
        """A stage that gave less than it should."""
        self.degraded.append(f"{stage}: {problem}")

    @property
    def milliseconds(self) -> float:
        """How long it has taken so far."""
        return self.earlier + (time.perf_counter() - self.started) * 1000


@dataclass(slots=True)
class StageNotes:
    """What a stage says of itself."""

    count: int = 0
    detail: str = ""
    earlier: float = 0.0  # milliseconds it took before the other stages began
