"""Rates: never more than allowed in any minute, and no longer a wait than was said."""

import threading
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from engram.security.rates import REST_SECONDS, Allowance, RateLimits, Taken, take

PAUSES = st.lists(
    st.floats(min_value=0, max_value=90) | st.sampled_from([0.0, 0.5, 1.0, 59.999, 60.0]),
    max_size=60,
)
LIMITS = st.integers(min_value=1, max_value=8)


class Seconds:
    """A clock of seconds that a test moves."""

    def __init__(self, start: float = 1_000.25) -> None:
        self.now = start

    def __call__(self) -> float:
        return self.now


def admitted(pauses: list[float], allowance: Allowance) -> list[float]:
    """When requests that follow each other after these pauses were let through."""
    taken, now, times = Taken(), 12.5, []
    for pause in pauses:
        now += pause
        taken, wait = take(taken, allowance, now)
        if wait is None:
            times.append(now)
    return times


@given(PAUSES, LIMITS)
def test_no_minute_holds_more_than_allowed(pauses, per_minute):
    times = admitted(pauses, Allowance(per_minute))

    assert all(sum(start <= each < start + 60 for each in times) <= per_minute for start in times)


@given(PAUSES, LIMITS, LIMITS)
def test_who_waits_as_long_as_was_said_is_let_through(pauses, per_minute, per_session):
    allowance = Allowance(per_minute, per_session)
    taken, now = Taken(), 12.5
    for pause in pauses:
        now += pause
        taken, wait = take(taken, allowance, now)
        if wait is not None:
            assert 0 < wait <= REST_SECONDS
            # A hair more: sums of floats are not exact.
            assert take(taken, allowance, now + wait + 1e-6)[1] is None


def test_no_wait_is_longer_than_a_rest_by_a_hair():
    now = 360.7700161703913
    assert now + REST_SECONDS - now > REST_SECONDS, "the case must be one where floats round up"
    taken = take(Taken(), Allowance(10, 1), now)[0]

    assert take(taken, Allowance(10, 1), now)[1] == REST_SECONDS


@given(PAUSES, LIMITS)
def test_trying_in_vain_costs_nothing(pauses, per_minute):
    allowance = Allowance(per_minute, 5)
    taken, now = Taken(), 12.5
    for pause in pauses:
        now += pause
        before = taken
        taken, wait = take(taken, allowance, now)
        if wait is not None:
            assert taken == before


@given(st.lists(st.floats(min_value=0, max_value=REST_SECONDS - 1), max_size=30), LIMITS)
def test_without_a_rest_a_session_holds_no_more_than_allowed(pauses, per_session):
    times = admitted(pauses, Allowance(1_000, per_session))

    gaps = [later - sooner for sooner, later in pairwise(times)]
    # Whoever was refused may have rested meanwhile: only a run without such a rest is one session.
    longest = run = 0
    for gap in [REST_SECONDS, *gaps]:
        run = 1 if gap >= REST_SECONDS else run + 1
        longest = max(longest, run)
    assert longest <= per_session


@given(PAUSES, LIMITS)
def test_what_is_kept_of_a_caller_does_not_grow(pauses, per_minute):
    taken, now = Taken(), 12.5
    for pause in pauses:
        now += pause
        taken, _ = take(taken, Allowance(per_minute), now)

    assert len(taken.seconds) <= 61


def test_half_an_hour_of_rest_begins_another_session():
    clock = Seconds()
    limits = RateLimits(clock)
    for _ in range(3):
        assert limits.check("a", 100, 3) is None

    assert limits.check("a", 100, 3) == REST_SECONDS
    clock.now += REST_SECONDS - 1
    assert limits.check("a", 100, 3) == 1
    clock.now += 1
    assert limits.check("a", 100, 3) is None


def test_callers_do_not_take_from_each_other():
    limits = RateLimits(Seconds())

    assert limits.check("a", 1) is None
    assert limits.check("a", 1) is not None
    assert limits.check("b", 1) is None


def test_a_lower_limit_counts_at_once():
    limits = RateLimits(Seconds())
    for _ in range(5):
        assert limits.check("a", 10) is None

    assert limits.check("a", 5) is not None


def test_a_clock_that_steps_back_lets_nobody_in_twice():
    clock = Seconds()
    limits = RateLimits(clock)
    assert limits.check("a", 1) is None

    clock.now -= 500

    assert limits.check("a", 1) is not None


def test_only_so_many_callers_are_kept_in_mind():
    limits = RateLimits(Seconds(), most_callers=10)

    for number in range(1_000):
        limits.check(f"caller {number}", 5)

    assert len(limits) == 10


def test_who_was_quiet_for_longest_is_forgotten_first():
    limits = RateLimits(Seconds(), most_callers=2)
    limits.check("busy", 1)
    limits.check("quiet", 1)
    limits.check("busy", 1)

    limits.check("third", 1)

    assert limits.check("busy", 1) is not None
    assert limits.check("quiet", 1) is None


def test_many_threads_together_get_no_more_than_allowed():
    limits = RateLimits(Seconds())
    through: list[bool] = []

    def ask() -> None:
        through.extend(limits.check("a", 100) is None for _ in range(100))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    assert through.count(True) == 100
    assert len(through) == 400
