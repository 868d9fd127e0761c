"""Scoring of names: what counts as right, and that the rules beat the naive reader."""

import json

import pytest

from engram.errors import InvalidInput
from engram.evaluation.task_entities import (
    LabelledText,
    NameScore,
    read_texts,
    score_entities,
    scored,
)
from engram.language.names.mentions import EntityType

PERSON, PLACE = EntityType.PERSON, EntityType.PLACE
TECHNOLOGY = EntityType.TECHNOLOGY


def labelled(text, *names, language="en"):
    return LabelledText(text, language, frozenset(names))


def test_a_name_of_the_wrong_type_counts_as_a_name_only():
    texts = [labelled("any", ("ilse", PERSON), ("oslo", PLACE))]

    score = scored("one", texts, lambda _: [("ilse", PERSON), ("oslo", PERSON)])

    assert score.name_and_type == NameScore(expected=2, found=2, right=1)
    assert score.name_alone == NameScore(expected=2, found=2, right=2)


def test_types_nobody_labelled_do_not_count_against_types_but_against_names():
    texts = [labelled("any", ("ilse", PERSON))]

    score = scored("one", texts, lambda _: [("ilse", PERSON), ("redis", TECHNOLOGY)])

    assert score.name_and_type == NameScore(expected=1, found=1, right=1)
    assert score.name_alone == NameScore(expected=1, found=2, right=1)


def test_a_name_counts_once_in_a_text():
    score = scored("one", [labelled("any", ("ilse", PERSON))], lambda _: [("ilse", PERSON)] * 3)

    assert score.name_and_type.found == 1


def test_precision_recall_and_their_mean():
    score = NameScore(expected=4, found=2, right=1)

    assert (score.precision, score.recall) == (0.5, 0.25)
    assert score.f1 == pytest.approx(1 / 3)
    assert NameScore(0, 0, 0).f1 == NameScore(0, 0, 0).precision == NameScore(0, 0, 0).recall == 0.0


def test_a_file_is_read_and_scored_by_language_english_first(tmp_path):
    rows = [
        {
            "text": "Ilse Varga flew to Reykholt.",
            "language": language,
            "expected": {
                "entities": [
                    {"name": "Ilse Varga", "type": "person"},
                    {"name": "the Reykholt", "type": "place"},
                ]
            },
        }
        for language in ("de", "en")
    ]
    path = tmp_path / "names.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)) + "\n\n", encoding="utf-8")

    scores = score_entities(read_texts(path))

    assert [score.language for score in scores] == ["en", "en", "de", "de"]
    assert scores[0].name_and_type.f1 == 1.0
    assert scores[1].name_and_type.f1 < 1.0


@pytest.mark.parametrize("content", ["{", "[]", '{"text": "a"}', '{"text": "a", "expected": []}'])
def test_a_file_of_something_else_is_refused(tmp_path, content):
    path = tmp_path / "names.jsonl"
    path.write_text(content, encoding="utf-8")

    with pytest.raises(InvalidInput):
        read_texts(path)
    with pytest.raises(InvalidInput):
        read_texts(tmp_path / "missing.jsonl")


OWN_TEXTS = [
    labelled(
        "Emailed Ilse Varga about the Harbor Lights budget. Nils wants it by Friday.",
        ("ilse varga", PERSON),
        ("nils", PERSON),
        ("harbor lights", EntityType.PROJECT),
    ),
    labelled(
        "Yesterday Tamsin's brother moved from Reykholt to Lyon. He works at Veltro Robotics.",
        ("tamsin", PERSON),
        ("reykholt", PLACE),
        ("lyon", PLACE),
        ("veltro robotics", EntityType.ORGANIZATION),
    ),
    labelled(
        "Great meeting! Talked to Brandt & Sons; their lawyer, Odile Marchetti, will call Nils.",
        ("brandt & sons", EntityType.ORGANIZATION),
        ("odile marchetti", PERSON),
        ("nils", PERSON),
    ),
]


def test_on_texts_of_our_own_the_rules_beat_the_naive_reader_by_far():
    rules, naive = score_entities(OWN_TEXTS)

    assert rules.name_and_type.f1 >= 0.9
    assert naive.name_and_type.f1 < 0.6
