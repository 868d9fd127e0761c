"""What the command line says about itself, and the tour it gives."""

import pytest
from command_line import invoke

from engram import Engram

COMMANDS = """
remember observe harvest scan recall why reason tool-context context feedback
episodes knowledge skills working shell demo
list show history audit timeline stats entity profile topics gaps links
overview domains models tokens
revise forget undo pin unpin promote demote verify status tier erase relate unrelate
approve reject review
install hook block
mcp serve webhooks daemon dream health doctor backup restore export import
embed config keys eval help
""".split()


def _help(*words: str) -> str:
    found = invoke([*words, "--help"], env={"COLUMNS": "200"})
    assert found.exit_code == 0
    return found.stdout


def test_the_help_lists_every_command_in_order():
    listed = [line.split()[0] for line in _help().splitlines() if line.startswith("  ")]

    assert listed == [
        *COMMANDS, "--version", "--install-completion", "--show-completion", "--help",
    ]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_help_with_an_example_and_the_shared_options(command):
    text = _help(command)

    assert text.startswith(f"Usage: engram {command} [OPTIONS]")
    assert f"  $ engram {command}" in text
    for option in ("--store", "--scope", "--within", "--json"):
        assert option in text


def test_an_unknown_command_is_wrong_usage():
    assert invoke(["rememberr"]).exit_code == 2


def test_the_version_is_shown():
    from engram import __version__

    assert invoke(["--version"]).stdout == f"engram {__version__}\n"


def test_every_step_of_the_demo_holds(spawn, store):
    answer = spawn("demo", "--json")

    assert answer.code == 0
    document = answer.document
    assert document["held"] is True
    assert all(step["held"] and step["seen"] for step in document["steps"])
    assert len(document["steps"]) == 13
    assert not list(store.glob("*.db-wal"))
    with Engram.open(store) as untouched:
        assert untouched.list(status="any") == []


def test_the_demo_can_be_kept_and_looked_at(spawn, tmp_path):
    shown = spawn("demo", "--keep", tmp_path / "kept")

    kept = spawn("list", "--store", tmp_path / "kept", "--json").document["memories"]

    assert shown.code == 0
    assert "Every step held" in shown.out
    assert any("pnpm" in each["content"] for each in kept)
    assert spawn("demo", "--keep", tmp_path / "kept", "--json").error_code == "E1007"


def test_a_demo_whose_step_does_not_hold_exits_1(monkeypatch):
    from engram.engine import Engram

    def forgetful(self, *arguments, **options):
        return self.get("mem-0001")

    monkeypatch.setattr(Engram, "revise", forgetful)

    answer = invoke(["demo"])

    assert answer.exit_code == 1
    assert "did not hold" in answer.stdout
