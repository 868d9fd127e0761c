"""Routes through a graph: laid out first, gone then."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.errors import InvalidInput
from engram.memory.knowledge.graph import Direction, Graph, Leg, Strand, gathered, read_leg
from engram.memory.knowledge.paths import Route, around, read_hops, walk

from .strands import OBSERVED, SUPPOSED, graph, strand

TOOLS = graph(
    ("zed used_by ada", 0.9),
    ("vim used_by ada", 0.8),
    ("vim used_by bob", 0.7),
    ("zed created_by nathan", 0.9),
    ("vim created_by bram", 0.95),
    types={"nathan": "person", "bram": "person", "zed": "tool", "vim": "tool"},
)


def ends(trails) -> list[str]:
    return [each.node_id for each in trails]


def gone(start: str, route: Route, where: Graph = TOOLS) -> list[str]:
    return ends(walk([start], route.steps, where))


def test_who_created_the_tools_that_somebody_uses():
    route = Route("ada").follow("used_by", "in").follow("created_by", "out")

    assert gone("ada", route) == ["nathan", "bram"]  # the surer way first


def test_a_name_from_the_other_end_is_followed_the_other_way_round():
    route = Route("ada").follow("uses").follow("created_by")

    assert gone("ada", route) == ["nathan", "bram"]
    assert read_leg("uses", "out") == Leg(("used_by",), Direction.IN)
    assert read_leg("uses", "both") == Leg(("used_by",), Direction.BOTH)


def test_what_holds_in_both_directions_is_followed_in_both():
    people = graph("ada knows bob", "cleo knows ada")

    assert gone("ada", Route("ada").follow("knows", "out"), people) == ["bob", "cleo"]


def test_a_way_tells_every_belief_it_goes_by():
    route = Route("bob").follow("uses").follow("created_by")

    (found,) = walk(["bob"], route.steps, TOOLS)

    assert [each.number for each in found.way] == [3, 5]
    assert found.confidence == pytest.approx(0.7 * 0.95)


def test_no_way_goes_back_by_the_belief_it_came_by():
    route = Route("ada").follow("uses").follow("used_by")

    assert gone("ada", route) == ["bob"]


def test_of_several_ways_to_one_node_the_surest_is_told():
    forked = graph(("a enables b", 0.5), ("a enables c", 0.9), ("b enables d", 0.9),
                   ("c enables d", 0.9))  # fmt: skip
    route = Route("a").follow().follow()

    (found,) = walk(["a"], route.steps, forked)

    assert [each.number for each in found.way] == [2, 4]


def test_every_word_gives_a_route_of_its_own():
    uses = Route("ada").follow("uses")
    created = uses.follow("created_by")

    assert gone("ada", uses) == ["zed", "vim"]
    assert gone("ada", created) == ["nathan", "bram"]
    assert len(uses.steps) == 1


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ({"type": "tool"}, ["zed", "vim"]),
        ({"type": "person"}, []),
        ({"label": "The Zed"}, ["zed"]),
        ({"confidence": 0.85}, ["zed"]),
        ({"confidence": 0.8}, ["zed", "vim"]),
        ({"epistemic": "observed"}, ["zed", "vim"]),
        ({"epistemic": "certain"}, ["zed", "vim"]),
        ({"epistemic": "uncertain"}, []),
        ({"epistemic": "reported"}, []),
        ({"type": "tool", "label": "vim"}, ["vim"]),
    ],
)
def test_conditions_narrow_the_step_before_them(conditions, expected):
    assert gone("ada", Route("ada").follow("uses").where(**conditions)) == expected


def test_conditions_said_one_after_the_other_add_up():
    route = Route("ada").follow("uses").where(type="tool").where(confidence=0.85)

    assert gone("ada", route) == ["zed"]


def test_a_condition_on_an_earlier_step_counts_there():
    route = Route("ada").follow("uses").where(label="vim").follow("created_by")

    assert gone("ada", route) == ["bram"]


def test_what_is_supposed_is_told_apart():
    supposed = Graph([strand(1, "a causes b", epistemic=SUPPOSED), strand(2, "a causes c")])

    route = Route("a").follow("causes").where(epistemic="hypothetical")

    assert gone("a", route, supposed) == ["b"]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Route("a").where(type="tool"),
        lambda: Route("a").follow("uses", "sideways"),
        lambda: Route("a").follow(""),
        lambda: Route("a").follow("uses").where(confidence=2),
        lambda: Route("a").follow("uses").where(epistemic="guessed"),
        lambda: Route("a").follow("uses").where(label=""),
        lambda: Route("a").follow("uses").where(type=""),
        lambda: read_hops(0),
        lambda: read_hops(6),
        lambda: read_hops(True),
        lambda: read_hops("2"),
    ],
)
def test_what_makes_no_sense_is_refused(wrong):
    with pytest.raises(InvalidInput):
        wrong()


def test_a_route_of_too_many_steps_is_refused():
    route = Route("a")
    for _ in range(8):
        route = route.follow("knows")

    with pytest.raises(InvalidInput):
        route.follow("knows")


# Neighbours


def test_neighbours_come_nearest_first_and_then_the_surest():
    found = around(["ada"], Leg(), TOOLS, hops=2)

    assert ends(found) == ["zed", "vim", "nathan", "bram", "bob"]


def test_a_circle_comes_to_rest():
    circle = graph("a near_to b", "b near_to c", "c near_to a")

    assert ends(around(["a"], Leg(), circle, hops=5)) == ["b", "c"]


NODES = st.sampled_from("abcdef")
SAID = st.lists(
    st.tuples(NODES, st.sampled_from(["causes", "knows", "uses"]), NODES).filter(
        lambda each: each[0] != each[2]
    ),
    max_size=12,
)


def strands_of(said) -> list[Strand]:
    return [Strand(n, *each, 1.0, epistemic=OBSERVED) for n, each in enumerate(said, start=1)]


@given(SAID, st.integers(1, 4))
def test_neighbours_are_what_a_search_in_breadth_finds(said, hops):
    strands = strands_of(said)
    distance, latest = {"a": 0}, {"a"}
    for hop in range(1, hops + 1):
        ends_of = {(each.source, each.target) for each in strands}
        latest = {
            there
            for one, other in ends_of
            for here, there in ((one, other), (other, one))
            if here in latest and there not in distance
        }
        distance.update(dict.fromkeys(latest, hop))

    found = around(["a"], Leg(), Graph(strands), hops=hops)

    expected = {node: far for node, far in distance.items() if far}
    assert {each.node_id: len(each.way) for each in found} == expected


@given(SAID, st.integers(1, 4))
def test_what_was_gathered_gives_the_same_neighbours_as_the_whole(said, hops):
    whole = Graph(strands_of(said))

    part = gathered(["a"], Leg(), whole, hops=hops)

    assert around(["a"], Leg(), part, hops=hops) == around(["a"], Leg(), whole, hops=hops)
