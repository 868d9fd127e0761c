"""What texts claim belongs to the same graph, and is kept nowhere a second time."""

import pytest

from engram import Scope
from engram.errors import MemoryNotFound
from engram.memory.knowledge.epistemic import Reported


@pytest.fixture
def known(engram):
    for text in (
        "Ada lives in Lyon.",
        "Lyon is located in France.",
        "Bob works at Acme Corp.",
        "Acme Corp is based in Lyon.",
        "The van belongs to Ada.",
        "Ada's birthday is 3 May.",
    ):
        engram.remember(text)
    return engram.knowledge


def titles(found) -> list[str]:
    return sorted(each.node.title for each in found)


def test_a_text_is_read_as_a_belief_with_the_grounds_it_has(known):
    view = known.node("Ada")

    (home,) = view.beliefs_out
    assert (home.relation, home.target.title, home.is_learned) == ("located_in", "Lyon", False)
    assert isinstance(home.epistemic, Reported)
    assert home.memory.content == "Ada lives in Lyon."
    assert [each.source.title for each in view.beliefs_in] == ["van"]
    assert [(each.name, each.value) for each in view.properties] == [("birthday", "3 May")]
    assert view.type == "person"


def test_texts_are_followed_in_both_directions(known):
    assert titles(known.neighbours("Lyon", relation="located_in", direction="in")) == [
        "Acme Corp", "Ada",
    ]  # fmt: skip
    assert titles(known.neighbours("Lyon", relation="located_in", direction="out")) == ["France"]
    assert titles(known.path("Bob").follow("works_for").follow("located_in").find()) == ["Lyon"]


def test_something_follows_from_texts(known):
    assert [each.target.title for each in known.infer("Ada", "located_in")] == ["France"]
    assert sorted(each.source.title for each in known.infer("France", "location_of")) == [
        "Acme Corp", "Ada",
    ]  # fmt: skip


def test_texts_and_what_was_learned_meet_in_one_node(known):
    known.learn("Ada", "uses", "Zed", object_type="person")
    known.learn("Zed", "created_by", "Bob")

    assert titles(known.neighbours("Ada")) == ["Lyon", "Zed", "van"]
    way = known.path("Ada").follow("uses").follow("created_by").follow("works_for").find()
    assert titles(way) == ["Acme Corp"]
    assert [each.is_learned for each in way[0].way] == [True, True, False]


def test_what_was_learned_is_not_read_off_its_own_sentence_again(engram):
    engram.knowledge.learn("Ada", "located_in", "Lyon")

    view = engram.knowledge.node("Ada")

    assert [each.is_learned for each in view.beliefs_out] == [True]
    assert len(engram.knowledge.neighbours("Ada")) == 1


def test_who_wants_only_what_was_learned_says_so(known):
    known.learn("Ada", "uses", "Zed")

    assert titles(known.neighbours("Ada", texts=False)) == ["Zed"]
    assert titles(known.activate(["Ada"], texts=False)) == ["Zed"]
    with pytest.raises(MemoryNotFound):
        known.node("Bob", texts=False)


def test_a_denial_is_no_belief(engram):
    engram.remember("Ada does not live in Lyon.")

    with pytest.raises(MemoryNotFound):
        engram.knowledge.node("Ada")


def test_who_speaks_is_who_is_meant(engram):
    engram.remember("I live in Porto.", speaker="Mia")
    engram.remember("I live in Lyon.")

    assert titles(engram.knowledge.neighbours("Mia")) == ["Porto"]
    assert titles(engram.knowledge.neighbours("user")) == ["Lyon"]
    assert engram.knowledge.node("user").type == "user"


def test_names_that_were_decided_to_be_one_are_one_for_texts(engram):
    engram.remember("Ada lives in Lyon.")
    engram.remember("Countess Lovelace works at Acme Corp.")
    engram.merge_entities("Countess Lovelace", "Ada")

    assert titles(engram.knowledge.neighbours("Ada")) == ["Acme Corp", "Lyon"]
    assert titles(engram.knowledge.neighbours("Countess Lovelace")) == ["Acme Corp", "Lyon"]


def test_a_text_that_was_replaced_leads_on_no_more(engram, clock):
    engram.remember("Ada lives in Lyon.")
    then = clock()
    clock.advance(days=1)
    engram.remember("Ada moved to Porto.")

    assert titles(engram.knowledge.neighbours("Ada")) == ["Porto"]
    assert titles(engram.knowledge.neighbours("Ada", known_at=then)) == ["Lyon"]


def test_of_an_earlier_wording_nothing_is_claimed(engram, clock):
    memory = engram.remember("Ada lives in Lyon.").memory
    then = clock()
    clock.advance(days=1)
    engram.revise(memory.id, "Ada lives in Porto.")

    assert titles(engram.knowledge.neighbours("Ada")) == ["Porto"]
    with pytest.raises(MemoryNotFound):
        engram.knowledge.neighbours("Ada", known_at=then)


def test_a_question_finds_those_whom_texts_tell_of(known):
    found = known.query("Who works at Acme Corp?")

    assert found[0].node.title == "Acme Corp"
    assert "Bob" in titles(found)


def test_nodes_of_texts_are_listed_among_the_others(known):
    known.learn("Zed", "created_by", "Nathan")

    assert [node.title for node in known.nodes()] == [
        "Acme Corp", "Ada", "Bob", "Lyon", "Nathan", "van", "Zed",
    ]  # fmt: skip
    assert [node.title for node in known.nodes("person")] == ["Ada", "Bob"]


def test_texts_of_others_are_not_followed(open_store):
    owner = open_store()
    owner.remember("Ada lives in Lyon.", scope=Scope(user="eve"))
    owner.remember("Ada works at Acme Corp.")

    other = open_store(scope=Scope(user="mia")).knowledge

    assert titles(other.neighbours("Ada")) == ["Acme Corp"]
    with pytest.raises(MemoryNotFound):
        other.node("Lyon")


def test_what_somebody_uses_by_their_own_words_is_followed_from_both_ends(engram):
    engram.remember("Ada uses Helix.")
    engram.knowledge.learn("Helix", "created_by", "Blaž")
    known = engram.knowledge

    (creator,) = known.path("Ada").follow("uses").follow("created_by").find()
    (user,) = known.neighbours("Helix", relation="used_by")

    assert (creator.node.label, user.node.label) == ("Blaž", "Ada")
    assert known.path("Ada").follow("used_by").find() == []
