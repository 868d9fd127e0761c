"""A store asked for its own memories, without leaving a trace or telling a word."""

from collections import Counter

import pytest

from engram import Engram, Scope
from engram.errors import InvalidInput
from engram.evaluation.files import json_of, known_item_page
from engram.evaluation.known_items import FORMS, find_known_items, known_item, sentences_of
from engram.evaluation.tables import known_item_grid
from evaluation.material import SETTINGS

THINGS = "lantern anchor barrel compass ladder kettle saddle violin marble pillow".split()
PLACES = "attic cellar orchard harbour stable".split()


def _statements() -> list[str]:
    return [
        f"The {thing} that Ruth painted stands in the {place} since spring."
        for thing in THINGS
        for place in PLACES
    ]


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "store"
    with Engram.open(path, settings=SETTINGS) as engram:
        engram.remember_many(_statements(), wait=True)
        engram.remember("Yes.")
        engram.settle()
    return path


def test_memories_are_found_by_their_own_words(store):
    with Engram.open(store, settings=SETTINGS, read_only=True) as engram:
        report = find_known_items(engram, 40)

    assert report.memories == 51
    assert report.asked_for + report.too_short == 40
    assert [form.form for form in report.forms] == list(FORMS)
    exact = report.forms[0]
    assert exact.hit_at_1 > 0.9
    assert exact.hit_at_1 <= exact.hit_at_5 <= exact.hit_at_10 <= 1.0
    assert len(exact.not_found) == round((1 - exact.hit_at_10) * exact.questions)


def test_the_same_store_is_asked_the_same_questions(store):
    with Engram.open(store, settings=SETTINGS, read_only=True) as engram:
        first, second = (find_known_items(engram, 15) for _ in range(2))

    assert [form.not_found for form in first.forms] == [form.not_found for form in second.forms]
    assert [form.hit_at_1 for form in first.forms] == [form.hit_at_1 for form in second.forms]


def test_asking_leaves_no_use_behind(store):
    with Engram.open(store, settings=SETTINGS, read_only=True) as engram:
        find_known_items(engram, 10)
    with Engram.open(store, settings=SETTINGS) as engram:
        after = engram.list(limit=200)
        actions = {entry.action for entry in engram.audit(limit=1000)}

    assert {memory.usage.accesses for memory in after} == {0}
    assert "recall" not in actions


def test_a_report_holds_labels_and_no_words(store):
    with Engram.open(store, settings=SETTINGS) as engram:
        for memory in engram.list(limit=200):
            engram.revise(memory.id, f"{memory.content} Truly so it is said.")
        report = find_known_items(engram, 60)

    for text in (json_of(report), known_item_page(report)):
        assert not any(word in text.lower() for word in [*THINGS, *PLACES, "ruth"])


def test_what_is_not_found_is_named_by_its_label():
    with Engram.open(":memory:", settings=SETTINGS) as engram:
        engram.remember_many(
            [f"Copy {number} of one tedious long sentence." for number in range(40)]
        )
        report = find_known_items(engram, 40)

    labels = [label for form in report.forms for label in form.not_found]
    assert labels
    assert all(label.startswith("mem-") for label in labels)
    assert labels[0] in known_item_page(report)


def test_only_what_the_caller_sees_is_asked_for(store):
    with Engram.open(store, scope=Scope(project="boats"), settings=SETTINGS) as engram:
        engram.remember("The skipper hid a golden sextant below deck.")
        inside = find_known_items(engram, 200)
    with Engram.open(store, scope=Scope(project="kites"), settings=SETTINGS) as engram:
        outside = find_known_items(engram, 200)

    assert inside.memories == outside.memories + 1


def test_what_recall_would_not_give_back_is_not_asked_for():
    with Engram.open(":memory:", settings=SETTINGS) as engram:
        kept = engram.remember("A green kite hangs above the workshop door.").memory
        gone = engram.remember("A broken oar leans beside the garden fence.").memory
        engram.forget(gone.id)
        engram.remember(
            "The bakery opens before sunrise on Sundays.", valid_until="2020-01-01T00:00:00+00:00"
        )
        report = find_known_items(engram)

    assert report.memories == 1
    assert report.forms[0].hit_at_1 == 1.0, kept.label


def test_an_empty_store_has_nothing_to_ask_for():
    with Engram.open(":memory:", settings=SETTINGS) as engram:
        report = find_known_items(engram)

    assert (report.memories, report.asked_for) == (0, 0)
    assert report.forms[0].hit_at_10 == 0.0


def test_figures_of_no_memories_are_none_and_not_zero():
    with Engram.open(":memory:", settings=SETTINGS) as engram:
        grid = known_item_grid(find_known_items(engram))

    assert grid.rows[0] == ("keywords", "0", *["-"] * 6, "0")


def test_loading_the_model_is_charged_to_no_question():
    """Asked once before the clocks run: what is loaded then is loaded for all."""
    with Engram.open(":memory:", settings=SETTINGS) as engram:
        engram.remember("A green kite hangs above the workshop door.", wait=True)

        report = find_known_items(engram)

        asked = engram.recall_statistics().recalls
    assert asked == 1 + sum(form.questions for form in report.forms)


@pytest.mark.parametrize("count", [0, -1, 1_000_000])
def test_a_number_that_makes_no_sense_is_refused(engram, count):
    with pytest.raises(InvalidInput):
        find_known_items(engram, count)


def test_a_question_is_made_of_the_rarest_words_of_one_sentence(engram):
    memory = engram.remember("The walrus ate a plum. Then all of us went home early.").memory
    frequency = Counter({"walrus": 1, "ate": 9, "plum": 2, "went": 8, "home": 3, "early": 4})

    item = known_item(memory, frequency)

    keywords, shorter, natural = item.questions
    words = keywords.split()
    assert set(words) in ({"walrus", "ate", "plum"}, {"went", "home", "early"})
    assert words[:-1] == shorter.split()
    assert natural == f"What about {words[0]}, {words[1]} and {words[2]}?"


def test_scripts_without_spaces_have_words_to_ask_by():
    assert len(sentences_of("猫が屋根の上で眠っている")[0]) >= 3
