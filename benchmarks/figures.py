"""What a benchmark reports, and how samples become a figure."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One measured value beside its baseline and its bar."""

    name: str
    value: float
    unit: str
    baseline: float | None
    baseline_name: str
    bar: str
    holds: bool

    @property
    def ratio(self) -> float | None:
        return self.value / self.baseline if self.baseline else None


def timed(act: Callable[[], object]) -> float:
    """Seconds that one call takes."""
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


def middle(samples: list[float]) -> float:
    return statistics.median(samples)


def named_size(count: int) -> str:
    """A number of memories as people say it."""
    return f"{count // 1_000_000}M" if count >= 1_000_000 else f"{count // 1000}K"
