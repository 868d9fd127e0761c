"""The steps of a call: how long each took, and what the call had to do without."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType

from engram.engine.turn_report import TurnStep
from engram.errors import EngramError

Errors = tuple[type[EngramError], ...]


class Steps:
    """Takes down the steps of one call; what `may_fail` is noted where others would raise it."""

    def __init__(self, may_fail: Errors = ()) -> None:
        self._may_fail = may_fail
        self.taken: list[TurnStep] = []
        self.degraded: list[str] = []

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Time a step; one that goes on where it was left is one step."""
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.add(name, begun)

    def add(self, name: str, begun: float) -> None:
        """A step ends now that has begun at that reading of the performance counter."""
        taken = (time.perf_counter() - begun) * 1_000
        if self.taken and self.taken[-1].name == name:
            taken += self.taken.pop().milliseconds
        self.taken.append(TurnStep(name, taken))

    def tolerating(self, part: str, *errors: type[EngramError]) -> "_Tolerating":
        """Do without a part that fails, and say so."""
        return _Tolerating(self, part, errors or self._may_fail)

    def do_without(self, part: str, why: str) -> None:
        """Note what the call has to do without; the same once."""
        self.note(f"{part}: {why}")

    def note(self, *told: str) -> None:
        """Note what somebody else had to do without; the same once."""
        self.degraded += [each for each in told if each not in self.degraded]


@dataclass(frozen=True, slots=True)
class _Tolerating:
    """Around what may fail."""

    steps: Steps
    part: str
    errors: Errors

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        if not isinstance(error, self.errors):
            return False
        self.steps.do_without(self.part, f"{error.code} {error.message}")
        return True
