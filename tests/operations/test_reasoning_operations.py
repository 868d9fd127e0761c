"""Reasoning and context for tools as callers from outside ask for them."""

import pytest

from engram.errors import Cancelled, InvalidInput
from engram.surfaces.operations import OPERATIONS
from engram.surfaces.operations.parsing import parse_document
from operations.world import STATEMENT, World, call

QUESTION = {"query": "Where does Ada keep her bicycle?"}


def test_a_caller_can_ask_for_a_model_and_is_told_when_there_is_none(world: World):
    world.kept(STATEMENT)

    found = call(world.owner, "reason", {**QUESTION, "use_model": True, "calls": 3})

    assert "no language model is set" in found["degraded"][0]
    assert (found["answer"], found["model"], found["calls"]) == ([], None, 0)
    assert found["steps"][0]["kind"] == "recall"


def test_reasoning_is_called_off_where_it_says_how_far_it_is(world: World):
    operation = OPERATIONS["reason"]

    def stop(done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        operation.run(world.owner, parse_document(operation, QUESTION), stop)


@pytest.mark.parametrize(
    "wrong", [{"depth": 6}, {"calls": 16}, {"tokens": 100}, {"use_model": "yes"}, {"model": "x"}]
)
def test_limits_of_the_wrong_kind_are_refused(world: World, wrong):
    with pytest.raises(InvalidInput):
        call(world.owner, "reason", {**QUESTION, **wrong})


def test_a_block_for_a_tool_is_told_as_it_is(world: World):
    world.kept(STATEMENT)
    given = {"tool": "find", "arguments": {"what": {"thing": ["Ada bicycle"]}, "token": "sesame"}}

    found = call(world.owner, "tool_context", given)
    told = OPERATIONS["tool_context"].tells(found)

    assert told == found["text"]
    assert STATEMENT in told
    assert [hit["content"] for hit in found["memories"]] == [STATEMENT]
    assert "sesame" not in str(found)


def test_nothing_known_is_said_in_words(world: World):
    found = call(world.owner, "tool_context", {"tool": "zip", "arguments": {}})

    assert found["text"] == ""
    assert OPERATIONS["tool_context"].tells(found) == "Nothing known about this."


@pytest.mark.parametrize(
    "wrong",
    [
        {"tool": ""},
        {"tool": "a\nb"},
        {"arguments": []},
        {"arguments": "text"},
        {"budget": 99},
        {"budget": 100_001},
    ],
)
def test_a_call_of_the_wrong_kind_is_refused(world: World, wrong):
    with pytest.raises(InvalidInput):
        call(world.owner, "tool_context", {"tool": "x", "arguments": {}, **wrong})
