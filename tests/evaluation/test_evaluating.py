"""A whole evaluation on a small folder: what goes in, what is asked, what is reported."""

import json
import xml.etree.ElementTree as ElementTree

import pytest

from engram import Engram
from engram.errors import ContentTooLarge, EmbedderUnavailable
from engram.evaluation import EvaluationOptions, evaluate
from engram.evaluation.chart import character_plot, svg_plot
from engram.evaluation.conversations import read_conversation
from engram.evaluation.evaluate import NO_EMBEDDER
from engram.evaluation.files import document, report_page, write_report
from engram.evaluation.trial import ENGRAM, put_in, remembered
from evaluation.material import QUESTIONS, SETTINGS, TURNS, WordVectors, conversation, write

OPTIONS = EvaluationOptions(settings=SETTINGS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two sets, one of them with two files."""
    made = tmp_path_factory.mktemp("conversations")
    for name in ("harbour/a", "harbour/b", "mill/c"):
        write(made, name, conversation(id=name))
    return made


@pytest.fixture(scope="module")
def report(folder):
    return evaluate(folder, OPTIONS, embedder=WordVectors())


def test_every_set_and_method_is_measured_on_the_same_questions(report):
    assert [each.name for each in report.sets] == ["harbour", "mill"]
    for each in report.sets:
        assert [method.method for method in each.methods] == [ENGRAM, "BM25", "MiniLM", "RRF"]
        assert {method.total.questions for method in each.methods} == {each.scored}
    harbour = report.sets[0]
    assert (harbour.files, harbour.turns) == (2, 2 * len(TURNS))
    assert (harbour.questions, harbour.scored) == (2 * len(QUESTIONS), 8)


def test_categories_add_up_to_the_total(report):
    for each in report.sets[0].methods:
        rows = each.categories
        assert [row.category for row in rows] == ["both", "update", "who"]
        assert sum(row.questions for row in rows) == each.total.questions
        weighted = sum(row.questions * row.marks.recall_at_10 for row in rows)
        assert weighted / each.total.questions == pytest.approx(each.total.marks.recall_at_10)


def test_what_was_said_is_found(report):
    engram = report.sets[0].methods[0]

    assert engram.total.marks.hit_at_5 == 1.0
    assert engram.total.marks.recall_at_20 == 1.0
    low, high = engram.recall_interval
    assert low <= engram.total.marks.recall_at_10 <= high
    assert engram.current_before_stale.questions == 2
    assert engram.unanswerable == 2
    assert 0.0 <= engram.abstention_auroc <= 1.0
    assert 0 < engram.latency_p50 <= engram.latency_p95


def test_two_turns_with_the_same_words_are_one_memory_found_by_both_references(report):
    harbour = report.sets[0]

    assert harbour.outcomes == {"confirmed": 2, "stored": 2 * (len(TURNS) - 1)}
    # t4 repeats t3 word for word and is the only evidence of one question.
    assert next(
        row for row in harbour.methods[0].categories if row.category == "who"
    ).marks.all_at_5


def test_more_hits_cost_more_tokens_and_never_find_less(report):
    for method in report.sets[0].methods:
        points = method.curve
        assert [point.hits for point in points] == [1, 2, 3, 5, 10, 15, 20]
        assert [point.tokens for point in points] == sorted(point.tokens for point in points)
        assert [point.recall for point in points] == sorted(point.recall for point in points)
        assert points[-1].tokens == pytest.approx(method.total.tokens)


def test_the_same_folder_gives_the_same_figures(folder, report):
    again = evaluate(folder, OPTIONS, embedder=WordVectors())

    for first, second in zip(report.sets, again.sets, strict=True):
        for one, other in zip(first.methods, second.methods, strict=True):
            assert one.categories == other.categories
            assert one.recall_interval == other.recall_interval


def test_baselines_sets_and_files_can_be_left_out(folder):
    chosen = EvaluationOptions(
        sets=("harbour",), limit_files=1, has_baselines=False, settings=SETTINGS
    )

    report = evaluate(folder, chosen)

    assert [each.name for each in report.sets] == ["harbour"]
    assert report.sets[0].files == 1
    assert [method.method for method in report.sets[0].methods] == [ENGRAM]


class Breaking(WordVectors):
    """An embedder that can be used so many times."""

    def __init__(self, uses):
        self.uses = uses

    def embed(self, texts):
        self.uses -= 1
        if self.uses < 0:
            raise EmbedderUnavailable
        return super().embed(texts)


@pytest.mark.parametrize("uses", [0, 1 + len(QUESTIONS)])  # at once; after the first file
def test_a_missing_embedder_leaves_its_baselines_out_and_says_so(folder, uses):
    report = evaluate(folder, OPTIONS, embedder=Breaking(uses))

    assert report.notes.count(NO_EMBEDDER) == 1
    for each in report.sets:
        assert [method.method for method in each.methods] == [ENGRAM, "BM25"]


def test_settings_that_are_not_the_defaults_are_reported(folder):
    changed = {**SETTINGS, "recall": {"timeout_seconds": 4.0}}
    chosen = EvaluationOptions(sets=("mill",), has_baselines=False, settings=changed)

    report = evaluate(folder, chosen)

    assert report.changed_settings["recall.timeout_seconds"] == 4.0
    assert "`recall.timeout_seconds` = 4.0" in report_page(report)


def test_progress_counts_up_to_the_whole(folder):
    seen: dict[str, list[tuple[int, int]]] = {}

    def progress(stage: str, done: int, total: int) -> None:
        seen.setdefault(stage, []).append((done, total))

    evaluate(folder, OPTIONS, embedder=WordVectors(), progress=progress)

    assert {stage: steps[-1] for stage, steps in seen.items()} == {
        "put in": (3 * len(TURNS), 3 * len(TURNS)),
        "ask": (3 * len(QUESTIONS), 3 * len(QUESTIONS)),
        "compare": (3 * len(QUESTIONS), 3 * len(QUESTIONS)),
    }


def test_a_turn_goes_in_with_all_that_is_known_about_it(tmp_path):
    read = read_conversation(write(tmp_path, "harbour/a", conversation()))

    with Engram.open(":memory:", settings=SETTINGS) as engram:
        put_in(engram, read, lambda stage, count: None)
        by_reference = {each.reference: each for each in engram.list(status="any")}

    ferry, scarf = by_reference["t6"], by_reference["t7"]
    assert (ferry.speaker, ferry.session, ferry.at) == ("Omar", "3", read.turns[5].at)
    assert (ferry.source_class, scarf.source_class) == ("person", "agent")
    assert {each.status for each in by_reference.values()} == {"active"}
    assert "source" not in remembered(read.turns[5])


def test_a_turn_without_words_is_no_memory(tmp_path):
    content = conversation()
    content["turns"][2]["text"] = "  "

    write(tmp_path, "harbour/a", content)
    report = evaluate(tmp_path, OPTIONS, embedder=WordVectors())

    assert report.sets[0].outcomes == {"stored": len(TURNS) - 1}


def test_a_turn_that_cannot_be_kept_names_its_conversation(tmp_path):
    content = conversation()
    content["turns"][2]["text"] = "word " * 100_000
    write(tmp_path, "harbour/a", content)

    with pytest.raises(ContentTooLarge, match="harbour: Item 2"):
        evaluate(tmp_path, OPTIONS)


# How it looks


def test_the_report_is_written_as_json_markdown_and_svg(report, tmp_path):
    files = write_report(report, tmp_path / "made" / "here")

    assert [file.name for file in files] == ["report.json", "report.md", "recall-tokens.svg"]
    read = json.loads(files[0].read_text())
    assert read == document(report)
    assert read["sets"][0]["methods"][0]["total"]["marks"]["recall_at_10"] > 0
    page = files[1].read_text()
    assert "| Engram |" in page
    assert "recall-tokens.svg" in page
    ElementTree.parse(files[2])


def test_no_file_of_the_report_holds_a_turn_or_a_question(report, tmp_path):
    texts = [file.read_text() for file in write_report(report, tmp_path)]

    for said in [turn[5] for turn in TURNS] + [question[1] for question in QUESTIONS]:
        assert all(said not in text for text in texts)


def test_the_plots_show_every_method(report):
    drawn, plotted = character_plot(report.sets[0]), svg_plot(report.sets)

    for name in ("Engram", "BM25", "MiniLM", "RRF"):
        assert name in drawn
        assert plotted.count(f"● {name}<") == len(report.sets)
    assert len({line.index("│") for line in drawn.splitlines() if "│" in line}) == 1
    assert max(map(len, drawn.splitlines())) <= 80


def test_a_set_whose_name_looks_like_markup_is_drawn_as_a_name(tmp_path):
    write(tmp_path, "<b>&/a", conversation())
    report = evaluate(tmp_path, OPTIONS, embedder=WordVectors())

    root = ElementTree.fromstring(svg_plot(report.sets))

    assert "<b>&" in [element.text for element in root.iter()]


def test_a_set_without_scored_questions_can_be_reported(tmp_path):
    write(tmp_path, "harbour/a", conversation(questions=[]))

    report = evaluate(tmp_path, OPTIONS, embedder=WordVectors())

    write_report(report, tmp_path / "out")
    assert report.sets[0].scored == 0
    assert character_plot(report.sets[0]) == ""
