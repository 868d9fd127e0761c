"""Processes killed while they export and import: a file is whole or not there, and repeating an
import finishes it."""

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness_crew import Crew, Job

from engram.sharing.age import opened

TEXTS = [f"Canary-{number:03d} lies in the harbour." for number in range(23)]
KEY = "17" * 32
EXPORT_PLACES = ("export_begun", "export_page", "export_written", "export_audited", "export_linked")
IMPORT_PLACES = (
    ("import_begun", 0), ("import_before_commit", 0), ("import_before_commit", 3),
    ("import_after_commit", 0), ("import_after_commit", 2), ("before_commit", 4),
    ("after_row_before_index", 12), ("after_commit", 3),
)  # fmt: skip


@pytest.fixture
def crew(tmp_path: Path) -> Iterator[Crew]:
    made = Crew(tmp_path)
    yield made
    made.close()


@pytest.mark.failure("F55")
@pytest.mark.parametrize("form", ["age", "jsonl", "markdown"])
def test_an_export_that_is_killed_leaves_a_whole_file_or_none(
    crew: Crew, tmp_path: Path, form: str
) -> None:
    store, folder = str(tmp_path / "store"), tmp_path / "out"
    folder.mkdir()
    crew.run("fill", store, TEXTS)

    for place in EXPORT_PLACES:
        path = folder / f"{place}.{form}"
        assert crew.kill_at_failpoint(
            [Job("export_to", (store, str(path), form), failpoint=place)]
        ).is_marked
        assert path.exists() == (place == "export_linked")
        # Nothing else is there, whether it could be read or not.
        assert [each.name for each in folder.iterdir() if each != path] == []
        if path.exists():
            assert _is_whole(path, form)

    seen = crew.run("look", store)
    assert seen["texts"] == sorted(TEXTS)
    assert seen["exports"] == 2, "those that came as far as the audit"
    assert seen["is_intact"]
    crew.run("export_to", store, str(folder / f"again.{form}"), form)
    assert _is_whole(folder / f"again.{form}", form)


def _is_whole(path: Path, form: str) -> bool:
    file = path.read_bytes()
    if form == "age":
        assert b"Canary" not in file
        file = b"".join(opened(io.BytesIO(file), "p"))
    return all(text.encode() in file for text in TEXTS)


@pytest.mark.failure("F55", "F66")
@pytest.mark.parametrize("key", ["", KEY], ids=["plain", "encrypted"])
def test_an_import_that_is_killed_is_finished_by_repeating_it(
    crew: Crew, tmp_path: Path, key: str
) -> None:
    path = tmp_path / "brought.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS))

    for number, (place, skip) in enumerate(IMPORT_PLACES):
        store = str(tmp_path / f"store-{number}")
        crew.run("fill", store, [], key)
        job = Job("import_from", (store, str(path), key), failpoint=f"{place},,{skip}")
        assert crew.kill_at_failpoint([job]).is_marked, place
        halfway = crew.run("look", store, key)
        assert set(halfway["texts"]) <= set(TEXTS)
        assert halfway["is_intact"]

        crew.run("import_from", store, str(path), key)

        done = crew.run("look", store, key)
        assert done["texts"] == sorted(TEXTS), place
        assert done["confirmations"] == 0
        assert len(done["imports"]) == 1, "one import, however often it was begun"
        assert done["imports"][0][1]
        assert done["is_intact"]
        assert done["leftovers"] == []
        assert crew.run("import_from", store, str(path), key)["known"]


def test_an_import_that_was_killed_can_be_taken_back(crew: Crew, tmp_path: Path) -> None:
    store, path = str(tmp_path / "store"), tmp_path / "brought.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS))
    job = Job("import_from", (store, str(path)), failpoint="import_after_commit,,1")
    assert crew.kill_at_failpoint([job]).is_marked
    ((import_id, is_done),) = crew.run("look", store)["imports"]

    undoing = Job("undo_import", (store, import_id), failpoint="before_commit,,0")
    assert crew.kill_at_failpoint([undoing]).is_marked
    assert len(crew.run("look", store)["texts"]) == 10, "all of it or nothing"
    crew.run("undo_import", store, import_id)

    assert not is_done
    assert crew.run("look", store)["texts"] == []


def test_two_processes_that_import_one_file_bring_it_in_once(crew: Crew, tmp_path: Path) -> None:
    store, path = str(tmp_path / "store"), tmp_path / "brought.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS))
    crew.run("fill", store, [])

    aftermath = crew.kill_after([Job("import_from", (store, str(path)))] * 3, 20.0)

    assert aftermath.errors == []
    seen = crew.run("look", store)
    assert seen["texts"] == sorted(TEXTS)
    assert seen["confirmations"] == 0
    assert len(seen["imports"]) == 1
