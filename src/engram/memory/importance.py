"""How much a memory matters: nine factors of 0..1, weighed, over an immutable base."""

import math
from dataclasses import dataclass
from datetime import datetime, timedelta

from engram.memory.layers import LAYERS
from engram.memory.record import Memory
from engram.memory.retention import fading, half_life, last_touched
from engram.memory.vocabulary import RetentionMode

# The weights sum to 1. The five factors that a memory can have without ever being used sum to
# less than promotion takes (0.7), so that nothing is promoted by accident.
WEIGHTS: dict[str, float] = {
    "base": 0.22,
    "frequency": 0.16,
    "recency": 0.10,
    "emotion": 0.06,
    "stability": 0.08,
    "layer": 0.06,
    "trust": 0.10,
    "confirmation": 0.10,
    "activation": 0.12,
}

FULLY_FREQUENT = 20  # uses that count as fully frequent
FULLY_CONFIRMED = 5  # independent confirmations that count as fully confirmed
FULLY_STABLE = 5  # uses well apart that count as fully stable
_DECAY = 0.5  # ACT-R's d
_HOUR = timedelta(hours=1)
_FALLBACK_HALF_LIFE = timedelta(days=30)  # recency of layers that do not fade


@dataclass(frozen=True, slots=True)
class Importance:
    """The score and the factors it is made of, so that it can be explained."""

    score: float
    factors: dict[str, float]


def importance(memory: Memory, now: datetime) -> Importance:
    """How much the memory matters now, from 0 to 1."""
    factors = {
        "base": memory.base_importance,
        "frequency": min(1.0, math.log1p(memory.usage.accesses) / math.log1p(FULLY_FREQUENT)),
        "recency": _recency(memory, now),
        "emotion": max(abs(memory.valence), memory.arousal),
        "stability": _stability(memory),
        "layer": LAYERS[memory.layer].weight,
        "trust": memory.trust,
        "confirmation": min(
            1.0, math.log1p(memory.usage.confirmations) / math.log1p(FULLY_CONFIRMED)
        ),
        "activation": activation(memory, now),
    }
    score = sum(WEIGHTS[name] * value for name, value in factors.items())
    return Importance(min(1.0, max(0.0, score)), factors)


def activation(memory: Memory, now: datetime) -> float:
    """ACT-R's base-level activation from count and times of use, squashed to 0..1.

    Petrov's approximation: the last use exactly, the others spread evenly over the lifetime.
    """
    last = max(1.0, (now - last_touched(memory)) / _HOUR)
    lifetime = max(last, (now - memory.learned_at) / _HOUR)
    total = last**-_DECAY
    earlier = memory.usage.accesses - 1
    if earlier > 0 and lifetime > last:
        spread = lifetime ** (1 - _DECAY) - last ** (1 - _DECAY)
        total += earlier * spread / ((1 - _DECAY) * (lifetime - last))
    elif earlier > 0:
        total += earlier * last**-_DECAY
    return float(total / (1.0 + total))  # the logistic function of ln(total)


def _recency(memory: Memory, now: datetime) -> float:
    lasting = half_life(memory) or _FALLBACK_HALF_LIFE
    return fading((now - last_touched(memory)) / lasting, RetentionMode.L2)


def _stability(memory: Memory) -> float:
    """Use spread over time counts, a burst does not."""
    if not memory.usage.accesses:
        return 0.0
    return min(1.0, memory.usage.spaced_accesses / FULLY_STABLE)
