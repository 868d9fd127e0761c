"""Transcripts and repositories from the command line."""

import json
from pathlib import Path

import pytest

from engram import Engram

UNREADABLE = Path("/proc/self/mem")  # its first byte belongs to nobody, not even to root


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    path = tmp_path / "talks" / "monday.jsonl"
    path.parent.mkdir()
    said = [
        {"role": "user", "content": "Ines Moreau moved to Porto.", "project": "Acme API"},
        {"role": "assistant", "content": "I will send the lease to Ines by 2026-03-09."},
        {"role": "tool", "content": "total 48"},
    ]
    path.write_text("".join(json.dumps({"session": "s1", **turn}) + "\n" for turn in said))
    return path


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "orchard"
    root.mkdir()
    (root / "pears.py").write_text('"""Counts pears."""\n\ndef count(tree): ...\n')
    (root / "Makefile").write_text("test:\n\tpytest\n")
    return root


def width(text: str) -> int:
    return max(len(line.rstrip()) for line in text.splitlines())


def test_what_was_said_to_an_agent_comes_in_once(ask, talk):
    first, again = ask("harvest", "generic", talk), ask("harvest", "generic", talk.parent)

    assert (first["kept"], first["read"], first["left_out"]) == (2, 2, {"tool output": 1})
    assert sum(first["learnt"].values()) == 2
    assert first["files"][0]["project"] == "acme-api"
    assert (again["kept"], again["known"], again["learnt"]) == (0, 0, {})
    assert (
        len(ask("list", "--source", "harness:generic:acme-api", "--category", "turn")["memories"])
        == 2
    )


def test_a_person_reads_what_came_in(run, talk):
    dry = run("harvest", "generic", talk, "--dry-run", COLUMNS="80")
    done = run("harvest", "generic", talk, COLUMNS="80")
    again = run("harvest", "generic", talk, COLUMNS="80")

    assert "2 turns would be taken in: read by rules" in dry.out
    assert "2 turns taken in, 0 known; learnt: " in done.out
    assert "left out: 1 tool output" in done.out
    assert "1 transcript, nothing new." in again.out
    assert (dry.code, done.code, again.code) == (0, 0, 0)
    assert max(map(width, (dry.out, done.out, again.out))) <= 80


def test_a_dry_harvest_keeps_nothing(ask, talk):
    told = ask("harvest", "generic", talk, "--dry-run", "--project", "acme api")

    assert (told["dry_run"], told["kept"], told["plan"]) == (True, 2, None)
    assert ask("list", "--status", "any")["memories"] == []


@pytest.mark.skipif(not UNREADABLE.exists(), reason="this system has no file that fails to be read")
def test_a_transcript_that_cannot_be_read_is_told(run, ask):
    answer = run("harvest", "generic", UNREADABLE)

    assert answer.code == 1
    assert "Input/output error" in answer.out
    assert run("harvest", "generic", UNREADABLE, "--json").document["files"][0]["problem"]


@pytest.mark.parametrize("words", [("nonsense",), ("generic",), ("generic", "nowhere")])
def test_a_harvest_that_makes_no_sense_is_refused(run, words):
    answer = run("harvest", *words, "--json")

    assert (answer.code, answer.error_code) == (1, "E4005")


def test_a_harvest_needs_a_harness(run):
    assert run("harvest").code == 2


def test_a_repository_is_kept_and_brought_up_to_date(ask, repository):
    first = ask("scan", repository)
    (repository / "pears.py").write_text('"""Counts pears."""\n\ndef weigh(tree): ...\n')
    (repository / "Makefile").unlink()

    again = ask("scan", repository)

    changed = {each["path"]: each["what"] for each in again["entries"] if each["kind"] != "tree"}
    assert (first["project"], first["counts"]["added"]) == ("orchard", 3)
    assert changed == {"pears.py": "changed", "Makefile": "gone"}
    (gone,) = [each for each in again["entries"] if each["what"] == "gone"]
    ask("undo", gone["change_id"])
    assert ask("show", gone["label"])["memory"]["status"] == "active"
    assert ask("scan", repository)["counts"]["unchanged"] == 2


def test_a_person_reads_what_a_scan_kept(run, ask, repository):
    dry = run("scan", repository, "--dry-run", COLUMNS="80")
    kept_by_dry = ask("list", "--status", "any")["memories"]
    done = run("scan", repository, COLUMNS="80")

    assert "orchard: 3 added; nothing was kept" in dry.out
    assert kept_by_dry == []
    assert "pears.py (mem-000" in done.out
    assert "orchard: 3 added" in done.out
    assert max(map(width, (dry.out, done.out))) <= 80
    assert "orchard: 3 unchanged" in run("scan", repository).out


def test_a_long_listing_is_cut_and_says_so(run, repository):
    for number in range(50):
        (repository / f"file{number}.py").write_text(f"def plant{number}(): ...\n")

    assert "--json has all" in run("scan", repository).out


def test_a_scan_of_nothing_is_refused(run, tmp_path):
    answer = run("scan", tmp_path / "nowhere", "--json")

    assert (answer.code, answer.error_code) == (1, "E4005")


def test_a_scan_goes_into_the_scope_of_its_caller(ask, store, repository):
    ask("scan", repository, "--scope", "project=acme,agent=coder")

    with Engram.open(store) as owner:
        assert owner.list(status="any") == []
    assert len(ask("list", "--scope", "project=acme,agent=coder")["memories"]) == 3
