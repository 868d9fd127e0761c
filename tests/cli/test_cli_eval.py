"""`engram eval`: figures for people, one document for programs, files for later."""

import json

import pytest
from evaluation.material import QUESTIONS, TURNS, conversation, write

from engram import Engram

DATED = {
    "text": "The pump failed yesterday.",
    "reference": "2025-06-11T09:00:00",
    "expected": [
        {
            "text": "yesterday",
            "type": "date",
            "values": [{"type": "date", "value": "2025-06-10"}],
        }
    ],
}
HASHING = {"ENGRAM_EMBEDDER__KIND": "hashing"}


@pytest.fixture
def folder(tmp_path):
    write(tmp_path / "conversations", "harbour/a", conversation())
    return tmp_path / "conversations"


def test_the_tables_show_every_set_category_and_baseline(run, folder, tmp_path):
    answer = run("eval", folder, "--out", tmp_path / "out", **HASHING)

    assert answer.code == 0
    for shown in ("harbour", "Engram", "BM25", "MiniLM", "RRF", "update", "R@10", "NDCG", "tokens"):
        assert shown in answer.out
    assert "recall against tokens" in answer.out
    assert (tmp_path / "out" / "report.md").is_file()
    assert (tmp_path / "out" / "recall-tokens.svg").is_file()


def test_with_json_there_is_one_document_equal_to_the_file(run, folder, tmp_path):
    answer = run("eval", folder, "--out", tmp_path, "--no-baselines", "--json", **HASHING)

    assert answer.document == json.loads((tmp_path / "report.json").read_text())
    (found,) = answer.document["sets"]
    assert (found["turns"], found["questions"]) == (len(TURNS), len(QUESTIONS))
    assert [method["method"] for method in found["methods"]] == ["Engram"]


def test_the_store_of_the_caller_is_not_touched(run, folder, tmp_path, store):
    run("eval", folder, "--out", tmp_path / "out", "--no-baselines", **HASHING)

    with Engram.open(store) as engram:
        assert engram.list(status="any") == []


def test_a_malformed_file_names_itself_without_a_traceback(spawn, folder, tmp_path):
    write(folder, "harbour/b", {"turns": 3})

    answer = spawn("eval", folder, "--out", tmp_path / "out", "--json")

    assert answer.code == 1
    assert answer.error_code == "E4005"
    assert "harbour/b.json" in answer.document["error"]["hint"]
    assert "Traceback" not in answer.err
    assert not (tmp_path / "out").exists()


@pytest.fixture
def with_task(folder):
    (folder / "tasks").mkdir()
    (folder / "tasks" / "dates.jsonl").write_text(json.dumps(DATED))
    return folder


def test_the_table_says_by_which_call_turns_went_in(run, folder, tmp_path):
    chosen = ("--through", "remember", "--no-baselines", "--out", tmp_path / "out")

    answer = run("eval", folder, *chosen, **HASHING)

    assert answer.code == 0
    assert "Turns went in through remember." in answer.out
    assert "put in within" in answer.out


def test_tasks_are_shown_with_their_bar_after_recall(run, with_task, tmp_path):
    answer = run(
        "eval", with_task, "--no-baselines", "--out", tmp_path / "out", COLUMNS="200", **HASHING
    )

    assert answer.code == 0
    assert answer.out.index("NDCG") < answer.out.index("dates: 1 sentence")
    assert "≥ 85.0 met" in answer.out
    assert "dates in numbers" in answer.out


def test_one_task_is_scored_alone(ask, with_task, tmp_path):
    found = ask("eval", with_task, "--task", "dates", "--out", tmp_path / "out", **HASHING)

    assert [each["task"] for each in found["tasks"]] == ["dates"]
    assert found["sets"] == []
    assert not (tmp_path / "out" / "recall-tokens.svg").exists()
    verdicts = {each["bar"]["figure"]: each["is_met"] for each in found["tasks"][0]["verdicts"]}
    assert verdicts == {"exact": True, "false alarms": True}


def test_only_recall_leaves_the_tasks_out(ask, with_task, tmp_path):
    found = ask(
        "eval", with_task, "--only", "recall", "--no-baselines", "--out", tmp_path / "out",
        **HASHING,
    )  # fmt: skip

    assert found["tasks"] == []
    assert [each["name"] for each in found["sets"]] == ["harbour"]


@pytest.mark.parametrize(
    "words", [("--task", "juggling"), ("--only", "luck"), ("--through", "osmosis")]
)
def test_a_choice_that_does_not_exist_is_refused_with_those_that_do(run, folder, words):
    answer = run("eval", folder, *words, "--json")

    assert (answer.code, answer.error_code) == (1, "E4005")


@pytest.mark.parametrize(
    "words",
    [
        ("eval",),
        ("eval", "--own", "--task", "dates"),
        ("eval", "--own", "--only", "recall"),
        ("eval", "--own", "somewhere"),
        ("eval", "--own", "--set", "harbour"),
        ("eval", "--own", "--questions", "0"),
    ],
)
def test_what_does_not_fit_together_is_refused(run, words):
    answer = run(*words, "--json")

    assert answer.code == 1
    assert answer.error_code == "E4005"


def test_a_report_that_cannot_be_written_is_said(run, folder, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")

    answer = run("eval", folder, "--no-baselines", "--out", blocked, "--json", **HASHING)

    assert (answer.code, answer.error_code) == (1, "E4005")


def test_a_corpus_is_measured_by_its_rows_and_bars(run, tmp_path):
    times = [{"text": "yesterday", "start": "2025-06-10", "end": "2025-06-11"}]
    row = {"text": "The pump failed yesterday.", "at": "2025-06-11T09:00:00Z", "times": times}
    file = tmp_path / "corpus" / "times" / "a.jsonl"
    file.parent.mkdir(parents=True)
    topics = ("apples", "bees", "pump", "pump")  # the third by name is the test part
    file.write_text("\n".join(json.dumps({**row, "topic": topic}) for topic in topics))

    answer = run(
        "eval", file.parents[1], "--task", "times", "--limit", "1", "--out", tmp_path / "out"
    )

    assert answer.code == 0
    assert "times: 1 sentence" in answer.out
    assert "Must hold" in answer.out
    assert "MISSED" not in answer.out


def test_a_limit_of_nothing_is_refused(run, folder):
    assert run("eval", folder, "--limit", "0", "--json").error_code == "E4005"


def test_ones_own_store_is_asked_for_its_memories(run, ask, tmp_path):
    ask("remember", "The red lantern hangs in the boat house by the pier.", **HASHING)

    shown = run("eval", "--own", "--out", tmp_path / "out", **HASHING)
    found = ask("eval", "--own", "--out", tmp_path / "out", **HASHING)

    assert shown.code == 0
    assert "keywords" in shown.out
    assert "lantern" not in shown.out
    assert (found["memories"], found["asked_for"]) == (1, 1)
    assert [form["hit_at_1"] for form in found["forms"]] == [1.0, 1.0, 1.0]
    assert "lantern" not in (tmp_path / "out" / "own-store.json").read_text()
    (memory,) = ask("list")["memories"]
    assert memory["usage"]["accesses"] == 0


def test_a_store_that_is_not_there_is_not_made(spawn, tmp_path):
    answer = spawn("eval", "--own", "--store", tmp_path / "nothing", "--json")

    assert answer.error_code == "E1016"
    assert not (tmp_path / "nothing").exists()
