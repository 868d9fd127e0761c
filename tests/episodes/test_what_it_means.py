"""The values of an episode: significance, surprise, valence, and how it fades."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.lifecycle.options import LifecycleOptions
from engram.memory.episodes.likeness import likeness, with_nearness, with_steps
from engram.memory.episodes.outcomes import Abandoned, Failure, Ongoing, Partial, Success
from engram.memory.episodes.patterns import SIMILAR
from engram.memory.episodes.significance import (
    UNKNOWN_SURPRISE,
    Precedent,
    surprise,
    valence,
    worth,
)
from engram.memory.episodes.strength import FADED, strength
from engram.memory.situation import Situation

shares = st.floats(0, 1)
outcomes = st.one_of(
    st.builds(Success, st.none(), shares),
    st.builds(Failure, st.just("e"), st.booleans()),
    st.builds(
        Partial,
        st.lists(st.just("a"), max_size=4).map(tuple),
        st.lists(st.just("b"), max_size=4).map(tuple),
    ),
    st.builds(Abandoned, st.just("r"), shares),
)
precedents = st.lists(
    st.builds(Precedent, st.integers(1, 99), shares, st.sampled_from(["success", "failure"])),
    max_size=12,
)


def test_significance_is_the_weighted_average_of_four_parts():
    known = [
        Precedent(1, 0.8, "success"),
        Precedent(2, 0.7, "failure"),
        Precedent(3, 0.1, "success"),
    ]

    found = worth(Failure("e", recoverable=False), has_goal=True, precedents=known)

    # outcome 1.0, surprise 1 of 2 alike, a goal 0.3, novelty 1 - 0.8
    assert found.significance == pytest.approx(0.4 * 1.0 + 0.3 * 0.5 + 0.2 * 0.3 + 0.1 * 0.2)
    assert (found.surprise, found.valence) == (0.5, -1.0)
    assert found.novelty == pytest.approx(0.2)


def test_without_a_goal_nothing_is_added_for_it():
    with_goal = worth(Success(), has_goal=True, precedents=[])
    without = worth(Success(), has_goal=False, precedents=[])

    assert with_goal.significance - without.significance == pytest.approx(0.06)


def test_an_end_like_no_other_is_half_expected():
    assert surprise("success", []) == UNKNOWN_SURPRISE
    assert surprise("success", [Precedent(1, 0.2, "failure")]) == UNKNOWN_SURPRISE


def test_only_the_most_similar_say_what_to_expect():
    near = [Precedent(number, 0.9, "success") for number in range(5)]
    far = [Precedent(number, 0.7, "failure") for number in range(10, 20)]

    assert surprise("success", [*far, *near]) == 0.0
    assert surprise("failure", [*far, *near]) == 1.0


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (Success(goal_alignment=1.0), Success(goal_alignment=0.2)),
        (Success(goal_alignment=1.0), Partial(("a", "b"), ("c",))),
        (Partial(("a", "b"), ("c",)), Partial(("a",), ("b", "c"))),
        (Ongoing(), Abandoned("r")),
        (Abandoned("r", 0.9), Abandoned("r", 0.1)),
        (Abandoned("r"), Failure("e")),
        (Failure("e", recoverable=True), Failure("e", recoverable=False)),
    ],
)
def test_a_better_end_feels_better(better, worse):
    assert valence(better) > valence(worse)


@given(outcomes, st.booleans(), precedents)
def test_all_values_stay_in_their_ranges(outcome, has_goal, known):
    found = worth(outcome, has_goal=has_goal, precedents=known)

    assert 0.0 <= found.significance <= 1.0
    assert 0.0 <= found.surprise <= 1.0
    assert -1.0 <= found.valence <= 1.0
    assert 0.0 <= found.novelty <= 1.0


hours = st.floats(0, 24 * 365 * 50).map(lambda value: timedelta(hours=value))
rates = st.floats(0, 10)


@given(shares, hours, hours, rates)
def test_strength_never_grows_while_nobody_uses_it(significance, one, other, rate):
    earlier, later = sorted((one, other))

    strong = strength(significance=significance, idle=earlier, decay_per_hour=rate)
    weak = strength(significance=significance, idle=later, decay_per_hour=rate)

    assert 0.0 < weak <= strong <= 1.0


@given(shares, shares, hours, rates)
def test_what_means_more_is_never_weaker(one, other, idle, rate):
    less, more = sorted((one, other))

    assert strength(significance=more, idle=idle, decay_per_hour=rate) >= strength(
        significance=less, idle=idle, decay_per_hour=rate
    )


def test_a_clock_that_went_back_makes_nothing_stronger_than_whole():
    assert strength(significance=0.5, idle=timedelta(hours=-5), decay_per_hour=1.0) == 1.0


def test_an_episode_of_medium_significance_stays_in_sight_for_thirty_days():
    rate = LifecycleOptions().episode_decay_per_hour

    assert strength(significance=0.5, idle=timedelta(days=30), decay_per_hour=rate) > FADED
    assert strength(significance=0.5, idle=timedelta(days=40), decay_per_hour=rate) < FADED
    assert strength(significance=1.0, idle=timedelta(days=40), decay_per_hour=rate) > FADED


def test_situations_are_alike_by_their_telling_words():
    deploy = Situation(goal="Deploy the billing service", environment={"host": "fra1"})
    again = Situation(goal="Deploying billing services", environment={"host": "fra1"})
    other = Situation(goal="Write the minutes of the meeting")

    assert likeness(deploy, again) == 1.0
    assert likeness(deploy, other) == 0.0
    assert likeness(Situation(), Situation()) == 0.0
    assert likeness(deploy, again) == likeness(again, deploy)
    assert likeness(Situation(goal="Deploy checkout"), Situation(goal="Deploy billing")) == 0.5


@given(shares, st.none() | st.floats(-1, 1.01))
def test_vectors_only_add_to_what_words_tell(words, near):
    assert words <= with_nearness(words, near) <= 1.0


def test_stories_that_are_near_by_being_stories_are_not_alike():
    assert with_nearness(0.0, 0.4) == 0.0
    assert with_nearness(0.5, 0.7) < SIMILAR
    assert with_nearness(0.2, 0.92) >= SIMILAR
    assert with_nearness(0.2, 1.0) == pytest.approx(1.0)


def test_the_same_steps_make_alike_what_is_half_alike_and_nothing_else():
    steps = ["backup", "migrate", "verify"]

    assert with_steps(0.5, steps, steps) >= SIMILAR
    assert with_steps(0.5, steps, ["backup"]) < SIMILAR
    assert with_steps(0.4, steps, steps) < SIMILAR
    assert (
        with_steps(0.6, [], []) == with_steps(0.6, steps, []) == with_steps(0.6, [], steps) == 0.6
    )
