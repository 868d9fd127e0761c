"""Where a conversation is heading, and whether a turn leaves it."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from engram.memory.momentum import (
    MOST_SHARE,
    TopicShift,
    Turn,
    blend,
    momentum_of,
    topic_nearness,
    topic_shift,
)
from engram.providers.embedder import Embedder
from engram.providers.hashing import HashingEmbedder
from engram.providers.minilm import MiniLmEmbedder

TOPICS = Path(__file__).parent.parent / "recall" / "labelled" / "topics.jsonl"
EAST, NORTH, UP = np.eye(3, dtype=np.float32)


def dialogues() -> list[dict]:
    return [json.loads(line) for line in TOPICS.read_text("utf-8").splitlines()]


def turns_of(row: dict, embedder: Embedder) -> list[Turn]:
    texts = [*row["turns"], row["next"]]
    return [Turn(text, vector) for text, vector in zip(texts, embedder.embed(texts), strict=True)]


def test_without_turns_there_is_no_momentum():
    assert momentum_of([]) is None


def test_later_turns_count_more_than_earlier_ones():
    found = momentum_of([EAST, NORTH])

    assert found is not None
    assert found.centroid @ NORTH > found.centroid @ EAST > 0


def test_more_turns_on_one_topic_make_it_surer():
    one, five = momentum_of([EAST]), momentum_of([EAST] * 5)

    assert one is not None
    assert five is not None
    assert 0 < one.confidence < five.confidence < 1


def test_turns_in_all_directions_make_it_less_sure():
    steady, scattered = momentum_of([EAST] * 3), momentum_of([EAST, NORTH, UP])

    assert steady is not None
    assert scattered is not None
    assert scattered.confidence < steady.confidence


def test_blending_turns_a_question_towards_the_conversation_and_never_past_its_share():
    momentum = momentum_of([NORTH] * 50)

    blended = blend(EAST, momentum)

    assert blended @ NORTH > 0
    assert blended @ EAST > blended @ NORTH
    assert np.allclose(blended, blend(EAST, momentum, share=1.0))
    assert np.allclose(blend(EAST, momentum, share=0.0), EAST)
    assert np.allclose(blend(EAST, None), EAST)
    assert MOST_SHARE == 0.4


_VECTORS = arrays(np.float32, 4, elements=st.floats(-1, 1, width=32))


@given(st.lists(_VECTORS, max_size=8), _VECTORS)
def test_any_vectors_even_of_nothing_blend_to_finite_numbers(turns, query):
    momentum = momentum_of(turns)
    blended = blend(query, momentum)

    assert np.isfinite(blended).all()
    assert float(np.linalg.norm(blended)) <= 1.0001
    assert momentum is None or 0.0 <= momentum.confidence <= 1.0


@given(st.lists(st.text(max_size=40), max_size=4), st.text(max_size=40))
def test_any_turn_is_one_of_the_three(before, text):
    turns = [Turn(each, EAST) for each in before]

    assert topic_shift(Turn(text, NORTH), turns) in TopicShift


def test_the_first_turn_begins_a_topic():
    assert topic_shift(Turn("Where is my bike?", EAST), []) is TopicShift.SWITCH


def test_saying_so_leaves_the_topic_however_near_the_words_are():
    before = [Turn("The bike chain slips.", EAST)]

    assert topic_shift(Turn("The bike chain slips again.", EAST), before) == "continuation"
    assert topic_shift(Turn("On another note, the bike chain slips.", EAST), before) == "switch"


def test_shared_words_count_by_their_stems():
    before = [Turn("My tomato plants wilt.", EAST)]

    shared = topic_nearness(Turn("Planting tomatoes", NORTH), before)
    other = topic_nearness(Turn("Singing carols", NORTH), before)

    assert shared > other


@pytest.mark.parametrize("embedder", [HashingEmbedder(), MiniLmEmbedder()], ids=["words", "minilm"])
@pytest.mark.parametrize("half", ["chosen on", "held out"])
def test_at_least_80_of_100_labelled_dialogues_are_told_apart(embedder, half):
    rows = dialogues()[half == "held out" :: 2]
    right = 0

    for row in rows:
        *before, turn = turns_of(row, embedder)
        right += topic_shift(turn, before) == row["shift"]

    assert len(dialogues()) >= 60
    assert right / len(rows) >= 0.8
