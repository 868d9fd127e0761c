"""Saying whether a memory helped, and looking at how recalls went."""

import pytest

from engram.surfaces.cli.statistics import sparkline


@pytest.fixture
def label(ask):
    return ask("remember", "The office is in Lyon", "--subject", "office")["memory"]["label"]


def test_a_word_is_noted_once_and_can_be_taken_back(ask, run, label):
    said = ask("feedback", label, "--unhelpful", "--query", "where do I park?")

    assert (said["helpful"], said["query"]) == (False, "where do I park?")
    assert (said["is_repeat"], said["correction"]) == (False, None)
    again = run("feedback", label, "--unhelpful", "--query", "where do I park?")
    assert "Noted before: mem-0001 was unhelpful." in again.out
    assert said["change_id"] in again.out
    assert ask("undo", said["change_id"])["undone"] == said["change_id"]
    assert "Noted: mem-0001 was helpful." in run("feedback", label, "--helpful").out


def test_a_correction_takes_the_old_ones_place(ask, run, label):
    answer = run("feedback", label, "--correction", "The office is in Porto", "--reason", "moved")

    assert "Stored mem-0002" in answer.out
    assert ask("show", label)["memory"]["status"] == "superseded"
    assert ask("show", "mem-0002")["memory"]["subject"] == "office"
    assert [hit["label"] for hit in ask("recall", "office")["hits"]] == ["mem-0002"]


def test_an_agents_correction_of_what_a_person_said_waits_for_one(ask, label):
    said = ask("remember", "Deploys are on Mondays", "--within", "agent=coder")["memory"]

    document = ask(
        "feedback",
        said["label"],
        "--correction",
        "Deploys are on Fridays",
        "--scope",
        "agent=coder",
    )

    assert document["correction"]["kind"] == "held"
    assert document["memory"]["status"] == "active"
    assert [each["content"] for each in ask("review")["pending"]] == ["Deploys are on Fridays"]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ([], 2),
        (["--helpful", "--correction", "The office is in Porto"], 1),
        (["--unhelpful", "--query", ""], 1),
    ],
)
def test_a_word_that_says_nothing_clear_is_refused(run, label, options, code):
    assert run("feedback", label, *options).code == code


def test_a_word_about_an_unknown_memory_is_refused(run, label):
    assert run("feedback", "mem-0099", "--helpful", "--json").error_code == "E2005"


def test_recalls_are_summed_up(ask, run, label):
    ask("recall", "office")
    ask("recall", "zeppelin")

    found = ask("stats", "recall")

    assert found["recalls"] == 2
    assert found["empty_share"] == 0.5
    assert set(found["milliseconds"]) == {"p50", "p95", "p99"}
    assert [day["recalls"] for day in found["days"]] == [2]
    assert found["warnings"] == []
    shown = run("stats", "recall").out
    assert "2 recalls" in shown
    assert "latency p50 / p95 / p99" in shown
    assert "█" in shown


def test_recalls_of_another_time_or_scope_are_left_out(ask, label):
    ask("recall", "office")

    assert ask("stats", "recall", "--since", "2001-01-01")["recalls"] == 1
    assert ask("stats", "recall", "--since", "2999-01-01")["recalls"] == 0
    ask("recall", "office", "--scope", "project=acme")
    assert ask("stats", "recall")["recalls"] == 1
    assert ask("stats", "recall", "--within", "project=acme")["recalls"] == 2


def test_a_store_without_recalls_says_so(run):
    assert "No recalls" in run("stats", "recall").out


@pytest.mark.parametrize("words", [["stats", "memories"], ["stats", "--since", "2026-01-01"]])
def test_statistics_of_something_else_are_wrong_usage(run, words):
    assert run(*words).code == 2


def test_what_got_worse_is_told(store, run):
    from engram import Engram

    with Engram.open(store) as engram:
        engram.remember("The office is in Lyon")
        for question in ["office"] * 100 + ["zeppelin"] * 100:
            engram.recall(question)

    assert "Warning: recalls without an answer rose from 0% to 100%" in run("stats", "recall").out


def test_a_sparkline_shows_the_highest_full():
    assert sparkline([0, 1, 2, 4]) == "▁▃▅█"
    assert sparkline([0, 0]) == "▁▁"
    assert sparkline([]) == ""


def test_a_word_for_and_against_at_once_is_wrong_usage(ask, run, label):
    answer = run("feedback", label, "--helpful", "--unhelpful")

    assert answer.code == 2
    assert [entry["action"] for entry in ask("audit")["entries"]] == ["remember"]


def test_a_correction_says_what_it_replaces(ask, run, label):
    answer = run("feedback", label, "--correction", "The office is in Porto")

    assert f"it takes the place of {label}, which is superseded" in answer.out


def test_a_correction_that_is_held_says_that_nothing_was_replaced(ask, run):
    label = ask("remember", "Deploys are on Mondays", "--within", "agent=coder")["memory"]["label"]

    answer = run(
        "feedback", label, "--correction", "Deploys are on Fridays", "--scope", "agent=coder"
    )

    assert f"{label} stays as it is until a person approves" in answer.out
