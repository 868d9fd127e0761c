"""How recalls went over time, read off the journal, and when to say that they went worse.

The rule for a warning: the newest recalls (those of the last seven days when there are a hundred
or more, else the newest hundred) are compared with all before. Both sides need fifty. A figure is
reported when it is worse by a tenth or more (a share: by ten points; latency: by half and 5 ms)
and the difference is more than three standard errors, so that chance alone hardly ever reports.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby

from engram.memory.figures import (
    DayFigures,
    Latency,
    RecallFigures,
    RecallStatistics,
    percentile,
)
from engram.recall.result import RecallResult

RECENT = timedelta(days=7)
RECENT_RECALLS = 100
FEWEST_COMPARED = 50
_STANDARD_ERRORS = 3.0
_WORSE_BY = 0.1
_SLOWER_BY = 1.5
_SLOWER_MILLISECONDS = 5.0


def figures_of(result: RecallResult, at: datetime) -> RecallFigures:
    """What the journal keeps of one recall."""
    quality = result.quality
    return RecallFigures(
        at=at,
        milliseconds=quality.milliseconds,
        candidates=quality.candidates,
        returned=quality.returned,
        tokens=quality.tokens,
        relevance=quality.average_relevance,
        consistency=self_consistency([hit.trust.relevance for hit in result]),
        confidence=result.confidence,
        assessment=result.assessment,
        level=result.level,
        is_degraded=bool(result.degraded),
    )


def self_consistency(scores: Sequence[float]) -> float:
    """NDCG of a ranking by its own scores: 1 when the highest come first, 0 when there is nothing.

    It says how far later stages (diversity, the current before the replaced) moved away from
    plain relevance. It does not say that the answers are right: that takes judged questions.
    """
    gains = [max(0.0, score) if math.isfinite(score) else 0.0 for score in scores]
    highest = max(gains, default=0.0)
    if highest <= 0.0:
        return 0.0
    shares = [gain / highest for gain in gains]
    return min(1.0, _discounted(shares) / _discounted(sorted(shares, reverse=True)))


def _discounted(gains: Sequence[float]) -> float:
    return math.fsum(gain / math.log2(rank + 2) for rank, gain in enumerate(gains))


def recall_statistics(recalls: Sequence[RecallFigures], now: datetime) -> RecallStatistics:
    """Sum up the journal's entries, oldest first."""
    found = [each for each in recalls if each.returned]
    return RecallStatistics(
        recalls=len(recalls),
        first=recalls[0].at if recalls else None,
        last=recalls[-1].at if recalls else None,
        milliseconds=_latency(recalls),
        candidates=_mean([each.candidates for each in recalls]),
        returned=_mean([each.returned for each in recalls]),
        tokens=_mean([each.tokens for each in recalls]),
        relevance=_mean([each.relevance for each in found]),
        consistency=_mean([each.consistency for each in found]),
        confidence=_mean([each.confidence for each in recalls]),
        degraded_share=_mean([each.is_degraded for each in recalls]),
        empty_share=_mean([each.returned == 0 for each in recalls]),
        assessments=_shares([each.assessment for each in recalls]),
        levels=_shares([each.level for each in recalls]),
        days=_days(recalls),
        warnings=warnings(recalls, now),
    )


def _days(recalls: Sequence[RecallFigures]) -> tuple[DayFigures, ...]:
    def day_of(each: RecallFigures) -> datetime:
        return each.at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)

    return tuple(
        DayFigures(
            day=day,
            recalls=len(group),
            milliseconds=_latency(group),
            relevance=_mean([each.relevance for each in group if each.returned]),
            confidence=_mean([each.confidence for each in group]),
            degraded_share=_mean([each.is_degraded for each in group]),
        )
        for day, members in groupby(sorted(recalls, key=lambda each: each.at), key=day_of)
        for group in [list(members)]
    )


def _latency(recalls: Sequence[RecallFigures]) -> Latency:
    times = sorted(each.milliseconds for each in recalls)
    return Latency(*(percentile(times, share) for share in (0.5, 0.95, 0.99)))


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0


def _shares(names: Sequence[str]) -> dict[str, float]:
    return {name: names.count(name) / len(names) for name in sorted(set(names))}


@dataclass(frozen=True, slots=True)
class _Watched:
    """One figure that is watched: how it is read, and when a change in it is worth a word."""

    name: str
    read: Callable[[RecallFigures], float]
    is_share: bool = False  # a share is worse when it rises, and is compared in points
    only_found: bool = False  # of recalls that found something

    def of(self, recalls: Sequence[RecallFigures]) -> list[float]:
        return [self.read(each) for each in recalls if each.returned or not self.only_found]


_WATCHED = (
    _Watched("relevance", lambda each: each.relevance, only_found=True),
    _Watched("self-consistency", lambda each: each.consistency, only_found=True),
    _Watched("confidence", lambda each: each.confidence),
    _Watched("degraded recalls", lambda each: float(each.is_degraded), is_share=True),
    _Watched("recalls without an answer", lambda each: float(each.returned == 0), is_share=True),
)


def warnings(recalls: Sequence[RecallFigures], now: datetime) -> tuple[str, ...]:
    """What went clearly worse lately; nothing where there is too little to compare."""
    before, recent = _split(recalls, now)
    told = [_worse(each, each.of(before), each.of(recent)) for each in _WATCHED]
    told.append(_slower(before, recent))
    return tuple(each for each in told if each)


def _split(
    recalls: Sequence[RecallFigures], now: datetime
) -> tuple[Sequence[RecallFigures], Sequence[RecallFigures]]:
    size = sum(each.at > now - RECENT for each in recalls)
    if size < RECENT_RECALLS or len(recalls) - size < FEWEST_COMPARED:
        size = RECENT_RECALLS
    cut = max(0, len(recalls) - size)
    return recalls[:cut], recalls[cut:]


def _worse(watched: _Watched, before: Sequence[float], recent: Sequence[float]) -> str:
    if min(len(before), len(recent)) < FEWEST_COMPARED:
        return ""
    old, new = _mean(before), _mean(recent)
    loss = new - old if watched.is_share else old - new
    least = _WORSE_BY if watched.is_share else _WORSE_BY * old
    error = math.sqrt(_variance(before) / len(before) + _variance(recent) / len(recent))
    if loss <= 0.0 or loss < least or loss <= _STANDARD_ERRORS * error:
        return ""
    if watched.is_share:
        return f"{watched.name} rose from {old:.0%} to {new:.0%} of the last {len(recent)}"
    return f"{watched.name} fell from {old:.2f} to {new:.2f} over the last {len(recent)} recalls"


def _slower(before: Sequence[RecallFigures], recent: Sequence[RecallFigures]) -> str:
    if min(len(before), len(recent)) < FEWEST_COMPARED:
        return ""
    old, new = _latency(before).p50, _latency(recent).p50
    if new < old * _SLOWER_BY or new < old + _SLOWER_MILLISECONDS:
        return ""
    return f"half of the last {len(recent)} recalls took {new:.1f} ms or more; before {old:.1f} ms"


def _variance(values: Sequence[float]) -> float:
    mean = _mean(values)
    return math.fsum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
