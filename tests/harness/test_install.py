"""Installing and uninstalling: every file of theirs is as it was, byte for byte."""

import json
import os
import stat
import tempfile
import threading
import time
import tomllib
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from engram.errors import EngramError, HarnessUnreadable, InvalidInput
from engram.surfaces.harness import files, record
from engram.surfaces.harness.install import uninstall
from engram.surfaces.harness.known import KNOWN, Form
from engram.surfaces.harness.plan import Added, Wish, plan
from tests.harness.conftest import PROGRAM, everything_in, places_in, put_in
from tests.harness.files_of_others import json_texts, toml_texts

NAMES = [harness.name for harness in KNOWN]
CLAUDE = ".claude/settings.json"


def texts_for(harness) -> st.SearchStrategy[str]:
    """Files as this harness may have them."""
    containers = ((harness.server.path[0],), ("hooks",))
    commented = json_texts(containers, is_commented=True)
    return toml_texts() if harness.server.form is Form.TOML else commented


@pytest.mark.parametrize("harness", KNOWN, ids=NAMES)
def test_uninstalling_restores_every_file_of_a_harness_byte_for_byte(harness):
    @settings(max_examples=6, phases=[Phase.generate])
    @given(texts_for(harness), json_texts((("hooks",),), is_commented=True), st.booleans())
    def check(server_text, hooks_text, is_there):
        with tempfile.TemporaryDirectory() as folder:
            places = places_in(Path(folder))
            wish = Wish(program=PROGRAM, python="python", allow="memory-aware")
            made = plan(harness, wish, places, is_there=Path.exists)
            theirs = [change.path for change in made.changes if not isinstance(change, Added)]
            for path, text in zip(theirs, (server_text, hooks_text), strict=False):
                path.parent.mkdir(parents=True, exist_ok=True)
                if is_there or path == theirs[0]:
                    path.write_bytes(text.encode())
            before = everything_in(places.home)

            put_in(places, harness.name, allow="memory-aware")
            assert everything_in(places.home) != before
            uninstall(harness.name, None, places)

            after = everything_in(places.home)
            ours = [".config", ".config/engram", ".config/engram/installations.json"]
            assert {name: text for name, text in after.items() if name not in ours} == (
                {name: text for name, text in before.items() if name not in ours}
            )

    check()


@pytest.mark.parametrize("name", NAMES)
def test_a_home_without_any_files_is_as_empty_afterwards(name, places, put, take):
    put(name)
    take(name)

    left = set(everything_in(places.home))
    assert left <= {".config", ".config/engram", ".config/engram/installations.json"}


@pytest.mark.parametrize("name", NAMES)
def test_installing_twice_changes_nothing(name, places, put):
    put(name)
    before = everything_in(places.home)

    outcomes = put(name)

    assert {outcome.what for outcome in outcomes} == {"same"}
    assert everything_in(places.home) == before


@pytest.mark.parametrize("name", NAMES)
def test_a_dry_run_touches_nothing(name, places, put):
    outcomes = put(name, dry_run=True)

    assert outcomes
    assert everything_in(places.home) == {}


@pytest.mark.parametrize("name", [each.name for each in KNOWN if each.server.spot.project])
def test_a_project_gets_files_of_its_own(name, places, put, take, tmp_path):
    project = tmp_path / "project"
    (project / "src").mkdir(parents=True)
    before = everything_in(project)

    put(name, project=project, scope="project=acme")

    texts = [text for text in everything_in(project).values() if text]
    assert any(b"project=acme" in text for text in texts)
    take(name, project)
    assert everything_in(project) == before


@pytest.mark.parametrize("name", ["windsurf", "cline", "claude-desktop"])
def test_a_harness_without_servers_for_a_project_says_so(name, put, tmp_path):
    with pytest.raises(InvalidInput, match="--user"):
        put(name, project=tmp_path)


def test_other_options_replace_what_was_installed_before(places, put, take):
    settings_file = places.home / CLAUDE
    settings_file.parent.mkdir()
    settings_file.write_text('{\n  "model": "opus" // mine\n}\n')
    before = everything_in(places.home)

    put("claude-code", allow="memory-aware")
    put("claude-code", has_hooks=False, tools="full", store="/srv/store")

    entry = json.loads((places.home / ".claude.json").read_text())["mcpServers"]["engram"]
    assert entry["args"][2:] == [
        "mcp", "--store", "/srv/store", "--scope", "project=.", "--tools", "full",
    ]  # fmt: skip
    assert settings_file.read_bytes() == before[CLAUDE]
    take("claude-code")
    assert {name: text for name, text in everything_in(places.home).items() if name in before} == (
        before
    )


def test_what_others_changed_since_stays(places, put, take):
    put("claude-code")
    settings_file = places.home / CLAUDE
    document = json.loads(settings_file.read_text())
    document["model"] = "opus"
    document["hooks"]["Stop"].append({"hooks": [{"type": "command", "command": "say done"}]})
    settings_file.write_text(json.dumps(document))

    outcomes = {outcome.path.name: outcome for outcome in take("claude-code")}

    assert json.loads(settings_file.read_text()) == {
        "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]},
        "model": "opus",
    }
    assert outcomes["settings.json"].detail == "others have changed it since"
    assert outcomes[".claude.json"].what == "removed"


def test_a_version_that_others_rely_on_by_now_stays(places, put, take):
    put("cursor")
    hooks = places.home / ".cursor" / "hooks.json"
    document = json.loads(hooks.read_text())
    document["hooks"]["stop"] = [{"command": "theirs"}]
    hooks.write_text(json.dumps(document))

    take("cursor")

    assert json.loads(hooks.read_text()) == {
        "version": 1,
        "hooks": {"stop": [{"command": "theirs"}]},
    }


def test_an_entry_that_was_altered_by_hand_stops_the_uninstalling_before_anything_is_changed(
    places, put, take
):
    put("claude-code")
    config = places.home / ".claude.json"
    config.write_text(config.read_text().replace('"mcp"', '"mcp2"'))
    before = everything_in(places.home)

    with pytest.raises(HarnessUnreadable, match=r"/\.claude\.json: `mcpServers"):
        take("claude-code")

    assert everything_in(places.home) == before


def test_an_entry_that_somebody_took_out_already_is_no_obstacle(places, put, take):
    put("cursor")
    (places.home / ".cursor" / "mcp.json").write_text("{}")

    take("cursor")

    assert take("cursor") is None


def test_a_file_that_cannot_be_read_stops_everything_before_anything_is_changed(places, put):
    settings_file = places.home / CLAUDE
    settings_file.parent.mkdir()
    settings_file.write_text('{"hooks": [}')
    before = everything_in(places.home)

    with pytest.raises(HarnessUnreadable, match=r"/\.claude/settings\.json: .* line 1"):
        put("claude-code")

    assert everything_in(places.home) == before


@pytest.mark.parametrize("content", [b"\xff\xfe{\x00}\x00", b'{"a": "\xff"}'])
def test_what_is_not_utf8_is_refused(places, put, content):
    (places.home / ".claude.json").write_bytes(content)

    with pytest.raises(HarnessUnreadable, match="UTF-8"):
        put("claude-code")


def test_what_is_no_file_is_refused_and_never_waited_for(places, put):
    os.mkfifo(places.home / ".claude.json")

    with pytest.raises(HarnessUnreadable, match="not a file"):
        put("claude-code")


def test_a_link_is_followed_and_stays_a_link(places, put, take, tmp_path):
    kept = tmp_path / "dotfiles" / "claude.json"
    kept.parent.mkdir()
    kept.write_text('{"theme": "dark"}')
    link = places.home / ".claude.json"
    link.symlink_to(kept)

    put("claude-code")

    assert link.is_symlink()
    assert "engram" in json.loads(kept.read_text())["mcpServers"]
    take("claude-code")
    assert link.is_symlink()
    assert kept.read_text() == '{"theme": "dark"}'


@pytest.mark.parametrize(
    ("link", "target"), [(".mcp.json", "secret.json"), (".claude/commands", "folder")]
)
def test_a_link_that_leads_out_of_a_project_is_refused(places, put, tmp_path, link, target):
    project, outside = tmp_path / "project", tmp_path / "outside"
    (project / link).parent.mkdir(parents=True)
    (outside / "folder").mkdir(parents=True)
    (outside / "secret.json").write_text('{"a": 1}')
    (project / link).symlink_to(outside / target)
    before = everything_in(outside), everything_in(project)

    with pytest.raises(HarnessUnreadable, match="out of the project") as refused:
        put("claude-code", project=project, scope="project=acme")

    assert link in refused.value.hint
    assert (everything_in(outside), everything_in(project)) == before


def test_a_link_inside_a_project_is_followed(places, put, take, tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    (project / "servers.json").write_text('{"a": 1}')
    (project / ".mcp.json").symlink_to("servers.json")

    put("claude-code", project=project, scope="project=acme")
    assert "engram" in json.loads((project / "servers.json").read_text())["mcpServers"]

    take("claude-code", project)
    assert (project / "servers.json").read_text() == '{"a": 1}'


def test_uninstalling_does_not_follow_a_link_that_leads_out_of_a_project_since(
    places, put, take, tmp_path
):
    project, outside = tmp_path / "project", tmp_path / "outside.json"
    project.mkdir()
    put("claude-code", project=project, scope="project=acme")
    (project / ".mcp.json").rename(outside)
    (project / ".mcp.json").symlink_to(outside)
    before = outside.read_bytes()

    outcomes = {outcome.path.name: outcome.what for outcome in take("claude-code", project)}

    assert (outcomes[".mcp.json"], outcomes["recall.md"]) == ("left", "removed")
    assert outside.read_bytes() == before


def test_a_link_in_a_circle_is_refused(places, put):
    link = places.home / ".claude.json"
    link.symlink_to(link)

    with pytest.raises(HarnessUnreadable):
        put("claude-code")


def test_mode_is_kept_and_the_backup_is_private(places, put):
    config = places.home / ".claude.json"
    config.write_text("{}")
    config.chmod(0o640)

    put("claude-code")

    assert stat.S_IMODE(config.stat().st_mode) == 0o640
    (backup,) = (places.own / "harness-backups").iterdir()
    assert backup.read_text() == "{}"
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert stat.S_IMODE((places.own / "installations.json").stat().st_mode) == 0o600


def test_a_file_that_changes_under_our_hands_is_not_overwritten(places, tmp_path):
    path = tmp_path / "settings.json"
    path.write_text("{}")
    found = files.read(path)
    path.write_text('{"theirs": 1}')

    with pytest.raises(HarnessUnreadable, match="just now"):
        files.replace(found, b"ours")

    assert path.read_text() == '{"theirs": 1}'
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith(".tmp")] == []


def test_an_installation_that_was_interrupted_can_be_taken_back(places, put, take, monkeypatch):
    (places.home / ".claude.json").write_text("{}\n")
    before = everything_in(places.home)
    replace, done = files.replace, []

    def stop_at_the_second(*arguments, **options):
        if done:
            raise OSError("the power is gone")
        done.append(arguments)
        replace(*arguments, **options)

    monkeypatch.setattr(files, "replace", stop_at_the_second)
    with pytest.raises(OSError, match="power"):
        put("claude-code")
    monkeypatch.undo()

    take("claude-code")

    left = everything_in(places.home)
    assert {name: text for name, text in left.items() if text and "engram" not in name} == before


def test_a_command_of_that_name_that_is_there_already_is_left_alone(places, put, take):
    own = places.home / ".claude" / "commands" / "recall.md"
    own.parent.mkdir(parents=True)
    own.write_text("mine")

    outcomes = {outcome.path.name: outcome.what for outcome in put("claude-code")}

    assert (outcomes["recall.md"], outcomes["remember.md"]) == ("left", "added")
    take("claude-code")
    assert own.read_text() == "mine"


def test_a_command_that_was_edited_since_is_left_alone(places, put, take):
    put("claude-code")
    own = places.home / ".claude" / "commands" / "recall.md"
    own.write_text("my version")

    take("claude-code")

    assert own.read_text() == "my version"
    assert not (own.parent / "remember.md").exists()


def test_a_damaged_record_is_said_and_nothing_is_done(places, put):
    put("claude-code")
    (places.own / "installations.json").write_text('{"installations": [{}]}')
    before = everything_in(places.home)

    with pytest.raises(HarnessUnreadable, match="damaged"):
        put("claude-code")

    assert everything_in(places.home) == before


def test_the_tools_that_need_no_asking_are_listed_where_a_harness_has_such_a_list(places, put):
    put("claude-code", allow="read-only")
    put("cline", allow="memory-aware")

    allowed = json.loads((places.home / CLAUDE).read_text())["permissions"]["allow"]
    assert allowed == [
        f"mcp__engram__{tool}" for tool in ("memory_search", "memory_list", "memory_reason")
    ]
    (cline,) = places.home.glob(".cline/**/cline_mcp_settings.json")
    approved = json.loads(cline.read_text())["mcpServers"]["engram"]["autoApprove"]
    assert "memory_store" in approved
    assert "memory_delete" not in approved


def test_every_file_that_is_written_can_be_read_by_its_program(places, put):
    for name in NAMES:
        put(name)

    for path in filter(Path.is_file, places.home.rglob("*")):
        if path.suffix == ".json":
            json.loads(path.read_text())
        elif path.suffix == ".toml":
            tomllib.loads(path.read_text())
        elif path.parent.name == "Hooks":
            assert os.access(path, os.X_OK)
    config = tomllib.loads((places.home / ".codex" / "config.toml").read_text())
    assert config["mcp_servers"]["engram"]["command"] == PROGRAM[0]


def test_no_secret_and_no_environment_goes_into_a_file(places, put, monkeypatch):
    monkeypatch.setenv("ENGRAM_PASSPHRASE", "correct horse battery")
    for name in NAMES:
        put(name)

    for path in filter(Path.is_file, places.home.rglob("*")):
        assert b"correct horse" not in path.read_bytes()
        assert b'"env"' not in path.read_bytes()


@pytest.mark.parametrize("wish", [{"tools": "all"}, {"allow": "everything"}])
def test_a_wish_that_nobody_knows_is_refused(wish):
    with pytest.raises(EngramError):
        Wish(program=PROGRAM, python="python", **wish)


def test_what_was_installed_while_uninstalling_waited_is_taken_out_too(places, put, take):
    put("claude-code", has_hooks=False)
    first = everything_in(places.home)
    put("claude-code")
    second = everything_in(places.home)
    _lay_out(places.home, first)
    waiting = threading.Thread(target=take, args=("claude-code",))

    with files.one_at_a_time(places.own):
        waiting.start()
        time.sleep(0.1)  # for it to read what it should not go by, and to come to the lock
        _lay_out(places.home, second)
    waiting.join()

    left = set(everything_in(places.home))
    assert left <= {".config", ".config/engram", ".config/engram/installations.json"}


def test_what_another_has_taken_out_meanwhile_is_not_there_any_more(places, put, take):
    put("claude-code")
    answers: list[object] = []
    waiting = threading.Thread(target=lambda: answers.append(take("claude-code")))

    with files.one_at_a_time(places.own):
        waiting.start()
        time.sleep(0.1)
        record.save(places, [])
    waiting.join()

    assert answers == [None]
    assert (places.home / ".claude.json").exists()


def _lay_out(home: Path, content: dict[str, bytes | None]) -> None:
    """Make a home what it was."""
    for name in set(everything_in(home)) - set(content):
        if (home / name).is_file():
            (home / name).unlink()
    for name, text in content.items():
        if text is None:
            (home / name).mkdir(exist_ok=True)
        else:
            (home / name).write_bytes(text)


@pytest.mark.parametrize("version", [2, None, "1"])
def test_a_record_of_another_version_is_not_read_and_not_written(places, put, take, version):
    put("claude-code")
    path = places.own / record.NAME
    path.write_text(json.dumps({**json.loads(path.read_text()), "version": version}))
    before = everything_in(places.home)

    for act in (put, take):
        with pytest.raises(HarnessUnreadable, match="newer Engram"):
            act("claude-code")

    assert everything_in(places.home) == before


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("mine")

    with pytest.raises(HarnessUnreadable, match="cannot be made"):
        files.make_folders(tmp_path / "file" / "folder")
