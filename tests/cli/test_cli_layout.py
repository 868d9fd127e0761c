"""What people see: readable in 80 columns, with ids that can be copied and numbers that agree."""

import re

import pytest

from engram import Engram

HASHING = {"ENGRAM_EMBEDDER__KIND": "hashing"}
LONG = "The spare key to the boat house hangs behind the third beam on the left, above the oars."


@pytest.fixture
def filled(run, store):
    with Engram.open(store, settings={"embedder": {"kind": "hashing"}}) as engram:
        memory = engram.remember(LONG, category="tooling", wait=True).memory
        engram.revise(memory.id, LONG.replace("third", "fourth"), reason="it was moved by Ada")
        engram.settle()
    return run


@pytest.mark.parametrize(
    "words", [("recall", "spare key"), ("history", "mem-0001"), ("audit",), ("list",)]
)
@pytest.mark.parametrize("columns", ["80", "100"])
def test_no_line_is_wider_than_the_terminal(filled, words, columns):
    answer = filled(*words, COLUMNS=columns, **HASHING)

    assert answer.code == 0
    assert max(len(line.rstrip()) for line in answer.out.splitlines()) <= int(columns)


def test_a_pipe_without_a_width_is_a_hundred_columns_wide(filled):
    answer = filled("recall", "spare key", COLUMNS="", **HASHING)

    assert 80 < max(len(line.rstrip()) for line in answer.out.splitlines()) <= 100


def test_the_width_of_a_pipe_can_be_set(filled):
    narrow, wide = (
        filled("recall", "spare key", COLUMNS=width, **HASHING).out for width in ("60", "200")
    )

    assert max(len(line.rstrip()) for line in narrow.splitlines()) <= 60
    assert max(len(line.rstrip()) for line in wide.splitlines()) > 100


def test_a_hit_shows_how_likely_it_is_and_its_reasons_below(filled, ask):
    (hit,) = ask("recall", "spare key", **HASHING)["hits"]

    lines = filled("recall", "spare key", COLUMNS="80", **HASHING).out.splitlines()

    first = next(number for number, line in enumerate(lines) if "mem-0001" in line)
    assert f"{hit['probability']:.0%}" in lines[first]
    assert "The spare key" in lines[first]
    assert any("tooling" in line and "mem-0001" not in line for line in lines[first + 1 :])
    assert "text #1" in " ".join(lines[first + 1 :])


def test_no_id_is_broken_in_eighty_columns(filled, ask):
    changes = {each["change"]["id"] for each in ask("history", "mem-0001")["history"]}

    for words in (("history", "mem-0001"), ("audit",)):
        shown = filled(*words, COLUMNS="80").out
        assert all(change in shown for change in changes)


def test_what_was_not_searched_is_said_even_beside_a_good_answer(filled):
    answer = filled("recall", "spare key boat house", ENGRAM_EMBEDDER__KIND="none")

    assert "mem-0001" in answer.out
    assert "degraded: meaning: no embedder is configured" in answer.out


def test_a_terminal_gets_colours_unless_they_are_not_wanted_and_a_pipe_never(
    filled, terminal, spawn
):
    coloured, plain = terminal("list", **HASHING), terminal("list", NO_COLOR="1", **HASHING)

    assert (coloured.leave(), plain.leave()) == (0, 0)
    assert _colours(coloured.seen)
    assert not _colours(plain.seen)
    assert "\x1b" not in spawn("list", FORCE_COLOR="", **HASHING).out


def _colours(text: str) -> list[str]:
    return re.findall(r"\x1b\[[0-9;]*3[0-7]m", text)


def test_one_is_not_many(filled, run):
    assert "1 memory" in run("stats").out
    assert "1 of 1 candidate," in run("recall", "spare key", **HASHING).out
    assert "Embedded 0 memories." in run("embed", **HASHING).out


def test_a_listing_takes_the_short_limit_too(run, ask):
    ask("remember", "One.")
    ask("remember", "Two.")

    assert [each["content"] for each in ask("list", "-n", "1")["memories"]] == ["Two."]


@pytest.mark.parametrize("words", [("list",), ("recall", "anything"), ("eval", "--own")])
def test_a_place_without_a_store_is_named(spawn, tmp_path, words):
    answer = spawn(*words, "--store", tmp_path / "nowhere", "--json")

    assert (answer.code, answer.error_code) == (1, "E1016")
    assert str(tmp_path / "nowhere") in answer.document["error"]["hint"]


@pytest.mark.parametrize("words", [("list",), ("recall", "anything")])
def test_a_category_that_does_not_exist_is_refused(run, words):
    assert run(*words, "--category", "nonsense", "--json").error_code == "E4005"
