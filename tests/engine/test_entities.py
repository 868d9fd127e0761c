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
    engram.remember_many(FACTS)
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


def test_a_name_split_off_by_hand_stands_alone(named):
    named.split_entity("Ilse Varga")

    assert FACTS[0] in contents(named.entity("Ilse Varga"))
    assert FACTS[1] not in contents(named.entity("Ilse Varga"))
    assert contents(named.entity("Ilse")) == [FACTS[1]]


def test_what_is_one_or_alone_already_is_said(named):
    with pytest.raises(InvalidInput, match="already"):
        named.merge_entities("Ilse", "Ilse Varga")
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
    raw.execute("DELETE FROM claims")
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
