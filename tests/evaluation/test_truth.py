"""The truth table: the corpus and its split, and the rule by which each row is scored."""

import json
from collections import Counter
from datetime import UTC, datetime

import pytest

from engram.errors import InvalidInput
from engram.evaluation import EvaluationOptions, evaluate, truth_answers, truth_updates
from engram.evaluation.conversations import Asked, Conversation, Turn
from engram.evaluation.corpus import Corpus, GoldSpan, LabelledTurn, NamedTalk, Pair, sample
from engram.evaluation.files import write_report
from engram.evaluation.tables import must_hold_grid
from engram.evaluation.task_report import ENGRAM
from engram.evaluation.truth_answers import (
    calibration_error,
    confidence_line,
    filler_turns,
    measure_asked,
    measure_crowd,
    measure_current,
)
from engram.evaluation.truth_cost import count_entries, measure_rules
from engram.evaluation.truth_reading import NameScore, add_names, match_spans
from engram.evaluation.truth_stores import (
    Answered,
    Replacements,
    StoreTrial,
    Truth,
    hear,
    replacements_in,
)
from engram.evaluation.truth_times import read_diary
from engram.evaluation.truth_updates import (
    OTHERS,
    batches_of,
    measure_past_events,
    measure_retired,
    measure_updates,
    past_events,
)
from engram.language.when.spans import find_times
from engram.memory.reading import Modality, ReadStatement
from evaluation.material import SETTINGS

NOW = datetime(2026, 3, 5, 9, tzinfo=UTC)
TURN = {
    "topic": "ferry", "role": "user", "speaker": "Ines", "to": "assistant", "voice": "skipper",
    "p": [["Hello! ", "D:chat"], ["My blood type is O negative. ", "K:health:asserted"]],
}  # fmt: skip
PAIR = {
    "topic": "ferry", "speaker": "Ines", "first": "The ferry leaves at seven.",
    "later": "The ferry leaves at nine from now on.", "relation": "replaces",
}  # fmt: skip
STORE = {
    "topic": "ferry",
    "turns": [
        {"speaker": "Ines", "role": "user", "at": "2026-01-02T09:00:00Z",
         "text": "My berth is number 14."},
        {"speaker": "Ines", "role": "user", "at": "2026-02-02T09:00:00Z",
         "text": "They moved my berth to number 31."},
    ],
    "questions": [
        {"q": "Which berth is mine?", "answerable": True, "evidence": [1], "stale": [0]},
        {"q": "What is my boat called?", "answerable": False, "evidence": []},
    ],
}  # fmt: skip
TIMED = {
    "topic": "ferry", "text": "The pump failed yesterday.", "at": "2025-06-11T09:00:00Z",
    "times": [{"text": "yesterday", "start": "2025-06-10", "end": "2025-06-11"}],
}  # fmt: skip
NAMED = {
    "topic": "ferry",
    "turns": [{"speaker": "Ines", "text": "Leyla Aydin moved to Cadiz."}],
    "entities": [
        {"name": "Leyla Aydin", "type": "person", "mentions": ["Leyla Aydin"]},
        {"name": "Cadiz", "type": "place", "mentions": ["Cadiz"]},
    ],
}
ROWS = {
    "turns": TURN, "pairs": PAIR, "stores": STORE, "times": TIMED, "names": NAMED,
    "asked": {"topic": "ferry", "fact": "I never eat meat.", "question": "Am I a vegetarian?"},
}  # fmt: skip


def quiet(done, total):
    """Nobody watches."""


def write_rows(folder, kind, *rows, writer="a"):
    file = folder / kind / f"{writer}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")


@pytest.fixture
def folder(tmp_path):
    """A corpus whose only test topic is "ferry": the third of its writer."""
    for kind, row in ROWS.items():
        others = [{**row, "topic": topic} for topic in ("apples", "bees")]
        write_rows(tmp_path / "corpus", kind, *others, row)
    return tmp_path / "corpus"


@pytest.fixture
def truth(folder):
    return Truth(Corpus(folder), SETTINGS)


def pair(name, topic, relation="replaces"):
    return Pair(name, topic, "en", "First.", "Later.", "Ines", "Ines", None, relation)


def answered(evidence=(), stale=(), hits=(), confidence=0.5, assessment="uncertain", **changes):
    is_answerable = changes.get("is_answerable", bool(evidence))
    asked = Asked("q", "Which?", "en", frozenset(evidence), frozenset(stale), is_answerable)
    return Answered(asked, tuple((each,) for each in hits), confidence, assessment)


def test_the_topics_of_a_writer_go_to_the_three_parts_in_turn(folder):
    parts = {row["topic"]: part for part, row in Corpus(folder).rows("pairs")}

    assert parts == {"apples": "train", "bees": "tune", "ferry": "test"}


def test_a_topic_is_in_one_part_whichever_kind_of_rows_names_it(folder):
    write_rows(folder, "asked", {**ROWS["asked"], "topic": "acorns"})

    parts = {row["topic"]: part for part, row in Corpus(folder).rows("pairs")}

    assert parts == {"apples": "tune", "bees": "test", "ferry": "train"}


def test_stores_in_other_languages_are_all_of_the_test_part(folder):
    write_rows(folder, "languages", STORE, {**STORE, "topic": "bees"}, writer="de")

    stores = Corpus(folder).stores(kind="languages")

    assert [store.questions[0].category for store in stores] == ["de", "de"]


def test_pieces_of_a_turn_are_spans_without_the_space_around_them(folder):
    (found,) = Corpus(folder).turns()

    (span,) = found.kept
    assert found.turn.text[span.start : span.end] == "My blood type is O negative."
    assert (span.category, span.modality) == ("health", "asserted")


def test_a_row_that_does_not_fit_is_refused_by_its_name(folder):
    write_rows(folder, "stores", {"topic": "ferry", "turns": 3, "questions": []}, writer="z")

    with pytest.raises(InvalidInput, match=r"stores/z-0"):
        [Corpus(folder).stores(part) for part in ("train", "tune", "test")]


def test_a_sample_is_spread_over_all_rows():
    assert sample(list(range(10)), 4) == [0, 2, 5, 7]
    assert sample([1, 2], 5) == [1, 2]


def statement(text, start, end):
    return ReadStatement(
        content=text[start:end], start=start, end=end, subject=(), category="fact",
        modality=Modality.ASSERTED, confidence=0.9,
    )  # fmt: skip


def test_a_quote_matches_one_span_that_it_overlaps_by_seven_tenths():
    text = "one two three four five six seven eight nine ten"
    turn = LabelledTurn(
        Turn("t", None, NOW, None, "user", text),
        (GoldSpan(0, len(text), "fact", "asserted"),),
        None,
    )
    seven, six = statement(text, 0, 33), statement(text, 0, 27)

    assert match_spans(turn, [six]) == []
    assert match_spans(turn, [six, seven]) == [(turn.kept[0], seven)]
    assert len(match_spans(turn, [seven, seven])) == 1


def test_no_two_pairs_of_a_store_are_of_one_topic_and_others_fill_it():
    pairs = [pair(f"{topic}-{n}", f"topic {topic}") for topic in range(30) for n in range(topic)]

    batches = list(batches_of(pairs))

    assert Counter(each.name for batch in batches for each in batch.pairs) == Counter(
        each.name for each in pairs
    )
    for batch in batches:
        topics = [each.topic for each in batch.pairs]
        assert len(set(topics)) == len(topics)
        assert not set(topics) & {each.topic for each in batch.others}
        assert len(batch.pairs) + len(batch.others) == OTHERS + 1


def test_a_change_is_caught_when_its_first_statement_is_retired_or_linked(truth, monkeypatch):
    pairs = [pair("a", "1"), pair("b", "2"), pair("c", "3"), pair("d", "4", "same")]
    monkeypatch.setattr(Corpus, "pairs", lambda _: pairs)
    found = Replacements(
        statements=10,
        retired=(({"a"}, {"a later"}), ({"d"}, {"d later"}), ({"c"}, {"a later"})),
        linked=(({"b"}, {"b later"}),),
        kept=frozenset({"a", "a later", "b", "c", "c later"}),
    )
    monkeypatch.setattr(truth_updates, "replacements_in", lambda _: found)

    line = measure_updates(truth, quiet).lines[0]

    assert line.value("caught") == pytest.approx(2 / 3)
    assert line.value("retired") == pytest.approx(1 / 3)
    assert line.value("both kept") == pytest.approx(2 / 3)
    assert line.value("of these retired") == 1.0
    assert line.value("others retired") == pytest.approx(1 / 10)


def test_only_what_the_store_calls_stale_is_rightly_retired(truth, monkeypatch):
    (store,) = truth.stores
    name = store.name
    right = (frozenset({f"{name}:0"}), frozenset({f"{name}:1"}))
    wrong = (right[1], right[0])
    found = Replacements(4, retired=(right, wrong), linked=(wrong,))
    truth._alone = [StoreTrial(store, found, ())]
    monkeypatch.setattr(truth_updates, "replacements_in", lambda _: Replacements(8, (right,)))

    report = measure_retired(truth, quiet)

    alone, mixed = report.lines
    assert alone.value("wrongly retired") == alone.value("wrongly linked") == 0.25
    assert mixed.value("wrongly retired") == 0.0
    assert [verdict.is_met for verdict in report.verdicts] == [False, False, True, True]
    assert len(report.examples) == 1


def test_retired_statements_are_found_with_the_references_of_both_sides(truth):
    with truth.open() as engram:
        old = engram.remember("The ferry leaves at seven.", reference="old").memory
        engram.remember("The ferry leaves at nine.", reference="new", replaces=old.id)

        found = replacements_in(engram)

    assert found == Replacements(2, (({"old"}, {"new"}),), (), {"old", "new"})


def test_statements_that_were_heard_have_the_references_of_their_turns(truth):
    with truth.open() as engram:
        hear(engram, [Turn("t1", "s", NOW, "Ines", "user", "My blood type is O negative.")])
        (memory,) = engram.recall("blood type", limit=1)

    assert memory.references == ("t1",)


def test_past_events_are_many_different_and_over(truth):
    events = past_events(960)

    assert len(set(events)) == 960
    assert all(find_times(each, NOW)[0].end < NOW for each in events)
    truth.limit = 3
    assert measure_past_events(truth, quiet).lines[0].cases == 3


def test_the_current_answer_is_first_only_when_it_is_not_the_stale_one(truth):
    answers = (
        answered({"new"}, {"old"}, ["new", "old"]),
        answered({"new"}, {"old"}, ["old", "new"]),
        answered({"new"}, {"old"}, ["other", "new"]),
        answered({"new"}, hits=["other"]),
    )
    store = Conversation("s", (Turn("new", None, NOW, None, "user", "New."),), ())
    truth._alone = [StoreTrial(store, Replacements(), answers)]

    (line,) = measure_current(truth, quiet).lines

    assert line.cases == 3
    assert line.value("before stale") == pytest.approx(2 / 3)
    assert line.value("first hit current") == pytest.approx(1 / 3)
    assert line.value("both shown") == pytest.approx(2 / 3)


def test_confidence_counts_what_is_called_wrongly():
    line = confidence_line("all", [
        answered({"a"}, hits=["a"], confidence=0.9, assessment="confident"),
        answered({"a"}, hits=["b"], confidence=0.1, assessment="unknown"),
        answered(hits=["b"], confidence=0.9, assessment="confident"),
        answered(hits=["b"], confidence=0.1, assessment="unknown"),
    ])  # fmt: skip

    assert line.value("unanswerable confident") == 0.5
    assert line.value("answerable unknown") == 0.5
    assert line.value("answerable confident") == 0.5
    assert line.value("calibration error") == pytest.approx((0.8 + 0.2) / 4)


def test_confidence_that_comes_true_has_no_calibration_error():
    right = [answered({"a"}, hits=["a"], confidence=0.75)] * 3
    wrong = [answered(hits=["a"], confidence=0.75)]

    assert calibration_error(right + wrong) == pytest.approx(0.0)


def test_a_fact_is_asked_for_alone_and_among_others_that_are_not_its_store(truth, monkeypatch):
    asked = {"q": "Which berth number is mine?", "answerable": True, "evidence": [0]}
    third = [{**STORE, "topic": topic, "questions": [asked]} for topic in ("apples", "bees", "sea")]
    write_rows(truth.corpus.folder, "stores", *third, writer="z")
    monkeypatch.setattr(truth_answers, "CROWDS", (0, 4))
    monkeypatch.setattr(truth_answers, "_READ_AT_MOST", 2)

    report = measure_crowd(truth, quiet)

    assert [(line.part, line.cases) for line in report.lines] == [("0 others", 1), ("4 others", 1)]
    assert [line.value("first") for line in report.lines] == [1.0, 1.0]
    assert len(report.verdicts) == 2


def test_fillers_beyond_the_corpus_come_again_by_other_speakers(truth):
    turns = filler_turns(truth, 40)

    assert len({(turn.speaker, turn.text, turn.id) for turn in turns}) == 40
    assert len({turn.id for turn in turns}) == 40


def test_everyday_facts_are_asked_for_in_both_stores(truth):
    report = measure_asked(truth, quiet)

    assert [line.cases for line in report.lines] == [1, 1]
    assert [verdict.part for verdict in report.verdicts] == [
        "30 facts", "30 facts", "among 300 turns", "among 300 turns",
    ]  # fmt: skip


def test_a_name_is_right_by_words_and_type_and_junk_when_it_is_no_name():
    turns = (("Ines", "Leyla Aydin moved to Cadiz."),)
    right, junk, wrong_type = NameScore(), NameScore(), NameScore()

    add_names(right, NamedTalk(turns, (("Cadiz", "place"), ("Leyla Aydin", "person"))))
    add_names(junk, NamedTalk(turns, ()))
    add_names(wrong_type, NamedTalk(turns, (("Cadiz", "place"), ("Leyla Aydin", "place"))))

    assert (right.found, right.right, right.junk, right.gold_found) == (2, 2, 0, 2)
    assert (junk.right, junk.junk) == (0, 2)
    assert (wrong_type.right, wrong_type.junk) == (1, 0)


def test_every_range_of_the_diary_holds_something_and_no_two_days_are_alike():
    diary = read_diary()

    assert len({text for _, text in diary.entries}) == len(diary.entries)
    assert len(diary.questions) >= 34
    for each in diary.questions:
        assert any(each.start <= at < each.end for at, _ in diary.entries), each.text


def test_entries_of_a_data_file_are_its_leaves():
    assert count_entries({"a": ["x", "y"], "b": {"c": "z"}}) == 3


def test_the_rules_of_english_are_counted(truth):
    (line,) = measure_rules(truth, quiet).lines

    assert line.value("lines of Python") > 0
    assert line.value("entries in data files") > 0


def test_a_corpus_is_measured_as_a_folder_is_and_only_on_its_test_part(folder, tmp_path):
    options = EvaluationOptions(tasks=("quotes", "keep", "times", "names"), settings=SETTINGS)

    report = evaluate(folder, options)

    lines = {each.task: each.lines[0] for each in report.tasks}
    assert {name: line.cases for name, line in lines.items() if name != "quotes"} == {
        "keep": 1, "times": 1, "names": 2,
    }  # fmt: skip
    assert lines["times"].value("exact") == 1.0
    assert all(line.reader == ENGRAM for line in lines.values())
    write_report(report, tmp_path / "out")
    page = (tmp_path / "out" / "report.md").read_text()
    assert "## Must hold" in page
    assert "O negative" not in page


def test_every_bar_has_a_row_in_the_table(folder):
    options = EvaluationOptions(tasks=("times", "rules"), settings=SETTINGS)
    report = evaluate(folder, options)

    rows = must_hold_grid(report.tasks, report.sets).rows

    assert [row[:3] for row in rows] == [
        ("times", "", "exact"),
        ("times", "", "false alarms"),
        ("rules", "", "lines of Python"),
        ("rules", "", "entries in data files"),
    ]
    assert rows[0][3:] == ("100.0", "≥ 95.0", "met")


def test_a_row_that_the_folder_has_nothing_for_is_refused(folder):
    with pytest.raises(InvalidInput, match="languages"):
        evaluate(folder, EvaluationOptions(tasks=("languages",)))
