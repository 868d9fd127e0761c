"""How vivid a memory still is: pure curves over the time since it was last used or verified."""

import math
from datetime import datetime, timedelta

from engram.memory.layers import LAYERS
from engram.memory.record import Memory
from engram.memory.vocabulary import RetentionMode

_HUBER_KNEE = 0.5  # half-lives: up to here the curve is l2
_HUBER_MEETS = 3.0  # half-lives: here the straight line meets l2 again
_HUBER_START: float = 2.0**-_HUBER_KNEE
_HUBER_SLOPE: float = (2.0**-_HUBER_MEETS - _HUBER_START) / (_HUBER_MEETS - _HUBER_KNEE)
_ELASTIC_LINEAR = 0.3
_REINFORCEMENT = 0.05
_REINFORCEMENT_CAP = 0.3
_DISTRUST = 4.0  # a source trusted by half fades three times as fast


def fading(half_lives: float, mode: RetentionMode = RetentionMode.HUBER) -> float:
    """What is left after that many half-lives without use, before reinforcement."""
    t = max(0.0, half_lives)
    if mode is RetentionMode.L2:
        return _halved(t)
    if mode is RetentionMode.ELASTIC:
        linear = max(0.0, 1.0 - t / 2.0)
        return _ELASTIC_LINEAR * linear + (1.0 - _ELASTIC_LINEAR) * _halved(t)
    if t <= _HUBER_KNEE:
        return _halved(t)
    return max(0.0, _HUBER_START + _HUBER_SLOPE * (t - _HUBER_KNEE))


def _halved(times: float) -> float:
    return float(2.0**-times)


def reinforcement(uses: int) -> float:
    """What repeated use adds, growing ever more slowly."""
    return min(_REINFORCEMENT_CAP, _REINFORCEMENT * math.log1p(max(0, uses)))


def half_life(memory: Memory) -> timedelta | None:
    """How long until half is left: shorter for less trusted sources, longer for strong emotion."""
    layer_half_life = LAYERS[memory.layer].half_life
    if layer_half_life is None:
        return None
    return layer_half_life / (1.0 + _DISTRUST * (1.0 - memory.trust)) * (1.0 + memory.arousal)


def last_touched(memory: Memory) -> datetime:
    """When the memory was last learned, verified, used, or gone through again in a dream."""
    touches = (
        memory.learned_at,
        memory.last_verified_at,
        memory.usage.last_accessed_at,
        memory.usage.last_rehearsed_at,
    )
    return max(moment for moment in touches if moment is not None)


def retention(memory: Memory, now: datetime, mode: RetentionMode = RetentionMode.HUBER) -> float:
    """How vivid the memory is now, from 0 to 1. Pinned memories and lasting layers do not fade."""
    if memory.is_pinned:
        return 1.0
    lasting = half_life(memory)
    faded = 1.0 if lasting is None else fading((now - last_touched(memory)) / lasting, mode)
    return min(1.0, faded + reinforcement(memory.usage.spaced_accesses))
