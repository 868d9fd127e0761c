"""Events and outcomes: closed sets, read strictly, told and compared by pure rules."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.errors import ContentTooLarge, InvalidInput
from engram.memory.episodes import events as happenings
from engram.memory.episodes.episode import Participant, Role, read_participants
from engram.memory.episodes.events import (
    AgentResponse,
    BeliefUpdate,
    Custom,
    Decision,
    ErrorOccurred,
    Event,
    GoalAchieved,
    GoalFailed,
    PlanCreated,
    PlanModified,
    StateChange,
    SystemMessage,
    ToolCall,
    ToolResult,
    UserMessage,
    is_key_event,
    kind_of,
    read_event,
    read_events,
)
from engram.memory.episodes.outcomes import (
    OUTCOME_KINDS,
    Abandoned,
    Failure,
    Ongoing,
    Partial,
    Success,
    outcome_kind,
    read_outcome,
)
from engram.memory.episodes.story import tell
from engram.memory.situation import Situation
from engram.memory.tagged import as_json

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
EVERY_HAPPENING = (
    UserMessage("Please deploy."),
    AgentResponse("On it."),
    SystemMessage("Session resumed."),
    ToolCall("deploy", {"target": "staging"}),
    ToolResult("deploy", {"code": 0}, True),
    StateChange("branch", "main", "release"),
    BeliefUpdate("mem-0001", "confirmed"),
    Decision(("blue", "green"), 1, "green is idle"),
    PlanCreated(("test", "deploy")),
    PlanModified("test twice"),
    GoalAchieved("deployed"),
    GoalFailed("deployed", "no disk"),
    ErrorOccurred("no space left", recoverable=False),
    Custom("heartbeat", [1, 2]),
)
EVERY_OUTCOME = (
    Success({"url": "x"}, 0.9),
    Failure("no disk", recoverable=False, learned="check the disk first"),
    Partial(("a",), ("b",), ("c",)),
    Abandoned("no longer wanted", 0.5),
    Ongoing(),
)


@pytest.mark.parametrize("happening", EVERY_HAPPENING, ids=kind_of)
def test_every_event_is_read_back_from_its_json(happening):
    event = Event(
        happening=happening, at=NOON, actor="ada", target="bot", success=False,
        duration=timedelta(seconds=3),
    )  # fmt: skip

    assert read_event(as_json(event), at=NOON) == event
    assert read_event(event, at=NOON) == event
    assert read_event(as_json(happening), at=NOON) == Event(happening=happening, at=NOON)


def test_the_set_of_events_is_the_whole_one():
    assert {type(each) for each in EVERY_HAPPENING} == set(happenings.Happening.__args__)


@pytest.mark.parametrize("outcome", EVERY_OUTCOME, ids=outcome_kind)
def test_every_outcome_is_read_back_from_its_json(outcome):
    assert read_outcome(as_json(outcome)) == outcome


def test_every_outcome_has_a_name():
    assert tuple(outcome_kind(each) for each in EVERY_OUTCOME) == OUTCOME_KINDS


def test_an_outcome_that_needs_nothing_more_can_be_named_by_a_word():
    assert read_outcome("success") == Success()


def test_what_is_said_of_an_event_but_not_when_is_filled_in():
    handed = {"happening": {"type": "tool_call", "tool": "deploy"}, "target": "staging"}

    event = read_event(handed, at=NOON, actor="bot")

    assert event == Event(happening=ToolCall("deploy"), at=NOON, actor="bot", target="staging")


@pytest.mark.parametrize(
    ("bad", "named"),
    [
        ("a text", "event"),
        ({"type": "tool_call"}, "tool"),
        ({"type": "teleport"}, "type"),
        ({"type": "tool_call", "tool": ""}, "tool"),
        ({"type": "tool_call", "tool": "a\nb"}, "tool"),
        ({"type": "tool_call", "tool": "x", "args": [1]}, "args"),
        ({"type": "tool_call", "tool": "x", "args": {"a": float("nan")}}, "args"),
        ({"type": "decision", "options": ["a"], "chosen": 1}, "chosen"),
        ({"type": "decision", "options": [], "chosen": 0}, "chosen"),
        ({"happening": {"type": "goal_achieved", "goal": "g"}, "at": "2026-01-01"}, "at"),
        ({"happening": {"type": "goal_achieved", "goal": "g"}, "actor": ""}, "actor"),
        ({"happening": {"type": "goal_achieved", "goal": "g"}, "duration": -1}, "duration"),
        ({"happening": {"type": "goal_achieved", "goal": "g"}, "mood": 1}, "nobody knows"),
    ],
)
def test_a_wrong_event_is_refused_and_named(bad, named):
    with pytest.raises(InvalidInput) as refusal:
        read_events([UserMessage("fine"), bad], at=NOON)

    assert named in refusal.value.hint
    assert "events[1]" in refusal.value.hint


@pytest.mark.parametrize("bad", ["x", {"type": "tool_call"}, None, 3])
def test_events_come_as_a_list(bad):
    with pytest.raises(InvalidInput):
        read_events(bad, at=NOON)


@pytest.mark.parametrize(
    "bad",
    [
        "won",
        "failure",  # lacks the error
        {"type": "success", "goal_alignment": 1.1},
        {"type": "abandoned", "reason": "r", "progress": -0.1},
        {"type": "partial", "completed": "all"},
        {"type": "ongoing", "since": 1},
        None,
        7,
    ],
)
def test_a_wrong_outcome_is_refused(bad):
    with pytest.raises(InvalidInput):
        read_outcome(bad)


def test_participants_are_named_in_any_of_three_ways_and_each_once():
    handed = ["Ada", Participant("bot", Role.SELF), {"identifier": "Ada"}]

    assert read_participants(handed) == (Participant("Ada"), Participant("bot", Role.SELF))


@pytest.mark.parametrize(
    "bad", ["Ada", [""], [3], [{"identifier": "x", "role": "boss"}], ["a\nb"], None, ["x"] * 201]
)
def test_wrong_participants_are_refused(bad):
    with pytest.raises((InvalidInput, ContentTooLarge)):
        read_participants(bad)


def test_errors_failures_decisions_and_goals_are_what_a_story_tells():
    key = {
        kind_of(each) for each in EVERY_HAPPENING if is_key_event(Event(happening=each, at=NOON))
    }

    assert key == {"decision", "goal_achieved", "goal_failed", "error_occurred"}
    assert is_key_event(Event(happening=ToolResult("deploy", None, False), at=NOON))
    assert is_key_event(Event(happening=ToolCall("deploy"), at=NOON, success=False))


@pytest.mark.parametrize("outcome", EVERY_OUTCOME, ids=outcome_kind)
def test_a_story_tells_the_situation_who_what_and_how_it_ended(outcome):
    events = [Event(happening=each, at=NOON) for each in EVERY_HAPPENING]
    situation = Situation(goal="Ship the release", environment={"host": "fra1"})

    story = tell(situation, [Participant("Ada")], events, outcome, (NOON, None)).text

    lines = story.splitlines()
    assert lines[0] == "Ship the release; host: fra1."
    assert lines[1] == "With Ada."
    assert "error: no space left" in lines[2]
    assert "decided: green" in lines[2]
    assert lines[3].endswith(".")
    assert lines[4] == "2026-03-01 12:00"


@given(
    goal=st.text(min_size=1, max_size=5_000)
    .filter(str.strip)
    .map(lambda text: text.replace("\0", "")),
    errors=st.lists(st.text(max_size=3_000), max_size=60),
    names=st.lists(st.just("n" * 200), max_size=50),
)
def test_a_story_is_short_whatever_happened(goal, errors, names):
    if not goal.strip():
        return
    events = [Event(happening=ErrorOccurred(error), at=NOON) for error in errors]
    people = [Participant(f"{place}{name}"[:200]) for place, name in enumerate(names)]

    story = tell(Situation(goal=goal[:4_000]), people, events, Failure("e" * 9_000), (NOON, NOON))

    assert len(story.text) < 2_000


def test_of_too_many_events_a_story_tells_the_first_and_the_last():
    events = [
        Event(happening=ErrorOccurred(f"error {place} " + "x" * 80), at=NOON) for place in range(40)
    ]

    story = tell(Situation(text="Busy"), [], events, Success(), (NOON, None)).text

    assert "error 0 " in story
    assert "error 39 " in story
    assert "error 20 " not in story
