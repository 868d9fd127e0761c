"""When a store dreams by itself."""

from datetime import UTC, datetime, timedelta

import pytest

from engram.memory.dreams.report import ALL_STEPS
from engram.memory.dreams.schedule import LIGHT_STEPS, Lately, Rhythm, is_coming, steps_due

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
DAILY = Rhythm(every=timedelta(hours=24), after_extractions=3, rest=timedelta(minutes=2))


def before(**ago: float) -> datetime:
    return NOW - timedelta(**ago)


def lately(
    first: datetime | None = None,
    last: datetime | None = None,
    whole: datetime | None = None,
    light: datetime | None = None,
    extractions: int = 0,
) -> Lately:
    return Lately(first, last, whole, light, extractions)


def test_an_empty_store_has_nothing_to_dream_of():
    assert steps_due(lately(), DAILY, NOW) == ()
    assert not is_coming(lately(), DAILY, NOW)


def test_a_store_dreams_wholly_a_day_after_its_first_change():
    young = lately(first=before(hours=23), last=before(hours=1))
    old = lately(first=before(hours=24), last=before(hours=1))

    assert steps_due(young, DAILY, NOW) == ()
    assert steps_due(old, DAILY, NOW) == ALL_STEPS


def test_nobody_is_disturbed_while_something_is_going_on():
    busy = lately(first=before(days=3), last=before(minutes=1))

    assert steps_due(busy, DAILY, NOW) == ()
    assert is_coming(busy, DAILY, NOW)


def test_without_anything_new_there_is_no_second_dream():
    done = lately(first=before(days=9), last=before(days=3), whole=before(days=2), extractions=9)

    assert steps_due(done, DAILY, NOW) == ()


def test_after_some_readings_the_light_passes_are_done():
    read = lately(
        first=before(hours=5), last=before(minutes=5), whole=before(hours=4), extractions=3
    )

    assert steps_due(read, DAILY, NOW) == LIGHT_STEPS
    assert steps_due(lately(read.first_change, read.last_change, read.last_whole, None, 2), DAILY,
                     NOW) == ()  # fmt: skip


@pytest.mark.parametrize(
    "rhythm",
    [Rhythm(None, 3, timedelta(0)), Rhythm(timedelta(hours=24), 0, timedelta(0))],
    ids=["never wholly", "never lightly"],
)
def test_either_kind_can_be_switched_off(rhythm):
    long_ago = lately(first=before(days=9), last=before(hours=9), extractions=50)

    wanted = LIGHT_STEPS if rhythm.every is None else ALL_STEPS

    assert steps_due(long_ago, rhythm, NOW) == wanted


def test_a_clock_that_was_set_back_makes_nothing_due():
    ahead = lately(first=before(days=9), last=before(days=-1), whole=before(days=-2))

    assert steps_due(ahead, DAILY, NOW) == ()
