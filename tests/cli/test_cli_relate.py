"""Relating memories on the command line."""

import pytest


@pytest.fixture
def labels(ask):
    said = ("The build is slow", "CI has one core")
    return [ask("remember", text)["memory"]["label"] for text in said]


def test_two_memories_are_related_and_the_links_are_shown(ask, run, labels):
    made = ask("relate", *labels, "caused_by", "--reason", "measured")

    [link] = ask("links", labels[0])["links"]
    assert link == made["link"]
    assert (link["from_label"], link["relation"], link["to_label"]) == (
        labels[0], "caused_by", labels[1],
    )  # fmt: skip
    assert (link["change"]["id"], link["change"]["reason"]) == (made["change_id"], "measured")
    assert made["is_repeat"] is False
    shown = run("links", labels[1]).out
    assert "caused_by" in shown
    assert "measured" in shown


def test_what_is_related_is_told_once_and_how_to_undo_it(ask, run, labels):
    first = run("relate", *labels)
    again = run("relate", *labels)

    assert "Related: mem-0001 related mem-0002." in first.out
    assert "Related before: mem-0001 related mem-0002." in again.out
    change = ask("links", labels[0])["links"][0]["change"]["id"]
    assert f"engram undo {change}" in first.out
    assert f"engram undo {change}" in again.out
    ask("undo", change)
    assert "No links." in run("links", labels[0]).out


def test_a_link_is_taken_back_by_its_ends_and_brought_back(ask, run, labels):
    ask("relate", *labels, "supports")

    gone = ask("unrelate", *labels, "supports", "--reason", "not so")

    assert gone["is_repeat"] is False
    assert ask("links", labels[0])["links"] == []
    assert "Taken back before" in run("unrelate", *labels, "supports").out
    ask("undo", gone["change_id"])
    assert len(ask("links", labels[0])["links"]) == 1


def test_what_the_record_tells_is_shown_too(ask, run, labels):
    ask("remember", "The build is fast", "--replaces", labels[0])

    [link] = ask("links", "mem-0003")["links"]

    assert (link["from_label"], link["relation"]) == (labels[0], "superseded_by")
    assert link["change"] is None
    assert "the record" in run("links", "mem-0003").out


@pytest.mark.parametrize("turned", [False, True])
def test_the_owner_relates_memories_of_narrower_scopes_without_naming_them(ask, labels, turned):
    note = ask("remember", "The parser is slow", "--within", "agent=coder")["memory"]["label"]
    ends = (labels[0], note) if turned else (note, labels[0])

    made = ask("relate", *ends)

    assert ask("links", labels[0])["links"] == []
    assert ask("links", note)["links"] == [made["link"]]
    assert len(ask("links", labels[0], "--scope", "agent=coder")["links"]) == 1
    ask("undo", made["change_id"])
    assert ask("links", note)["links"] == []


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["relate", "mem-0001", "mem-0099"], "E2005"),
        (["relate", "mem-0001", "mem-0001"], "E4005"),
        (["relate", "mem-0001", "mem-0002", "a;b"], "E4005"),
        (["unrelate", "mem-0001", "mem-0002"], "E2007"),
        (["links", "mem-0099"], "E2005"),
        (["relate", "mem-0001", "mem-0002", "--scope", "agent=coder"], "E4001"),
    ],
)
def test_what_cannot_be_related_is_refused_with_its_code(run, labels, words, code):
    answer = run(*words, "--json")

    assert answer.code == 1
    assert answer.error_code == code


def test_one_memory_alone_is_wrong_usage(run, labels):
    assert run("relate", labels[0]).code == 2
