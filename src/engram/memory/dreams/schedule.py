"""When a store dreams by itself: after rest, once a day wholly, and lightly after some reading."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from engram.memory.dreams.report import ALL_STEPS, Step

# What goes with taking in much at once: the rest can wait for the night.
LIGHT_STEPS = (
    Step.EXPIRE, Step.CONTRADICTIONS, Step.MERGE, Step.ARCHIVE, Step.ENTITIES, Step.PROFILE,
    Step.REFLECTIONS, Step.BOXES, Step.TOPICS,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rhythm:
    """How often a store dreams by itself."""

    every: timedelta | None  # None: never wholly
    after_extractions: int  # 0: never lightly
    rest: timedelta  # without a change before it begins


@dataclass(frozen=True, slots=True)
class Lately:
    """What has happened to a store since it dreamt."""

    first_change: datetime | None  # None: nothing ever happened
    last_change: datetime | None  # but for what dreams did
    last_whole: datetime | None  # dream
    last_light: datetime | None
    extractions: int  # since the last dream of either kind


def steps_due(lately: Lately, rhythm: Rhythm, now: datetime) -> tuple[Step, ...]:
    """The passes that are due now; none while somebody is at work, or when nothing is new.

    A clock that was set back makes nothing due twice.
    """
    if lately.last_change is None or now - lately.last_change < rhythm.rest:
        return ()
    last = max((each for each in (lately.last_whole, lately.last_light) if each), default=None)
    anchor = lately.last_whole or lately.first_change
    is_new = lately.last_whole is None or lately.last_change > lately.last_whole
    if rhythm.every is not None and anchor is not None and is_new and now - anchor >= rhythm.every:
        return ALL_STEPS
    is_new = last is None or lately.last_change > last
    if is_new and 0 < rhythm.after_extractions <= lately.extractions:
        return LIGHT_STEPS
    return ()


def is_coming(lately: Lately, rhythm: Rhythm, now: datetime) -> bool:
    """Whether a dream is due as soon as there is rest."""
    if lately.last_change is None:
        return False
    return bool(steps_due(lately, rhythm, max(now, lately.last_change + rhythm.rest)))
