"""Completion: what there is to choose from, quickly and without a word."""

import os
import subprocess
import sys

import pytest

from engram import Engram, Scope


@pytest.fixture
def filled(store):
    with Engram.open(store, settings={"embedder": {"kind": "none"}}) as engram:
        engram.remember("I prefer pnpm", category="tooling", session="monday", speaker="Ada")
        engram.skills.record_flow("nightly run", ["fetch", "send"], "success")
        engram.remember("for acme", scope=Scope("acme", agent="coder"))
    return store


def _completed(shell: str, line: str, store) -> subprocess.CompletedProcess[bytes]:
    asked = {
        "bash": {"_ENGRAM_COMPLETE": "complete_bash", "COMP_WORDS": line,
                 "COMP_CWORD": str(len(line.split()) - (not line.endswith(" ")))},
        "zsh": {"_ENGRAM_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": line},
        "fish": {"_ENGRAM_COMPLETE": "complete_fish", "_TYPER_COMPLETE_ARGS": line,
                 "_TYPER_COMPLETE_FISH_ACTION": "get-args"},
    }  # fmt: skip
    return subprocess.run(
        [sys.executable, "-m", "engram"],
        capture_output=True,
        env={**os.environ, "ENGRAM_STORE": str(store), **asked[shell]},
        timeout=60,
        check=False,
    )


def _choices(line: str, store, shell: str = "bash") -> list[str]:
    found = _completed(shell, line, store)
    assert found.stderr == b""
    return found.stdout.decode().split("\n")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_labels_are_completed_in_every_shell(filled, shell):
    assert "mem-0001" in _completed(shell, "engram show mem-", filled).stdout.decode()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("engram list --category too", "tooling"),
        ("engram list --session mon", "monday"),
        ("engram recall x --speaker A", "Ada"),
        ("engram list --status arch", "archived"),
        ("engram status mem-0001 chall", "challenged"),
        ("engram list --within project=", "project=acme,agent=coder"),
        ("engram config get recall.lim", "recall.limit"),
        ("engram relate mem-0001 mem-0001 sup", "supports"),
        ("engram help rec", "recall"),
        ("engram skills show nigh", "nightly-run"),
        ("engram knowledge learn Ada works", "works_for"),
        ("engram keys issue me --role wri", "writer"),
        ("engram keys issue me --kind sk", "skill"),
        ("engram mcp --tools mini", "minimal"),
        ("engram reca", "recall"),
    ],
)
def test_what_there_is_to_choose_from_is_completed(filled, line, expected):
    assert expected in _choices(line, filled)


def test_completing_never_makes_a_store_and_never_complains(tmp_path):
    missing = tmp_path / "nowhere"

    found = _completed("bash", "engram show mem-", missing)

    assert (found.stdout.strip(), found.stderr) == (b"", b"")
    assert not missing.exists()


def test_a_store_that_cannot_be_opened_completes_nothing_and_says_nothing(tmp_path):
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "engram.db").write_bytes(b"not a database at all" * 100)

    found = _completed("bash", "engram show mem-", broken)

    assert (found.stdout.strip(), found.stderr) == (b"", b"")


def test_completing_is_no_read_in_the_audit(filled):
    _choices("engram show mem-", filled)

    with Engram.open(filled, settings={"embedder": {"kind": "none"}}) as engram:
        assert "list" not in [entry.action for entry in engram.audit()]
