"""Episodes on the command line: told while they go on or afterwards, and found again."""

import json
from contextlib import nullcontext

import pytest
from typer import BadParameter

from engram.surfaces.cli.episode_options import (
    HEARD,
    HEARING,
    WANTS,
    EpisodesAction,
    Finding,
    Telling,
)
from engram.surfaces.cli.heard import said_in

CALLED = {"type": "tool_call", "tool": "deploy", "args": {"service": "billing"}}
FAILED = {"type": "tool_result", "tool": "deploy", "result": "disk full", "success": False}
CHOSE = {"type": "decision", "options": ["retry", "stop"], "chosen": 1, "reasoning": "no space"}
WHOLE = {
    "situation": {"goal": "Deploy the billing service", "environment": {"host": "fra1"}},
    "events": [CALLED, {"happening": FAILED, "actor": "coder", "duration": 12.5}, CHOSE],
    "outcome": {"type": "failure", "error": "no space left", "learned": "look at the disk first"},
    "started_at": "2026-03-01T09:00:00Z",
    "ended_at": "2026-03-01T09:20:00Z",
    "participants": ["Ada", {"identifier": "coder", "role": "self"}],
    "session": "monday",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _by_words_alone(monkeypatch):
    """What is measured elsewhere is not waited for here."""
    monkeypatch.setenv("ENGRAM_EMBEDDER__KIND", "none")


@pytest.fixture
def label(ask) -> str:
    """One episode that is over."""
    return ask("episodes", "record", json.dumps(WHOLE))["episode"]["label"]


def test_an_episode_is_told_while_it_goes_on(ask):
    begun = ask("episodes", "begin", "Deploy billing", "--participant", "Ada", "--session", "s1")
    label = begun["episode"]["label"]
    assert [each["label"] for each in ask("episodes", "ongoing")["episodes"]] == [label]

    added = ask("episodes", "add", label, json.dumps([CALLED, FAILED]), "--actor", "coder")
    ended = ask("episodes", "end", label, "failure", "--error", "disk full", "--learned", "look")

    assert (added["count"], added["total"]) == (2, 2)
    assert ended["kind"] == "ended"
    outcome = {"type": "failure", "error": "disk full", "recoverable": True, "learned": "look"}
    assert ended["episode"]["outcome"] == outcome
    assert ended["episode"]["participants"] == [{"identifier": "Ada", "role": "user"}]
    assert ended["episode"]["memory"]["session"] == "s1"
    assert ask("episodes", "ongoing")["episodes"] == []
    events = ask("episodes", "events", label)["events"]
    assert {each["event"]["actor"] for each in events} == {"coder"}


def test_what_was_told_is_taken_back_by_its_change(ask, run):
    begun = ask("episodes", "begin", "Deploy billing")
    label = begun["episode"]["label"]
    added = ask("episodes", "add", label, json.dumps(CALLED))
    ended = ask("episodes", "end", label, "success", "--result", "it is online")
    refused = run("episodes", "end", label, "partial", "--json")
    assert refused.error_code == "E2006"
    assert ended["change_id"] in refused.document["error"]["hint"]

    ask("undo", ended["change_id"])
    assert [each["label"] for each in ask("episodes", "ongoing")["episodes"]] == [label]
    ask("undo", added["change_id"])
    assert ask("episodes", "events", label)["events"] == []


def test_events_come_as_lines_by_a_pipe_and_from_a_file(ask, tmp_path):
    label = ask("episodes", "begin", "Deploy billing")["episode"]["label"]
    file = tmp_path / "events.json"
    file.write_text(json.dumps([CHOSE]), encoding="utf-8")

    lines = "\n".join(json.dumps(each) for each in (CALLED, FAILED))
    ask("episodes", "add", label, "-", typed=lines)
    ask("episodes", "add", label, "--file", file)

    texts = [each["text"] for each in ask("episodes", "events", label)["events"]]
    assert texts == [
        'called deploy ({"service": "billing"})', "deploy failed (disk full)",
        "decided: stop (no space)",
    ]  # fmt: skip


def test_what_a_listing_gives_of_an_event_can_be_handed_in_again(ask, label):
    events = [each["event"] for each in ask("episodes", "events", label)["events"]]

    again = ask("episodes", "record", "-", typed=json.dumps({**WHOLE, "events": events}))

    assert again["episode"]["event_count"] == 3
    copied = ask("episodes", "events", again["episode"]["label"])["events"]
    assert [each["event"] for each in copied] == events


def test_the_same_episode_is_recorded_once(ask, run, label):
    again = ask("episodes", "record", json.dumps(WHOLE))

    assert again["kind"] == "known"
    assert again["episode"]["label"] == label
    assert "Recorded before" in run("episodes", "record", json.dumps(WHOLE)).out


def test_an_episode_is_shown_as_a_story(ask, run, label):
    shown = run("episodes", "show", label).out

    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert lines[0] == f"{label} failure Deploy the billing service; host: fra1."
    assert "2026-03-01 09:00 to 2026-03-01 09:20 (UTC), session monday, /" in lines
    assert "with Ada (user), coder (self)" in lines
    assert any(line.endswith("● coder: deploy failed (disk full) (12.5 s)") for line in lines)
    assert any(line.endswith("● decided: stop (no space)") for line in lines)
    assert "It failed: no space left. Learnt: look at the disk first." in lines
    assert "valence -0.80" in shown


def test_the_document_of_a_story_is_the_episode_with_its_events(ask, label):
    document = ask("episodes", "show", label)

    assert document["situation"]["environment"] == {"host": "fra1"}
    assert document["event_count"] == len(document["events"]) == 3
    assert document["next"] is None


def test_a_long_episode_says_where_it_goes_on(ask, run, label):
    first = ask("episodes", "events", label, "--limit", "2")
    rest = ask("episodes", "events", label, "--after", first["next"])

    assert [each["sequence"] for each in first["events"] + rest["events"]] == [1, 2, 3]
    assert rest["next"] is None
    shown = run("episodes", "show", label, "--limit", "2").out
    assert f"engram episodes events {label} --after 2 --store" in " ".join(shown.split())
    assert "Nothing more happened." in run("episodes", "events", label, "--after", "3").out


def test_episodes_are_listed_by_what_is_known_of_them(ask, run, label):
    other = ask("episodes", "record", json.dumps({
        "situation": "Write the report", "events": [], "outcome": "success",
        "participants": ["Bo"], "started_at": "2026-04-01T09:00:00Z",
        "ended_at": "2026-04-01T10:00:00Z",
    }))["episode"]["label"]  # fmt: skip

    def labels(*words: str) -> list[str]:
        found = ask("episodes", *words, "--faded")
        return [each["label"] for each in found["episodes"]]

    assert labels("list") == [other, label]
    assert labels("list", "--outcome", "failure") == [label]
    assert labels("list", "--person", "bo") == [other]
    assert labels("list", "--session", "monday") == [label]
    assert labels("list", "--since", "2026-03-15") == [other]
    assert labels("list", "--until", "2026-03-15") == [label]
    assert labels("at", "2026-03-01T09:10") == [label]
    assert labels("at", "2026-03-01T06:00", "--window", "60") == []
    assert labels("before", "2026-03-15") == [label]
    assert labels("between", "2026-02-01", "2026-05-01") == [label, other]
    assert labels("between", "2026-02-01", "2026-05-01", "--limit", "1") == [label]
    table = " ".join(run("episodes", "--faded").out.split())
    assert "took 20 minutes" in table
    assert "It succeeded." in table


def test_similar_situations_are_found_with_how_they_ended(ask, run, label):
    document = ask("episodes", "similar", "deploying billing", "--faded", "--outcome", "failure")

    [hit] = document["hits"]
    assert hit["label"] == label
    assert hit["score"] > 0
    assert hit["outcome"]["learned"] == "look at the disk first"
    by_goal = '{"goal": "Deploy the billing service"}'
    assert label in run("episodes", "similar", by_goal, "--faded").out
    assert ask("episodes", "similar", "billing", "--faded", "--outcome", "success")["hits"] == []


def test_what_followed_is_told_forward_and_backward(ask, label):
    fixed = ask("episodes", "begin", "Free the disk", "--caused-by", label)["episode"]["label"]
    ask("episodes", "end", fixed, '{"type": "success", "result": "12 GB free"}')

    def labels(*words: str) -> list[str]:
        return [each["label"] for each in ask("episodes", "sequence", *words)["episodes"]]

    assert labels(label) == [label, fixed]
    assert labels(fixed, "--backward") == [fixed, label]


def test_giving_up_says_why_and_how_far_it_had_come(ask, run):
    label = ask("episodes", "begin", "Write a novel")["episode"]["label"]

    kept = ask("episodes", "abandon", label, "no time", "--progress", "0.25")

    abandoned = {"type": "abandoned", "reason": "no time", "progress": 0.25}
    assert kept["episode"]["outcome"] == abandoned
    assert "It was given up: no time." in run("episodes", "show", label).out


def test_nothing_to_consolidate_is_said(ask, run, label):
    assert ask("episodes", "consolidate", "--dry-run")["dry_run"] is True
    assert "nothing in them repeats itself" in run("episodes", "consolidate").out


def test_what_fading_episodes_have_in_common_is_kept(ask, run):
    for day in ("01", "02", "03"):
        told = {
            **WHOLE,
            "situation": "Deploy the billing service to production",
            "started_at": f"2024-03-{day}T09:00:00Z",
            "ended_at": f"2024-03-{day}T09:20:00Z",
            "session": None,
        }
        ask("episodes", "record", json.dumps(told))

    proposed = ask("episodes", "consolidate", "--dry-run")
    kept = ask("episodes", "consolidate")

    [only] = kept["found"]
    assert [each["statement"] for each in proposed["found"]] == [only["statement"]]
    assert len(only["episodes"]) == 3
    assert only["memory"]["content"] == only["statement"]
    assert ask("episodes", "consolidate")["found"] == []
    ask("undo", only["change_id"])
    assert "3 episodes" in run("episodes", "consolidate", "--dry-run").out


def test_the_owner_finds_an_episode_of_a_narrower_scope_by_its_label(ask, run):
    label = ask("episodes", "begin", "Fix the parser", "--within", "agent=coder")["episode"][
        "label"
    ]

    added = ask("episodes", "add", label, json.dumps(CALLED))

    assert added["total"] == 1
    assert ask("episodes", "show", label)["memory"]["scope"] == "/agent=coder/"
    elsewhere = run("episodes")
    assert "No episodes." in elsewhere.out
    assert "--within agent=coder" in " ".join(elsewhere.out.split())


def test_in_the_shell_a_number_stands_for_a_label(run, label):
    answer = run("shell", typed="episodes list --faded\nepisodes show 1\nepisodes show 9\n")

    assert "It failed: no space left." in answer.out
    assert "numbered 1 to 1" in answer.err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["show", "mem-0099"], "E2005"),
        (["end", "mem-0099", "success"], "E2005"),
        (["end", "mem-0001", "nonsense"], "E4005"),
        (["end", "mem-0001", "failure"], "E4005"),
        (["end", "mem-0001", "ongoing"], "E4005"),
        (["end", "mem-0001", "[1]"], "E4005"),
        (["end", "mem-0001", "{broken"], "E4005"),
        (["add", "mem-0001", "[]"], "E4005"),
        (["add", "mem-0001", '{"type": "nonsense"}'], "E4005"),
        (["add", "mem-0001", '{"type": "tool_call"}'], "E4005"),
        (["add", "mem-0001", "not json"], "E4005"),
        (["abandon", "mem-0001", "late", "--progress", "2"], "E4005"),
        (["record", "[]"], "E4005"),
        (["record", '{"situation": "x"}'], "E4005"),
        (["record", '{"situation": "x", "events": [], "outcome": "success", "who": 1}'], "E4005"),
        (["begin", '{"nonsense": 1}'], "E4005"),
        (["begin", "x", "--caused-by", "mem-0099"], "E2005"),
        (["list", "--outcome", "nonsense"], "E4005"),
        (["list", "--since", "never"], "E4005"),
        (["at", "never"], "E4005"),
        (["between", "2026-03-02", "2026-03-01"], "E4005"),
        (["list", "--limit", "0"], "E4005"),
        (["add", "mem-0001", "--file", "/nowhere/at/all.json"], "E4005"),
    ],
)
def test_what_cannot_be_done_is_refused_with_its_code(run, ask, words, code):
    ask("episodes", "begin", "Something goes on")

    answer = run("episodes", *words, "--json")

    assert answer.code == 1
    assert answer.error_code == code
    assert answer.document["error"]["hint"]


@pytest.mark.parametrize(
    "words",
    [
        ["show"],
        ["show", "mem-0001", "mem-0002"],
        ["between", "2026-03-01"],
        ["end", "mem-0001"],
        ["add", "mem-0001"],
        ["add", "mem-0001", "[]", "--file", "x.json"],
        ["record"],
        ["begin"],
        ["end", "mem-0001", '{"type": "failure"}', "--error", "x"],
        ["nonsense"],
        ["begin", "two", "words"],
    ],
)
def test_what_is_typed_wrong_is_wrong_usage(run, words):
    assert run("episodes", *words).code == 2


OPTIONS = [*Finding.__dataclass_fields__, *Telling.__dataclass_fields__]


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_is_heard_by_some_actions_and_refused_by_the_others(name):
    heard = HEARD[name]
    is_finding = name in Finding.__dataclass_fields__
    finding = Finding(**{name: 0}) if is_finding else Finding()
    telling = Telling() if is_finding else Telling(**{name: 0})
    assert heard < set(EpisodesAction)

    for action in EpisodesAction:
        words = ("mem-0001",) * len(WANTS.get(action, ()))
        said = said_in(finding, telling)
        with nullcontext() if action in heard else pytest.raises(BadParameter, match="It goes"):
            HEARING.check(action, words, said)


def test_an_option_that_would_go_unheard_is_wrong_usage(run):
    answer = run("episodes", "ongoing", "--known-at", "2026-03-01")

    assert answer.code == 2
    assert "--known-at" in answer.err


def test_what_somebody_said_is_not_obeyed_by_the_terminal(ask, run):
    label = ask("episodes", "begin", "A\x1b[2Jb \u202egnp")["episode"]["label"]
    ask("episodes", "add", label, json.dumps({"type": "user_message", "content": "\x1b[31mred"}))

    for words in (("show", label), ("list",), ("events", label)):
        shown = run("episodes", *words).out
        assert "\x1b" not in shown
        assert "\u202e" not in shown
