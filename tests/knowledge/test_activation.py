"""What some nodes bring to mind: less with each hop, by the strongest way."""

import pytest

from engram.memory.knowledge.paths import activated

from .strands import graph


def scores(seeds, where, **options) -> dict[str, float]:
    found = activated(seeds, where, **options)
    return {trail.node_id: pytest.approx(score) for trail, score in found}


def test_each_hop_costs_and_two_are_gone():
    row = graph("a used_by b", "b created_by c", "c located_in d")

    assert scores({"a": 1.0}, row) == {"a": 1.0, "b": 0.6, "c": 0.36}


def test_causes_are_followed_one_hop_further():
    row = graph("a causes b", "b causes c", "c enables d", "d causes e")

    assert scores({"a": 1.0}, row) == {"a": 1.0, "b": 0.6, "c": 0.36, "d": 0.216}


def test_a_way_that_is_not_all_causes_goes_no_further():
    row = graph("a causes b", "b used_by c", "c causes d")

    assert set(scores({"a": 1.0}, row)) == {"a", "b", "c"}


def test_the_strongest_way_counts_and_not_the_sum():
    star = graph("a near_to h", "b near_to h", "c near_to h")

    assert scores({"a": 1.0, "b": 0.5, "c": 0.5}, star, hops=1)["h"] == 0.6


def test_what_is_too_weak_passes_nothing_on():
    row = graph("a used_by b", "b created_by c")

    assert scores({"a": 0.1}, row) == {"a": 0.1, "b": 0.06}
    assert scores({"a": 0.04}, row) == {}


def test_the_way_tells_the_surest_belief_between_two_nodes():
    twice = graph(("a near_to b", 0.4), ("a created_by b", 0.9))

    (_, (trail, _)) = activated({"a": 1.0}, twice)

    assert [each.number for each in trail.way] == [2]


def test_a_seed_that_another_activates_more_tells_how():
    pair = graph("a near_to b")

    found = {trail.node_id: trail for trail, _ in activated({"a": 1.0, "b": 0.1}, pair)}

    assert len(found["b"].way) == 1
    assert found["a"].way == ()


def test_activation_begins_at_a_hub_and_does_not_pass_through_one():
    hub = graph(*(f"n{n} used_by hub" for n in range(60)), "n0 created_by maker")

    from_within, from_outside = scores({"hub": 1.0}, hub), scores({"n0": 1.0}, hub)

    assert len(from_within) == 62
    assert set(from_outside) == {"n0", "hub", "maker"}


def test_what_is_further_away_is_left_out_only_where_it_would_not_be_told():
    star = graph(*(f"n{n} used_by a" for n in range(5)), "n0 created_by far")

    enough = activated({"a": 1.0}, star, enough=5)
    more = activated({"a": 1.0}, star, enough=6)

    assert "far" not in {trail.node_id for trail, _ in enough}
    assert "far" in {trail.node_id for trail, _ in more}
    assert [each for each in more if each[1] > 0.4] == enough
