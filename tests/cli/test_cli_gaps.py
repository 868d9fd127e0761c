"""Questions on the command line: listed, put, answered, taken back."""

import pytest


@pytest.fixture
def asked(ask):
    """A store with two questions about a service."""
    ask("remember", "mail-worker sends the weekly newsletter.")
    ask("dream", "--step", "gaps")
    return {gap["question"]: gap["id"] for gap in ask("gaps")["gaps"]}


def test_a_store_without_questions_says_so(run):
    assert "No questions. Dreams find them." in run("gaps").out
    assert "Nothing is to be asked now." in run("gaps", "--ask").out


def test_questions_are_listed_with_what_they_come_from(run, asked):
    shown = run("gaps").out

    assert "Where does mail-worker run?" in shown
    assert "mem-0001" in shown
    assert set(asked) == {"Where does mail-worker run?", "Who looks after mail-worker?"}


def test_a_session_is_asked_two_at_most_and_each_once(ask, asked):
    first = ask("gaps", "--ask", "--session", "s-1")["gaps"]

    assert {gap["id"] for gap in first} == set(asked.values())
    assert ask("gaps", "--ask", "--session", "s-1")["gaps"] == []
    assert ask("gaps", "--ask", "--session", "s-2")["gaps"] == []  # within the week
    assert len(ask("gaps")["gaps"]) == 2  # looking does not count as asking


def test_an_answer_is_kept_settles_its_question_and_can_be_undone(ask, run, asked):
    gap = asked["Where does mail-worker run?"]

    shown = run("gaps", "--answer", gap, "mail-worker runs on a small VM.").out
    assert "Kept: mem-0002 (active) mail-worker runs on a small VM." in " ".join(shown.split())
    assert gap not in {each["id"] for each in ask("gaps")["gaps"]}

    change = shown.split("engram undo ")[1].split()[0]
    ask("undo", change)
    assert gap in {each["id"] for each in ask("gaps")["gaps"]}
    done = ask(
        "gaps",
        "--answer",
        gap,
        "mail-worker runs on a small VM.",
        "--session",
        "s-9",
        "--reason",
        "said so",
    )
    assert (done["kind"], done["is_closed"]) == ("stored", True)
    assert done["memories"][0]["session"] == "s-9"


def test_the_owner_is_asked_about_what_is_listed_wherever_it_is(ask):
    ask("remember", "mail-worker sends the weekly newsletter.", "--scope", "project=acme")
    ask("dream", "--step", "gaps")

    listed = ask("gaps")["gaps"]

    assert len(listed) == 2
    assert ask("gaps", "--ask")["gaps"] == listed


def test_what_cannot_be_answered_is_refused_with_a_hint(run, asked):
    gap = asked["Where does mail-worker run?"]

    unknown = run("gaps", "--answer", "gap-0000000000000000", "Miso", "--json")
    nothing = run("gaps", "--answer", gap, "I don't know", "--json")

    vague = run("gaps", "--answer", gap, "no idea, maybe next year", "--json")

    assert unknown.code == nothing.code == vague.code == 1
    assert vague.document["error"]["hint"] == nothing.document["error"]["hint"]
    assert "`gaps` lists them" in unknown.document["error"]["hint"]
    assert "can simply stay open" in nothing.document["error"]["hint"]


@pytest.mark.parametrize(
    "words", [("--answer", "gap-1"), ("Miso",), ("--ask", "--answer", "gap-1", "Miso")]
)
def test_half_a_command_is_wrong_usage(run, words):
    assert run("gaps", *words).code == 2
