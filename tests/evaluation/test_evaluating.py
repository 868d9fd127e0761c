"""A whole evaluation on a small folder: what goes in, what is asked, what is reported."""

import json
import xml.etree.ElementTree as ElementTree

import pytest

from engram import Engram
from engram.errors import ContentTooLarge, EmbedderUnavailable, InvalidInput
from engram.evaluation import EvaluationOptions, evaluate
from engram.evaluation.chart import character_plot, svg_plot
from engram.evaluation.conversations import read_conversation
from engram.evaluation.evaluate import NO_EMBEDDER
from engram.evaluation.files import document, report_page, write_report
from engram.evaluation.put_in import observed, put_in, remembered
from engram.evaluation.tables import terminal_grids
from engram.evaluation.trial import ENGRAM
from evaluation.material import QUESTIONS, SETTINGS, TURNS, WordVectors, conversation, write

OPTIONS = EvaluationOptions(settings=SETTINGS)
OPTIONS_ALONE = EvaluationOptions(settings=SETTINGS, has_baselines=False)


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
    assert engram.current_before_stale.questions == 2
    assert engram.unanswerable == 2
    assert 0.0 <= engram.abstention_auroc <= 1.0
    assert 0 < engram.latency_p50 <= engram.latency_p95


def test_an_interval_needs_ten_questions(tmp_path, report):
    for name in ("pier/a", "pier/b", "pier/c"):
        write(tmp_path, name, conversation(id=name))

    (enough,) = evaluate(tmp_path, OPTIONS_ALONE).sets[0].methods

    low, high = enough.recall_interval
    assert low <= enough.total.marks.recall_at_10 <= high
    assert report.sets[0].scored == 8
    assert report.sets[0].methods[0].recall_interval is None


def test_figures_of_no_questions_are_none_and_not_zero(tmp_path):
    asked = [each for each in conversation()["questions"] if each["id"] == "q5"]
    write(tmp_path, "pier/a", conversation(questions=asked))

    report = evaluate(tmp_path, OPTIONS_ALONE)

    finding, cost, *_ = terminal_grids(report.sets[0])
    assert finding.rows[0][1:] == ("0", *["-"] * 8)
    assert (cost.rows[0][1], cost.rows[0][4]) == ("-", "-")
    assert finding.title.startswith("pier: 1 file, 8 turns, 1 question (0 scored)")


def test_evidence_that_nobody_can_find_is_told_with_file_and_question(tmp_path):
    content = conversation()
    content["questions"][3]["evidence"] = ["t98"]
    write(tmp_path, "pier/a", content)

    report = evaluate(tmp_path, OPTIONS_ALONE)

    (note,) = [each for each in report.notes if "name no turn" in each]
    assert "pier/a.json q4" in note
    (lost,) = document(report)["sets"][0]["lost_evidence"]
    assert lost == {"file": "pier/a.json", "question": "q4", "missing": 1, "is_scored": False}


def test_the_same_words_in_two_sessions_are_told_once_and_found_by_both_references(report):
    harbour = report.sets[0]

    assert harbour.put_in.turns == {"kept": 2 * len(TURNS)}
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
        "read": (3 * len(TURNS), 3 * len(TURNS)),
        "ask": (3 * len(QUESTIONS), 3 * len(QUESTIONS)),
        "compare": (3 * len(QUESTIONS), 3 * len(QUESTIONS)),
    }


@pytest.mark.parametrize("way", ["observe", "remember"])
def test_a_turn_goes_in_with_all_that_is_known_about_it(tmp_path, way):
    read = read_conversation(write(tmp_path, "harbour/a", conversation()))

    with Engram.open(":memory:", settings=SETTINGS) as engram:
        put_in(engram, read.turns, way, lambda stage, count: None)
        by_reference = {each.reference: each for each in engram.list(status="any")}

    ferry, scarf = by_reference["t6"], by_reference["t7"]
    assert (ferry.speaker, ferry.session, ferry.at) == ("Omar", "3", read.turns[5].at)
    assert (ferry.source_class, scarf.source_class) == ("person", "agent")
    assert "source" not in remembered(read.turns[5])


def test_what_is_said_in_a_role_nobody_knows_is_taken_for_a_person(tmp_path):
    content = conversation()
    content["turns"][0]["role"] = "Narrator"
    content["turns"][1]["role"] = "Agent"
    read = read_conversation(write(tmp_path, "harbour/a", content))

    roles = [observed(turn)["role"] for turn in read.turns[:3]]

    assert roles == ["user", "assistant", "user"]


def test_by_observe_statements_are_learnt_and_by_remember_none(folder, report):
    by_remember = evaluate(
        folder, EvaluationOptions(settings=SETTINGS, has_baselines=False, through="remember")
    )

    heard, remembered_ = report.sets[0].put_in, by_remember.sets[0].put_in
    assert (report.through, by_remember.through) == ("observe", "remember")
    assert heard.statements["stored"] >= 2
    assert heard.read_seconds > 0
    assert remembered_.statements == {}
    assert remembered_.turns == {"confirmed": 2, "stored": 2 * (len(TURNS) - 1)}
    assert "through `remember`" in report_page(by_remember)


def test_the_table_of_what_went_in_shows_turns_and_statements(report):
    _, _, taken, *_ = terminal_grids(report.sets[0])

    assert taken.title.startswith("harbour: put in within")
    turns, statements, _ = taken.rows
    assert turns[:3] == ("turns", str(2 * len(TURNS)), "0")
    assert statements[0] == "statements"
    assert int(statements[1]) == report.sets[0].put_in.statements["stored"]


@pytest.mark.parametrize("way", ["observe", "remember"])
def test_a_turn_without_words_is_no_memory(tmp_path, way):
    content = conversation()
    content["turns"][2]["text"] = "  "
    seen: dict[str, int] = {}

    write(tmp_path, "harbour/a", content)
    report = evaluate(
        tmp_path,
        EvaluationOptions(settings=SETTINGS, has_baselines=False, through=way),
        progress=lambda stage, done, total: seen.update({stage: total - done}),
    )

    assert sum(report.sets[0].put_in.turns.values()) == len(TURNS) - 1
    assert set(seen.values()) == {0}  # it is counted all the same


def test_a_text_that_cannot_be_kept_names_its_conversation(tmp_path):
    content = conversation()
    content["turns"][2]["text"] = "word " * 100_000
    write(tmp_path, "harbour/a", content)

    with pytest.raises(ContentTooLarge, match="harbour: Item 2"):
        evaluate(tmp_path, EvaluationOptions(settings=SETTINGS, through="remember"))


@pytest.mark.parametrize(
    "wrong", [{"through": "osmosis"}, {"only": "luck"}, {"only": "recall", "tasks": ("dates",)}]
)
def test_a_choice_that_is_none_is_refused(folder, wrong):
    with pytest.raises(InvalidInput):
        evaluate(folder, EvaluationOptions(**wrong))


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
