"""What is in mind on the command line: taken up, changed and put away by each command."""

import json

import pytest

from engram import Engram
from engram.surfaces.cli.working import _ACTIONS, _HEARD, _WANTS, Said, WorkingAction

WORDS = "The deploy is on hold."


def test_what_one_command_attends_to_the_next_one_shows(ask, run):
    slot = ask("working", "attend", WORDS, "--relevance", "0.9", "--session", "monday")

    shown = ask("working", "--session", "monday")

    assert shown["kind"] == "whole"
    assert [(each["id"], each["text"]) for each in shown["slots"]] == [(slot["id"], WORDS)]
    assert WORDS in run("working", "show", "--session", "monday", COLUMNS="120").out
    assert ask("working")["slots"] == []


def test_it_is_exported_within_a_budget(ask, run):
    ask("working", "attend", WORDS)

    made = ask("working", "export", "--form", "xml", "--budget", "60")

    assert made["tokens"] <= 60
    assert WORDS in made["text"]
    assert run("working", "export").out.strip() == WORDS


def test_an_export_is_printed_in_its_own_lines_however_narrow_the_terminal(run, ask):
    words = "The deploy of the billing service is on hold until Ada has read the report. " * 3
    ask("working", "attend", words.strip())

    printed = json.loads(run("working", "export", "--form", "structured", COLUMNS="30").out)

    assert words.strip() in json.dumps(printed)


def test_a_slot_is_refreshed_and_dismissed(ask, run):
    slot = ask("working", "attend", WORDS, "--relevance", "0.5")["id"]

    assert ask("working", "refresh", slot, "--boost", "0.3")["activation"] == pytest.approx(
        0.8, abs=0.01
    )
    assert "out of mind" in run("working", "dismiss", slot).out
    gone = run("working", "dismiss", slot, "--json")
    assert gone.error_code == "E2016"
    assert "`engram working`" in gone.document["error"]["hint"]


def test_a_memory_comes_to_mind_by_its_label(ask, store):
    with Engram.open(store) as engram:
        engram.remember(WORDS)

    slot = ask("working", "attend", "--memory", "mem-0001", "--session", "s")

    assert (slot["text"], slot["source"]) == (WORDS, "recall")


def test_a_switch_of_topic_keeps_what_is_active(ask, run):
    ask("working", "attend", WORDS, "--pinned", "--session", "s")
    ask("working", "attend", "Ada is on call.", "--session", "s")

    assert "Kept of them: 1 memory" in run("working", "topic", "switch", "--session", "s").out
    assert [each["content"] for each in ask("list")["memories"]] == ["Ada is on call."]


def test_a_change_of_topic_that_there_is_not_is_told_what_there_is(run):
    hint = run("working", "topic", "sideways", "--json").document["error"]["hint"]

    assert hint == "A change of topic is one of: continuation, drift, switch."


def test_clearing_leaves_nothing(ask, run):
    ask("working", "attend", WORDS)

    assert "1 thing" in run("working", "clear").out
    assert ask("working") == {"kind": "fresh", "slots": [], "away_seconds": None, "dropped": 0}
    assert "Nothing is in mind" in run("working").out


def test_what_an_action_does_not_hear_is_refused(run):
    for words in (
        ("working", "attend"),
        ("working", "show", "more"),
        ("working", "refresh"),
        ("working", "show", "--budget", "3"),
        ("working", "export", "--relevance", "1"),
    ):
        assert run(*words).code == 2


def test_every_action_and_option_is_known_to_somebody():
    assert set(_ACTIONS) == set(WorkingAction)
    assert set(_WANTS) <= set(WorkingAction)
    assert set(_HEARD) == set(Said.__dataclass_fields__)
