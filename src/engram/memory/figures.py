"""What a recall came to in figures, alone and over time: no question, no memory, no name."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class RecallFigures:
    """One recall, as the journal keeps it."""

    at: datetime
    milliseconds: float
    candidates: int
    returned: int
    tokens: int
    relevance: float  # the mean score of what was returned
    consistency: float  # whether the most relevant came first, from 0 to 1
    confidence: float
    assessment: str
    level: str
    is_degraded: bool


@dataclass(frozen=True, slots=True)
class Latency:
    """How long recalls took: half, 95 and 99 of a hundred were done within so many milliseconds."""

    p50: float
    p95: float
    p99: float


@dataclass(frozen=True, slots=True)
class DayFigures:
    """The recalls of one day, in UTC."""

    day: datetime
    recalls: int
    milliseconds: Latency
    relevance: float
    confidence: float
    degraded_share: float


@dataclass(frozen=True, slots=True)
class RecallStatistics:
    """How recalls went; means of relevance and consistency are of those that found something."""

    recalls: int
    first: datetime | None
    last: datetime | None
    milliseconds: Latency
    candidates: float
    returned: float
    tokens: float
    relevance: float
    consistency: float
    confidence: float
    degraded_share: float
    empty_share: float
    assessments: dict[str, float]  # the share of each
    levels: dict[str, float]
    days: tuple[DayFigures, ...]
    warnings: tuple[str, ...]


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of all values does not exceed."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]
