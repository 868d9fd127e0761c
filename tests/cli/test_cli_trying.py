"""What only looks needs no store; and whose clock a time is of."""

import json
from pathlib import Path

import pytest

from engram.surfaces.cli.trying import read_zone, with_zone

HASHING = {"ENGRAM_EMBEDDER__KIND": "hashing"}


@pytest.mark.parametrize(
    "words",
    [("observe", "I moved to Porto"), ("harvest", "claude-code"), ("scan", ".")],
)
def test_a_dry_run_needs_no_store_and_makes_none(spawn, tmp_path, words):
    missing = tmp_path / "nowhere"

    answer = spawn(*words, "--dry-run", "--json", "--store", missing, HOME=str(tmp_path))

    assert answer.code == 0, answer
    assert not missing.exists()


def test_a_dry_run_on_something_that_is_no_store_still_complains(spawn, tmp_path):
    (tmp_path / "file").write_text("no store")

    answer = spawn("observe", "x", "--dry-run", "--json", "--store", tmp_path)

    assert answer.code == 1


def test_harvest_says_where_it_looked(run, ask, monkeypatch, tmp_path):
    monkeypatch.setattr(Path, "home", lambda: tmp_path)

    shown, document = run("harvest", "claude-code"), ask("harvest", "claude-code", "--dry-run")

    assert str(tmp_path / ".claude") in shown.out.replace("\n", "")
    assert document["looked_in"] == [str(tmp_path / ".claude" / "projects")]


def _line(at: str) -> str:
    return json.dumps({"text": "I moved to Porto.", "at": at})


def test_a_time_without_a_zone_is_refused_with_what_to_do(run):
    answer = run("observe", "--jsonl", "--json", typed=_line("2026-03-01T09:00"), **HASHING)

    assert answer.code == 1
    assert "--zone" in answer.document["error"]["hint"]
    assert "turn 1" in answer.document["error"]["hint"]


@pytest.mark.parametrize(
    ("zone", "stored"),
    [
        ("UTC", "2026-03-01T09:00:00+00:00"),
        ("+01:00", "2026-03-01T08:00:00+00:00"),
        ("America/New_York", "2026-03-01T14:00:00+00:00"),
    ],
)
def test_a_zone_says_whose_clock_it_was(ask, zone, stored):
    found = ask(
        "observe", "--jsonl", "--zone", zone, typed=_line("2026-03-01T09:00"), **HASHING
    )  # fmt: skip

    assert found["turns"][0]["memory"]["at"] == stored


def test_a_time_with_a_zone_keeps_it():
    assert with_zone("2026-03-01T09:00+02:00", read_zone("UTC")) == "2026-03-01T09:00+02:00"
    assert with_zone("no time", read_zone("UTC")) == "no time"
    assert with_zone(7, read_zone("UTC")) == 7


@pytest.mark.parametrize("words", [("--jsonl", "--zone", "Mars"), ("--zone", "UTC")])
def test_a_zone_that_is_none_or_goes_unheard_is_wrong_usage(run, words):
    assert run("observe", *words, typed=_line("2026-03-01T09:00"), **HASHING).code == 2


def test_the_question_before_a_restore_tells_how_old_and_large_the_backup_is(terminal, ask):
    ask("remember", "to be kept")
    ask("backup")

    at = terminal("restore")
    at.answer("bytes?", "n")

    assert at.leave() == 1
    seen = " ".join(at.seen.split())
    assert "its newest backup, 0 minutes old (" in seen
