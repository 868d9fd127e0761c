"""What cannot be learnt, each refused before anything is written."""

import pytest

from engram import Scope
from engram.errors import AccessDenied, ContentTooLarge, InvalidInput, MemoryNotFound
from engram.memory.knowledge.epistemic import Contested, Reported, Retracted

BAD = [
    ({"subject": "", "relation": "knows", "object": "Ada"}, "empty"),
    ({"subject": "   ", "relation": "knows", "object": "Ada"}, "empty"),
    ({"subject": "Ada", "relation": "knows", "object": ""}, "empty"),
    ({"subject": 7, "relation": "knows", "object": "Ada"}, "string"),
    ({"subject": "Ada\nByron", "relation": "knows", "object": "Robin"}, "control"),
    ({"subject": "Ada", "relation": "knows"}, "object"),
    ({"subject": "Ada"}, "relation"),
    ({"subject": "Ada", "relation": "adores", "object": "Robin"}, "say that it is `custom`"),
    ({"subject": "Ada", "relation": "not a name!", "object": "Robin"}, "relation"),
    ({"subject": "Ada", "relation": "superseded_by", "object": "Robin"}, "follows from"),
    ({"subject": "Ada", "relation": "knows", "object": "Robin", "functional": True}, "several"),
    ({"subject": "Ada", "relation": "knows", "object": "Robin", "functional": "yes"}, "functional"),
    ({"subject": "Ada", "relation": "knows", "object": "Robin", "custom": 1}, "custom"),
    ({"subject": "Ada", "relation": "knows", "object": "Robin", "value": 3}, "value"),
    ({"subject": "Ada", "relation": "knows", "object": "Robin", "property": "x"}, "property"),
    ({"subject": "Ada", "relation": "has_property", "value": 3}, "property"),
    ({"subject": "Ada", "property": "age"}, "value"),
    ({"subject": "Ada", "property": "age", "value": ""}, "value"),
    ({"subject": "Ada", "property": "age", "value": {1, 2}}, "JSON"),
    ({"subject": "Ada", "property": "age", "value": float("nan")}, "JSON"),
    ({"subject": "Ada", "property": "", "value": 3}, "property"),
    ({"subject": "Ada", "property": "age", "value": 3, "object_type": "person"}, "object_type"),
    ({"subject": "Ada", "relation": "knows", "object": "Kim", "subject_type": "dragon"}, "type"),
    ({"subject": "Ada", "relation": "knows", "object": "Kim", "confidence": 2}, "confidence"),
    ({"subject": "Ada", "relation": "knows", "object": "Kim", "weight": -1}, "weight"),
    ({"subject": "Ada", "relation": "knows", "object": "Kim", "epistemic": "guess"}, "epistemic"),
    ({"subject": "Ada", "relation": "knows", "object": "Kim", "epistemic": {"type": "reported"}},
     "lacks"),
    ({"subject": "Ada", "relation": "knows", "object": "Kim", "epistemic": Contested(("a",))},
     "follow from"),
    ({"subject": "Ada", "relation": "knows", "object": "Kim", "epistemic": Retracted("a", "b")},
     "follow from"),
    ({"subject": "Ada", "relation": "knows", "object": "Kim", "source": "rumour"}, "source"),
    ({"subject": "Ada", "relation": "knows", "object": "Kim", "at": "yesterday"}, "at"),
    ({"subject": "Ada", "relation": "knows", "object": "Kim", "valid_from": "2026-05-01T00:00:00"},
     "time zone"),
    ({"subject": "Ada", "relation": "works_for", "object": "Acme",
      "valid_from": "2026-05-02T00:00:00+00:00", "valid_until": "2026-05-01T00:00:00+00:00"},
     "valid_until"),
    ({"subject": "Ada", "relation": "knows", "object": "Kim", "distinct": "a (b)"}, "brackets"),
    ({"subject": "Ada (x)", "relation": "knows", "object": "Kim", "distinct": "y"}, "note"),
    ({"subject": "Ada", "relation": "knows", "object": "Kim", "colour": "red"}, "learn() takes"),
    ({"subject": "Ada", "relation": "knows", "object": "Kim", "scope": "acme"}, "Scope"),
]  # fmt: skip


@pytest.mark.parametrize(("item", "hint"), BAD, ids=range(len(BAD)))
def test_bad_input_is_refused_and_named(engram, item, hint):
    with pytest.raises(InvalidInput) as refused:
        engram.knowledge.learn_many([{"subject": "A", "relation": "knows", "object": "B"}, item])

    assert hint in refused.value.hint
    assert refused.value.hint.startswith("Item 1: ")
    assert engram.list() == []


@pytest.mark.parametrize(
    "item",
    [
        {"subject": "A" * 201, "relation": "knows", "object": "Kim"},
        {"subject": "Ada", "relation": "knows", "object": "K" * 5_000},
        {"subject": "Ada", "property": "p" * 300, "value": 1},
        {"subject": "Ada", "property": "notes", "value": ["x" * 60_000] * 2},
        {"subject": "Ada", "property": "notes", "value": "x" * 70_000},
        {"subject": "Ada", "property": "notes", "value": list(range(20_000))},
    ],
)
def test_what_is_too_large_is_refused(engram, item):
    with pytest.raises(ContentTooLarge):
        engram.knowledge.learn_many([item])

    assert engram.list() == []


@pytest.mark.parametrize("items", ["text", {"subject": "Ada"}, 7, ["text"], [None]])
def test_many_are_a_list_of_dictionaries(engram, items):
    with pytest.raises(InvalidInput):
        engram.knowledge.learn_many(items)


@pytest.mark.parametrize(
    ("subject", "target"), [("Ada", "Ada"), ("Ada", "  the ADA "), ("Alex (a)", "alex (A)")]
)
def test_nothing_is_related_to_itself(engram, subject, target):
    with pytest.raises(InvalidInput, match="not valid"):
        engram.knowledge.learn(subject, "knows", target)

    assert engram.list() == []


def test_nothing_is_related_to_itself_under_another_name(engram):
    engram.knowledge.learn("Robert", "works_for", "Acme")
    engram.knowledge.alias("Bob", of="Robert")

    with pytest.raises(InvalidInput):
        engram.knowledge.learn("Robert", "knows", "Bob")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("A", "part_of", "B"), ("B", "part_of", "A")),
        (("A", "part_of", "B"), ("A", "has_part", "B")),
        (("A", "is_a", "B"), ("B", "subclass_of", "A")),
        (("A", "before", "B"), ("A", "after", "B")),
        (("A", "causes", "B"), ("B", "enables", "A")),
    ],
)
def test_a_circle_is_refused_also_by_inverses_and_relatives(engram, first, second):
    engram.knowledge.learn(*first)

    with pytest.raises(InvalidInput) as refused:
        engram.knowledge.learn(*second)

    assert "circle" in refused.value.hint
    assert len(engram.list()) == 1


def test_a_circle_over_several_steps_and_another_name_is_refused(engram):
    for n in range(6):
        engram.knowledge.learn(f"Step {n}", "before", f"Step {n + 1}")
    engram.knowledge.alias("The end", of="Step 6")

    with pytest.raises(InvalidInput):
        engram.knowledge.learn("The end", "before", "Step 0")


def test_what_was_withdrawn_closes_no_circle(engram):
    gone = engram.knowledge.learn("A", "part_of", "B")
    engram.knowledge.retract(gone.belief.id, "the other way round")

    assert engram.knowledge.learn("B", "part_of", "A").kind == "learned"


def test_an_unknown_id_of_a_node_is_not_found(engram):
    with pytest.raises(MemoryNotFound):
        engram.knowledge.learn("node-" + "0" * 32, "knows", "Ada")


def test_two_that_are_related_are_not_one(engram):
    engram.knowledge.learn("Bob", "knows", "Robert")
    engram.knowledge.learn("Wheel", "part_of", "Car")
    engram.knowledge.learn("Car", "part_of", "Fleet")

    for name, of in (("Bob", "Robert"), ("Robert", "Bob"), ("Wheel", "Fleet"), ("Fleet", "Wheel")):
        with pytest.raises(InvalidInput):
            engram.knowledge.alias(name, of=of)


@pytest.mark.parametrize("name", ["", "x" * 201, "Robert", " robert "])
def test_a_name_that_cannot_be_one_is_refused(engram, name):
    engram.knowledge.learn("Robert", "works_for", "Acme")

    with pytest.raises((InvalidInput, ContentTooLarge)):
        engram.knowledge.alias(name, of="Robert")


def test_an_alias_of_nobody_is_refused(engram):
    with pytest.raises(MemoryNotFound):
        engram.knowledge.alias("Bob", of="Robert")


def test_aliases_without_end_are_refused(engram, monkeypatch):
    monkeypatch.setattr("engram.lifecycle.alias.MOST_NAMES", 20)
    engram.knowledge.learn("Robert", "works_for", "Acme")

    for n in range(20):
        engram.knowledge.alias(f"Bob {n}", of="Robert")
    with pytest.raises(InvalidInput) as refused:
        engram.knowledge.alias("Bob 20", of="Robert")

    assert "at most 20" in refused.value.hint


def test_an_agent_leaves_a_persons_decision_about_a_name(open_store):
    scope = Scope(project="acme", agent="scout")
    owner = open_store()
    owner.knowledge.learn("Robert", "works_for", "Acme")
    owner.knowledge.learn("Roberta", "works_for", "Acme")
    owner.knowledge.alias("Bob", of="Robert", scope=scope)

    with pytest.raises(AccessDenied):
        open_store(scope=scope).knowledge.alias("Bob", of="Roberta")


def test_a_retraction_needs_a_reason_and_a_belief(engram):
    learned = engram.knowledge.learn("Ada", "works_for", "Acme")
    text = engram.remember("Robin likes tea.").memory

    with pytest.raises(InvalidInput):
        engram.knowledge.retract(learned.belief.id, "")
    with pytest.raises(InvalidInput):
        engram.knowledge.retract(text.id, "wrong")
    with pytest.raises(MemoryNotFound):
        engram.knowledge.retract("mem-9999", "wrong")
    with pytest.raises(MemoryNotFound):
        engram.knowledge.support(text.id)


@pytest.mark.parametrize("ask", ["belief", "history"])
def test_a_question_names_a_relation_or_a_property(engram, ask):
    with pytest.raises(InvalidInput):
        getattr(engram.knowledge, ask)("Ada")
    with pytest.raises(InvalidInput):
        getattr(engram.knowledge, ask)("", "knows")
    with pytest.raises(InvalidInput):
        getattr(engram.knowledge, ask)("Ada", "no relation!")


def test_trust_beyond_one_is_no_trust():
    with pytest.raises(InvalidInput):
        Reported("Robin", 1.5)
