"""The short way in reads what people type as the command line would, or leaves it alone."""

import subprocess
import sys

import pytest

from engram.surfaces.mcp.quick import understood
from engram.surfaces.mcp.serve import CALLERS, POLICIES, Wish


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], Wish()),
        (["--store", "a b", "--scope", "project=acme"], Wish("a b", "project=acme")),
        (["--scope=project=acme,agent=x"], Wish(scope="project=acme,agent=x")),
        (["--tools", "full", "--policy", "read-only"], Wish(tools="full", policy="read-only")),
        (["--as", "person"], Wish(caller="person")),
        (["--help"], None),
        (["--json"], None),
        (["--store"], None),
        (["--tools", "many"], None),
        (["--as", "owner"], None),
        (["--store", "a", "--store", "b"], None),
        (["extra"], None),
        (["--"], None),
    ],
)
def test_plain_options_are_understood_and_the_rest_is_left_to_the_command_line(words, expected):
    assert understood(words) == expected


def test_the_choices_are_those_that_there_are():
    from engram.memory.policies import Preset

    assert tuple(Preset) == POLICIES
    assert CALLERS == ("agent", "person")


def test_the_way_to_the_first_answer_loads_nothing_heavy():
    heavy = "{'typer', 'pydantic', 'mcp', 'anyio', 'asyncio', 'rich', 'numpy', 'apsw', 'starlette'}"
    code = f"import sys, engram.surfaces.mcp.quick; print({heavy} & set(sys.modules))"

    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert found.stdout.strip() == "set()"


def test_a_scope_that_is_none_ends_it_with_a_hint(tmp_path):
    code = "from engram.surfaces.mcp.quick import main; main()"
    words = ["mcp", "--store", str(tmp_path / "store"), "--scope", "nonsense"]

    found = subprocess.run(
        [sys.executable, "-c", code, *words], input=b"{}\n", capture_output=True, check=False
    )

    assert found.returncode == 1
    assert found.stdout == b""
    assert b"E4005" in found.stderr
