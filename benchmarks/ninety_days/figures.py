"""What is written down at the end of each simulated day, and what it means over all of them."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DayFigures:
    """How things stood after one night."""

    day: int
    stored: int  # memories ever stored, whatever became of them
    active: int  # what recall looks at
    turns: int  # of the active, things kept word for word
    archived: int
    merged: int
    superseded: int
    stale: int
    decisions: int
    dream_seconds: float  # of the processor
    day_seconds: float  # listening, reading and embedding, without the dream
    kilobytes: int
    asked: int  # questions about what was planted so far
    found: int  # answered within the first five

    @property
    def retention(self) -> float | None:
        """The share of what was planted that is found; None when nobody asked."""
        return self.found / self.asked if self.asked else None


@dataclass(frozen=True, slots=True)
class StaleFigures:
    """How what changes is answered: the current value, or one that is over."""

    asked: int
    current_found: int  # the value in force is among the first five
    stale_first: tuple[str, ...]  # questions where one that is over comes before it
    stale_as_current: tuple[str, ...]  # questions where a statement that is over is given as true


def slope(values: Sequence[float], last: int) -> float:
    """How much is added each day over the last days, by least squares."""
    tail = list(values)[-last:]
    middle = (len(tail) - 1) / 2
    spread = sum((place - middle) ** 2 for place in range(len(tail)))
    if not spread:
        return 0.0
    mean = sum(tail) / len(tail)
    return sum((place - middle) * (value - mean) for place, value in enumerate(tail)) / spread


def growth(days: Sequence[DayFigures], last: int = 30) -> float:
    """Of what is stored in the last days, the share by which the active ones become more."""
    everything = slope([each.stored for each in days], last)
    return slope([each.active for each in days], last) / everything if everything else 0.0


def _n_log_n(count: float) -> float:
    return count * math.log(max(count, 2.0))


def dream_fit(
    days: Sequence[DayFigures], shape: Callable[[float], float] = _n_log_n
) -> tuple[float, float]:
    """Seconds a dream takes as a fixed part and a part that grows by that shape."""
    measured = [each for each in days if each.dream_seconds > 0]
    if len(measured) < 3:
        return 0.0, 0.0
    xs = [shape(each.stored) for each in measured]
    ys = [each.dream_seconds for each in measured]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - mean_x) ** 2 for x in xs)
    factor = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / spread
    return mean_y - factor * mean_x, factor


def dream_exponent(days: Sequence[DayFigures]) -> float:
    """By which power of the memories stored a dream's seconds grow; about 1.1 is n log n."""
    measured = [each for each in days[len(days) // 6 :] if each.dream_seconds > 0]
    if len(measured) < 3:
        return 0.0
    xs = [math.log(each.stored) for each in measured]
    ys = [math.log(each.dream_seconds) for each in measured]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - mean_x) ** 2 for x in xs)
    return sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / spread
