"""`engram profile`, `engram topics` and the card in `engram entity`: what dreams made, shown."""

import pytest

SAID = ("teaches weaving", "owns a loom", "plays the cello", "sails on Sundays", "keeps bees")


@pytest.fixture
def dreamt(ask):
    for text in SAID:
        ask("remember", f"Ada Byron {text} in Ghent.")
    ask("remember", "I prefer green tea.", "--category", "preference")
    ask("dream", "--step", "entities", "--step", "profile", "--step", "topics")


def test_the_profile_is_shown_by_heading_with_the_memory_behind_each_line(ask, run, dreamt):
    document = ask("profile")
    picture = run("profile")

    assert document["lines"] == [
        {"text": "I prefer green tea.", "heading": "Preferences", "memory": "mem-0006"}
    ]
    assert "Preferences" in picture.out
    assert "I prefer green tea. (mem-0006)" in picture.out


def test_before_a_dream_it_says_what_to_do(run, ask):
    assert "engram dream" in run("profile").out
    assert "engram dream" in run("topics").out
    assert "engram dream" in run("topics", "--traces").out
    assert ask("topics") == {"topics": []}


def test_an_entity_is_shown_with_its_card(ask, run, dreamt):
    document = ask("entity", "Ada Byron")["card"]
    picture = run("entity", "Ada Byron")

    assert document["text"].startswith("Ada Byron (person)")
    assert {line["memory"] for line in document["lines"]} == {f"mem-000{n}" for n in range(1, 6)}
    assert "Ada Byron keeps bees in Ghent. (mem-0005)" in picture.out


def test_topics_are_shown_with_count_and_newest_memories(ask, run, dreamt):
    (first, *_) = ask("topics")["topics"]
    picture = run("topics", "--limit", "1")

    assert first["count"] == 5
    assert first["memories"][0] == "mem-0005"
    assert "mem-0005" in picture.out
    assert len(ask("topics", "--limit", "1")["topics"]) == 1


def test_what_was_come_back_to_is_shown_with_its_times(ask, run):
    for number in range(2):
        said = f"The ferry to Hvar has {40 + number} seats at the northern pier."
        ask("observe", said, "--session", f"s{number}")
    ask("dream", "--step", "boxes")

    (trace,) = ask("topics", "--traces")["traces"]
    picture = run("topics", "--traces")

    assert trace["boxes"] == 2
    assert len(trace["memories"]) == 2
    assert "ferry" in picture.out
    assert "2 times" in picture.out


@pytest.mark.parametrize("command", ["profile", "topics", "overview", "domains"])
def test_who_has_memories_in_a_project_alone_is_told_where(run, command):
    for text in SAID:
        run("remember", f"Ada Byron {text}.", "--scope", "project=loom")
    run("dream")

    said = run(command).out

    assert "--within project=loom" in said
    assert "engram dream" not in said


def test_who_has_memories_here_too_is_told_both(run):
    run("remember", "The kettle is green.", "--scope", "project=loom")
    run("remember", "The kettle is red.")

    said = " ".join(run("overview").out.split())  # a narrow terminal wraps it

    assert "engram dream" in said
    assert "--within project=loom" in said
