"""How vivid an episode still is: it fades from its last use on, the slower the more it meant."""

import dataclasses
import math
from datetime import datetime, timedelta

from engram.memory.episodes.episode import Episode

FADED = 0.1  # at or below this an episode is left out unless it is asked for
_SLOWED = 0.5  # how much of the fading the most significant episodes are spared
_HOUR = timedelta(hours=1)


def strength(*, significance: float, idle: timedelta, decay_per_hour: float) -> float:
    """From 1, just used, towards 0; never 0 itself.

    A function of the time that passed alone: how often anybody looked in between changes nothing.
    """
    hours = max(idle / _HOUR, 0.0)
    faded = math.exp(-decay_per_hour * (1.0 - _SLOWED * significance) * hours)
    return max(faded, math.ulp(0.0))


def as_faded(episode: Episode, now: datetime, decay_per_hour: float) -> Episode:
    """The episode as vivid as it is now. One that goes on does not fade."""
    if episode.ended_at is None:
        return episode
    last_accessed_at = episode.memory.usage.last_accessed_at
    used = max(episode.ended_at, last_accessed_at or episode.ended_at)
    left = strength(
        significance=episode.significance, idle=now - used, decay_per_hour=decay_per_hour
    )
    return dataclasses.replace(episode, strength=left)
