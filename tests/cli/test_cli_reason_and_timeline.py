"""Reasoning and timelines as people see them."""

import json
from dataclasses import replace

import pytest
from providers.scripted_model import says, scripted_model

from engram import Engram
from engram.surfaces.cli.reasoning import _picture
from engram.surfaces.cli.terminal import console

HASHING = {"ENGRAM_EMBEDDER__KIND": "hashing"}


@pytest.fixture
def family(ask):
    for text in ("Ada's manager is Grace.", "Grace's brother is Roger.", "Roger lives in Bergen."):
        ask("remember", text)


QUESTION = "Where does the brother of Ada's manager live?"


def test_a_chain_is_shown_in_order_with_how_each_was_found(family, run):
    answer = run("reason", QUESTION, **HASHING)

    assert answer.code == 0
    places = [answer.out.index(each) for each in ("1.", "2.", "3.")]
    assert places == sorted(places)
    assert "by Roger of mem-0002" in answer.out
    assert "cover the question" in answer.out


def test_the_numbers_run_from_the_top_whatever_was_found_first():
    texts = ("Ada's manager is Grace.", "Grace's brother is Roger.", "Roger lives in Bergen.")
    with Engram.open(":memory:", settings={"embedder": {"kind": "none"}}) as engram:
        for text in (*texts, "Ada lives in Porto."):
            engram.remember(text)
        found = engram.reason(QUESTION)
    assert found.is_sufficient

    shown = _shown(replace(found, evidence=found.evidence[::-1]))

    assert [line.split()[:2] for line in shown if line.split()[:1] in (["1."], ["2."], ["3."])] == [
        ["1.", "mem-0001"], ["2.", "mem-0002"], ["3.", "mem-0003"],
    ]  # fmt: skip
    assert [line.split()[0] for line in shown if "mem-0" in line[:14]][:3] == ["1.", "2.", "3."]


def test_what_covers_no_question_has_no_numbers(family, ask, run):
    question = "Which car does Roger, the manager of Ada, drive?"
    assert len(ask("reason", question, **HASHING)["chain"]) > 1

    out = run("reason", question, COLUMNS="120", **HASHING).out

    assert "mem-0002" in out
    assert not any(line.split()[:1] in (["1."], ["2."]) for line in out.splitlines())


def _shown(found) -> list[str]:
    drawing = console()
    with drawing.capture() as drawn:
        drawing.print(_picture(found))
    return drawn.get().splitlines()


def test_the_question_stands_once_and_the_steps_below_the_memories(family, run):
    out = run("reason", QUESTION, COLUMNS="120", **HASHING).out

    assert out.count(QUESTION) == 1
    assert out.index("mem-0003") < out.index(f"0 recall: {QUESTION}")
    assert "recall: Roger live (" in out


def test_one_step_needs_no_trace(family, run):
    out = run("reason", "Where does Roger live?", **HASHING).out

    assert "Bergen" in out
    assert "recall:" not in out
    assert "step" not in out


def test_what_is_missing_is_told(family, run):
    answer = run("reason", "Who is the dentist of Ada's manager?", **HASHING)

    assert "in nothing found: dentist" in answer.out


def test_reasoning_is_one_document(family, ask):
    found = ask("reason", QUESTION, "--depth", "3", **HASHING)

    assert found["is_sufficient"] is True
    assert found["chain"] == ["mem-0001", "mem-0002", "mem-0003"]
    assert found["steps"][0]["query"] == QUESTION


def test_what_a_model_answers_is_shown_with_its_memories_and_the_steps_it_took(family, run):
    sentence = {"text": "Grace's brother is Roger.", "sources": [1]}
    judged = {"state": "gap", "sentences": [], "questions": ["Who is Grace's brother?"]}
    with scripted_model() as server:
        server.will(
            says(json.dumps(judged)),
            lambda asked: says(_together(asked, sentence))(asked),
        )
        answer = run(
            "reason", QUESTION, "--depth", "1", "--calls", "3", COLUMNS="120",
            ENGRAM_MODEL__KIND="openai", ENGRAM_MODEL__URL=server.url,
            ENGRAM_MODEL__MODEL="gpt-4o", **HASHING,
        )  # fmt: skip

    assert answer.code == 0
    assert answer.out.startswith("Grace's brother is Roger.\n  mem-0002")
    for told in ("gap: Who is Grace's brother?", "sub-question: Who", "synthesis:", "120 tokens"):
        assert told in answer.out
    assert "2 calls of gpt-4o, 240 tokens" in answer.out


def _together(asked, sentence) -> str:
    document = json.loads(asked.document["messages"][-1]["content"])
    place = next(each["source"] for each in document["sources"] if "brother" in each["text"])
    return json.dumps({"sentences": [{**sentence, "sources": [place]}], "missing": []})


def test_a_block_for_a_tool_is_shown_as_it_is(family, run, ask):
    call = ("tool-context", "invite", "--arguments", '{"guest": "Roger", "password": "sesame"}')

    shown, document = run(*call, **HASHING), ask(*call, **HASHING)

    assert "Roger lives in Bergen." in shown.out
    assert shown.out.startswith("<engram-memories")
    assert document["text"] == shown.out.rstrip("\n")
    assert document["query"] == "invite Roger"
    assert "Nothing known." in run("tool-context", "zip", "--arguments", "{}", **HASHING).out


@pytest.mark.parametrize("arguments", ["[]", "{", '"text"'])
def test_arguments_that_are_no_object_are_refused(run, arguments):
    answer = run("tool-context", "zip", "--arguments", arguments, "--json", **HASHING)

    assert answer.code == 1
    assert answer.document["error"]["code"] == "E4005"


def test_a_depth_that_makes_no_sense_is_refused(run):
    assert run("reason", "anything", "--depth", "9", "--json", **HASHING).code == 1


def test_nothing_found_is_said(run):
    assert "Nothing found." in run("reason", "anything", **HASHING).out


def test_a_line_runs_from_the_past_to_now_with_what_became_of_each(ask, run):
    ask("remember", "Ada's office is in Lyon.")
    ask("revise", "mem-0001", "Ada's office is in Nice.", "--reason", "heard wrong")
    ask("remember", "Ada's office moved to Porto.", "--replaces", "mem-0001")

    lines = run("timeline", "Ada's office", COLUMNS="160", **HASHING).out.splitlines()

    marks = [next(mark for mark in "●○" if mark in line) for line in lines if set(line) & {*"●○"}]
    assert marks == ["○", "○", "●"]
    assert sum("│" in line for line in lines) == 2
    text = " ".join(lines)
    assert text.index("Lyon") < text.index("Nice") < text.index("Porto")
    assert "heard wrong" in text
    assert "3 entries, 1 of them as it stands now" in text


def test_no_line_of_a_timeline_is_wider_than_the_terminal(ask, run):
    ask("remember", "The spare key to the boat house hangs behind the third beam on the left.")
    ask("forget", "mem-0001", "--reason", "it was moved to another place that nobody remembers")

    for width in (40, 80):
        out = run("timeline", "spare key", COLUMNS=str(width), **HASHING).out
        assert max(map(len, out.splitlines())) <= width


def test_a_timeline_is_one_document_bounded_by_time(ask):
    ask("remember", "The lease began.", "--at", "2025-01-01")
    ask("remember", "The lease ends.", "--at", "2026-01-01")

    (entry,) = ask("timeline", "lease", "--since", "2025-06-01", **HASHING)["timeline"]

    assert entry["memory"]["content"] == "The lease ends."
    assert entry["standing"] == "active"


def test_no_escape_of_a_memory_reaches_the_terminal(ask, run):
    ask("remember", "The lease \x1b[2J ends.")

    assert "\x1b" not in run("timeline", "lease", **HASHING).out
