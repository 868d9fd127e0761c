"""The examples, run as they stand against a model server on this machine.

The packages of OpenAI, Anthropic and LangGraph are the real ones.
"""

import re
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path

import agents
import pytest
from providers.scripted_model import (
    ANTHROPIC_PATH,
    OPENAI_PATH,
    ScriptedModel,
    calls,
    says,
    scripted_model,
)

EXAMPLES = Path(__file__).parents[2] / "examples"
PAGE = EXAMPLES.parent / "docs" / "integrations.md"
FRAGMENTS = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
TOLD = "I prefer pnpm over npm."
ASKED = "Which package manager do I prefer?"


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedModel]:
    with scripted_model() as model:
        yield model


@pytest.fixture(autouse=True)
def _environment(server, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url.removesuffix("/v1"))
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
    monkeypatch.setenv("STORE", str(tmp_path / "store"))
    monkeypatch.setenv("MODEL", "some-model")
    for name in ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2"):
        monkeypatch.delenv(name, raising=False)


def example(name: str) -> dict[str, object]:
    return runpy.run_path(str(EXAMPLES / f"{name}.py"))


def test_the_openai_loop_remembers_and_calls_its_tools(server, capsys):
    server.will(says("Noted."), calls("clock", {}), says("You prefer pnpm."))

    example("openai_loop")["main"](TOLD, ASKED)

    assert capsys.readouterr().out.splitlines() == ["Noted.", "You prefer pnpm."]
    first, second, third = (each.document for each in server.asked)
    assert {each.path for each in server.asked} == {OPENAI_PATH}
    assert TOLD not in str(first["messages"][:-1])
    assert "pnpm over npm" in str(second["messages"])
    assert third["messages"][-1]["role"] == "tool"
    assert third["messages"][-1]["content"].startswith("20")


def test_the_anthropic_loop_remembers_and_calls_its_tools(server, capsys):
    server.will(says("Noted."), calls("clock", {}), says("You prefer pnpm."))

    example("anthropic_loop")["main"](TOLD, ASKED)

    assert capsys.readouterr().out.splitlines() == ["Noted.", "You prefer pnpm."]
    first, second, third = (each.document for each in server.asked)
    assert {each.path for each in server.asked} == {ANTHROPIC_PATH}
    assert [each["role"] for each in first["messages"]] == ["user"]
    assert first["max_tokens"] > 0
    assert "pnpm over npm" in str(second)
    assert third["messages"][-1]["content"][0]["type"] == "tool_result"
    assert third["messages"][-2]["content"][0]["type"] == "tool_use"


def test_the_langgraph_store_is_shared_by_the_runs_of_a_graph(server, capsys):
    server.will(says("Noted."), says("You prefer pnpm."))

    example("langgraph_store")["main"](TOLD, ASKED)

    assert capsys.readouterr().out.splitlines() == ["Noted.", "You prefer pnpm."]
    first, second = (each.document["messages"] for each in server.asked)
    assert "pnpm" not in first[0]["content"]
    assert f"memories/ada: {TOLD}" in second[0]["content"].partition("<engram-memories ")[2]


def test_the_session_of_an_agent_goes_on_and_what_it_told_is_known_in_another(server, capsys):
    server.will(says("Noted."), says("Indeed."), says("You prefer pnpm."))

    example("openai_agents_session")["main"](TOLD, "Do you follow?", ASKED)

    assert capsys.readouterr().out.splitlines() == ["Noted.", "Indeed.", "You prefer pnpm."]
    first, second, third = (each.document["messages"] for each in server.asked)
    assert len(first) == 2
    assert [each["role"] for each in second] == ["system", "user", "assistant", "user"]
    assert second[1]["content"] == TOLD
    assert len(third) == 2
    system = third[0]["content"]
    assert system.startswith("Be brief.")
    assert system.count("</engram-memories>") == 1
    assert system.endswith("</engram-memories>")
    assert TOLD in system.partition("<engram-memories ")[2]
    assert ASKED not in system


def test_the_decorator_gives_a_function_a_memory(server, capsys):
    server.will(says("Noted."), says("You prefer pnpm."))

    example("decorator")["main"](TOLD, ASKED)

    assert capsys.readouterr().out.splitlines() == ["Noted.", "You prefer pnpm."]
    second = server.asked[1].document["messages"]
    assert [each["role"] for each in second if each["role"] != "system"] == [
        "user", "assistant", "user",
    ]  # fmt: skip


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_an_example_to_which_nothing_is_said_tells_how_to_call_it(path, monkeypatch):
    monkeypatch.setattr(sys, "argv", [str(path)])

    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(path), run_name="__main__")

    assert f"python examples/{path.name} " in str(ended.value)
    assert "STORE=" in str(ended.value)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_an_example_uses_what_everybody_may_use(path):
    imported = re.findall(r"^from (engram\S*) import", path.read_text(), re.MULTILINE)

    assert imported
    assert all(name == "engram" or name.startswith("engram.integrations.") for name in imported)


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=["decorator", "langgraph", "agents"])
def test_what_the_page_shows_runs_as_it_stands(fragment, server, tmp_path, monkeypatch):
    agents.set_default_openai_api("chat_completions")
    agents.set_tracing_disabled(True)
    monkeypatch.chdir(tmp_path)
    server.will(says("You prefer pnpm."))

    exec(compile(fragment, PAGE.name, "exec"), {"__name__": "fragment"})

    assert (tmp_path / "my-store").is_dir()


def test_every_example_is_run_here():
    tried = {
        "openai_loop", "anthropic_loop", "langgraph_store", "openai_agents_session", "decorator",
    }  # fmt: skip

    assert {each.stem for each in EXAMPLES.glob("*.py")} == tried
