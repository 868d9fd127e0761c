"""`engram dream`: what it shows of what was decided, and what it refuses."""

import json
import re
from datetime import UTC, datetime

import pytest
from clock import FakeClock

from engram import Engram
from engram.memory.dreams.report import Decided, DreamId, DreamReport, PassReport, Step
from engram.memory.ids import ChangeId

AT = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


@pytest.fixture
def tree(ask) -> None:
    """A store with something to sum up."""
    ask("remember", "Bo sails in Lisbon.")
    ask("remember", "Bo keeps bees in Porto.")


@pytest.fixture
def guess(store) -> None:
    """A guess that nobody has confirmed for months."""
    with Engram.open(store, clock=FakeClock(), settings={"daemon": {"start": "never"}}) as engram:
        engram.remember("Perhaps the key is rotated monthly.", confidence=0.3)


def dreams_of(monkeypatch, decisions: int, findings: int = 0) -> None:
    """Have every dream end with so many lines in one pass."""
    decided = tuple(
        Decided(f"Reason {each}.", (each,), (ChangeId(f"chg-{each:026}"),) * (1 + each % 2))
        for each in range(decisions)
    )
    found = tuple(f"Finding {each}." for each in range(findings))
    done = PassReport(step=Step.MERGE, scope="/", decided=decided, findings=found)
    report = DreamReport(id=DreamId("drm-1"), at=AT, is_dry=False, is_resumed=False, passes=(done,))
    monkeypatch.setattr(Engram, "dream", lambda *_, **__: report)


def test_each_decision_is_shown_with_the_change_that_takes_it_back(run, guess) -> None:
    shown = " ".join(run("dream", "--step", "expire").out.split())
    (change,) = re.findall(r"chg-[0-9a-z]{26}", shown)

    assert run("undo", change).code == 0
    assert run("dream", "--list", "--json").document["dreams"][0]["undone"] == 1


def test_a_decision_of_several_changes_says_how_many_more(run, monkeypatch) -> None:
    dreams_of(monkeypatch, 2)

    lines = run("dream").out.splitlines()

    assert f"  Reason 0.  chg-{0:026}" in lines
    assert f"  Reason 1.  chg-{1:026} and 1 more" in lines


def test_a_dry_run_says_that_each_pass_counts_as_the_first(run, tree) -> None:
    shown = run("dream", "--dry-run").out

    assert "each pass as if it were the first. Nothing was changed." in " ".join(shown.split())
    assert "chg-" not in shown


@pytest.mark.parametrize(
    ("decisions", "findings", "more"),
    [(6, 6, 0), (7, 7, 0), (8, 0, 2), (8, 7, 2), (9, 8, 5)],
)
def test_a_single_line_is_shown_and_not_counted(
    run, monkeypatch, decisions: int, findings: int, more: int
) -> None:
    dreams_of(monkeypatch, decisions, findings)

    shown = run("dream").out

    lines = len(re.findall(r"Reason|Finding", shown))
    assert lines == decisions + findings - more
    assert (f"and {more} more; --all" in shown) == bool(more)


def test_all_shows_all_however_many(run, monkeypatch) -> None:
    dreams_of(monkeypatch, 3, 10_050)

    shown = run("dream", "--all").out

    assert "Finding 10049." in shown
    assert "--all shows them" not in shown


@pytest.mark.parametrize("shows", [("--list",), ("--show", "drm-1")])
@pytest.mark.parametrize("dreams", [("--dry-run",), ("--rebuild",), ("--step", "merge")])
def test_what_only_shows_does_not_take_how_to_dream(run, ask, shows, dreams) -> None:
    assert run("dream", *shows, *dreams).code == 2
    assert ask("dream", "--list")["dreams"] == []


@pytest.mark.parametrize(
    "words", [("--list", "--show", "drm-1"), ("--limit", "3"), ("--show", "x", "--limit", "3")]
)
def test_options_that_do_not_go_together_are_refused(run, words) -> None:
    assert run("dream", *words).code == 2


def test_as_many_dreams_are_listed_as_one_wants(ask) -> None:
    for _ in range(3):
        ask("dream", "--step", "expire")

    assert len(ask("dream", "--list")["dreams"]) == 3
    assert len(ask("dream", "--list", "--limit", "2")["dreams"]) == 2


def test_a_dream_that_is_not_there_is_told_where_they_are_listed(run) -> None:
    answer = run("dream", "--show", "drm-unknown")

    assert answer.code == 1
    assert "engram dream --list" in answer.err


def test_a_dream_is_shown_again_with_its_changes(run, ask, tree) -> None:
    made = ask("dream", "--step", "tree")

    shown = run("dream", "--show", made["id"]).out

    (done,) = (each for each in made["passes"] if each["decided"])
    assert done["decided"][0]["changes"][0] in shown


def test_undoing_a_whole_dream_does_not_offer_a_change_that_brings_one_decision_back(run):
    run("remember", "Perhaps the key is rotated.")
    run("dream")
    (dream,) = json.loads(run("dream", "--list", "--json").out)["dreams"]

    undone = json.loads(run("undo", dream["id"], "--json").out)

    assert undone["change_id"] is None
