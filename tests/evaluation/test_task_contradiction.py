"""How contradictions are scored: on labelled pairs, beside a naive reader."""

import json

import pytest

from engram.errors import InvalidInput
from engram.evaluation.task_contradiction import (
    LabelledPair,
    has_one_denial,
    read_pairs,
    score_contradictions,
    scored,
)

ROWS = [
    {"a": "A girl paints a fence", "b": "Nobody paints a fence", "label": "CONTRADICTION"},
    {"a": "A boy flies a kite", "b": "The boy does not sleep", "label": "NEUTRAL"},
    {"a": "A boy flies a kite", "b": "A child flies a kite", "label": "ENTAILMENT"},
    {"a": "The tide is rising", "b": "The moon is a lie", "label": "CONTRADICTION"},
]


def test_a_file_of_pairs_is_scored_beside_a_naive_reader(tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text("\n".join(map(json.dumps, ROWS)) + "\n\n", encoding="utf-8")

    ours, naive = score_contradictions(read_pairs(path))

    assert (ours.pairs, ours.contradictions) == (4, 2)
    assert ours.right <= ours.called <= ours.pairs
    assert (naive.precision, naive.recall) == (0.5, 0.5)


def test_a_rule_that_calls_nothing_has_no_precision():
    score = scored("silent", [LabelledPair("a", "b", True)], lambda _a, _b: False)

    assert (score.precision, score.recall) == (0.0, 0.0)
    assert scored("nothing", [], has_one_denial).recall == 0.0


@pytest.mark.parametrize("text", ["no json", '{"a": "x"}', "[1]", "3"])
def test_a_file_of_something_else_is_refused(tmp_path, text):
    path = tmp_path / "pairs.jsonl"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(InvalidInput):
        read_pairs(path)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(InvalidInput):
        read_pairs(tmp_path / "nowhere.jsonl")
