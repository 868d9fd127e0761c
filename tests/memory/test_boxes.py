"""Boxes and traces: when talk stays together, when it is sealed, and what it goes on with."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.memory.boxes import (
    BoxOptions,
    OpenBox,
    SealReason,
    box_topics,
    matching_trace,
    next_box,
    overlap,
    topics_of,
)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
GARDEN = frozenset({"garden", "tomato", "soil", "veltro labs"})


def minutes(count: float) -> datetime:
    return NOON + timedelta(minutes=count)


def garden_box(members: int = 3) -> OpenBox:
    return OpenBox(dict.fromkeys(GARDEN, 1), NOON, members)


def test_topics_are_names_and_telling_words_by_their_stems():
    topics = topics_of("Ilse Varga is planting tomatoes; I really think the soils are good.")

    assert topics == {"ilse varga", "plant", "tomato", "soil"}


def test_different_forms_of_a_word_are_one_topic():
    assert topics_of("We deployed the services") == topics_of("deploying a service")


@pytest.mark.parametrize("text", ["", "Yes, do that!", "I am so very sure.", "!!! ..."])
def test_small_talk_has_no_topics(text):
    assert topics_of(text) == frozenset()


def test_overlap_is_the_share_of_the_smaller_set():
    assert overlap({"a", "b"}, {"b", "c", "d", "e"}) == 0.5
    assert overlap({"a"}, {"a", "b", "c"}) == 1.0
    assert overlap(set(), {"a"}) == 0.0


def test_the_first_memory_opens_a_box():
    decision = next_box(None, GARDEN, NOON)

    assert decision.is_first
    assert not decision.is_append
    assert decision.sealed_for is None
    assert decision.box == OpenBox(dict.fromkeys(GARDEN, 1), NOON, 1)


def test_a_memory_on_the_topic_goes_into_the_open_box():
    decision = next_box(garden_box(), {"garden", "tomato", "rain"}, minutes(5))

    assert decision.is_append
    assert decision.box.members == 4
    assert decision.box.last_at == minutes(5)
    assert decision.box.topics == {**dict.fromkeys(GARDEN, 1), "garden": 2, "tomato": 2, "rain": 1}


def test_another_topic_seals_the_box():
    decision = next_box(garden_box(), {"garden", "flight", "hotel", "passport"}, minutes(5))

    assert decision.sealed_for is SealReason.TOPIC
    assert decision.box.members == 1
    assert not decision.is_append


@pytest.mark.parametrize(("after", "reason"), [(30, None), (30.1, SealReason.SILENCE)])
def test_half_an_hour_of_silence_seals_the_box(after, reason):
    assert next_box(garden_box(), GARDEN, minutes(after)).sealed_for is reason


@pytest.mark.parametrize(("members", "reason"), [(49, None), (50, SealReason.FULL)])
def test_a_box_holds_fifty_memories(members, reason):
    assert next_box(garden_box(members), GARDEN, minutes(1)).sealed_for is reason


def test_a_memory_without_topics_stays_where_the_talk_is():
    assert next_box(garden_box(), frozenset(), minutes(1)).is_append


def test_a_memory_from_before_does_not_turn_back_the_clock():
    assert next_box(garden_box(), GARDEN, minutes(-9)).box.last_at == NOON


def test_the_limits_are_options():
    options = BoxOptions(least_overlap=0.0, silence_minutes=90, most_memories=2)

    assert next_box(garden_box(1), {"flight"}, minutes(80), options).is_append
    assert next_box(garden_box(2), GARDEN, NOON, options).sealed_for is SealReason.FULL


def test_a_box_is_known_by_what_came_up_most():
    box = OpenBox({"soil": 5, "rain": 1, "tomato": 3}, NOON, 6)

    assert box_topics(box, most=2) == {"soil", "tomato"}


def test_a_box_goes_on_with_the_trace_of_its_topics():
    traces = {"t1": {"flight", "hotel", "passport"}, "t2": {"garden", "soil", "rain"}}

    assert matching_trace(GARDEN, traces) == "t2"
    assert matching_trace({"violin", "concert"}, traces) is None
    assert matching_trace(set(), traces) is None
    assert matching_trace(GARDEN, {}) is None


def test_one_topic_in_common_is_chance():
    assert matching_trace({"garden", "violin"}, {"t1": {"garden", "hotel"}}) is None


def test_of_two_traces_the_one_with_more_in_common_is_taken():
    traces = {"a": {"garden", "soil", "hotel", "x"}, "b": {"garden", "soil", "tomato", "y"}}

    assert matching_trace(GARDEN, traces) == "b"


TOPICS = st.frozensets(st.sampled_from("abcdef"), max_size=4)


@given(st.lists(st.tuples(TOPICS, st.integers(0, 40)), max_size=30))
def test_no_memory_is_lost_between_boxes(memories):
    options = BoxOptions(most_memories=5)
    box, sizes, at = None, [], NOON
    for topics, gap in memories:
        at += timedelta(minutes=gap)
        decision = next_box(box, topics, at, options)
        if decision.sealed_for is not None:
            sizes.append(box.members)
        box = decision.box
        assert 1 <= box.members <= 5
        assert topics <= set(box.topics)

    assert sum(sizes) + (box.members if box else 0) == len(memories)
