"""Who and what memories name: found, put together, told apart, and never told to strangers."""

import apsw
import pytest

from engram import Scope
from engram.errors import ChangeNotFound, InvalidInput, MemoryNotFound

FACTS = (
    "Ilse Varga leads the Bluebird project.",
    "Ilse likes tea.",
    "We deploy Bluebird on Kubernetes in Porto.",
    "I. Varga wrote the report.",
)


@pytest.fixture
def named(open_store):
    engram = open_store()
    for fact in FACTS:
        engram.remember(fact, session="monday")
    return engram


def contents(profile) -> list[str]:
    return sorted(memory.content for memory in profile.memories)


def test_an_entity_has_its_names_its_memories_and_its_neighbours(named):
    profile = named.entity("ilse")

    assert profile.entity.type == "person"
    assert {profile.entity.name, *profile.entity.aliases} == {"Ilse", "Ilse Varga"}
    assert contents(profile) == sorted(FACTS[:2])
    assert ("Bluebird", 1) in profile.beside
    assert [memory.content for memory in profile.timeline] == list(FACTS[:2])


def test_the_most_named_comes_first(named):
    assert named.entities()[0].name in {"Ilse", "Bluebird"}
    assert len(named.entities(limit=2)) == 2


def test_an_unknown_name_has_no_entity(named):
    assert named.entity("Zoltan") is None


def test_names_merged_by_hand_are_one_until_that_is_undone_and_again_when_redone(named):
    change = named.merge_entities("I. Varga", "Ilse", reason="the same woman")
    assert FACTS[3] in contents(named.entity("Ilse"))

    undone = named.undo(change)
    assert FACTS[3] not in contents(named.entity("Ilse"))
    assert undone

    redo = next(entry for entry in named.audit(action="undo") if entry.change_id)
    named.undo(redo.change_id)
    assert FACTS[3] in contents(named.entity("Ilse"))


def test_a_name_split_off_by_hand_stands_alone_until_that_is_undone(named):
    change = named.split_entity("Ilse")

    assert contents(named.entity("Ilse Varga")) == [FACTS[0]]
    assert contents(named.entity("Ilse")) == [FACTS[1]]
    named.undo(change)
    assert contents(named.entity("Ilse")) == sorted(FACTS[:2])


def test_a_first_name_belongs_to_the_nearest_full_name_of_its_talk(open_store):
    engram = open_store()
    for session, family in (("monday", "Varga"), ("friday", "Brandt")):
        engram.remember(f"Ilse {family} called about the roof.", session=session)
        engram.remember(f"Ilse comes on {session}.", session=session)

    assert contents(engram.entity("Ilse Varga")) == [
        "Ilse Varga called about the roof.",
        "Ilse comes on monday.",
    ]
    assert contents(engram.entity("Ilse Brandt")) == [
        "Ilse Brandt called about the roof.",
        "Ilse comes on friday.",
    ]


def test_two_people_of_one_first_name_stay_two_and_the_name_alone_stays_open(open_store):
    engram = open_store()
    engram.remember("Tomasz Wrona runs the bakery.", session="monday")
    engram.remember("Tomasz Kolar repairs clocks.", session="friday")
    engram.remember("Tomasz is late again.", session="sunday")
    engram.remember("Tomasz sold the van.")

    names = {each.name for each in engram.entities()}

    assert {"Tomasz Wrona", "Tomasz Kolar", "Tomasz"} <= names
    assert contents(engram.entity("Tomasz Wrona")) == ["Tomasz Wrona runs the bakery."]
    assert len(engram.entity("Tomasz").memories) == 2


@pytest.mark.parametrize("asked", ["harrow", "Harrow Foods", "HARROW FOODS LTD.", "Harrow-Foods"])
def test_an_entity_is_found_by_whatever_it_is_called(open_store, asked):
    engram = open_store()
    engram.remember("I work for Harrow Foods Ltd in Leeds.")
    engram.remember("The invoice of Harrow Foods is late.")
    engram.remember("Ada Byron met Bo Lind in Porto.")

    assert len(engram.entity(asked).memories) == 2


def test_headings_cries_and_openings_are_no_entities(open_store):
    engram = open_store()
    engram.remember("## Next Steps\n- **Clear Goals**: write them down.\nWow! Honestly, great.")
    engram.remember("Budget: 400. Deadline: Friday. Parking was hard.")

    assert engram.entities() == []


def test_what_is_one_or_alone_already_is_said(named):
    named.merge_entities("I. Varga", "Ilse Varga")
    with pytest.raises(InvalidInput, match="already"):
        named.merge_entities("I. Varga", "Ilse Varga")
    with pytest.raises(InvalidInput, match="already"):
        named.split_entity("Porto")
    with pytest.raises(MemoryNotFound):
        named.merge_entities("Zoltan", "Ilse")


def test_a_reworded_memory_is_found_by_its_present_names_only(named):
    memory = named.entity("Porto").memories[0]

    named.revise(memory.id, "We deploy Bluebird on Kubernetes in Lisbon.")

    assert named.entity("Porto") is None
    assert contents(named.entity("Lisbon")) == ["We deploy Bluebird on Kubernetes in Lisbon."]


def test_a_forgotten_memory_names_nobody(named):
    named.forget(named.entity("Porto").memories[0].id)

    assert named.entity("Porto") is None


def test_strangers_learn_no_name_and_take_no_decision_back(open_store):
    owner = open_store()
    mine = Scope(project="mine")
    owner.remember("Ilse Varga leads the Bluebird project.", scope=mine)
    owner.remember("Project Nightjar has a budget of 4,000 euros.", scope=mine)
    change = owner.merge_entities("Nightjar", "Bluebird", scope=mine)
    other = open_store(scope=Scope(project="other"))

    assert other.entities() == []
    assert other.entity("Ilse") is None
    with pytest.raises(ChangeNotFound):
        other.undo(change)


def test_memories_from_before_names_were_kept_are_found_by_them(named, store_path, open_store):
    named.close()
    raw = apsw.Connection(str(store_path / "engram.db"))
    raw.execute("DELETE FROM mentions")
    raw.execute("UPDATE meta SET value = '4' WHERE key = 'names_to_make'")
    raw.close()

    engram = open_store()

    assert contents(engram.entity("ilse")) == sorted(FACTS[:2])


def test_a_question_finds_what_is_known_under_another_name(named):
    named.remember("The Nightjar launch has 4,000 guests.")
    named.remember("The Bluebird budget is held by the finance team.")
    named.merge_entities("Nightjar", "Bluebird")

    found = [hit.memory.content for hit in named.recall("how many guests at the Bluebird launch?")]

    assert found[0] == "The Nightjar launch has 4,000 guests."
