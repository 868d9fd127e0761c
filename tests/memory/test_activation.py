"""Spreading activation: how far it goes, how it fades, and that it does not depend on chance."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.memory.activation import Activated, spread

NUMBERS = st.integers(1, 12)
RELATIONS = st.sampled_from(["related", "supports", "continues", "my_own"])
ANY_RELATION = st.sampled_from(["related", "caused_by", "causes"])
SEEDS = st.dictionaries(NUMBERS, st.floats(0.0, 1.0), max_size=5)


def some_links(relations=ANY_RELATION):
    return st.lists(st.tuples(NUMBERS, NUMBERS, relations), max_size=30)


def chain(length: int, relation: str = "related") -> list[tuple[int, int, str]]:
    """1 to 2, 2 to 3, and so on."""
    return [(number, number + 1, relation) for number in range(1, length)]


def distances(seed: int, links: list[tuple[int, int, str]]) -> dict[int, int]:
    """How many links each number is away, found the plain way."""
    found, edge, steps = {seed: 0}, {seed}, 0
    while edge:
        steps += 1
        near = {b for a, b, _ in links if a in edge} | {a for a, b, _ in links if b in edge}
        edge = near - found.keys()
        found.update(dict.fromkeys(edge, steps))
    return found


def test_activation_fades_by_the_same_share_with_every_hop():
    found = spread({1: 1.0}, chain(5))

    assert found == {
        1: Activated(1.0, (1,)),
        2: Activated(0.6, (1, 2)),
        3: Activated(pytest.approx(0.36), (1, 2, 3)),
    }
    assert [found[number].hops for number in (1, 2, 3)] == [0, 1, 2]


def test_links_are_followed_against_their_direction_too():
    assert spread({3: 1.0}, chain(3))[1].path == (3, 2, 1)


def test_a_way_of_causes_may_be_one_hop_longer():
    assert max(spread({1: 1.0}, chain(9, "caused_by"))) == 4
    assert max(spread({1: 1.0}, chain(9, "caused_by"), causal_hops=0)) == 3
    mixed = [*chain(3, "caused_by"), (3, 4, "related")]
    assert max(spread({1: 1.0}, mixed)) == 3


def test_the_strongest_way_counts_and_not_their_sum():
    many = [(seed, 9, "related") for seed in range(1, 6)]

    found = spread({1: 0.5, 2: 0.9, 3: 0.5, 4: 0.5, 5: 0.5}, many, hops=1)

    assert found[9] == Activated(pytest.approx(0.54), (2, 9))
    assert found[1].score == 0.5


def test_a_weak_seed_beside_a_strong_one_is_lifted_by_it():
    assert spread({1: 1.0, 2: 0.1}, chain(2))[2] == Activated(0.6, (1, 2))


def test_the_shorter_way_counts_between_equals():
    found = spread({1: 1.0, 5: 0.6}, [(1, 2, "r"), (2, 9, "r"), (5, 9, "r")])

    assert found[9] == Activated(0.36, (5, 9))
    assert spread({1: 0.5, 2: 0.5}, [(2, 9, "r"), (1, 9, "r")])[9].path == (1, 9)


def test_what_falls_below_the_threshold_is_not_activated():
    assert set(spread({1: 0.1, 5: 0.04}, chain(5), threshold=0.05)) == {1, 2}
    assert spread({1: 0.04}, chain(5), threshold=0.05) == {}


def test_without_seeds_or_links_there_is_nothing_to_spread():
    assert spread({}, chain(3)) == {}
    assert spread({7: 0.5}, []) == {7: Activated(0.5, (7,))}


def test_a_hub_with_many_links_is_no_stronger_than_its_best_neighbour():
    hub = [(100, number, "related") for number in range(1, 60)]

    found = spread(dict.fromkeys(range(1, 30), 0.4), hub)

    assert found[100].score == pytest.approx(0.24)
    assert found[59].score == pytest.approx(0.144)


@given(SEEDS, some_links(), st.floats(0.0, 1.0))
def test_nothing_is_stronger_than_the_seed_its_way_begins_at(seeds, links, decay):
    found = spread(seeds, links, decay=decay)

    for number, active in found.items():
        assert active.path[-1] == number
        assert active.score <= seeds[active.path[0]]
        assert active.score == pytest.approx(seeds[active.path[0]] * decay**active.hops)


@given(SEEDS, some_links())
def test_every_way_goes_along_links_that_exist_and_visits_nothing_twice(seeds, links):
    pairs = {(a, b) for a, b, _ in links} | {(b, a) for a, b, _ in links}

    for active in spread(seeds, links).values():
        assert len(set(active.path)) == len(active.path)
        assert all(step in pairs for step in zip(active.path, active.path[1:], strict=False))


@given(SEEDS, some_links(), st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_slower_fading_never_weakens(seeds, links, one, other):
    low, high = sorted((one, other))

    weaker, stronger = spread(seeds, links, decay=low), spread(seeds, links, decay=high)

    assert weaker.keys() <= stronger.keys()
    assert all(stronger[number].score >= active.score for number, active in weaker.items())


@given(SEEDS, some_links(), st.randoms())
def test_the_order_of_links_and_seeds_does_not_matter(seeds, links, random):
    mixed, turned = links[:], list(seeds.items())
    random.shuffle(mixed)
    random.shuffle(turned)

    assert spread(dict(turned), mixed) == spread(seeds, links)


@given(SEEDS, some_links())
def test_the_direction_of_links_and_repeating_them_does_not_matter(seeds, links):
    turned = [(b, a, relation) for a, b, relation in links]

    assert spread(seeds, turned) == spread(seeds, links) == spread(seeds, [*links, *turned])


@given(NUMBERS, some_links(RELATIONS), st.integers(0, 5))
def test_exactly_what_is_within_the_hops_is_reached(seed, links, hops):
    found = spread({seed: 1.0}, links, hops=hops, threshold=0.0)

    near = {number: steps for number, steps in distances(seed, links).items() if steps <= hops}
    assert {number: active.hops for number, active in found.items()} == near


@given(NUMBERS, some_links(), st.integers(0, 3), st.integers(0, 5))
def test_only_ways_of_causes_alone_reach_beyond_the_hops(seed, links, hops, causal_hops):
    found = spread({seed: 1.0}, links, hops=hops, causal_hops=causal_hops, threshold=0.0)

    causal = distances(seed, [link for link in links if link[2] != "related"])
    anyhow = distances(seed, links)
    expected = {number for number, steps in anyhow.items() if steps <= hops}
    expected |= {number for number, steps in causal.items() if steps <= causal_hops}
    assert found.keys() == expected


@given(SEEDS, some_links(), st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_a_higher_threshold_only_leaves_out(seeds, links, one, other):
    low, high = sorted((one, other))

    loose, strict = spread(seeds, links, threshold=low), spread(seeds, links, threshold=high)

    assert {n: active for n, active in loose.items() if active.score >= high} == strict
