"""The index of topics: what is talked about, how much, when last, and in which memories."""

import time

import pytest
from dreaming import night_of, planned_by
from dump import logical_dump

from engram import Engram, Scope
from engram.memory.dreams.artefact import ArtefactKind
from engram.memory.scopes import Principal

SAID = (
    "The kiln in Ghent needs a spare part.",
    "The kiln was fired on Monday.",
    "Glaze for the kiln comes from Porto.",
    "Sailing lessons begin in June.",
    "Sailing takes patience.",
    "Green tea stands on the shelf.",
)


def tell(engram: Engram, said=SAID, scope: Scope | None = None) -> list[str]:
    return [engram.remember(text, scope=scope).memory.id for text in said]


def test_topics_come_with_count_share_and_the_newest_memories(engram, clock):
    tell(engram, SAID[:3])
    clock.advance(days=2)
    tell(engram, SAID[3:])

    engram.dream(steps=["topics"])

    found = {each.name.lower(): each for each in engram.topics()}
    assert next(iter(found)) == "kiln"
    assert (found["kiln"].count, found["kiln"].share) == (3, 0.5)
    assert found["kiln"].numbers == (3, 2, 1)
    assert found["sailing"].count == 2
    assert found["sailing"].last_seen > found["kiln"].last_seen


def test_what_came_up_once_is_no_topic(engram):
    tell(engram)

    engram.dream(steps=["topics"])

    assert {each.name.lower() for each in engram.topics()} == {"kiln", "sailing"}


def test_what_stands_everywhere_tells_nothing(engram):
    tell(engram, [f"The depot has shelf {n} for box {n}." for n in range(30)])
    tell(engram, ["The depot has a cat.", "The cat sleeps."])

    engram.dream(steps=["topics"])

    names = {each.name.lower() for each in engram.topics()}
    assert "cat" in names
    assert "depot" not in names


def test_a_word_is_told_as_it_is_written_and_a_name_by_its_letters(engram):
    tell(engram, ["Bo Lind repairs bicycles.", "Bo Lind sells bicycles.", "Bicycles rust."])

    engram.dream(steps=["topics"])

    assert {each.name for each in engram.topics()} >= {"Bo Lind", "bicycles"}


def test_a_second_dream_makes_no_index_anew_and_a_next_one_takes_its_place(engram, clock):
    tell(engram)
    assert engram.dream(steps=["topics"]).decisions == 1
    clock.advance(days=30)
    assert engram.dream(steps=["topics"]).decisions == 0
    tell(engram, ["Green tea is from Uji."])

    assert engram.dream(steps=["topics"]).decisions == 1

    with engram._view(None) as see:
        assert len(see.artefacts.all(ArtefactKind.TOPICS)) == 1
    assert "tea" in {each.name.lower() for each in engram.topics()}


def test_a_topic_of_which_nothing_stands_any_more_is_not_told(engram):
    ids = tell(engram)
    engram.dream(steps=["topics"])

    for each in ids[:3]:
        engram.forget(each)

    assert {each.name.lower() for each in engram.topics()} == {"sailing"}
    engram.dream(steps=["topics"])
    with engram._view(None) as see:
        (index,) = see.artefacts.all(ArtefactKind.TOPICS)
    assert "kiln" not in index.text.lower()


def test_topics_of_two_scopes_in_sight_are_one_index(engram):
    acme = Scope(project="acme")
    tell(engram)
    tell(engram, ["The kiln of acme is new.", "A second kiln is on its way."], acme)

    engram.dream(steps=["topics"])

    found = {each.name.lower(): each for each in engram.topics(scope=acme)}
    assert found["kiln"].count == 5
    assert found["kiln"].share == pytest.approx(5 / 8)
    assert {each.name.lower(): each.count for each in engram.topics()}["kiln"] == 3
    other = engram.seen_by(Principal.of(Scope(project="other")))
    assert {each.name.lower(): each.count for each in other.topics()}["kiln"] == 3


def test_only_as_many_as_are_asked_for_are_told(engram):
    tell(engram)
    engram.dream(steps=["topics"])

    assert len(engram.topics(limit=1)) == 1


def test_undoing_takes_the_index_back(engram):
    tell(engram)
    before = logical_dump(engram)
    report = engram.dream(steps=["topics"])

    engram.undo(report.id)

    assert logical_dump(engram) == before


@pytest.mark.soak
def test_ten_thousand_statements_are_indexed_in_seconds(engram):
    words = "kiln glaze ferry harbour loom tea cello map rope sail bread clay oven pier".split()
    said = [
        {"text": f"Item {n}: {words[n % 14]} and {words[n // 14 % 14]} of shelf {n}."}
        for n in range(10_000)
    ]
    engram.remember_many(said)
    night = night_of(engram)

    for step in ("topics", "entities", "profile", "boxes"):
        begin = time.perf_counter()
        planned_by(engram, step, night)
        assert time.perf_counter() - begin < 5.0
