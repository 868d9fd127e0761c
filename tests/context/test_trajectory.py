"""Where the conversations of a process are heading, without anybody's words."""

import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram.context.trajectory import SPAN, Trajectories, noted, together
from engram.memory.momentum import TopicShift

EAST, NORTH = np.eye(2, dtype=np.float32)
ADA, OMAR = ("agent:/agent=ada/", "/", "s"), ("agent:/agent=omar/", "/", "s")
CHAIN = "The bike chain slips uphill."


def test_a_session_nobody_used_is_heading_nowhere():
    found = Trajectories()

    assert found.momentum(ADA) is None
    assert found.recent(ADA) == ()
    assert found.as_document(ADA) is None
    assert found.shift(ADA, CHAIN, EAST) is TopicShift.SWITCH


def test_a_session_heads_where_its_last_turns_were():
    found = Trajectories()
    for vector in (EAST, NORTH, NORTH):
        found.note(ADA, str(vector), vector)

    momentum = found.momentum(ADA)

    assert momentum is not None
    assert momentum.centroid @ NORTH > momentum.centroid @ EAST


def test_the_same_words_again_are_the_same_turn():
    found = Trajectories()
    found.note(ADA, CHAIN, None)
    found.note(ADA, f"  {CHAIN} ", EAST)

    assert len(found.recent(ADA)) == 1
    assert found.momentum(ADA) is not None


def test_what_is_taken_back_is_gone_and_what_others_said_meanwhile_stays():
    found = Trajectories()
    for text in (CHAIN, "And uphill?", "And downhill?", "Said by another thread."):
        found.note(ADA, text, EAST)

    found.take_back(ADA, ["And  uphill?", "And downhill?", "Never said."])

    kept = [noted(text, EAST).digest for text in (CHAIN, "Said by another thread.")]
    assert [each.digest for each in found.recent(ADA)] == kept


def test_a_question_that_was_asked_before_keeps_its_earlier_turn_when_it_is_taken_back():
    found = Trajectories()
    for text in (CHAIN, "Why?", CHAIN):
        found.note(ADA, text, EAST)

    found.take_back(ADA, [CHAIN])
    found.take_back(OMAR, [CHAIN])

    kept = [noted(text, EAST).digest for text in (CHAIN, "Why?")]
    assert [each.digest for each in found.recent(ADA)] == kept
    assert found.recent(OMAR) == ()


def test_turns_taken_back_by_many_threads_leave_what_was_said_in_between():
    found = Trajectories()
    found.note(ADA, CHAIN, EAST)

    def ask_and_cancel(place: int) -> None:
        for number in range(50):
            found.note(ADA, f"{place} asks {number}", NORTH)
            found.take_back(ADA, [f"{place} asks {number}"])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(ask_and_cancel, range(4)))

    assert [each.digest for each in found.recent(ADA)] == [noted(CHAIN, EAST).digest]


def test_only_the_last_turns_count_and_only_so_many_sessions_are_kept():
    found = Trajectories(most=2)
    for place in range(SPAN + 3):
        found.note(ADA, f"turn {place}", EAST)
    found.note(OMAR, CHAIN, EAST)
    found.note(("", "/", "third"), CHAIN, EAST)

    assert found.recent(ADA) == ()
    assert len(found.recent(OMAR)) == 1


def test_no_caller_scope_or_session_shares_another_ones():
    found = Trajectories()
    found.note(ADA, CHAIN, EAST)

    for key in (OMAR, (ADA[0], "/project=x/", "s"), (ADA[0], "/", "t")):
        assert found.momentum(key) is None
        assert found.shift(key, CHAIN, EAST) is TopicShift.SWITCH
    assert found.shift(ADA, "Does the chain still slip?", EAST) is TopicShift.CONTINUATION


def test_vectors_of_another_embedder_say_nothing():
    found = Trajectories()
    found.note(ADA, CHAIN, EAST, made_by="1")

    assert found.momentum(ADA, "2") is None
    assert found.momentum(ADA, "1") is not None


def test_words_alone_tell_a_topic_where_nobody_embeds():
    found = Trajectories()
    found.note(ADA, CHAIN, None)

    assert found.shift(ADA, "Is it the chain?", None) is not TopicShift.SWITCH
    assert found.shift(ADA, "On another note, tomatoes wilt.", None) is TopicShift.SWITCH


def test_a_document_holds_no_word_and_brings_a_session_back():
    found = Trajectories()
    found.note(ADA, CHAIN, EAST, made_by="1", at=5.0)
    found.note(ADA, "It slipped again.", NORTH, made_by="1", at=6.0)

    document = json.loads(json.dumps(found.as_document(ADA)))
    other = Trajectories()

    assert "chain" not in json.dumps(document)
    assert other.restore(ADA, document)
    assert other.as_document(ADA) == document
    assert other.recent(OMAR) == ()


@pytest.mark.parametrize(
    "document",
    [
        None,
        "turns",
        {"turns": None},
        {"turns": [{}]},
        {"turns": [None]},
        {"turns": [{"tokens": [1], "vector": ["a"], "digest": "00", "at": 1, "made_by": ""}]},
        {"turns": [{"tokens": [1], "vector": [1.0], "digest": "x", "at": 1, "made_by": ""}]},
        {"turns": [{"tokens": [1], "vector": [1e999], "digest": "00", "at": 1, "made_by": ""}]},
        {"turns": [{"tokens": 1, "vector": [1.0], "digest": "00", "at": 1, "made_by": ""}]},
    ],
)
def test_a_document_that_cannot_be_read_brings_nothing_back(document):
    found = Trajectories()

    assert not found.restore(ADA, document)
    assert found.recent(ADA) == ()


def test_what_is_let_go_of_is_gone():
    found = Trajectories()
    found.note(ADA, CHAIN, EAST)
    found.note(OMAR, CHAIN, EAST)

    found.forget(ADA)
    assert found.recent(ADA) == ()
    found.clear()
    assert found.recent(OMAR) == ()


def test_what_two_sources_tell_of_counts_once_and_with_its_vector():
    asked = noted(CHAIN, None, at=1.0)
    heard = noted(CHAIN, EAST, at=1.5)
    answer = noted("Oil it.", NORTH, at=1.2)

    found = together([asked], [answer, heard])

    assert [each.digest for each in found] == [answer.digest, heard.digest]
    assert len(found[-1].vector) == 2


@settings(max_examples=30)
@given(st.lists(st.tuples(st.text(max_size=20), st.floats(0, 9)), max_size=12))
def test_turns_of_two_sources_are_few_ordered_and_each_once(told):
    turns = [noted(text, EAST, at=at) for text, at in told]

    found = together(turns[::2], turns[1::2])

    assert len(found) <= SPAN
    assert len({each.digest for each in found}) == len(found)
    assert [each.at for each in found] == sorted(each.at for each in found)
