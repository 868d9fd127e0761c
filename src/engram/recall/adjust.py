"""Small, bounded corrections to a score: whom to trust, what is fresh, what helped before."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from engram.memory.feedback import Feedback, Similarity, context_factor
from engram.memory.importance import importance
from engram.memory.record import Memory
from engram.memory.trust import TrustScore, trust_score
from engram.memory.vocabulary import RetentionMode
from engram.recall.options import RecallOptions


@dataclass(frozen=True, slots=True)
class Adjusted:
    """What a score is multiplied by, why, and how far the memory can be relied on."""

    factor: float
    reasons: dict[str, float]  # each factor that is not 1
    trust: TrustScore


def adjust(
    memory: Memory,
    relevance: float,
    feedbacks: Sequence[Feedback],
    similarity: Similarity,
    now: datetime,
    *,
    options: RecallOptions,
    mode: RetentionMode,
) -> Adjusted:
    """Lower or lift a score within bounds; none of these can carry a bad match to the top."""
    trust = trust_score(memory, relevance, now, mode, feedbacks=feedbacks)
    weight = importance(memory, now).score
    factors = {
        "trust": 1.0 - options.trust_weight * (1.0 - trust.accuracy),
        "freshness": 1.0 - options.freshness_weight * (1.0 - trust.freshness),
        "importance": 1.0 + options.importance_weight * (weight - 0.5),
        "affect": 1.0 + options.affect_weight * memory.arousal,
        "feedback": context_factor(feedbacks, similarity, now) if feedbacks else 1.0,
    }
    product = 1.0
    for factor in factors.values():
        product *= factor
    return Adjusted(product, {name: each for name, each in factors.items() if each != 1.0}, trust)
