"""Whatever a tool's own schema allows is taken or refused with a reason, and nothing else."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engram import Engram
from engram.errors import EngramError
from engram.surfaces.mcp.schemas import schema_of
from engram.surfaces.mcp.toolsets import ToolSet, all_tools
from engram.surfaces.operations.parsing import parse_document

# What works on files, calls a server or takes long by itself is tried where it is at home.
_ELSEWHERE = {"backup", "doctor", "embed", "configure", "test_webhook", "verify_audit", "health"}
_TOOLS = [
    name
    for name, tool in all_tools(ToolSet.FULL).items()
    if not tool.operation.is_local and name not in _ELSEWHERE
]


@pytest.fixture(scope="module")
def kept():
    with Engram.open(":memory:", settings={"embedder": {"kind": "none"}}) as engram:
        for number in range(5):
            engram.remember(f"Ada keeps bicycle {number} in Lyon.")
        yield engram


_WORDS = st.sampled_from([
    "mem-0001", "mem-0002", "mem-9999", "Ada", "bicycle", "2026-03-01T09:00:00Z", "tooling",
    "active", "challenged", "supports", "project=acme", "manual", "", " ", "\x00", "\ud800", "🙂",
])  # fmt: skip


def by(schema: dict) -> st.SearchStrategy:
    """Values that a schema allows, as far as it says."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "const" in schema:
        return st.just(schema["const"])
    if "anyOf" in schema:
        return st.one_of(*map(by, schema["anyOf"]))
    low, high = schema.get("minimum"), schema.get("maximum")
    plain = {
        "string": _WORDS | st.text(max_size=20),
        "integer": st.integers(low, high),
        "number": st.floats(low, high, allow_nan=False),
        "boolean": st.booleans(),
        "null": st.none(),
    }
    kind = schema.get("type")
    if isinstance(kind, list):
        return st.one_of(*(by({**schema, "type": each}) for each in kind))
    if kind == "array":
        return st.lists(by(schema.get("items", {})), max_size=2)
    if kind == "object":
        return _objects(schema)
    return plain.get(kind, _WORDS | st.integers() | st.none())


def _objects(schema: dict) -> st.SearchStrategy:
    members = {name: by(each) for name, each in schema.get("properties", {}).items()}
    needed = {name: each for name, each in members.items() if name in schema.get("required", ())}
    others = {name: each for name, each in members.items() if name not in needed}
    if not members:
        return st.dictionaries(st.text(max_size=9), _WORDS | st.integers(), max_size=2)
    return st.fixed_dictionaries(needed, optional=others)


def silent(done: int, total: int) -> None:
    """Nobody listens."""


@pytest.mark.parametrize("name", _TOOLS)
def test_arguments_by_the_schema_are_taken_or_refused_with_a_reason(kept, name):
    tool = all_tools(ToolSet.FULL)[name]
    schema = schema_of(tool.operation.takes)

    @settings(max_examples=8, suppress_health_check=list(HealthCheck))
    @given(by(schema) | st.dictionaries(st.text(max_size=9), st.integers(), max_size=2))
    def tried(arguments):
        try:
            parsed = parse_document(tool.operation, arguments, {})
            document = tool.operation.run(kept, parsed, silent)
        except EngramError as refusal:
            codes.add(refusal.code)
        else:
            assert tool.told(document)
            assert isinstance(tool.brief(document), dict)

    codes: set[str] = set()
    tried()
    assert "E0000" not in codes
