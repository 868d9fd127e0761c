"""Boxes and surprise in a store: what belongs together lies together, what is new counts more."""

from engram import Engram

PATIENT = {"capture": {"read_after_turns": 32, "read_after_minutes": 1_000}}
DAY = "2026-05-04T10:{:02}:00+00:00"


def boxes(engram: Engram):
    with engram._view(None) as see:
        found = see.boxes.all(limit=100)
        return [(box, [memory.content for memory in see.boxes.members(box.id)]) for box in found]


def test_statements_of_one_talk_lie_in_one_box_until_the_topic_changes(open_store):
    engram = open_store(settings=PATIENT)
    said = [
        "The ferry to Hvar leaves at seven from the northern pier.",
        "The ferry to Hvar has forty seats on the northern pier.",
        "The database migration to PostgreSQL 17 took four hours.",
    ]
    for minute, text in enumerate(said):
        engram.observe(text, session="s", at=DAY.format(minute))
    engram.flush()

    found = {tuple(sorted(members)): box for box, members in boxes(engram)}
    assert set(found) == {tuple(sorted(said[:2])), (said[2],)}
    assert found[tuple(sorted(said[:2]))].sealed_for == "topic"
    assert found[(said[2],)].sealed_at is None


def test_a_topic_that_comes_back_belongs_to_the_same_trace(open_store):
    engram = open_store(settings=PATIENT)
    ferry = "The ferry to Hvar leaves at seven from the northern pier."
    for session, text in (("a", ferry), ("b", "The ferry to Hvar was late at the northern pier.")):
        engram.observe(text, session=session, at=DAY.format(1))
        engram.flush()

    traces = {box.trace for box, _ in boxes(engram)}
    assert len(boxes(engram)) == 2
    assert len(traces) == 1


def test_what_is_new_is_more_important_than_what_repeats(open_store):
    engram = open_store(settings=PATIENT)
    for text in (
        "The ferry number 3 leaves the northern pier at seven.",
        "The ferry number 4 leaves the northern pier at seven.",
        "The ferry number 5 leaves the northern pier at seven.",
        "Copper wire conducts 59 megasiemens per metre.",
    ):
        engram.observe(text, session="s")
        engram.flush()

    rated = {memory.content: memory for memory in engram.list() if memory.category != "turn"}
    ferry = rated["The ferry number 5 leaves the northern pier at seven."]
    copper = rated["Copper wire conducts 59 megasiemens per metre."]
    assert ferry.surprise < copper.surprise
    assert ferry.base_importance < copper.base_importance
