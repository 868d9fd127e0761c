"""What follows from beliefs is written down, and goes with its premises."""

from itertools import pairwise

import pytest
from dreaming import carried_out, night_of, planned_by

from engram import Engram
from engram.memory.knowledge.epistemic import Hearsay, Hypothetical
from engram.memory.links import Relation
from engram.memory.vocabulary import LearnedBy, Secrecy, SourceClass, Status

SOURCE = "dream:infer"


def concluded(engram: Engram, status: str = "active") -> list[str]:
    return sorted(each.content for each in engram.list(source=SOURCE, status=status))


@pytest.fixture
def places(engram: Engram) -> Engram:
    engram.knowledge.learn("the tram depot", "located_in", "Ghent")
    engram.knowledge.learn("Ghent", "located_in", "Belgium")
    return engram


def test_two_beliefs_in_a_row_become_a_sentence_with_links_to_both(places):
    places.dream(steps=["infer"])

    [memory] = places.list(source=SOURCE)
    assert memory.content == "the tram depot is located in Belgium."
    assert (memory.learned_by, memory.source_class) == (LearnedBy.DREAM, SourceClass.DREAM)
    premises = {
        link.to_number for link in places.links(memory.id) if link.relation == Relation.DERIVED_FROM
    }
    assert premises == {1, 2}
    assert memory.secrecy is Secrecy.CLEARTEXT
    assert memory.trust == min(each.trust for each in places.list(limit=10) if each.number < 3)


def test_a_conclusion_is_no_belief_and_proves_nothing(places):
    places.knowledge.learn("Belgium", "part_of", "Europe")
    places.dream(steps=["infer"])

    inferred = places.knowledge.infer("the tram depot", "located_in")

    assert places.knowledge.belief("the tram depot", "located_in").belief.object == "Ghent"
    longest = max(inferred, key=lambda each: len(each.premises))
    assert len(longest.premises) == 3  # drawn from what was learned, not from what was concluded


def test_a_second_dream_concludes_nothing_more(places):
    places.dream(steps=["infer"])

    assert planned_by(places, "infer").decisions == ()


def test_a_conclusion_goes_with_a_premise_and_comes_back_with_it(places, clock):
    places.dream(steps=["infer"])
    [made] = places.list(source=SOURCE)
    clock.advance(days=1)
    gone = places.forget("mem-0002")

    places.dream(steps=["infer"])
    assert places.get(made.id).status is Status.ARCHIVED
    assert planned_by(places, "infer").decisions == ()

    clock.advance(days=1)
    places.undo(gone.change_id)
    places.dream(steps=["infer"])
    assert places.get(made.id).status is Status.ACTIVE
    assert planned_by(places, "infer").decisions == ()


def test_a_conclusion_that_somebody_put_away_is_not_made_again(places, clock):
    places.dream(steps=["infer"])
    clock.advance(days=1)
    places.forget(places.list(source=SOURCE)[0].id)

    assert planned_by(places, "infer").decisions == ()


def test_a_conclusion_that_was_undone_is_not_made_again(places):
    report = places.dream(steps=["infer"])
    places.undo(report.id)

    again = places.dream(steps=["infer"])

    assert again.decisions == 0
    assert concluded(places) == []


def test_what_follows_otherwise_is_written_anew_when_its_own_premise_goes(engram, clock):
    engram.knowledge.learn("cough", "causes", "tiredness", confidence=0.9)
    engram.knowledge.learn("tiredness", "causes", "mistakes", confidence=0.9)
    engram.knowledge.learn("cough", "causes", "noise", confidence=0.8)
    engram.knowledge.learn("noise", "causes", "mistakes", confidence=0.8)
    engram.dream(steps=["infer"])
    [first] = engram.list(source=SOURCE)
    clock.advance(days=1)
    engram.forget("mem-0001")

    engram.dream(steps=["infer"])

    [second] = engram.list(source=SOURCE, status="active")
    assert second.content == first.content
    assert second.number != first.number
    assert engram.get(first.id).status is Status.ARCHIVED
    assert planned_by(engram, "infer").decisions == ()


def test_weak_grounds_carry_nothing_that_is_written_down(engram):
    engram.knowledge.learn("wren", "is_a", "songbird")
    engram.knowledge.learn("songbird", "is_a", "bird", epistemic=Hearsay(("Kim",)))
    engram.knowledge.learn("oak", "is_a", "tree")
    engram.knowledge.learn("tree", "is_a", "plant", epistemic=Hypothetical())

    planned = planned_by(engram, "infer", night_of(engram, inference_strength=0.5))

    assert planned.decisions == ()


def test_what_was_said_outright_is_not_concluded(places):
    places.remember("The tram depot is located in Belgium.")

    assert planned_by(places, "infer").decisions == ()


def test_a_night_writes_down_so_many_conclusions_at_most(engram):
    names = [f"part {number}" for number in range(12)]
    for inner, outer in pairwise(names):
        engram.knowledge.learn(inner, "part_of", outer)
    night = night_of(engram, inferences_per_night=4)

    planned = planned_by(engram, "infer", night)

    assert len(planned.decisions) == 4
    assert len(carried_out(engram, planned, night)) == 4
    assert all(len(each.numbers) == 2 for each in planned.decisions)  # the plainest first


def test_rows_of_more_than_three_beliefs_are_left_to_those_who_ask(engram):
    names = [f"part {number}" for number in range(8)]
    for inner, outer in pairwise(names):
        engram.knowledge.learn(inner, "part_of", outer)

    engram.dream(steps=["infer"])

    assert "part 0 is part of part 3." in concluded(engram)
    assert "part 0 is part of part 4." not in concluded(engram)


def test_undoing_a_dream_takes_all_of_it_back(places):
    before = places.list(limit=100)
    report = places.dream(steps=["infer"])

    places.undo(report.id)

    assert places.list(limit=100) == before
