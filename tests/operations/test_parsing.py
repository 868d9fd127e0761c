"""What comes with a call is read strictly, and a refusal never repeats what came."""

import json
import traceback
from collections.abc import Callable

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from engram.errors import InvalidInput
from engram.memory.ids import checked_id
from engram.memory.links import checked_relation
from engram.memory.scopes import Principal, Scope
from engram.memory.times import parse_time
from engram.memory.trust import provenance
from engram.surfaces.documents import Document
from engram.surfaces.operations import OPERATIONS
from engram.surfaces.operations.parsing import parse_document, parse_query
from engram.surfaces.operations.shapes import arguments_schema
from engram.text.strings import checked_name, checked_text

SECRET = "hunter2-swordfish"

# Each is wrong in one way; what it holds is never repeated.
WRONG: list[tuple[str, Document, str]] = [
    ("remember", {}, "`text` is missing"),
    ("remember", {"text": "x", SECRET: 1}, "remember takes: scope, text"),
    ("remember", {"text": 5}, "`text` must be text"),
    ("remember", {"text": " \n\t"}, "`text` is not blank"),
    ("remember", {"text": f"{SECRET}\x00"}, "`text` is not blank and has no NUL"),
    ("remember", {"text": SECRET * 20_000}, "`text` has at most 262144 characters"),
    ("remember", {"text": f"{SECRET}\ud800"}, "`text` must be text in UTF-8"),
    ("remember", {"text": "x", "importance": float("nan")}, "`importance`"),
    ("remember", {"text": "x", "importance": float("inf")}, "`importance`"),
    ("remember", {"text": "x", "importance": 1.5}, "`importance` is at most 1"),
    ("remember", {"text": "x", "importance": True}, "`importance` must be a number"),
    ("remember", {"text": "x", "importance": "0.5"}, "`importance` must be a number"),
    ("remember", {"text": "x", "pinned": 1}, "`pinned` must be true or false"),
    ("remember", {"text": "x", "pinned": "true"}, "`pinned` must be true or false"),
    ("remember", {"text": "x", "at": "2026-03-01T09:00:00"}, "`at` is a time with its zone"),
    ("remember", {"text": "x", "at": "2026-02-30T09:00:00Z"}, "`at` is a time with its zone"),
    ("remember", {"text": "x", "at": SECRET}, "`at` is a time with its zone"),
    ("remember", {"text": "x", "at": 1_700_000_000}, "`at` must be text"),
    ("remember", {"text": "x", "layer": SECRET}, "`layer` is one of: 'working'"),
    ("remember", {"text": "x", "category": f"No {SECRET}"}, "`category` is the name of a category"),
    ("remember", {"text": "x", "speaker": f"{SECRET}\n"}, "`speaker` has no control characters"),
    ("remember", {"text": "x", "speaker": SECRET * 50}, "`speaker` has at most 200 characters"),
    ("remember", {"text": "x", "source": SECRET}, "`source` begins with one of manual"),
    ("remember", {"text": "x", "replaces": f"{SECRET} "}, "`replaces` is an id"),
    ("remember", {"text": "x", "scope": SECRET}, "`scope` is a scope such as"),
    ("remember", {"text": "x", "scope": f"project={SECRET},project=b"}, "`scope` is a scope"),
    ("remember", {"text": "x", "scope": f"agent={SECRET},project=b"}, "`scope` is a scope"),
    ("remember", {"text": "x", "metadata": [SECRET]}, "`metadata` must be an object"),
    (
        "remember",
        {"text": "x", "metadata": {SECRET: {"deep": 1}}},
        "`metadata` holds text, numbers",
    ),
    ("remember", {"text": "x", "metadata": {f"{SECRET}\n": 1}}, "`metadata` has no control"),
    ("remember", {"text": "x", "metadata": {SECRET: 2**70}}, "`metadata` holds"),
    ("remember", {"text": "x", "metadata": {SECRET: 1 - 2**63}}, "`metadata` holds"),
    ("remember", {"text": "x", "metadata": {SECRET: [1.5]}}, "`metadata` holds"),
    ("remember", {"text": "x", "metadata": {"a": f"{SECRET}\udc00"}}, "`metadata` holds"),
    ("remember", {"text": "x", "metadata": {"a": " "}}, "`metadata` holds"),
    ("remember", {"text": "x", "metadata": {SECRET: float("nan")}}, "`metadata`"),
    ("remember_many", {"items": [{"text": "x"}, {"text": "x", "at": SECRET}]}, "`items[1].at`"),
    ("remember_many", {"items": [{"text": "x", SECRET: 1}]}, "is unknown"),
    ("remember_many", {"items": [{"text": "x"}] * 1_001}, "`items` has at most 1000 entries"),
    ("remember_many", {"items": {"text": SECRET}}, "`items` must be a list"),
    ("observe", {"text": "x", "role": SECRET}, "`role` is one of: 'user'"),
    ("observe", {"text": "x", "facts": [{"text": "y", "confidence": True}]}, "`facts[0]"),
    ("observe_result", {"text": "x", "kind": SECRET}, "`kind` is one of: 'compaction'"),
    ("recall", {"query": ""}, "`query` has at least 1 characters"),
    ("recall", {"query": "x", "limit": True}, "`limit` must be a whole number"),
    ("recall", {"query": "x", "limit": "5"}, "`limit` must be a whole number"),
    ("recall", {"query": "x", "limit": 5.0}, "`limit` must be a whole number"),
    ("recall", {"query": "x", "limit": 0}, "`limit` is at least 1"),
    ("recall", {"query": "x", "limit": 10**30}, "`limit` is at most 1000"),
    ("recall", {"query": "x", "filters": {SECRET: 1}}, "is unknown"),
    ("recall", {"query": "x", "filters": {"since": SECRET}}, "`filters.since` is a time"),
    ("list", {"before": SECRET}, "`before` is a label"),
    ("list", {"status": SECRET}, "`status` is one of"),
    ("get", {"memory_id": f"{SECRET}/../x"}, "`memory_id` is an id"),
    ("forget", {"memory_id": "mem-0001", "reason": SECRET * 100}, "`reason` has at most 500"),
    ("configure", {"key": SECRET, "value": 1}, "`key` is a setting"),
    ("setting", {"key": SECRET}, "`key` is the name of a setting"),
    ("configure", {"key": "recall.limit", "value": [SECRET]}, "`value`"),
    ("rotate_key", {"key_id": SECRET}, "`key_id` has at most 10"),
    ("relate", {"a": "mem-0001", "b": "mem-0002", "relation": SECRET.upper()}, "`relation`"),
    ("configure", {"key": "embedder.url", "value": SECRET}, "`key` is a setting"),
    (
        "feedback",
        {"memory_id": "mem-0001", "helpful": True, "correction": SECRET},
        "The arguments cannot both be helpful and need a correction",
    ),
    ("health", {SECRET: 1}, "health takes: nothing"),
]


@pytest.mark.parametrize(("name", "document", "hint"), WRONG)
def test_what_is_wrong_is_refused_by_field_and_rule_and_never_repeated(
    name: str, document: Document, hint: str
):
    with pytest.raises(InvalidInput) as refused:
        parse_document(OPERATIONS[name], document)

    assert hint in refused.value.hint
    told = "".join(traceback.format_exception(refused.value, chain=True))
    assert SECRET not in str(refused.value)
    assert SECRET not in "".join(line for line in told.splitlines() if "Error" in line)
    assert refused.value.__cause__ is None
    assert refused.value.__suppress_context__


@pytest.mark.parametrize("document", [None, [], "text", 5, True])
def test_arguments_are_an_object(document: object):
    with pytest.raises(InvalidInput):
        parse_document(OPERATIONS["health"], document)


def test_an_argument_in_the_path_is_not_given_again():
    operation = OPERATIONS["revise"]

    read = parse_document(operation, {"text": "x"}, {"memory_id": "mem-0001"})
    assert read.model_dump()["memory_id"] == "mem-0001"
    with pytest.raises(InvalidInput) as refused:
        parse_document(operation, {"text": "x", "memory_id": SECRET}, {"memory_id": "mem-0001"})
    assert SECRET not in str(refused.value)


def test_a_query_string_is_read_by_the_kinds_of_its_fields():
    read = parse_query(
        OPERATIONS["list"],
        [
            ("limit", "5"),
            ("pinned", "true"),
            ("since", "2026-03-01T09:00:00Z"),
            ("session", "5"),
            ("meta.n", "5"),
            ("meta.f", "0.5"),
            ("meta.flag", "false"),
            ("meta.word", "five"),
            ("meta.text", '"5"'),
            ("meta.none", "null"),
            ("meta.list", "[1]"),
        ],
    ).model_dump()

    assert (read["limit"], read["pinned"], read["session"]) == (5, True, "5")
    assert read["metadata"] == {
        "n": 5, "f": 0.5, "flag": False, "word": "five", "text": "5", "none": None, "list": "[1]",
    }  # fmt: skip


@pytest.mark.parametrize(
    "pairs",
    [
        [("limit", "5"), ("limit", "6")],
        [("meta.a", "1"), ("meta.a", "1")],
        [(SECRET, "1")],
        [("limit", SECRET)],
        [("limit", "5.0")],
        [("limit", "\u0665")],
        [("limit", "1" * 5_000)],
        [("pinned", "1")],
        [("pinned", "yes")],
        [("metadata", f'{{"a": "{SECRET}"}}')],
        [("meta.a", "NaN")],
        [("meta.a", "1e999")],
        [("since", "2026-03-01")],
        [("scope", SECRET)],
        [(f"meta.{number}", "1") for number in range(300)],
    ],
    ids=lambda pairs: str(pairs)[:40],
)
def test_a_query_string_that_is_wrong_is_refused(pairs: list[tuple[str, str]]):
    with pytest.raises(InvalidInput) as refused:
        parse_query(OPERATIONS["list"], pairs)

    assert SECRET not in str(refused.value)


def test_a_whole_number_of_a_query_string_may_be_as_great_as_its_schema_says():
    read = parse_query(OPERATIONS["audit"], [("before", str(2**62))])

    assert read.model_dump()["before"] == 2**62


def test_values_of_metadata_stay_what_they_are():
    values = {"a": True, "b": 1, "c": 1.5, "d": ["x"], "e": None, "f": "text", "g": 2**53 + 1}

    read = parse_document(OPERATIONS["remember"], {"text": "x", "metadata": values}).model_dump()

    assert read["metadata"] == values
    assert [type(each) for each in read["metadata"].values()] == [
        type(each) for each in values.values()
    ]


def test_deep_metadata_in_a_query_string_is_text():
    read = parse_query(OPERATIONS["list"], [("meta.a", "[" * 2_000)])

    assert read.model_dump()["metadata"] == {"a": "[" * 2_000}


def _text(value: str) -> object:
    return checked_text(value, name="text", max_bytes=10**9)


def _name(value: str) -> object:
    return checked_name(value, name="name")


# A field of an operation, and the engine's own rule for what it holds.
RULES: list[tuple[str, str, Callable[[str], object]]] = [
    ("remember", "text", _text),
    ("remember", "speaker", _name),
    ("remember", "idempotency_key", _name),
    ("remember", "replaces", checked_id),
    ("remember", "source", lambda value: provenance(Principal.of(None), value)),
    ("remember", "at", lambda value: parse_time(value, name="at")),
    ("remember", "scope", Scope.parse),
    ("relate", "relation", checked_relation),
    ("forget", "reason", lambda value: value == "" or _text(value)),
]


@pytest.mark.parametrize(("operation", "field", "rule"), RULES, ids=lambda each: str(each)[:20])
@settings(max_examples=60)
@given(drawn=st.data())
def test_what_a_schema_allows_the_engine_accepts(
    operation: str, field: str, rule: Callable[[str], object], drawn: st.DataObject
):
    schema = arguments_schema(OPERATIONS[operation])["properties"][field]
    allowed = schema["anyOf"][0] if "anyOf" in schema else schema
    text = drawn.draw(st.from_regex(allowed["pattern"].replace("$", r"\Z", -1), fullmatch=True))
    document = {"text": "x", "a": "x", "b": "x", "memory_id": "x", field: text}
    fields = OPERATIONS[operation].takes.model_fields
    document = {name: value for name, value in document.items() if name in fields}
    # Beside its pattern a schema says how long a text is, and that a day is one of its month.
    is_allowed = jsonschema_rs.is_valid(allowed, text, validate_formats=True)

    if is_allowed:
        parse_document(OPERATIONS[operation], document)
        rule(text)
    else:
        with pytest.raises(InvalidInput):
            parse_document(OPERATIONS[operation], document)


@settings(max_examples=150)
@given(
    document=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["query", "limit", "filters", "metadata", "as_of", "mode"])
                | st.text(),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    )
)
def test_whatever_comes_is_read_or_refused_as_its_schema_says(document: object):
    operation = OPERATIONS["recall"]
    is_allowed = Draft202012Validator(arguments_schema(operation)).is_valid(document)

    try:
        parse_document(operation, document)
    except InvalidInput:
        return

    assert is_allowed
    assert json.dumps(document)
