"""Listening from the command line: what was said, what was learnt, and where it came from."""

import json

import pytest
from providers.scripted_model import answers, scripted_model, tells

from engram import Engram, Scope

MOVED = "I moved to Porto on 2026-02-14."


@pytest.fixture
def model():
    """A language model on this machine, and the settings that name it."""
    with scripted_model() as server:
        server.settings = {
            "ENGRAM_MODEL__KIND": "openai",
            "ENGRAM_MODEL__URL": server.url,
            "ENGRAM_MODEL__MODEL": "small",
            "ENGRAM_MODEL__PRICE_IN": "10",
            "ENGRAM_MODEL__PRICE_OUT": "20",
            "ENGRAM_MODEL__RETRIES": "0",
        }
        yield server


def test_what_was_said_is_kept_and_learnt_from(ask):
    heard = ask("observe", MOVED, "--speaker", "Ada", "--session", "s1", "--reference", "chat:7")

    (turn,) = heard["turns"]
    assert heard["counts"] == {"kept": 1}
    assert turn["memory"]["content"] == MOVED
    assert (turn["memory"]["session"], turn["memory"]["reference"]) == ("s1", "chat:7")
    assert [each["content"] for each in heard["learnt"]] == [MOVED]
    assert (heard["unread"], heard["problem"]) == (0, "")


def test_the_time_it_was_said_makes_dates_absolute_beside_the_quote(ask):
    heard = ask("observe", "I visited Lyon yesterday.", "--at", "2026-03-02", "--speaker", "Ada")

    (learnt,) = heard["learnt"]
    assert learnt["content"] == "I visited Lyon yesterday."
    assert learnt["metadata"]["dates"] == ["2026-03-01"]


def test_a_person_reads_what_was_kept_and_what_was_learnt(run):
    answer = run("observe", MOVED, "--speaker", "Ada", COLUMNS="80")

    assert answer.code == 0
    assert "Kept mem-0001 (new): I moved to Porto" in answer.out
    assert "mem-0002" in answer.out
    assert "undo with: engram undo chg-" in answer.out
    assert max(len(line.rstrip()) for line in answer.out.splitlines()) <= 80


def test_the_same_turn_twice_is_kept_once(ask):
    first = ask("observe", MOVED, "--speaker", "Ada")
    again = ask("observe", MOVED, "--speaker", "Ada")

    assert again["counts"] == {"known": 1}
    assert again["turns"][0]["memory"]["id"] == first["turns"][0]["memory"]["id"]
    assert again["learnt"] == []


def test_a_turn_comes_by_a_pipe(ask):
    heard = ask("observe", "--speaker", "Ada", typed=f"{MOVED}\nIt rains.\n")

    assert heard["turns"][0]["memory"]["content"] == f"{MOVED}\nIt rains."


def test_every_line_can_be_a_turn(ask):
    lines = "".join(f"The lamp {n} stands in hall {n}.\n" for n in range(12))

    heard = ask("observe", "--lines", "--session", "s1", typed=f"{lines}\n\n")

    assert heard["counts"] == {"kept": 12}
    assert heard["unread"] == 0
    assert {turn["memory"]["session"] for turn in heard["turns"]} == {"s1"}


def test_every_line_can_be_a_turn_in_json(ask):
    turns = [
        {"role": "user", "text": MOVED, "speaker": "Ada", "at": "2026-03-01T09:00:00+00:00"},
        {"role": "assistant", "content": "I will send the lease to Ada by 2026-03-09."},
    ]

    heard = ask("observe", "--jsonl", "--session", "s9", typed="\n".join(map(json.dumps, turns)))

    first, second = (turn["memory"] for turn in heard["turns"])
    assert (first["speaker"], first["metadata"]["role"]) == ("Ada", "user")
    assert (second["session"], second["metadata"]["role"]) == ("s9", "assistant")
    assert {each["category"] for each in heard["learnt"]} >= {"commitment"}


@pytest.mark.parametrize(
    "typed",
    ["[1]", "{", '{"text": "x", "scope": "/"}', '{"role": "user"}', '{"text": "x", "role": "cat"}'],
)
def test_a_line_that_is_no_turn_is_refused_and_nothing_is_kept(run, ask, typed):
    answer = run("observe", "--jsonl", "--json", typed=f'{{"text": "fine"}}\n{typed}\n')

    assert (answer.code, answer.error_code) == (1, "E4005")
    assert ask("list", "--status", "any")["memories"] == []


@pytest.mark.parametrize(
    "words", [("observe", "text", "--lines"), ("observe", "text", "--jsonl"), ("stats", "nonsense"),
              ("stats", "--since", "2026-01-01"), ("entity", "--split"),
              ("entity", "Ada", "--split", "--merge-into", "Bob")]
)  # fmt: skip
def test_a_command_that_makes_no_sense_is_wrong_usage(run, words):
    assert run(*words).code == 2


def test_a_place_without_a_store_is_made_by_listening(spawn, tmp_path):
    path = tmp_path / "fresh"

    heard = spawn("observe", MOVED, "--store", path, "--json")

    assert (heard.code, heard.document["counts"]) == (0, {"kept": 1})
    tried = spawn("observe", MOVED, "--dry-run", "--store", tmp_path / "none", "--json")
    assert (tried.code, tried.document["turns"]) == (0, 1)
    assert not (tmp_path / "none").exists()


def test_the_owner_listens_for_another_scope(ask):
    heard = ask("observe", MOVED, "--speaker", "Ada", "--within", "project=acme")

    assert heard["turns"][0]["memory"]["scope"] == "/project=acme/"
    assert (len(heard["learnt"]), heard["unread"]) == (1, 0)
    assert ask("list")["memories"] == []


def test_nobody_listens_for_a_scope_beside_its_own(run):
    answer = run("observe", MOVED, "--scope", "project=a", "--within", "project=b", "--json")

    assert (answer.code, answer.error_code) == (1, "E4001")


# What lies behind


def test_a_memory_shows_the_turn_it_was_drawn_from_and_the_turn_what_was_drawn(ask, run):
    heard = ask("observe", MOVED, "--speaker", "Ada")
    turn, learnt = heard["turns"][0]["memory"], heard["learnt"][0]

    shown, behind = ask("show", learnt["label"]), ask("show", turn["label"])

    assert [each["turn"]["id"] for each in shown["sources"]] == [turn["id"]]
    assert shown["sources"][0]["words"] in MOVED
    assert [each["id"] for each in behind["drawn"]] == [learnt["id"]]
    assert (shown["drawn"], behind["sources"]) == ([], [])
    assert "drawn from it" in run("show", turn["label"]).out
    assert MOVED in run("show", learnt["label"]).out


def test_a_review_shows_what_was_said_beside_each_candidate(store, ask, run):
    said = "Her name is Grace Lindqvist."
    with Engram.open(store, scope=Scope(agent="coder")) as agent:
        agent.observe(
            said, role="user", speaker="Ada", facts=[{"text": said, "category": "identity"}]
        )

    (candidate,) = ask("review", "--list")["pending"]
    shown = run("review", "--list", COLUMNS="80").out

    assert candidate["status"] == "pending"
    assert [each["turn"]["content"] for each in candidate["sources"]] == [said]
    assert "said in mem-0001 by Ada" in shown
    assert max(len(line.rstrip()) for line in shown.splitlines()) <= 80


def test_a_review_shows_why_a_candidate_waits(ask, run):
    stated = ask("remember", "The mascot is a heron.", "--within", "agent=coder")["memory"]
    ask("feedback", stated["label"], "--unhelpful", "--correction", "The mascot is an owl.",
        "--scope", "agent=coder")  # fmt: skip

    (candidate,) = ask("review", "--list")["pending"]

    assert "which a person stands behind" in candidate["reason"]
    assert "held: it would correct" in run("review", "--list").out


def test_a_person_is_shown_the_words_before_deciding(store, terminal):
    said = "Her name is Grace Lindqvist."
    with Engram.open(store, scope=Scope(agent="coder")) as agent:
        agent.observe(said, speaker="Ada", facts=[{"text": said, "category": "identity"}])

    shown = terminal("review", COLUMNS="100")
    shown.answer("[q]uit > ", "q")

    assert shown.leave() == 0
    assert "said in mem-0001 by Ada" in shown.seen


# Figures


def test_capture_is_counted_by_outcome_and_reason(ask, run):
    assert "Nothing was said here yet." in run("stats", "capture").out
    ask("observe", f"{MOVED} What time is it?", "--speaker", "Ada")

    counted = ask("stats", "capture")
    shown = run("stats", "capture", COLUMNS="80").out

    assert counted["totals"]["turn kept"] == 1
    assert counted["totals"]["stored"] == 1
    assert counted["by_reason"]["skipped"] == {"asks": 1}
    assert counted["unread"] == 0
    assert "asks" in shown
    assert ask("stats", "capture", "--since", "2999-01-01")["totals"] == {}


def test_a_model_reads_and_its_calls_are_on_the_bill(ask, run, model):
    fact = {
        "text": "Ada moved to Porto on 2026-02-14.", "category": "location", "confidence": 0.9,
        "subject": "Ada", "predicate": "moved to", "object": "Porto", "turn": 1, "replaces": None,
        "valid_from": "2026-02-14", "deadline": None,
    }  # fmt: skip
    model.will(tells(fact, tokens=(1_000, 100)))

    heard = ask("observe", MOVED, "--speaker", "Ada", **model.settings)
    bill = ask("stats", "cost", **model.settings)

    assert [each["content"] for each in heard["learnt"]] == [fact["text"]]
    assert (bill["calls"], bill["tokens_in"], bill["tokens_out"]) == (1, 1_000, 100)
    assert bill["cost"] == pytest.approx(0.012)
    assert bill["lines"][0]["outcome"] == "answered"
    shown = run("stats", "cost", COLUMNS="80", **model.settings).out
    assert "1 call, 1,000 tokens in, 100 out, cost 0.0120" in shown
    assert max(len(line.rstrip()) for line in shown.splitlines()) <= 80


@pytest.mark.failure("F60")
def test_a_model_that_fails_is_told_and_the_turn_waits(ask, run, model):
    model.will(answers(500))

    heard = ask("observe", MOVED, **model.settings)
    shown = run("observe", "Tom lives in Lyon.", COLUMNS="80", **model.settings).out

    assert heard["counts"] == {"kept": 1}
    assert (heard["learnt"], heard["unread"]) == ([], 1)
    assert heard["problem"]
    assert "to be read:" in shown


def test_a_dry_run_tells_the_price_and_asks_nobody(ask, run, model):
    model.will(answers(500))

    told = ask("observe", MOVED, "--dry-run", **model.settings)

    assert told["plan"]["calls"] == 1
    assert told["plan"]["cost"] > 0
    assert "at most 1 call," in run("observe", MOVED, "--dry-run", **model.settings).out
    assert "at most" not in run("observe", MOVED, "--dry-run").out
    assert model.asked == []
    assert ask("list", "--status", "any")["memories"] == []
    assert ask("stats", "cost")["calls"] == 0
    assert "No language model was asked" in run("stats", "cost").out


def test_a_dry_run_shows_what_would_be_learnt_and_why_the_rest_would_not(ask, run):
    said = "I moved to Porto on 14 February 2026. Can you book a table for two?"

    told = ask("observe", said, "--speaker", "Ada", "--at", "2026-03-01", "--dry-run")
    shown = run("observe", said, "--speaker", "Ada", "--dry-run", COLUMNS="80").out

    (reading,) = told["readings"]
    (statement,) = reading["statements"]
    assert statement["content"] == "I moved to Porto on 14 February 2026."
    assert said[statement["start"] : statement["end"]] == statement["content"]
    assert statement["modality"] == "asserted"
    assert [each["quote"] for each in reading["skipped"]] == ["Can you book a table for two?"]
    assert reading["times"][0]["start"] == "2026-02-14T00:00:00+00:00"
    assert {"name": "Porto", "type": "place"} in reading["entities"]
    for words in ("would be learnt", "skipped", reading["skipped"][0]["reason"], "times: 14 Feb"):
        assert words in shown
    assert max(len(line.rstrip()) for line in shown.splitlines()) <= 80
    assert ask("list", "--status", "any")["memories"] == []


def test_a_dry_run_of_a_long_turn_shows_what_listening_to_it_learns(ask):
    limits = {
        "ENGRAM_CAPTURE__MAX_CONTENT_BYTES": "256", "ENGRAM_CAPTURE__MAX_INPUT_BYTES": "1024",
    }  # fmt: skip
    towns = ("Porto", "Lyon", "Ghent", "Leeds")
    said = " ".join(
        f"I moved to {town} in May {year}." for year in range(2000, 2010) for town in towns
    )

    told = ask("observe", "--dry-run", typed=said, **limits)
    heard = ask("observe", typed=said, **limits)

    (reading,) = told["readings"]
    assert len(said) > 1_024
    assert {each["content"] for each in reading["statements"]} == {
        each["content"] for each in heard["learnt"]
    }


def test_a_dry_run_of_many_turns_shows_each(ask):
    told = ask(
        "observe", "--lines", "--dry-run", typed="I moved to Porto in May 2024.\nWhat time is it?\n"
    )

    assert [len(each["statements"]) for each in told["readings"]] == [1, 0]


# Names


def test_an_entity_shows_what_is_known_of_it(ask, run):
    ask("observe", "Clara Moreau moved to Porto. Clara Moreau works for Acme.", "--session", "s1")

    listed = {each["name"] for each in ask("entity")["entities"]}
    profile = ask("entity", "Clara Moreau")

    assert "Clara Moreau" in listed
    assert profile["entity"]["name"] == "Clara Moreau"
    assert profile["memories"]
    assert any(each["name"] == "Porto" for each in profile["beside"])
    assert "Clara Moreau" in run("entity", COLUMNS="80").out
    assert "beside:" in run("entity", "Clara Moreau", COLUMNS="80").out


def test_two_names_can_be_made_one_and_that_taken_back(ask):
    ask("remember", "Clara Moreau works for Acme.")
    ask("remember", "Colette Dubois lives in Lyon.")

    merged = ask("entity", "Colette Dubois", "--merge-into", "Clara Moreau", "--reason", "married")
    both = ask("entity", "Colette Dubois")["entity"]
    ask("undo", merged["change_id"])

    assert {both["name"], *both["aliases"]} == {"Clara Moreau", "Colette Dubois"}
    assert ask("entity", "Colette Dubois")["entity"]["aliases"] == []


def test_a_name_that_nobody_said_is_not_found(run):
    answer = run("entity", "Nobody", "--json")

    assert (answer.code, answer.error_code) == (1, "E2005")
