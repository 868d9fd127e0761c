"""Exports and imports by the command line."""

import json
import stat
from pathlib import Path

import pytest
from command_line import invoke

from engram import Engram


@pytest.fixture
def quick(monkeypatch) -> None:
    monkeypatch.setenv("ENGRAM_SHARING__EXPORT_WORK", "10")
    monkeypatch.setenv("ENGRAM_EXPORT_PASSPHRASE", "from the environment")


def texts(store: Path) -> set[str]:
    with Engram.open(store) as engram:
        return {memory.content for memory in engram.list()}


@pytest.mark.usefixtures("quick")
def test_memories_go_out_and_come_in(run, store, tmp_path):
    run("remember", "Ada lives in Porto.")

    told = run("export", tmp_path / "out.age", "--json")

    assert told.code == 0
    assert told.document["is_encrypted"] is True
    assert told.document["counts"] == {"memory": 1}
    assert stat.S_IMODE((tmp_path / "out.age").stat().st_mode) == 0o600
    taken = run("import", tmp_path / "out.age", "--within", "project=acme", "--json")
    assert taken.code == 0
    assert taken.document["taken_in"] == 1
    assert taken.document["outcomes"]["stored"] == 1


@pytest.mark.usefixtures("quick")
def test_people_are_told_what_became_of_it(run, tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text('{"text": "One."}\n{broken\n{"text": "Do so.", "category": "instruction"}\n')

    told = run("import", path)

    assert told.code == 1
    assert "Imported as imp-" in told.out
    assert "1 stored" in told.out
    assert "not JSON" in told.out
    assert "engram review" in told.out
    assert "engram undo imp-" in told.out
    again = run("import", path)
    assert "is in already" in again.out


def test_a_whole_import_is_taken_back(run, store, tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text('{"text": "One."}\n{"text": "Two."}\n')
    import_id = run("import", path, "--json").document["id"]

    told = run("import", "--undo", import_id, "--json")

    assert told.code == 0
    assert len(told.document["memories"]) == 2
    assert texts(store) == set()
    assert run("undo", f"{import_id}:undo").code == 0
    assert texts(store) == {"One.", "Two."}
    listed = run("import", "--list", "--json").document["imports"]
    assert [each["id"] for each in listed] == [import_id]
    assert run("undo", import_id).code == 0
    assert "undone" in run("import", "--list").out


@pytest.mark.usefixtures("quick")
def test_a_readable_export_has_to_be_said_twice(run, tmp_path):
    run("remember", "One.")

    for given in ((), ("--plaintext",), ("--yes",)):
        refused = run("export", tmp_path / "out.jsonl", "--format", "jsonl", *given)
        assert refused.code == 2
        assert not (tmp_path / "out.jsonl").exists()
    made = run("export", tmp_path / "out.jsonl", "--format", "jsonl", "--plaintext", "--yes")

    assert made.code == 0
    assert "Anybody who gets the file" in made.out
    assert json.loads((tmp_path / "out.jsonl").read_text().splitlines()[1])["text"] == "One."


def test_a_format_that_no_export_has_is_refused_first(run, tmp_path):
    refused = run("export", tmp_path / "out.csv", "--format", "csv", "--json")

    assert "jsonl" in refused.document["error"]["hint"]


@pytest.mark.usefixtures("quick")
def test_only_items_are_counted_not_the_ends_of_an_export(run, tmp_path):
    run("remember", "One.")
    run("remember", "Two.")
    path = tmp_path / "out.jsonl"
    run("export", path, "--format", "jsonl", "--plaintext", "--yes")

    assert "2 items" in run("import", path, "--dry-run").out
    assert run("import", path, "--json").document["items"] == 2
    assert run("import", "--list", "--json").document["imports"][0]["items"] == 2


def test_a_passphrase_comes_on_the_input_and_never_as_an_argument(run, tmp_path, monkeypatch):
    monkeypatch.setenv("ENGRAM_SHARING__EXPORT_WORK", "10")
    run("remember", "One.")

    made = run("export", tmp_path / "out.age", typed="typed words\n")
    opened = run("import", tmp_path / "out.age", "--dry-run", "--json", typed="typed words\n")
    wrong = run("import", tmp_path / "out.age", "--json", typed="other words\n")
    none = run("export", tmp_path / "none.age", typed="")
    unsaid = run("import", tmp_path / "out.age", "--json", typed="")

    assert made.code == 0
    assert opened.document["form"] == "export"
    assert wrong.error_code == "E4018"
    assert "other words" not in wrong.out + wrong.err
    assert "ENGRAM_EXPORT_PASSPHRASE" in unsaid.document["error"]["hint"]
    assert none.code == 2
    assert not (tmp_path / "none.age").exists()
    assert "--passphrase" not in run("export", "--help").out


@pytest.mark.usefixtures("quick")
def test_one_persons_memories_can_be_had(run, tmp_path):
    run("remember", "She likes tea.", "--subject", "Ada")
    run("remember", "He likes rum.", "--subject", "Bob")

    run(
        "export", tmp_path / "a.md", "--subject", "ada", "--format", "markdown", "--plaintext", "-y"
    )

    text = (tmp_path / "a.md").read_text()
    assert "tea" in text
    assert "rum" not in text


def test_a_refused_file_is_told_with_a_hint(run, tmp_path):
    (tmp_path / "in.zip").write_bytes(b"PK\x03\x04" + bytes(100))

    refused = run("import", tmp_path / "in.zip", "--json")

    assert refused.code == 1
    assert refused.error_code == "E4017"
    assert "zip" in refused.document["error"]["hint"]


def test_a_dry_run_needs_no_store(tmp_path):
    (tmp_path / "in.jsonl").write_text('{"text": "One."}\n')
    where = ["--store", str(tmp_path / "nowhere"), "--json"]

    found = invoke(["import", str(tmp_path / "in.jsonl"), "--dry-run", *where])

    assert found.exit_code == 0
    assert json.loads(found.stdout)["outcomes"] == {"would_be_taken_in": 1}
    assert not (tmp_path / "nowhere").exists()


def test_one_thing_at_a_time(run, tmp_path):
    assert run("import").code == 2
    assert run("import", tmp_path / "x", "--list").code == 2


def test_a_person_types_the_passphrase_twice_and_a_word_to_have_it_readable(terminal, tmp_path):
    work = {"ENGRAM_SHARING__EXPORT_WORK": "10"}
    careless = terminal("export", tmp_path / "a.age", **work)
    careless.answer("Passphrase for the export: ", "open sesame")
    careless.answer("Once more: ", "open sesamy")
    careful = terminal("export", tmp_path / "b.age", **work)
    careful.answer("Passphrase for the export: ", "open sesame")
    careful.answer("Once more: ", "open sesame")
    hesitant = terminal("export", tmp_path / "c.md", "--format", "markdown", "--plaintext")
    hesitant.answer("to go on: ", "yes")
    willing = terminal("export", tmp_path / "d.md", "--format", "markdown", "--plaintext")
    willing.answer("to go on: ", "plaintext")

    assert [each.leave() for each in (careless, careful, hesitant, willing)] == [2, 0, 1, 0]
    assert {each.name for each in tmp_path.glob("?.*")} == {"b.age", "d.md"}
    assert "open sesame" not in careful.seen
