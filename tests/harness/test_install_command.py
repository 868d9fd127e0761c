"""`engram install`, `engram block` and `engram hook`, as they are typed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import invoke

from engram import Engram, Scope
from engram.surfaces.harness.check import examine, look
from engram.surfaces.harness.known import KNOWN
from engram.surfaces.harness.record import Installation
from engram.version import __version__
from tests.harness.conftest import everything_in


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / ".config"))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    return folder


@pytest.fixture
def typed(home: Path):
    def run(*words: object, code: int = 0):
        done = invoke([*map(str, words), "--json"])
        assert done.exit_code == code, done
        return json.loads(done.stdout) if done.stdout else None

    return run


def test_the_list_says_what_is_here_and_what_is_installed(typed, home):
    (home / ".codex").mkdir()
    typed("install", "codex")

    listed = typed("install")

    assert {each["name"]: each["found"] for each in listed["harnesses"]} == {
        harness.name: harness.name == "codex" for harness in KNOWN
    }
    assert [(each["harness"], each["fine"]) for each in listed["installations"]] == [
        ("codex", True)
    ]


def test_what_is_installed_is_taken_out_again(typed, home):
    (home / ".claude.json").write_text('{"a": 1}')
    before = everything_in(home)

    installed = typed("install", "claude-code", "--allow", "read-only")
    removed = typed("install", "claude-code", "--uninstall")

    assert installed["files"][0]["what"] == "changed"
    assert {each["what"] for each in removed["files"]} == {"restored", "removed"}
    left = everything_in(home)
    assert {name: text for name, text in left.items() if "config" not in name} == before
    assert typed("install", "claude-code", "--uninstall", code=1)["error"]["code"] == "E4005"


def test_printing_and_trying_change_nothing(typed, home):
    printed = typed("install", "codex", "--print")
    tried = typed("install", "codex", "--dry-run")

    assert "[mcp_servers.engram]" in printed["files"][0]["text"]
    assert "[mcp_servers.engram]" in tried["files"][0]["insertions"][0]
    assert everything_in(home) == {}


def test_what_is_printed_for_people_is_not_wrapped(home):
    done = invoke(["install", "gemini", "--print"], env={"COLUMNS": "40"})

    start = done.stdout.index("{")
    json.loads(done.stdout[start : done.stdout.rindex("}\n", 0, done.stdout.index(".toml")) + 1])


def test_a_program_that_is_not_found_for_certain_is_only_told_about(typed, home):
    told = typed("install", "claude-desktop")

    assert "nothing was written" in told["notes"][0]
    assert everything_in(home) == {}


def test_a_project_is_named_in_what_is_installed_for_it(typed, home, tmp_path):
    project = tmp_path / "Acme API"
    project.mkdir()

    typed("install", "claude-code", "--project", project)

    entry = json.loads((project / ".mcp.json").read_text())["mcpServers"]["engram"]
    assert entry["args"][-2:] == ["--scope", "project=acme-api"]
    assert Path(entry["command"]).is_absolute()
    hooks = (project / ".claude" / "settings.local.json").read_text()
    assert "project=acme-api" in hooks


@pytest.mark.parametrize(
    "words", [("install", "emacs"), ("install", "codex", "--tools", "all"),
              ("install", "codex", "--project", "/no/such/folder")],
)  # fmt: skip
def test_what_is_not_known_is_refused_with_a_hint(typed, words):
    assert typed(*words, code=1)["error"]["code"] == "E4005"


def test_what_to_take_out_has_to_be_named(home):
    done = invoke(["install", "--uninstall"])

    assert done.exit_code == 2


def installation(**changes: object) -> Installation:
    program = (sys.executable, "-m", "engram")
    fields = {
        "harness": "codex", "project": None, "version": __version__, "at": "", "program": program,
        "server": (*program, "mcp"), "hook": (sys.executable, "-m", "engram.surfaces.harness"),
    }  # fmt: skip
    return Installation(**{**fields, **changes})


def test_the_doctor_starts_what_was_installed(tmp_path, monkeypatch):
    monkeypatch.setenv("ENGRAM_STORE", str(tmp_path / "store"))

    findings = {each.what: each for each in examine(installation())}

    assert all(each.is_fine for each in findings.values()), findings
    assert {"server", "hooks", "version", "initialize"} <= set(findings)


def test_the_doctor_finds_what_is_gone_or_does_not_answer():
    gone = look(installation(server=("/no/such/engram", "mcp")))
    silent = examine(installation(server=("/bin/true",), program=("/bin/echo", "0.0.0")))

    assert [each.what for each in gone if not each.is_fine] == ["server"]
    assert {each.what for each in silent if not each.is_fine} == {"version", "initialize"}


def test_the_doctor_finds_hooks_that_cannot_work(tmp_path, monkeypatch):
    monkeypatch.setenv("ENGRAM_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("ENGRAM_KEY", "rubbish")

    findings = [each for each in examine(installation()) if not each.is_fine]

    (hooks,) = [each for each in findings if each.what == "hooks"]
    assert "a hook fails: [E" in hooks.detail
    assert "rubbish" not in hooks.detail


def test_the_doctor_asks_hooks_about_the_store_that_was_installed(tmp_path):
    store = tmp_path / "store"
    store.write_text("no folder")

    findings = examine(installation(store=str(store), server=("/bin/true", "--scope", "project=a")))

    (hooks,) = [each for each in findings if each.what == "hooks" and not each.is_fine]
    assert "E1007" in hooks.detail


def test_the_doctor_finds_a_hook_that_says_nothing(tmp_path):
    findings = examine(installation(hook=("/bin/true",), server=("/bin/true",)))

    assert ("hooks", "a hook does not answer") in [(each.what, each.detail) for each in findings]


def test_a_check_says_by_its_exit_code_that_something_is_wrong(typed, home):
    typed("install", "cursor")
    (home / ".cursor" / "mcp.json").write_text("{}")

    checked = typed("install", "cursor", "--check", code=1)

    (only,) = checked["installations"]
    assert not only["fine"]
    assert any("not in it any more" in each["detail"] for each in only["findings"])


def test_a_block_is_kept_by_a_command(typed, tmp_path):
    store, file = tmp_path / "store", tmp_path / "AGENTS.md"
    with Engram.open(store) as engram:
        engram.remember("Tests must pass before a merge.", category="decision")

    assert (
        typed("block", file, "--check", "--store", store, code=1)["files"][0]["block"] == "missing"
    )
    assert typed("block", file, "--store", store)["files"][0]["block"] == "added"
    assert typed("block", file, "--check", "--store", store)["files"][0]["block"] == "same"
    assert typed("block", file, "--remove")["files"][0]["block"] == "removed"
    assert not file.exists()


@pytest.mark.parametrize("name", ["AGENTS.md", ".github/copilot-instructions.md"])
def test_a_block_is_that_of_the_project_of_its_folder_as_the_hooks_have_it(typed, tmp_path, name):
    store, file = tmp_path / "store", tmp_path / "Acme API" / name
    file.parent.mkdir(parents=True)
    with Engram.open(store) as engram:
        for project in ("acme-api", "other"):
            scope = Scope(project=project)
            engram.remember(f"Rule of {project}.", category="decision", scope=scope)

    (written,) = typed("block", file, "--store", store)["files"]
    told = json.dumps({"cwd": str(tmp_path / "Acme API")})
    _session_begins(store, told)
    (checked,) = typed("block", file, "--check", "--store", store)["files"]

    assert (written["block"], written["project"]) == ("added", "acme-api")
    assert (checked["block"], checked["project"]) == ("same", "acme-api")
    assert "Rule of acme-api." in file.read_text()
    assert "Rule of other." not in file.read_text()


def _session_begins(store: Path, told: str) -> None:
    words = ("session-start", "--store", str(store), "--scope", "project=.")
    _typed_in_a_process("hook", *words, "--limit-seconds", "30", told=told)


def _typed_in_a_process(*words: str, told: str = "") -> subprocess.CompletedProcess[str]:
    """A hook ends its process when its time is up, counted from the start of that process."""
    command = [sys.executable, "-m", "engram", *words]
    return subprocess.run(command, input=told, capture_output=True, text=True, timeout=60)


def test_people_are_told_which_project_a_block_is_of(home, tmp_path):
    with Engram.open(tmp_path / "store") as engram:
        engram.remember("Tests must pass before a merge.", category="decision")
    (tmp_path / "acme").mkdir()

    words = ["block", str(tmp_path / "acme" / "AGENTS.md"), "--store", str(tmp_path / "store")]
    done = invoke(words, env={"COLUMNS": "400"})

    assert "a block was put in (project acme)" in done.stdout


def test_a_block_of_another_scope_is_left_as_it_is_by_the_hooks_of_this_one(typed, tmp_path):
    store, file = tmp_path / "store", tmp_path / "acme" / "AGENTS.md"
    file.parent.mkdir()
    with Engram.open(store) as engram:
        engram.remember("Rule of other.", category="decision", scope=Scope(project="other"))

    for option in ("--scope", "--within"):
        (written,) = typed("block", file, option, "project=other", "--store", store)["files"]
        _session_begins(store, json.dumps({"cwd": str(file.parent)}))

        assert written["project"] == "other"
        assert "Rule of other." in file.read_text()


def test_a_hook_can_be_tried_by_hand(typed, tmp_path):
    done = _typed_in_a_process("hook", "prompt", "--store", str(tmp_path / "none"))

    assert (done.returncode, done.stdout) == (0, "{}\n")
