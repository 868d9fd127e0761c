"""What follows from beliefs, and what does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.errors import InvalidInput
from engram.memory.knowledge.graph import Direction, Graph, Leg, Strand, gathered
from engram.memory.knowledge.inference import EVERY_RELATION, LONGEST, RULES, chain_rule, conclude

from .strands import OBSERVED, SUPPOSED, graph, strand


def follows(start: str, relation: str, where: Graph, **options) -> dict[str, list[int]]:
    """The ends of all chains, each with the numbers of its premises."""
    found = conclude([start], chain_rule(relation), where, **options)
    return {each.node_id: [premise.number for premise in each.way] for each in found}


def test_what_is_in_a_place_is_in_every_place_around_it():
    places = graph("ada located_in lyon", "lyon located_in france", "france located_in europe")

    assert follows("ada", "located_in", places) == {"france": [1, 2], "europe": [1, 2, 3]}


def test_what_is_in_a_place_is_in_what_the_place_is_part_of():
    places = graph("ada located_in kitchen", "kitchen part_of house", "house located_in lyon")

    assert follows("ada", "located_in", places) == {"house": [1, 2], "lyon": [1, 2, 3]}


def test_a_part_is_not_where_its_whole_is():
    company = graph("team part_of acme", "acme located_in lyon")

    assert follows("team", "located_in", company) == {}


def test_an_instance_of_a_kind_is_one_of_every_kind_above():
    kinds = graph("fluffy instance_of cat", "cat subclass_of mammal", "mammal is_a animal")

    assert follows("fluffy", "instance_of", kinds) == {"mammal": [1, 2], "animal": [1, 2, 3]}


def test_an_instance_of_an_instance_is_none():
    kinds = graph("fluffy instance_of cat", "cat instance_of species")

    assert follows("fluffy", "instance_of", kinds) == {}


def test_a_row_of_subclasses_says_something_of_subclasses_alone():
    kinds = graph("cat subclass_of mammal", "mammal subclass_of animal")

    assert follows("cat", "subclass_of", kinds) == {"animal": [1, 2]}
    assert follows("cat", "is_a", kinds) == {}


@pytest.mark.parametrize("relation", ["used_by", "knows", "enables", "near_to", "owned_by", "mine"])
def test_relations_that_do_not_lead_on_are_refused(relation):
    with pytest.raises(InvalidInput):
        chain_rule(relation)


def test_what_is_believed_outright_is_not_concluded():
    places = graph("ada located_in lyon", "lyon located_in france", "ada located_in france")

    assert follows("ada", "located_in", places) == {}


def test_chains_have_five_premises_at_most():
    row = graph(*(f"n{i} before n{i + 1}" for i in range(8)))

    found = follows("n0", "before", row)

    assert sorted(found) == ["n2", "n3", "n4", "n5"]
    assert max(map(len, found.values())) == LONGEST


def test_the_doubts_of_the_premises_multiply_and_each_step_costs():
    places = graph(("a located_in b", 0.9), ("b located_in c", 0.8), ("c located_in d", 0.5))

    found = conclude(["a"], chain_rule("located_in"), places)

    assert [each.confidence for each in found] == [
        pytest.approx(0.9 * 0.8 * 0.95), pytest.approx(0.9 * 0.8 * 0.5 * 0.95**2)
    ]  # fmt: skip


def test_the_surest_of_several_chains_counts():
    forked = graph(("a before b", 0.5), ("b before z", 0.9), ("a before c", 0.9),
                   ("c before z", 0.9))  # fmt: skip

    assert follows("a", "before", forked) == {"z": [3, 4]}


def test_a_conclusion_goes_with_its_premise():
    said = ["ada located_in lyon", "lyon located_in france"]

    assert follows("ada", "located_in", graph(*said)) == {"france": [1, 2]}
    assert follows("ada", "located_in", graph(said[0])) == {}


def test_premises_that_never_held_together_prove_nothing():
    apart = Graph([
        strand(1, "ada located_in lyon", valid_until=100),
        strand(2, "lyon located_in france", valid_from=100),
    ])  # fmt: skip
    together = Graph([
        strand(1, "ada located_in lyon", valid_until=101),
        strand(2, "lyon located_in france", valid_from=100),
    ])  # fmt: skip

    assert follows("ada", "located_in", apart) == {}
    assert follows("ada", "located_in", together) == {"france": [1, 2]}


def test_what_is_only_supposed_proves_nothing():
    places = Graph([
        strand(1, "ada located_in lyon"),
        strand(2, "lyon located_in france", epistemic=SUPPOSED),
    ])  # fmt: skip

    assert follows("ada", "located_in", places) == {}


def test_it_can_be_asked_for_whom_something_follows():
    places = graph("ada located_in kitchen", "kitchen part_of house", "house located_in lyon",
                   "door part_of house")  # fmt: skip

    found = follows("lyon", "located_in", places, direction=Direction.IN)

    assert found == {"ada": [1, 2, 3]}  # the door is part of what is there, no more


def test_a_surer_belief_that_begins_no_chain_does_not_hide_one_that_does():
    places = graph(("x part_of y", 1.0), ("y located_in z", 1.0), ("x located_in w", 0.5),
                   ("w located_in z", 0.5))  # fmt: skip

    assert follows("z", "located_in", places, direction=Direction.IN) == {"x": [3, 4]}


NODES = st.sampled_from("abcde")
SAID = st.lists(
    st.tuples(NODES, st.sampled_from(["is_a", "subclass_of", "instance_of"]), NODES).filter(
        lambda each: each[0] < each[2]  # no circles
    ),
    max_size=9,
    unique=True,
)


def naive(strands, relation: str, start: str) -> set[str]:
    """All chains by trying each, and the rule read literally."""
    rule, found = RULES[relation], set()

    def extend(chain):
        names = [each.relation for each in chain]
        if len(chain) > 1 and relation in names:
            found.add(chain[-1].target)
        if len(chain) < LONGEST:
            for each in strands:
                if each.source == chain[-1].target and each.relation in rule.rest:
                    extend([*chain, each])

    for each in strands:
        if each.source == start and each.relation in rule.first:
            extend([each])
    outright = {e.target for e in strands if e.source == start and e.relation == relation}
    return found - outright


@given(SAID, st.sampled_from(["is_a", "subclass_of", "instance_of"]))
def test_exactly_what_the_rules_allow_is_concluded(said, relation):
    strands = [Strand(n, *each, 0.9, epistemic=OBSERVED) for n, each in enumerate(said, start=1)]
    whole = Graph(strands)
    part = gathered(["a"], Leg(EVERY_RELATION, Direction.OUT), whole, hops=LONGEST)

    expected = naive(strands, relation, "a")

    assert set(follows("a", relation, whole)) == expected
    assert set(follows("a", relation, part)) == expected


@given(SAID, st.sampled_from(["is_a", "subclass_of", "instance_of"]))
def test_asked_from_the_other_end_the_same_follows(said, relation):
    strands = [Strand(n, *each, 0.9, epistemic=OBSERVED) for n, each in enumerate(said, start=1)]

    backward = conclude(["e"], RULES[relation], Graph(strands), direction=Direction.IN)

    expected = {start for start in "abcd" if "e" in naive(strands, relation, start)}
    assert {each.node_id for each in backward} == expected
