"""Closed unions as JSON: what is written is read again, and whatever is wrong is named."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.errors import ContentTooLarge, InvalidInput
from engram.memory.jsons import DEEPEST, MOST_VALUES, Json, JsonObject, checked_json, checked_object
from engram.memory.situation import Situation, read_situation
from engram.memory.tagged import as_json, as_object, from_json, read_as, tag_of


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True)
class Leaf:
    text: str
    count: int = 0
    share: float = 0.0
    is_old: bool = False
    colour: Colour = Colour.RED
    at: datetime | None = None
    lasting: timedelta | None = None
    extra: Json = None
    named: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TwoWords:
    first: "Tree"
    rest: "tuple[Tree, ...]" = ()

    def __post_init__(self) -> None:
        if len(self.rest) > 3:
            raise InvalidInput(hint="A branch has at most four ends.")


Tree = Leaf | TwoWords
AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
FULL = Leaf("a", 1, 0.5, True, Colour.BLUE, AT, timedelta(minutes=2), [1, {"b": None}], {"k": 1})

leaves = st.builds(
    Leaf,
    st.text(st.characters(codec="ascii", exclude_characters="\x00"), min_size=1).filter(str.strip),
    st.integers(-5, 5),
    st.floats(0, 1),
    st.booleans(),
    st.sampled_from(Colour),
)
trees = st.recursive(leaves, lambda inner: st.builds(TwoWords, inner, st.tuples(inner)))


def test_a_class_is_named_in_words():
    assert (tag_of(TwoWords), tag_of(Leaf)) == ("two_words", "leaf")


def test_every_sort_of_field_comes_back():
    assert from_json(Tree, as_json(FULL), name="tree") == FULL
    assert as_object(FULL)["lasting"] == 120.0


@given(trees)
def test_whatever_is_written_is_read_again(tree):
    assert from_json(Tree, as_json(tree), name="tree") == tree


def test_one_that_is_made_already_is_checked_again():
    wrong = Leaf(text=7)  # type: ignore[arg-type]

    with pytest.raises(InvalidInput, match=r"`tree\.text` is a text"):
        from_json(Tree, wrong, name="tree")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"type": "twig"}, "one of: leaf, two_words"),
        ({"text": "a"}, "one of: leaf, two_words"),
        ("leaf", "one of: leaf, two_words"),
        ({"type": "leaf"}, "`tree` lacks: text"),
        ({"type": "leaf", "text": "a", "more": 1}, "fields nobody knows; it takes: text, count"),
        ({"type": "leaf", "text": "a", "count": True}, "`tree.count` is a whole number"),
        ({"type": "leaf", "text": "a", "count": 1.5}, "`tree.count` is a whole number"),
        ({"type": "leaf", "text": "a", "is_old": 1}, "`tree.is_old` is true or false"),
        ({"type": "leaf", "text": "a", "share": "1"}, "`tree.share` is a number"),
        ({"type": "leaf", "text": "a", "share": float("nan")}, "no JSON"),
        ({"type": "leaf", "text": "a", "colour": "green"}, "one of: red, blue"),
        ({"type": "leaf", "text": "a", "at": "soon"}, "tree.at"),
        ({"type": "leaf", "text": "a", "lasting": -1}, "number of seconds"),
        ({"type": "leaf", "text": "a", "named": [1]}, "`tree.named` is an object"),
        ({"type": "leaf", "text": "a\x00"}, "NUL"),
        ({"type": "two_words", "first": 1}, "`tree.first` has a `type`"),
        ({"type": "two_words", "first": {"type": "leaf", "text": "a"}, "rest": "b"}, "is a list"),
        (
            {"type": "two_words", "first": as_json(FULL), "rest": [as_json(FULL)] * 4},
            "In `tree`: A branch has at most four ends",
        ),
    ],
)
def test_what_is_wrong_is_refused_and_named(given, said):
    with pytest.raises(InvalidInput, match=said):
        from_json(Tree, given, name="tree")


def test_a_single_class_needs_no_tag_and_refuses_another_one():
    assert read_as(Leaf, {"text": "a"}, name="leaf") == Leaf("a")
    with pytest.raises(InvalidInput, match="`leaf` is a leaf"):
        read_as(Leaf, {"type": "two_words", "text": "a"}, name="leaf")


def test_json_has_bounds():
    deep: object = 1
    for _ in range(DEEPEST + 1):
        deep = [deep]

    for too_much in (deep, [0] * MOST_VALUES, "x" * 70_000):
        with pytest.raises(ContentTooLarge):
            checked_json(too_much, name="value")


@pytest.mark.parametrize("wrong", [object(), {1: 2}, float("inf"), 2**63, b"a", {"a": "\ud800"}])
def test_what_is_no_json_is_refused(wrong):
    with pytest.raises(InvalidInput):
        checked_json(wrong, name="value")


def test_json_is_copied():
    inner = [1]

    kept = checked_object({"a": inner}, name="value")
    inner.append(2)

    assert kept == {"a": [1]}
    with pytest.raises(InvalidInput):
        checked_object([1], name="value")


def test_a_situation_is_a_text_a_dictionary_or_itself():
    whole = Situation(text="red", goal="ship", task="T1", tools=("git",), environment={"os": "x"})

    assert read_situation("red") == Situation(text="red")
    assert read_situation(None) == Situation()
    assert read_situation(as_json(whole)) == read_situation(whole) == whole
    assert whole.summary == "ship; red; task T1; os: x"


@pytest.mark.parametrize(
    "wrong",
    ["", {"goal": 1}, {"task": "a\nb"}, {"tools": ["x"] * 201}, {"beliefs": ["x" * 300]}, 7],
)
def test_a_situation_that_is_none_is_refused(wrong):
    with pytest.raises(InvalidInput):
        read_situation(wrong)
