"""What a task found: figures of each reader side by side, and whether the bars are met."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

ENGRAM = "Engram"


class Unit(StrEnum):
    """In what a figure is told."""

    SHARE = "share"
    COUNT = "count"
    MILLISECONDS = "ms"
    PER_SECOND = "/s"
    TIMES = "x"


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value."""

    name: str
    value: float
    unit: Unit = Unit.SHARE


@dataclass(frozen=True, slots=True)
class TaskLine:
    """How one reader does on one part of the material."""

    reader: str
    part: str
    cases: int
    figures: tuple[Figure, ...]

    def value(self, name: str) -> float:
        """The figure of that name."""
        return next(figure.value for figure in self.figures if figure.name == name)


@dataclass(frozen=True, slots=True)
class Bar:
    """What a figure has to reach, or must not go beyond."""

    figure: str
    limit: float
    is_least: bool = True

    def is_met(self, value: float) -> bool:
        """Whether a value keeps to it."""
        return value >= self.limit if self.is_least else value <= self.limit


@dataclass(frozen=True, slots=True)
class Verdict:
    """A bar, and whether the line it is for meets it."""

    bar: Bar
    part: str
    value: float
    is_met: bool


@dataclass(frozen=True, slots=True)
class TaskReport:
    """One task: every reader on every part, the bars, and the seconds it took."""

    task: str
    material: str  # what was measured on, in a few words
    lines: tuple[TaskLine, ...]
    verdicts: tuple[Verdict, ...] = ()
    seconds: float = 0.0
    examples: tuple[str, ...] = ()  # of what went wrong: names of rows, never their words


def verdicts(line: TaskLine, bars: Sequence[Bar]) -> tuple[Verdict, ...]:
    """How a line stands to its bars."""
    return tuple(
        Verdict(bar, line.part, line.value(bar.figure), bar.is_met(line.value(bar.figure)))
        for bar in bars
    )


def counted(count: int, noun: str) -> str:
    """So many of something."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
