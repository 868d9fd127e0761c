"""How a memory is protected, from the command line."""

import json

import pytest
from command_line import invoke

MAIL = "ada.lovelace@analytical.org"


@pytest.fixture
def store(store_path) -> list[str]:
    return ["--store", str(store_path), "--json"]


def told(words: list[str], store: list[str]) -> dict:
    found = invoke([*words, *store])
    assert found.exit_code == 0, found.stderr
    return json.loads(found.stdout)


def test_a_tier_is_asked_for_and_set_and_taken_back(store):
    said = told(["remember", "The bonus is large.", "--tier", "confidential"], store)
    assert said["memory"]["secrecy"] == "confidential"

    changed = told(["tier", "mem-0001", "cleartext", "--reason", "it is known"], store)
    assert changed["memory"]["secrecy"] == "cleartext"
    told(["undo", changed["change_id"]], store)
    assert told(["show", "mem-0001"], store)["memory"]["secrecy"] == "confidential"


def test_lists_and_hits_say_the_tier(store):
    told(["remember", f"Write to {MAIL}."], store)

    assert told(["list"], store)["memories"][0]["secrecy"] == "sensitive"
    assert told(["recall", "write"], store)["hits"][0]["secrecy"] == "sensitive"


def test_an_unknown_tier_is_refused(store):
    told(["remember", "The bonus is large."], store)

    found = invoke(["tier", "mem-0001", "top", *store])

    assert found.exit_code == 1
    assert "confidential" in found.stdout + found.stderr


@pytest.fixture
def seen(store_path):
    """What a person reads on the terminal."""

    def act(*words: str) -> list[str]:
        found = invoke([*words, "--store", str(store_path)])
        assert found.exit_code == 0, found.stderr
        return [line.strip() for line in found.stdout.splitlines()]

    return act


def test_people_see_the_tier_of_what_is_protected(seen):
    assert "protected: sensitive" in seen("remember", f"Write to {MAIL}.")
    assert "protected: confidential" in seen(
        "remember", "The bonus is large.", "--tier=confidential"
    )
    assert "protected: sensitive" in seen("observe", f"Ask {MAIL} about it")

    listed = seen("list")
    assert sum(line.endswith(", confidential") for line in listed) == 1
    assert any(line.endswith(", sensitive") for line in listed)


def test_of_what_stands_in_the_open_no_tier_is_said(seen):
    lines = [*seen("remember", "The door is green."), *seen("observe", "We met"), *seen("list")]

    assert not any("protected" in line or "cleartext" in line for line in lines)


def test_a_new_tier_is_named_and_one_that_is_there_changes_nothing(seen, store):
    seen("remember", "The door is green.")

    (same,) = [line for line in seen("tier", "mem-0001", "cleartext") if line]
    assert same == "mem-0001 is already cleartext; nothing was changed."
    assert told(["tier", "mem-0001", "cleartext"], store)["change_id"] is None
    line, undo, *_ = seen("tier", "mem-0001", "confidential")
    assert line.startswith("mem-0001 is confidential now")
    assert undo.startswith("undo with: engram undo chg-")
