"""Who is calling, and what waits for a person."""

import pytest


@pytest.fixture
def claim(ask):
    """What an agent claims about a person."""
    held = ask("remember", "Her name is Grace", "--category", "identity", "--scope", "agent=coder")
    assert held["kind"] == "held"
    return held["memory"]["label"]


def test_a_scope_keeps_others_out(ask, run):
    label = ask("remember", "the acme secret", "--scope", "project=acme")["memory"]["label"]

    assert ask("recall", "secret", "--scope", "project=acme")["hits"]
    assert ask("recall", "secret", "--scope", "project=other")["hits"] == []
    assert run("show", label, "--scope", "project=other", "--json").error_code == "E2005"
    assert run("forget", label, "--scope", "project=other", "--json").error_code == "E2005"


def test_the_owner_looks_into_a_scope_by_naming_it(ask):
    ask("remember", "the acme secret", "--scope", "project=acme")

    assert ask("list")["memories"] == []
    assert len(ask("list", "--within", "project=acme")["memories"]) == 1
    stored = ask("remember", "for acme", "--within", "project=acme")
    assert stored["memory"]["scope"] == "/project=acme/"


def test_nobody_widens_a_scope(run):
    answer = run("list", "--scope", "project=a", "--within", "project=b", "--json")

    assert (answer.code, answer.error_code) == (1, "E4001")


def test_the_scope_can_come_from_the_environment(ask):
    stored = ask("remember", "said by the coder", ENGRAM_SCOPE="agent=coder")

    assert stored["memory"]["scope"] == "/agent=coder/"


def test_a_scope_that_cannot_be_read_is_refused(run):
    assert run("list", "--scope", "planet=mars", "--json").error_code == "E4005"


def test_only_the_owner_takes_care_of_the_whole_store(run):
    for command in (["doctor"], ["backup"], ["restore", "--yes"],
                    ["config", "set", "recall.limit", "3"]):  # fmt: skip
        answer = run(*command, "--scope", "agent=coder", "--json")
        assert (answer.code, answer.error_code) == (1, "E4001"), command


def test_the_owner_sees_the_queue_of_every_scope(ask, run, claim):
    assert [each["label"] for each in ask("review", "--list")["pending"]] == [claim]
    assert "Her name is Grace" in run("review").out
    assert ask("review", "--within", "agent=other")["pending"] == []


def test_a_claim_is_approved_by_script(ask, claim):
    approved = ask("review", "--approve", claim, "--reason", "she says so")

    assert approved["memory"]["status"] == "active"
    assert ask("recall", "name", "--scope", "agent=coder")["hits"]
    assert ask("review")["pending"] == []


def test_approve_and_reject_work_inside_a_named_scope(ask, run, claim):
    assert run("approve", "mem-0999", "--json").error_code == "E2005"
    assert run("approve", claim, "--scope", "agent=coder", "--json").error_code == "E4001"

    approved = ask("approve", claim, "--within", "agent=coder")
    ask("undo", approved["change_id"], "--within", "agent=coder")
    rejected = ask("reject", claim, "--within", "agent=coder", "--reason", "no")

    assert rejected["memory"]["status"] == "rejected"


def test_the_owner_finds_a_memory_of_any_scope_by_its_label(ask, claim):
    shown = ask("show", claim)
    approved = ask("approve", claim)
    undone = ask("undo", approved["change_id"])

    assert shown["memory"]["scope"] == "/agent=coder/"
    assert approved["memory"]["status"] == "active"
    assert undone["memories"][0]["status"] == "pending"
    assert ask("stats")["by_scope"] == {"/agent=coder/": 1}


def test_review_takes_one_decision_at_a_time(run, claim):
    assert run("review", "--approve", claim, "--reject", claim).code == 2


def test_review_of_an_unknown_memory_is_refused(run):
    assert run("review", "--approve", "mem-0999", "--json").error_code == "E2005"


def test_an_empty_queue_says_so(run):
    assert "Nothing waits" in run("review").out


def test_a_person_goes_through_the_queue_on_a_terminal(ask, claim, terminal):
    other = ask("remember", "She lives in Rome", "--category", "identity", "--scope", "agent=coder")
    third = ask("remember", "She is a pilot", "--category", "identity", "--scope", "agent=coder")

    session = terminal("review")
    session.answer("uit > ", "e")
    session.answer("New wording: ", "Her name is Grace Hopper")
    session.answer("uit > ", "a")
    session.answer("uit > ", "r")
    session.answer("Reason", "wrong city")
    session.answer("uit > ", "s")

    assert session.leave() == 0
    found = ask("list", "--status", "any", "--within", "agent=coder")["memories"]
    by_label = {each["label"]: (each["content"], each["status"]) for each in found}
    assert by_label == {
        claim: ("Her name is Grace Hopper", "active"),
        other["memory"]["label"]: ("She lives in Rome", "rejected"),
        third["memory"]["label"]: ("She is a pilot", "pending"),
    }


def test_leaving_the_queue_leaves_the_rest_as_it_is(ask, claim, terminal):
    session = terminal("review")
    session.answer("uit > ", "q")

    assert session.leave() == 0
    assert len(ask("review")["pending"]) == 1
