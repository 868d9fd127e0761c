"""`engram context`: what a model would be given, on the terminal and as documents."""

import json

import pytest


@pytest.fixture
def known(ask):
    ask("remember", "The billing service deploys on Tuesdays.", "--category", "fact")


QUESTION = ("context", "When does the billing service deploy?", "--model", "gpt-4o")


def test_a_table_tells_what_each_section_takes(known, run):
    shown = run(*QUESTION)

    assert shown.code == 0
    assert "recalled" in shown.out
    assert "1 memory" in shown.out
    assert "Tuesdays" in shown.out


def test_the_document_holds_the_prompt_and_its_figures(known, ask):
    made = ask(*QUESTION, "--budget", "400")

    assert made["tokens"] <= made["budget"] == 400
    assert not any("asked for" in each for each in made["notes"])
    assert made["messages"][-1]["content"].endswith("When does the billing service deploy?")
    assert [each["label"] for each in made["memories"]] == ["mem-0001"]


def test_messages_and_text_are_printed_as_they_are(known, run, tmp_path):
    talk = tmp_path / "talk.jsonl"
    talk.write_text('{"role": "user", "content": "Hi."}\n{"role": "assistant", "content": "Hi!"}')

    openai = json.loads(run(*QUESTION, "--history", str(talk), "--messages", "openai").out)
    anthropic = json.loads(run(*QUESTION, "--history", str(talk), "--messages", "anthropic").out)
    text = run(*QUESTION, "--text").out

    assert [each["role"] for each in openai] == ["system", "user", "assistant", "user"]
    assert [each["role"] for each in anthropic["messages"]] == ["user", "assistant", "user"]
    assert "<engram-memories" in text


def test_room_is_kept_for_the_schemas_of_tools(known, ask, run, tmp_path):
    schemas = tmp_path / "tools.json"
    schemas.write_text('[{"name": "weather", "description": "The weather in a town."}]')
    made = ask(*QUESTION, "--tools", str(schemas))
    assert "tools" in [each["name"] for each in made["sections"]]
    schemas.write_text('["weather"]')
    refused = run(*QUESTION, "--tools", str(schemas))
    assert refused.code == 1


def test_a_dash_reads_the_message_from_a_pipe(known, ask):
    made = ask("context", "-", "--model", "gpt-4o", typed="When does the billing service deploy?\n")

    assert made["messages"][-1]["content"].endswith("When does the billing service deploy?")
    assert [each["label"] for each in made["memories"]] == ["mem-0001"]


def test_a_budget_that_the_window_does_not_have_is_told(known, ask, run):
    made = ask(*QUESTION, "--budget", "900000")
    told = " ".join(run(*QUESTION, "--budget", "900000", COLUMNS="200").out.split())

    assert made["budget"] < 128_000
    assert f"900,000 tokens were asked for; gpt-4o has room for {made['budget']:,}." in told
    assert any(f"gpt-4o has room for {made['budget']:,}" in each for each in made["notes"])


def test_a_budget_too_small_is_told_to_be_raised(known, run):
    hint = run(*QUESTION, "--budget", "3", "--json").document["error"]["hint"]

    assert "a larger budget" in hint


def test_a_model_that_is_not_known_is_told(known, run):
    assert "not known" in run("context", "When?", "--model", "somebodys-own").out


@pytest.mark.parametrize(
    "more", [("--messages", "xml"), ("--mode", "huge"), ("--budget", "3")]
)  # fmt: skip
def test_what_makes_no_sense_is_refused(known, run, more):
    assert run(*QUESTION, *more).code == 1
