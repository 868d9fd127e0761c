"""Figures of skills: always what a recount of their runs gives."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.memory.episodes.outcomes import Abandoned, Failure, Partial, Success
from engram.memory.skills.statistics import (
    UNTRIED_RATE,
    Stage,
    run_score,
    standing,
    statistics,
)
from engram.memory.vocabulary import Status

from .samples import run

outcomes = st.one_of(
    st.just(Success()),
    st.just(Failure("it broke")),
    st.just(Abandoned("no time")),
    st.builds(
        lambda done, left: Partial(("x",) * done, ("y",) * left),
        st.integers(0, 4),
        st.integers(0, 4),
    ),
)
runs = st.lists(
    st.builds(
        run, outcomes,
        duration=st.one_of(st.none(), st.integers(0, 999).map(lambda n: timedelta(seconds=n))),
    ),
    max_size=20,
)  # fmt: skip


def recounted_rate(learnt, noted) -> float:
    """The rate by the book, written another way: weights of a geometric series."""
    begun = [value for each in learnt if (value := run_score(each.outcome)) is not None]
    values = [value for each in noted if (value := run_score(each.outcome)) is not None]
    if begun:
        values = [sum(begun) / len(begun), *values]
    if not values:
        return UNTRIED_RATE
    last = len(values) - 1
    weights = [0.9**last] + [0.1 * 0.9 ** (last - place) for place in range(1, last + 1)]
    return sum(weight * value for weight, value in zip(weights, values, strict=True))


def recounted_duration(of) -> timedelta | None:
    took = [each.duration for each in of if each.duration is not None]
    return sum(took, timedelta()) / len(took) if took else None


@given(runs, runs)
def test_figures_equal_a_recount(learnt, noted):
    found = statistics(learnt, noted)
    kinds = [type(each.outcome) for each in noted]

    assert found.success_rate == pytest.approx(recounted_rate(learnt, noted))
    assert 0.0 <= found.success_rate <= 1.0
    assert (found.runs, found.episodes) == (len(noted), len(learnt))
    counts = [found.successes, found.failures, found.partial, found.abandoned]
    assert counts == [kinds.count(each) for each in (Success, Failure, Partial, Abandoned)]
    of_runs = recounted_duration(noted)
    assert found.average_duration == (recounted_duration(learnt) if of_runs is None else of_runs)


@given(runs, outcomes)
def test_one_run_moves_the_rate_by_a_tenth_at_most(noted, outcome):
    before = statistics([run()], noted).success_rate
    after = statistics([run()], [*noted, run(outcome)]).success_rate

    assert abs(after - before) <= 0.1 + 1e-9


def test_how_long_it_takes_is_the_mean_of_its_runs():
    lasted = [timedelta(minutes=12), timedelta(seconds=5), None, timedelta(seconds=3)]
    found = statistics([run(duration=timedelta(hours=1))], [run(duration=each) for each in lasted])

    assert found.average_duration == timedelta(seconds=728) / 3


def test_a_skill_nobody_tried_is_as_likely_to_work_as_not():
    assert statistics([], []).success_rate == 0.5
    assert statistics([], [run(Abandoned("no time"))]).success_rate == 0.5


def test_the_first_outcome_is_where_the_rate_begins():
    assert statistics([], [run(Failure("it broke"))]).success_rate == 0.0
    assert statistics([], [run(Partial(("a", "b"), ("c", "d", "e", "f")))]).success_rate == 1 / 3


@pytest.mark.parametrize(
    ("noted", "stage", "proposes"),
    [
        ([], Stage.PROBATION, False),
        ([run(), run()], Stage.PROBATION, False),
        ([run(), run(), run()], Stage.ACTIVE, False),
        ([run(), run(), run(Abandoned("no time"))], Stage.PROBATION, False),
        ([run()] * 3 + [run(Failure("x"))] * 5, Stage.PROBATION, False),  # 0.59
        ([run(Failure("x"))] * 4, Stage.PROBATION, False),
        ([run(Failure("x"))] * 5, Stage.PROBATION, True),
    ],
)
def test_the_stage_follows_from_the_runs(noted, stage, proposes):
    found = standing(statistics([], noted), Status.ACTIVE)

    assert (found.stage, found.proposes_retirement) == (stage, proposes)
    assert "rate" in found.evidence


@pytest.mark.parametrize(
    ("status", "stage"),
    [
        (Status.PENDING, Stage.HELD),
        (Status.ARCHIVED, Stage.RETIRED),
        (Status.CHALLENGED, Stage.ACTIVE),
        (Status.INVALIDATED, Stage.RETIRED),
    ],
)
def test_what_is_not_in_force_is_held_or_retired(status, stage):
    assert standing(statistics([], [run()] * 5), status).stage is stage
