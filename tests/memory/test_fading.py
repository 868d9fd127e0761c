"""Retention, half-life, importance and staleness as functions of record and time."""

import dataclasses
import math
from datetime import timedelta

import pytest
from clock import START
from hypothesis import given
from hypothesis import strategies as st

from engram.errors import InvalidInput
from engram.lifecycle.dreams.options import DreamOptions
from engram.memory.importance import (
    WEIGHTS,
    activation,
    importance,
)
from engram.memory.layers import LAYERS, demoted, parse_layer, promoted
from engram.memory.record import Usage
from engram.memory.retention import fading, half_life, reinforcement, retention
from engram.memory.staleness import as_seen, holds_at, stale_at, status_at
from engram.memory.trust import trust_score
from engram.memory.vocabulary import Layer, RetentionMode, Status
from memory.samples import AGES, memories, memory

DAY = timedelta(days=1)
MODES = list(RetentionMode)
PROMOTED_FROM = DreamOptions().promote_importance


@pytest.mark.parametrize(
    ("half_lives", "left"),
    [(0, 1.0), (0.5, 0.7071), (1, 0.5907), (2, 0.3578), (3, 0.125), (3.54, 0.0), (100, 0.0)],
)
def test_huber_has_the_reference_values(half_lives, left):
    assert fading(half_lives, RetentionMode.HUBER) == pytest.approx(left, abs=0.001)


def test_huber_reaches_nothing_at_about_three_and_a_half_half_lives():
    assert fading(3.53) > 0
    assert fading(3.55) == 0


@pytest.mark.parametrize(("half_lives", "left"), [(0, 1), (1, 0.5), (2, 0.25), (10, 2**-10)])
def test_l2_halves_with_every_half_life(half_lives, left):
    assert fading(half_lives, RetentionMode.L2) == pytest.approx(left)


@pytest.mark.parametrize(
    ("half_lives", "left"),
    [(0, 1.0), (1, 0.3 * 0.5 + 0.7 * 0.5), (2, 0.7 * 0.25), (4, 0.7 * 0.0625)],
)
def test_elastic_is_a_line_and_a_curve(half_lives, left):
    assert fading(half_lives, RetentionMode.ELASTIC) == pytest.approx(left)


@given(st.floats(0, 0.5))
def test_huber_is_l2_up_to_its_knee(half_lives):
    assert fading(half_lives) == fading(half_lives, RetentionMode.L2)


@given(st.floats(0.5, 3))
def test_huber_is_gentler_than_l2_between_its_ends(half_lives):
    assert fading(half_lives) >= fading(half_lives, RetentionMode.L2) - 1e-12


@given(st.sampled_from(MODES), st.floats(0, 1e6), st.floats(0, 1e6))
def test_fading_never_rises_and_stays_in_bounds(mode, first, more):
    assert 0 <= fading(first + more, mode) <= fading(first, mode) <= 1


def test_reinforcement_is_logarithmic_and_capped():
    assert reinforcement(0) == 0
    assert reinforcement(-5) == 0
    assert reinforcement(1) == pytest.approx(0.05 * math.log(2))
    assert reinforcement(10**9) == 0.3
    assert all(reinforcement(n) <= reinforcement(n + 1) <= 0.3 for n in range(1000))


@pytest.mark.parametrize(
    ("fields", "days"),
    [
        ({}, 30), ({"trust": 0.5}, 10), ({"arousal": 1.0}, 60), ({"arousal": 0.5}, 45),
        ({"trust": 0.5, "arousal": 1.0}, 20), ({"trust": 0.7}, 30 / 2.2),
        ({"layer": Layer.WORKING}, 4 / 24),
    ],
)  # fmt: skip
def test_half_lives_follow_layer_trust_and_arousal(fields, days):
    assert half_life(memory(**fields)) / DAY == pytest.approx(days)


@pytest.mark.parametrize("layer", [Layer.SEMANTIC, Layer.PROCEDURAL, Layer.CODEBASE])
def test_lasting_layers_do_not_fade(layer):
    lasting = memory(layer=layer)

    assert half_life(lasting) is None
    assert retention(lasting, START + 10_000 * DAY) == 1


def test_pinned_memories_do_not_fade():
    assert retention(memory(is_pinned=True), START + 10_000 * DAY) == 1


@given(memories(), st.sampled_from(MODES), AGES)
def test_retention_is_bounded_and_never_rises_with_age(any_memory, mode, age):
    now = retention(any_memory, START, mode)
    later = retention(any_memory, START + age, mode)

    assert 0 <= later <= now <= 1


@given(memories(), AGES)
def test_looking_many_times_changes_nothing(any_memory, age):
    before = dataclasses.replace(any_memory)
    now = START + age

    first = [(retention(any_memory, now, mode), importance(any_memory, now)) for mode in MODES]
    for _ in range(3):
        again = [(retention(any_memory, now, mode), importance(any_memory, now)) for mode in MODES]
        assert again == first
        assert status_at(any_memory, now) is status_at(any_memory, now)

    assert any_memory == before


@given(memories())
def test_seeing_a_memory_twice_is_seeing_it_once(any_memory):
    once = as_seen(any_memory, START)

    assert as_seen(once, START) == once


def test_use_and_verification_renew():
    later = START + 60 * DAY
    used = memory(usage=Usage(1, 1, later, 0))
    verified = memory(last_verified_at=later)

    assert retention(memory(), later) < 0.4
    assert retention(used, later) == retention(verified, later) == 1


def test_a_clock_before_the_memory_does_not_lift_it_above_one():
    assert retention(memory(), START - 400 * DAY) == 1
    assert 0 <= importance(memory(), START - 400 * DAY).score <= 1


def test_the_nine_weights_sum_to_one():
    assert len(WEIGHTS) == 9
    assert sum(WEIGHTS.values()) == pytest.approx(1)
    assert all(weight > 0 for weight in WEIGHTS.values())


@given(memories(), AGES)
def test_importance_is_bounded_in_every_factor(any_memory, age):
    found = importance(any_memory, START + age)

    assert 0 <= found.score <= 1
    assert set(found.factors) == set(WEIGHTS)
    assert all(0 <= factor <= 1 for factor in found.factors.values())
    assert found.factors["base"] == any_memory.base_importance


@given(memories(), st.integers(1, 1000))
def test_more_use_never_makes_less_important(any_memory, more):
    usage = any_memory.usage
    busier = any_memory.replaced(usage=dataclasses.replace(usage, accesses=usage.accesses + more))
    if usage.accesses == 0:
        return

    assert importance(busier, START).score >= importance(any_memory, START).score - 1e-9


@given(memories(used=False), AGES)
def test_an_unused_episode_never_matters_as_much_as_promotion_takes(unused, age):
    episode = unused.replaced(layer=Layer.EPISODIC)

    assert importance(episode, START + age).score < PROMOTED_FROM


def test_the_best_unused_episode_stays_below_the_threshold():
    best = memory(
        base_importance=1.0, trust=1.0, valence=1.0, arousal=1.0, last_verified_at=START,
    )  # fmt: skip

    assert importance(best, START).score < PROMOTED_FROM


@given(memories(), AGES)
def test_activation_is_a_share(any_memory, age):
    assert 0 <= activation(any_memory, START + age) <= 1


@given(memories(), st.floats(0, 1), AGES)
def test_trust_scores_are_shares(any_memory, relevance, age):
    score = trust_score(any_memory, relevance, START + age)

    for part in (score.relevance, score.accuracy, score.freshness, score.utility, score.composite):
        assert -1e-9 <= part <= 1 + 1e-9


def test_layers_form_ladders():
    assert promoted(Layer.WORKING) is Layer.EPISODIC
    assert promoted(Layer.EPISODIC) is Layer.SEMANTIC
    for layer in (Layer.SEMANTIC, Layer.PROCEDURAL, Layer.CODEBASE):
        with pytest.raises(InvalidInput):
            promoted(layer)
    assert demoted(Layer.SEMANTIC) is demoted(Layer.PROCEDURAL) is Layer.EPISODIC
    for layer in (Layer.WORKING, Layer.EPISODIC, Layer.CODEBASE):
        with pytest.raises(InvalidInput):
            demoted(layer)
    assert set(LAYERS) == set(Layer)
    assert [parse_layer(layer.value) for layer in Layer] == list(Layer)
    with pytest.raises(InvalidInput):
        parse_layer("nonsense")


def test_a_memory_turns_stale_at_its_horizon_and_not_before():
    passing = memory(horizon="30d")

    assert stale_at(passing) == START + 30 * DAY
    assert status_at(passing, START + 30 * DAY - timedelta(microseconds=1)) is Status.ACTIVE
    assert status_at(passing, START + 30 * DAY) is Status.STALE
    assert status_at(passing, START - 400 * DAY) is Status.ACTIVE
    verified = passing.replaced(last_verified_at=START + 10 * DAY)
    assert stale_at(verified) == START + 40 * DAY
    assert stale_at(passing.replaced(is_pinned=True)) is None
    assert stale_at(memory(horizon=None)) is None
    assert stale_at(memory(horizon="99999y")) is None


@given(memories())
def test_only_live_memories_turn_stale(any_memory):
    later = status_at(any_memory, START + 100_000 * DAY)

    if any_memory.status not in (Status.ACTIVE, Status.CHALLENGED):
        assert later is any_memory.status
    else:
        assert later in (any_memory.status, Status.STALE)


def test_a_memory_holds_from_its_beginning_up_to_its_end():
    spring = memory(valid_from=START, valid_until=START + DAY)

    assert not holds_at(spring, START - timedelta(microseconds=1))
    assert holds_at(spring, START)
    assert not holds_at(spring, START + DAY)
    assert holds_at(memory(), START - 10_000 * DAY)
