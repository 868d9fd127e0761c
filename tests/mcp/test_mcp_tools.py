"""The tools: which there are, what they say of themselves, and that each does what it says."""

import ast
import hashlib
import json
import os
from pathlib import Path

import anyio
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from operations import world as worlds
from operations.world import MINIMAL, World
from talking import COMMAND, INITIALIZE, INITIALIZED, Talk, request

from engram import Engram
from engram.errors import SlotNotFound
from engram.memory.policies import Preset, allows
from engram.surfaces.mcp.adapter import make_server
from engram.surfaces.mcp.seats import Seat
from engram.surfaces.mcp.toolsets import ToolSet, all_tools, tools_for
from engram.surfaces.operations import OPERATIONS
from engram.surfaces.work import Workshop

SNAPSHOT = Path(__file__).parent / "tools.json"
STANDARD = {
    "memory_store": lambda world: {"content": "Cy sails.", "importance": 0.4},
    "memory_search": lambda world: {"query": "Who sails?", "limit": 2},
    "memory_update": lambda world: {"id": world.kept("Dee paints."), "content": "Dee draws."},
    "memory_delete": lambda world: {"id": world.kept("Eve runs."), "reason": "no longer"},
    "memory_list": lambda world: {"limit": 3},
    "memory_feedback": lambda world: {"id": world.kept("Flo sings."), "helpful": True},
    "memory_relate": lambda world: {
        "source_id": world.kept("Gus cooks."), "target_id": world.kept("Hal eats."),
        "relationship": "caused_by",
    },
    "memory_reason": lambda world: {"query": "Where does Robert Miller work?"},
}  # fmt: skip
MINIMAL_SET = {
    "remember": lambda world: {"fact": "Ida swims.", "category": "preference", "confidence": 0.7},
    "recall": lambda world: {"query": "Who swims?", "limit": 1},
}


@pytest.fixture
def world(open_store, tmp_path, clock) -> World:
    return World(open_store(), tmp_path, clock)


def listed(tool_set: ToolSet) -> list[dict]:
    """What tools/list answers, in the form in which it is sent."""

    async def ask():
        seat = Seat(all_tools(tool_set), lambda: pytest.fail("the store was opened"))
        async with Client(make_server(lambda request: seat, Workshop(1))) as client:
            return await client.list_tools()

    tools = anyio.run(ask).tools
    return [tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in tools]


def digest(tools: list[dict]) -> str:
    return hashlib.sha256(json.dumps(tools, sort_keys=True).encode()).hexdigest()


@pytest.mark.parametrize("tool_set", [ToolSet.MINIMAL, ToolSet.STANDARD])
def test_the_short_sets_are_as_they_were(tool_set):
    """What a model reads of a tool is part of every prompt; a change of it is meant, or a bug."""
    expected = json.loads(SNAPSHOT.read_text(encoding="utf-8"))

    assert listed(tool_set) == expected[tool_set]


def test_the_full_set_is_as_it_was():
    expected = json.loads(SNAPSHOT.read_text(encoding="utf-8"))
    found = {tool["name"]: digest([tool]) for tool in listed(ToolSet.FULL)}

    assert found == expected["full"]


def test_what_a_tool_takes_stands_by_itself():
    """A reference to a definition that is not sent along tells a model nothing."""
    assert not [
        tool["name"] for tool in listed(ToolSet.FULL) if "$ref" in json.dumps(tool["inputSchema"])
    ]


def test_the_names_are_the_promised_ones():
    assert list(all_tools(ToolSet.MINIMAL)) == ["remember", "recall"]
    assert list(all_tools(ToolSet.STANDARD)) == list(STANDARD)
    assert list(all_tools(ToolSet.FULL)) == [*STANDARD, *OPERATIONS]


def test_the_standard_set_takes_at_most_four_kilobytes_of_a_prompt():
    tools = listed(ToolSet.STANDARD)

    assert len(json.dumps(tools, separators=(",", ":")).encode()) <= 4_096
    assert len(json.dumps(listed(ToolSet.MINIMAL), separators=(",", ":")).encode()) <= 1_024


def test_every_tool_says_whether_it_only_reads_takes_away_or_can_be_repeated():
    for tool in listed(ToolSet.FULL):
        hints = tool["annotations"]
        assert set(hints) == {
            "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint",
        }  # fmt: skip
        assert hints["openWorldHint"] is False
        assert not (hints["readOnlyHint"] and hints["destructiveHint"])
    named = {tool["name"]: tool["annotations"] for tool in listed(ToolSet.STANDARD)}
    assert [name for name, each in named.items() if each["readOnlyHint"]] == [
        "memory_search", "memory_list", "memory_reason",
    ]  # fmt: skip
    assert [name for name, each in named.items() if each["destructiveHint"]] == [
        "memory_update", "memory_delete",
    ]  # fmt: skip


@pytest.mark.parametrize("preset", list(Preset))
def test_a_policy_takes_tools_away_and_adds_none(preset):
    allowed = tools_for(
        ToolSet.STANDARD, lambda each: allows(preset, each.name, each.need, each.effect)
    )

    reading = {"memory_search", "memory_list", "memory_reason", "memory_feedback"}
    expected = {
        Preset.READ_ONLY: reading,
        Preset.STANDARD: reading | {"memory_store"},
        Preset.MEMORY_AWARE: set(STANDARD),
        Preset.UNRESTRICTED: set(STANDARD),
    }
    assert set(allowed) == expected[preset]


def _server(store: Path, *options: str) -> StdioServerParameters:
    command, *arguments = COMMAND
    return StdioServerParameters(
        command=command,
        args=[*arguments, "--store", str(store), *options],
        env={**os.environ},
    )


def _session(store: Path, options: tuple[str, ...], table: dict, world: World, monkeypatch):
    """Call every tool that a server lists, with the SDK's own client."""

    async def talk():
        answers = {}
        async with Client(stdio_client(_server(store, *options)), mode="legacy") as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            for tool in tools:
                monkeypatch.setattr(worlds, "STATEMENT", f"Ada keeps bicycle {tool} in Lyon.")
                answers[tool] = await client.call_tool(tool, table[tool](world))
        return answers

    return anyio.run(talk)


def test_a_real_client_calls_every_tool_of_the_full_set(world, store_path, monkeypatch):
    options = ("--tools", "full", "--as", "person")

    table = (
        STANDARD | MINIMAL | {"split_entity": lambda world: {"name": "Bob Smith"}}
    )  # merged before
    answers = _session(store_path, options, table, world, monkeypatch)

    assert set(answers) == set(all_tools(ToolSet.FULL))
    failed = {name: each.content[0].text for name, each in answers.items() if each.is_error}
    # What is in mind in one process is not in mind in another.
    assert {name: told[1:6] for name, told in failed.items()} == {
        "refresh": SlotNotFound.code, "dismiss": SlotNotFound.code,
    }  # fmt: skip
    for name, answer in answers.items():
        if name in failed:
            continue
        assert answer.content[0].text
        assert isinstance(answer.structured_content, dict)


def test_a_real_client_uses_the_minimal_set(world, store_path, monkeypatch):
    answers = _session(store_path, ("--tools", "minimal"), MINIMAL_SET, world, monkeypatch)

    assert answers["remember"].structured_content["kind"] == "stored"
    assert answers["recall"].structured_content["hits"][0]["content"] == "Ida swims."
    assert "Ida swims." in answers["recall"].content[0].text
    kept = world.owner.list(limit=1)[0]
    assert (kept.category, kept.confidence) == ("preference", 0.7)


def _called(engram: Engram, tool: str, arguments: dict, tool_set: ToolSet = ToolSet.STANDARD):
    async def ask():
        seat = Seat(all_tools(tool_set), lambda: engram)
        server = make_server(lambda request: seat, Workshop(2))
        async with Client(server) as client:
            return await client.call_tool(tool, arguments)

    return anyio.run(ask)


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "hint"),
    [
        ("memory_store", {}, "E4005", "`content` is missing."),
        ("memory_store", {"content": 5}, "E4005", "`content` must be text."),
        ("memory_store", {"content": "x", "importance": 2}, "E4005", "`importance` is at most 1"),
        ("memory_store", {"content": "x", "importance": True}, "E4005", "`importance` must be a"),
        ("memory_store", {"content": "x", "secret": "canary"}, "E4005", "something is unknown"),
        ("memory_store", {"content": "x", "category": "canary!"}, "E4005", "`category` is the"),
        ("memory_search", {"query": ""}, "E4005", "`query` has at least 1"),
        ("memory_search", {"query": "x", "limit": "canary"}, "E4005", "`limit` must be a whole"),
        ("memory_update", {"id": "mem-0404", "content": "x"}, "E2005", "check the id"),
        ("memory_delete", {"id": "canary"}, "E2005", "check the id"),
        ("memory_relate", {"source_id": "a", "target_id": "b", "relationship": "canary"},
         "E4005", "`relationship` is one of"),
    ],
)  # fmt: skip
def test_a_refusal_is_an_error_with_code_and_hint_and_without_what_was_sent(
    engram, tool, arguments, code, hint
):
    answer = _called(engram, tool, arguments)

    error = answer.structured_content["error"]
    assert answer.is_error
    assert error["code"] == code
    assert hint in error["hint"]
    assert f"[{code}]" in answer.content[0].text
    assert "canary" not in answer.model_dump_json()


@pytest.mark.parametrize("arguments", [{}, {"fact": "A.", "text": "B."}])
def test_the_fact_of_the_minimal_set_is_said_once(engram, arguments):
    answer = _called(engram, "remember", arguments, ToolSet.MINIMAL)

    assert answer.is_error
    assert "`fact`" in answer.structured_content["error"]["hint"]


def test_the_text_of_the_minimal_set_is_the_same_as_its_fact(engram):
    _called(engram, "remember", {"text": "Ida swims."}, ToolSet.MINIMAL)

    assert engram.list()[0].content == "Ida swims."


def test_an_unexpected_failure_is_told_without_its_words(engram):
    tool = all_tools(ToolSet.STANDARD)["memory_list"]

    def fails():
        raise RuntimeError("canary: the text of a memory")

    async def ask():
        seat = Seat({tool.name: tool}, fails)
        async with Client(make_server(lambda request: seat, Workshop(1))) as client:
            return await client.call_tool(tool.name, {})

    answer = anyio.run(ask)

    assert answer.is_error
    assert answer.structured_content["error"]["code"] == "E0000"
    assert "RuntimeError" in answer.content[0].text
    assert "canary" not in answer.model_dump_json()


def test_an_agent_is_not_offered_what_concerns_the_whole_store(tmp_path):
    with Talk(tmp_path / "store", "--tools", "full") as talk:
        talk.begin()
        agent = {tool["name"] for tool in talk.ask(request(1, "tools/list"))["result"]["tools"]}
        refused = talk.ask(request(2, "tools/call", name="issue_key", arguments={"name": "me"}))

    assert {"remember", "approve", "scan", "memory_store"} <= agent
    assert not agent & {"issue_key", "configure", "backup", "doctor", "scopes"}
    assert refused["error"]["code"] == -32602


def test_a_read_only_server_writes_nothing(store_path):
    with Talk(store_path, "--policy", "read-only", "--tools", "full") as talk:
        talk.send(INITIALIZE, INITIALIZED)
        talk.answer()
        tools = talk.ask(request(1, "tools/list"))["result"]["tools"]
        refused = talk.ask(request(2, "tools/call", name="remember", arguments={"text": "A."}))

    writing = [tool["name"] for tool in tools if not tool["annotations"]["readOnlyHint"]]
    assert writing == ["memory_feedback", "feedback"]
    assert refused["error"]["code"] == -32602


def test_only_the_adapter_knows_the_sdk():
    folder = Path(make_server.__code__.co_filename).parent
    knowing = set()
    for path in folder.parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if any(name.split(".")[0] in ("mcp", "mcp_types") for name in names):
                knowing.add(path.name)

    assert knowing == {"adapter.py"}
