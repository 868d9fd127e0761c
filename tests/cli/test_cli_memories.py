"""Keeping, finding, looking up and changing memories."""

import json

import pytest


@pytest.fixture
def label(ask):
    return ask("remember", "I prefer pnpm over npm", "--category", "tooling")["memory"]["label"]


def test_every_argument_of_remember_can_be_given(ask):
    first = ask("remember", "The office is in Lyon")["memory"]

    stored = ask(
        "remember", "The office is in Porto",
        "--category", "decision", "--layer", "semantic", "--type", "fact",
        "--importance", "0.9", "--confidence", "0.8",
        "--at", "2026-03-01T09:00:00+00:00",
        "--valid-from", "2026-03-02T00:00:00+00:00", "--valid-until", "2030-01-01T00:00:00+00:00",
        "--speaker", "ada", "--subject", "grace", "--session", "s1", "--reference", "turn-7",
        "--source", "web:example.org", "--meta", "team=core", "--meta", "floor=3",
        "--pinned", "--summary", "office", "--replaces", first["label"],
        "--idempotency-key", "k1",
    )  # fmt: skip

    memory = stored["memory"]
    assert stored["kind"] == "stored"
    assert {"team": "core", "floor": 3}.items() <= memory["metadata"].items()
    assert memory["pinned"] is True
    assert (memory["importance"], memory["confidence"]) == (0.9, 0.8)
    assert memory["at"] == "2026-03-01T09:00:00+00:00"
    assert memory["reference"] == "turn-7"
    assert ask("show", first["label"])["memory"]["superseded_by"] == memory["id"]


def test_the_identity_of_a_statement_is_never_shown(ask, label):
    assert "identity" not in ask("show", label)["memory"]


def test_how_much_a_memory_matters_is_shown_factor_by_factor(ask, run, label):
    document = ask("show", label, "--importance")["importance"]
    picture = run("show", label, "--importance")

    assert len(document["factors"]) == 9
    assert sum(each["contribution"] for each in document["factors"]) == pytest.approx(
        document["score"]
    )
    assert picture.code == 0
    assert "activation" in picture.out
    assert "█" in picture.out
    assert "archived" in picture.out
    assert "importance" not in ask("show", label)


def test_how_much_a_memory_mattered_once_is_not_told(run, label):
    answer = run("show", label, "--importance", "--known-at", "2026-03-01", "--json")

    assert answer.code != 0
    assert "as of now" in answer.out


def test_saying_it_again_confirms(ask, label):
    again = ask("remember", "i prefer pnpm over npm.")

    assert again["kind"] == "confirmed"
    assert again["memory"]["label"] == label


def test_a_rejected_statement_is_refused_with_exit_code_1(ask, run):
    held = ask("remember", "My name is Mallory", "--category", "identity", "--scope", "agent=a")
    ask("review", "--reject", held["memory"]["label"], "--reason", "wrong")

    answer = run("remember", "My name is Mallory", "--scope", "agent=a", "--json")

    assert answer.code == 1
    assert answer.document["kind"] == "refused"


def test_each_line_of_a_pipe_becomes_a_memory(ask):
    document = ask("remember", "--lines", "--category", "fact", typed="one fact\n\ntwo facts\n")

    assert document["counts"] == {"stored": 2}
    assert [each["memory"]["content"] for each in document["outcomes"]] == ["one fact", "two facts"]


def test_a_pipe_that_is_not_utf_8_is_refused(run):
    answer = run("remember", "-", "--json", typed=b"caf\xe9")

    assert answer.code == 1
    assert answer.error_code == "E4005"


@pytest.mark.parametrize("pair", ["novalue", "=x"])
def test_metadata_that_is_no_pair_is_wrong_usage(run, pair):
    assert run("remember", "x", "--meta", pair).code == 2


@pytest.mark.parametrize(
    ("written", "kept"),
    [("3", 3), ("1.10", "1.10"), ("true", True), ("007", "007"), ("NaN", "NaN"), ('"3"', "3"),
     ('["a","b"]', ["a", "b"]), ("null", None), ("{}", "{}"), ("a=b", "a=b"), ("", "")],
)  # fmt: skip
def test_metadata_comes_back_as_it_was_meant(written, kept):
    from engram.surfaces.cli.options import read_metadata

    assert read_metadata([f"key={written}"]) == {"key": kept}


def test_filters_and_limits_narrow_a_recall(ask):
    ask("remember", "The red lamp is old", "--category", "fact", "--meta", "room=1")
    ask("remember", "The red chair is new", "--category", "decision", "--speaker", "ada")

    def found(*options):
        return [hit["content"] for hit in ask("recall", "red", *options)["hits"]]

    assert len(found()) == 2
    assert found("--category", "fact") == ["The red lamp is old"]
    assert found("--speaker", "ada") == ["The red chair is new"]
    assert found("--meta", "room=1") == ["The red lamp is old"]
    assert found("--until", "2001-01-01T00:00:00+00:00") == []
    assert len(found("--limit", "1")) == 1
    assert len(found("--budget", "6")) == 1
    assert len(found("--mode", "facts_only", "--not-pinned")) == 2


def test_a_time_without_a_zone_is_utc_as_the_tables_show_it(ask, run):
    ask("remember", "I", "prefer", "pnpm", "--at", "2026-01-01 10:00")

    assert ask("list")["memories"][0]["at"].startswith("2026-01-01T10:00:00+00:00")
    assert ask("list", "--since", "2026-01-02")["memories"] == []
    assert run("recall", "x", "--as-of", "yesterday-ish", "--json").error_code == "E4005"


def test_a_slip_in_the_path_makes_no_store(tmp_path, run):
    from command_line import invoke

    found = invoke(["list", "--store", str(tmp_path / "slip"), "--json"])

    assert '"E1016"' in found.stdout
    assert not (tmp_path / "slip").exists()


def test_the_past_can_be_asked(ask, run, label):
    before = ask("show", label)["memory"]["recorded_at"]
    ask("revise", label, "I prefer yarn")

    assert ask("show", label, "--known-at", before)["memory"]["content"] == "I prefer pnpm over npm"
    assert ask("recall", "pnpm", "--known-at", before)["hits"][0]["label"] == label
    assert ask("list", "--known-at", before)["memories"][0]["version"] == 1
    assert run("show", label, "--known-at", "2001-01-01T00:00:00+00:00", "--json").code == 1


def test_why_tells_hit_from_miss(ask, run, label):
    assert ask("why", "pnpm", label)["recalled"] is True
    assert ask("why", "bananas", label)["lost_at"] == "floor"
    assert "not recalled: lost at floor" in run("why", "bananas", label).out


def test_a_listing_goes_on_where_it_stopped(ask):
    for number in range(3):
        ask("remember", f"fact number {number}")

    first = ask("list", "--limit", "2")["memories"]
    rest = ask("list", "--limit", "2", "--before", first[-1]["label"])["memories"]

    assert [each["label"] for each in first + rest] == ["mem-0003", "mem-0002", "mem-0001"]


def test_a_listing_shows_the_status_asked_for(ask, label):
    ask("forget", label)

    assert ask("list")["memories"] == []
    assert len(ask("list", "--status", "archived")["memories"]) == 1
    assert len(ask("list", "--status", "any")["memories"]) == 1


@pytest.mark.parametrize(
    ("command", "field", "value"),
    [("pin", "pinned", True), ("unpin", "pinned", False),
     ("demote", "layer", "episodic"), ("verify", "status", "active"),
     ("forget", "status", "archived")],
)  # fmt: skip
def test_every_change_is_done_told_and_undone(ask, run, label, command, field, value):
    changed = ask(command, label, "--reason", "because")

    undone = ask("undo", changed["change_id"])

    assert changed["memory"][field] == value
    assert ask("history", label)["history"][1]["change"]["reason"] == "because"
    assert undone["memories"][0]["label"] == label
    assert undone["change_id"].startswith("chg-")
    again = run("undo", undone["change_id"])
    assert again.code == 0
    assert "undo with: engram undo chg-" in again.out


def test_promote_moves_a_memory_to_a_more_lasting_layer(ask):
    label = ask("remember", "a passing remark", "--layer", "episodic")["memory"]["label"]

    assert ask("promote", label)["memory"]["layer"] == "semantic"


def test_the_undo_of_a_first_remember_can_be_undone_too(ask):
    stored = ask("remember", "a passing thought")

    undone = ask("undo", stored["change_id"])
    gone = ask("list")["memories"]
    ask("undo", undone["change_id"])

    assert gone == []
    assert len(ask("list")["memories"]) == 1


def test_history_tells_every_wording(ask, run, label):
    ask("revise", label, "I prefer yarn", "--reason", "moved")

    entries = ask("history", label)["history"]

    assert [each["memory"]["version"] for each in entries] == [1, 2]
    assert entries[1]["change"]["action"] == "revise"
    assert "moved" in run("history", label).out


def test_a_status_is_set_with_a_reason_and_shown_with_its_past(ask, run, label):
    assert run("status", label, "challenged").code == 2

    ask("status", label, "challenged", "--reason", "is it so?")

    moves = ask("status", label)["moves"]
    assert [(each["old"], each["new"]) for each in moves] == [
        (None, "active"),
        ("active", "challenged"),
    ]
    assert "is it so?" in run("status", label).out
    assert run("status", label, "pending", "--reason", "x", "--json").error_code == "E2006"


def test_unknown_ids_are_refused_alike_everywhere(run):
    for command in ("show", "history", "forget", "pin", "promote", "verify", "approve", "reject"):
        answer = run(command, "mem-0999", "--json")
        assert (answer.code, answer.error_code) == (1, "E2005"), command
    assert run("undo", "chg-unknown", "--json").error_code == "E2007"


def test_people_get_tables(run, ask, label):
    assert label in run("list").out
    assert "tooling" in run("show", label).out
    assert label in run("recall", "pnpm or bananas").out
    assert "Nothing found" in run("recall", "bananas").out
    assert "No memories" in run("list", "--category", "people").out
    assert "undo with" in run("remember", "another fact").out
    assert "undo with" in run("pin", label).out
    assert "1 stored" in run("remember", "--lines", typed="a line").out


HOSTILE = "red \x1b]0;owned\x07\x1b[2J [bold]markup[/bold] \x9b31m \u202egnirts \r over"


def test_memory_text_cannot_command_the_terminal(run, ask):
    label = ask("remember", HOSTILE)["memory"]["label"]

    for words in (["list"], ["show", label], ["recall", "red"], ["history", label], ["pin", label],
                  ["why", "red", label], ["status", label]):  # fmt: skip
        answer = run(*words)
        shown = answer.out + answer.err
        assert not set(shown) & set("\x1b\x07\x9b\u202e\r"), words
    assert "[bold]markup[/bold]" in run("list").out
    assert "\\x1b" in run("list").out


def test_json_carries_the_text_exactly_and_escaped(run):
    answer = run("remember", HOSTILE, "--json")

    assert answer.out.isascii()
    assert "\x1b" not in answer.out
    assert json.loads(answer.out)["memory"]["content"] == HOSTILE


def test_an_error_that_repeats_a_name_cannot_command_the_terminal(run):
    answer = run("config", "get", "no\x1b[2Jsuch")

    assert answer.code == 1
    assert "\x1b" not in answer.err
