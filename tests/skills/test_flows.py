"""Runs of flows: an episode each, and a run of the skill that the flow is."""

import pytest

from engram import Engram
from engram.errors import InvalidInput
from engram.memory.episodes.outcomes import Failure
from engram.memory.skills import CallTool, FlowNode, Retry

NODES = ("fetch", FlowNode("sum up", tool="writer", arguments={"length": 100}), {"name": "send"})


def test_a_flow_becomes_a_skill_made_of_its_nodes(engram: Engram):
    recorded = engram.skills.record_flow("nightly report", NODES, "success", duration=30)

    assert recorded.is_first
    assert [each.action for each in recorded.skill.procedure.steps] == [
        CallTool("fetch"),
        CallTool("writer", {"length": 100}),
        CallTool("send"),
    ]
    assert recorded.skill.stats.successes == 1
    assert recorded.skill.stats.average_duration.total_seconds() == 30
    lived = engram.episodes.get(recorded.episode_id)
    assert (lived.event_count, lived.situation.goal) == (6, "run the flow nightly report")


def test_further_runs_are_counted_and_the_failing_node_is_known(engram: Engram, clock):
    engram.skills.record_flow("nightly report", NODES, "success")
    clock.advance(days=1)
    recorded = engram.skills.record_flow(
        "nightly report", NODES, Failure("request timed out"), failing_node="sum up"
    )

    assert not recorded.is_first
    assert recorded.skill.stats.success_rate == 0.9
    assert recorded.noted.failure_mode.tool == "writer"
    assert isinstance(recorded.skill.procedure.steps[1].on_failure, Retry)
    assert engram.episodes.get(recorded.episode_id).event_count == 4  # nothing after the failure
    assert engram.skills.warnings(tool="writer")[0].occurrences == 1


def test_a_flow_is_matched_when_it_is_wanted(engram: Engram):
    engram.skills.record_flow("nightly report", NODES, "success")

    assert engram.skills.match({"goal": "run the nightly report"})[0].name == "nightly report"


def test_without_a_word_on_it_the_last_node_is_the_one_that_failed(engram: Engram):
    recorded = engram.skills.record_flow("report", ["fetch", "send"], Failure("no line"))

    assert recorded.noted.failure_mode.tool == "send"


def test_short_outputs_are_not_kept(engram: Engram):
    nodes = [FlowNode("a", output="ok"), FlowNode("b", output="x" * 60)]
    recorded = engram.skills.record_flow("report", nodes, "success")
    events = [each.event.happening for each in engram.episodes.events(recorded.episode_id).events]

    assert [each.result for each in events[1::2]] == [None, "x" * 60]


@pytest.mark.parametrize(
    ("nodes", "outcome", "failing"),
    [
        ([], "success", None),
        ("fetch", "success", None),
        ([7], "success", None),
        ([""], "success", None),
        (["a"] * 101, "success", None),
        (["a"], "success", "a"),
        (["a"], Failure("x"), "b"),
        (["a"], "ongoing", None),
    ],
)
def test_a_flow_that_makes_no_sense_is_refused(engram: Engram, nodes, outcome, failing):
    with pytest.raises(InvalidInput):
        engram.skills.record_flow("report", nodes, outcome, failing_node=failing)

    assert engram.skills.list() == []
    assert engram.episodes.list() == []
