"""What a ranking is worth: pure functions from a ranking and the evidence to figures.

Fractional recall, hit (any) and all (every) are three different things; each has its own name and
none stands for another.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

ASKED_FOR = 50  # enough turns to name ten sessions
SHOWN = 20  # every figure of turns is of the first of them
_SAMPLES = 2_000
_SEED = 20_261_115


@dataclass(frozen=True, slots=True)
class Marks:
    """The figures of one question, or their means over many; all from 0 to 1."""

    recall_at_5: float
    recall_at_10: float
    recall_at_20: float
    hit_at_5: float
    hit_at_10: float
    hit_at_20: float
    all_at_5: float
    all_at_10: float
    all_at_20: float
    ndcg_at_10: float
    reciprocal_rank: float
    session_hit_at_10: float


def marks(
    ranked: Sequence[str], evidence: Collection[str], session_of: Mapping[str, str | None]
) -> Marks:
    """All figures of one ranking of turns, best first."""
    return Marks(
        recall_at_5=recall_at(ranked, evidence, 5),
        recall_at_10=recall_at(ranked, evidence, 10),
        recall_at_20=recall_at(ranked, evidence, 20),
        hit_at_5=hit_at(ranked, evidence, 5),
        hit_at_10=hit_at(ranked, evidence, 10),
        hit_at_20=hit_at(ranked, evidence, 20),
        all_at_5=all_at(ranked, evidence, 5),
        all_at_10=all_at(ranked, evidence, 10),
        all_at_20=all_at(ranked, evidence, 20),
        ndcg_at_10=ndcg_at(ranked, evidence, 10),
        reciprocal_rank=reciprocal_rank(ranked[:SHOWN], evidence),
        session_hit_at_10=session_hit_at(ranked, evidence, session_of, 10),
    )


def mean_marks(many: Sequence[Marks]) -> Marks:
    """The mean of every figure; of none, zeros."""
    names = [field.name for field in fields(Marks)]
    return Marks(*(mean([getattr(each, name) for each in many]) for name in names))


def mean(values: Sequence[float]) -> float:
    """The mean; of nothing, zero."""
    return sum(values) / len(values) if values else 0.0


def recall_at(ranked: Sequence[str], evidence: Collection[str], k: int) -> float:
    """The share of the evidence among the first k."""
    return len(set(ranked[:k]) & set(evidence)) / len(set(evidence))


def hit_at(ranked: Sequence[str], evidence: Collection[str], k: int) -> float:
    """1 when any of the evidence is among the first k."""
    return float(not set(evidence).isdisjoint(ranked[:k]))


def all_at(ranked: Sequence[str], evidence: Collection[str], k: int) -> float:
    """1 when all of the evidence is among the first k."""
    return float(set(evidence) <= set(ranked[:k]))


def ndcg_at(ranked: Sequence[str], evidence: Collection[str], k: int) -> float:
    """Discounted gain, each piece of evidence worth 1, against the best order there could be."""
    wanted = set(evidence)
    gain = sum(_discount(place) for place, turn in enumerate(ranked[:k]) if turn in wanted)
    return gain / sum(map(_discount, range(min(k, len(wanted)))))


def _discount(place: int) -> float:
    return 1 / math.log2(place + 2)


def reciprocal_rank(ranked: Sequence[str], evidence: Collection[str]) -> float:
    """One over the rank of the first piece of evidence; 0 when there is none."""
    place = first_place(ranked, evidence)
    return 0.0 if place is None else 1 / (place + 1)


def first_place(ranked: Sequence[str], wanted: Collection[str]) -> int | None:
    """Where the first of these stands, counted from 0."""
    return next((place for place, turn in enumerate(ranked) if turn in wanted), None)


def session_hit_at(
    ranked: Sequence[str],
    evidence: Collection[str],
    session_of: Mapping[str, str | None],
    k: int,
) -> float:
    """1 when any session with evidence is among the first k; the best turn ranks a session."""
    named = dict.fromkeys(session_of.get(turn) for turn in ranked)
    first = [session for session in named if session is not None][:k]
    return float(any(session_of.get(turn) in first for turn in evidence))


def is_current_first(
    ranked: Sequence[str], evidence: Collection[str], stale: Collection[str]
) -> bool | None:
    """Whether what holds now is shown above what it replaced.

    None when it cannot be said: there is nothing current or nothing stale among the evidence, or
    neither is shown. An outdated statement that is not shown at all misleads nobody.
    """
    current = set(evidence) - set(stale)
    if not current or not stale:
        return None
    best_current = first_place(ranked[:SHOWN], current)
    best_stale = first_place(ranked[:SHOWN], stale)
    if best_current is None:
        return None if best_stale is None else False
    return best_stale is None or best_current < best_stale


def auroc(positives: Sequence[float], negatives: Sequence[float]) -> float | None:
    """How often a positive scores above a negative, ties counting half; None without a pair."""
    if not positives or not negatives:
        return None
    ordered = np.sort(np.asarray(negatives, dtype=np.float64))
    values = np.asarray(positives, dtype=np.float64)
    below = np.searchsorted(ordered, values, side="left")
    not_above = np.searchsorted(ordered, values, side="right")
    return float((below + not_above).mean() / 2 / len(negatives))


def interval(values: Sequence[float]) -> tuple[float, float] | None:
    """The 95 % bootstrap interval of a mean, over questions; the same values, the same interval."""
    if not values:
        return None
    array = np.asarray(values, dtype=np.float64)
    draw = np.random.default_rng(_SEED)
    means = [array[draw.integers(0, len(array), len(array))].mean() for _ in range(_SAMPLES)]
    low, high = np.quantile(means, (0.025, 0.975))
    return float(low), float(high)
