"""A skill drawn from episodes that went alike."""

import pytest

from engram.errors import InvalidInput
from engram.memory.episodes.events import (
    Custom,
    Decision,
    ErrorOccurred,
    Event,
    GoalFailed,
    ToolCall,
    ToolResult,
    UserMessage,
)
from engram.memory.episodes.outcomes import Failure
from engram.memory.situation import Situation
from engram.memory.skills import (
    CallTool,
    ContextProperty,
    CustomAction,
    EnvironmentHas,
    ToolAvailable,
)
from engram.memory.skills.experience import Fault, faults, told_error, worked_actions
from engram.memory.skills.lessons import shared_features, skill_from
from engram.memory.skills.triggers import Means, readings, score

from .samples import START, calls, episode

GOALS = ("deploy the mail service", "deploy the search service", "Deploying the API service")


def three(happenings, **more):
    return [episode(n, goal, happenings, **more) for n, goal in enumerate(GOALS, start=1)]


def test_the_steps_are_what_all_did_in_the_same_order():
    one = episode(1, GOALS[0], calls("look", "test", "build", "push"))
    two = episode(2, GOALS[1], calls("test", "build", "lint", "push"))
    last = episode(3, GOALS[2], calls("test", "wait", "build", "push", "tell"))

    made = skill_from([one, two, last])

    assert [each.action.tool for each in made.procedure.steps] == ["test", "build", "push"]
    assert made.procedure.resources == ("test", "build", "push")
    assert made.procedure.estimated_duration.total_seconds() == 600


def test_arguments_that_differ_become_parameters():
    done = [
        [
            ToolCall("test", {"of": name, "how": {"suite": "full", "seed": n}, "extra": n}),
            ToolCall("push", {"to": "production"} | ({"force": True} if n else {})),
        ]
        for n, name in enumerate(("mail", "search", "api"))
    ]
    made = skill_from([episode(n, GOALS[n], done[n]) for n in range(3)])

    assert [each.action for each in made.procedure.steps] == [
        CallTool(
            "test", {"of": "{of}", "how": {"suite": "full", "seed": "{seed}"}, "extra": "{extra}"}
        ),
        CallTool("push", {"to": "production"}),
    ]


def test_a_tool_that_does_several_things_is_told_apart_by_what_it_is_told():
    done = [
        ToolCall("shell", {"command": "git pull origin"}),
        ToolCall("shell", {"command": "make test"}),
        ToolCall("shell", {"command": "git push origin"}),
    ]
    extra = ToolCall("shell", {"command": "ls -l"})
    made = skill_from(
        [
            episode(1, GOALS[0], [extra, *done]),
            episode(2, GOALS[1], [done[0], extra, *done[1:]]),
            episode(3, GOALS[2], done),
        ]
    )

    assert [each.action.arguments["command"] for each in made.procedure.steps] == [
        "git pull origin",
        "make test",
        "git push origin",
    ]


def test_a_step_is_titled_by_what_differs_and_not_by_what_is_always_the_same():
    done = [
        [
            ToolCall("test", {"cluster": "eu-west", "service": name, "zone": "a"}),
            ToolCall("build", {"image": {"name": name, "tag": "x"}, "cluster": "eu-west"}),
            ToolCall("tell", {"channel": "ops", "mood": "glad"}),
            ToolCall("push", {"to": "production"}),
            ToolCall("shell", {"command": "git pull", "remote": name}),
            ToolCall("shell", {"command": "make all"}),
        ]
        for name in ("mail", "search", "api")
    ]
    made = skill_from([episode(n, GOALS[n], done[n]) for n in range(3)])

    assert [each.description for each in made.procedure.steps] == [
        "Call test: {service}",
        "Call build: {name}",
        "Call tell",
        "Call push: production",
        "Call shell: git pull, {remote}",
        "Call shell: make all",
    ]


def test_an_attempt_that_failed_is_no_step():
    stumbling = [ToolCall("push"), ToolResult("push", "no", False), *calls("build", "push")]
    made = skill_from(three(stumbling))

    assert [each.action.tool for each in made.procedure.steps] == ["build", "push"]


def test_decisions_and_events_of_the_callers_own_are_steps_too():
    done = [
        Decision(("blue", "green"), 1, "green is idle"),
        UserMessage("go on"),
        Custom("handshake", {"a": 1}),
    ]
    made = skill_from(three(done))

    assert made.procedure.steps[0].description == "Decide for green: green is idle"
    assert made.procedure.steps[1].action == CustomAction("handshake")


def test_the_trigger_is_what_most_successes_show():
    wholes = [
        episode(n, goal, calls("test", "push"), environment={"region": "eu", "branch": f"b{n}"})
        for n, goal in enumerate(GOALS, start=1)
    ]
    made = skill_from(wholes)
    named = {each.name: each for each in made.trigger.features}

    assert set(named) == {"deploy", "service", "region is eu"}
    assert named["region is eu"].extractor == ContextProperty("region", "eu")
    assert [each.check for each in made.preconditions] == [
        ToolAvailable("test"),
        ToolAvailable("push"),
        EnvironmentHas("branch"),
    ]
    assert made.name == "deploy-service"
    assert made.description == "deploy the … service (learnt from 3 episodes that succeeded)"


def test_what_failures_show_too_weighs_less():
    worked = three(calls("test", "push"))
    failing = [episode(9, "deploy it on friday", calls("test"), Failure("it broke"))]
    weights = {each.name: each.importance for each in shared_features(worked, failing)}

    assert weights["deploy"] == 0.5
    assert weights["service"] == 1.0


def test_failures_among_them_are_counted_and_are_the_first_failure_modes():
    failing = episode(
        9, GOALS[0], [ToolCall("push"), ToolResult("push", "denied", False)],
        Failure("denied", learned="log in"),
    )  # fmt: skip
    made = skill_from([*three(calls("test", "push")), failing])

    assert len(made.learnt_from) == 4
    assert made.learnt_from[-1].tool == "push"
    assert made.source_episodes[-1] == failing.episode.id


@pytest.mark.parametrize(
    ("wholes", "told"),
    [
        ([], "0 of these 0 did"),
        (three(calls("a", "b"))[:2], "2 of these 2 did"),
        (
            [*three(calls("a", "b"))[:2], episode(7, GOALS[0], [], Failure("no"))],
            "2 of these 3 did",
        ),
        (three(calls("a")), "share 1 actions"),
        (three([]), "share 0 actions"),
        (
            [episode(n, goal, calls("a", "b")) for n, goal in enumerate(("fly", "swim", "run"))],
            "nothing in common",
        ),
    ],
)
def test_a_skill_is_not_made_up(wholes, told):
    with pytest.raises(InvalidInput) as refused:
        skill_from(wholes)

    assert told in refused.value.hint


def events(*happenings):
    return [Event(happening=each, at=START) for each in happenings]


def test_an_event_that_says_it_failed_is_no_step():
    failing = Event(happening=ToolCall("push"), at=START, success=False)

    assert worked_actions([failing, *events(ToolCall("pull"))]) == [ToolCall("pull")]


def test_faults_tell_what_was_done_until_it_worked():
    found = faults(
        events(
            ToolCall("push"), ToolResult("push", {"error": "stale schema"}, False),
            ToolCall("migrate"), ToolResult("migrate", "ok", True),
            ToolCall("push"), ToolResult("push", "ok", True),
            ToolCall("tell"), ErrorOccurred("nobody listens"), GoalFailed("told", "no line"),
        )
    )  # fmt: skip

    assert found == [
        Fault("stale schema", "push", ("migrate",)),
        Fault("nobody listens", "tell"),
        Fault("no line", "tell"),
    ]


def test_a_tool_that_failed_without_a_word_is_explained_by_the_error_after_it():
    found = faults(
        events(ToolCall("push"), ToolResult("push", None, False), ErrorOccurred("token expired"))
    )

    assert found == [Fault("token expired", "push")]


def test_a_word_with_marks_in_it_is_looked_for_as_it_is_written():
    goals = [f"Deploy {name} to eu-west (by push_image)!" for name in ("mail", "search", "api")]
    made = skill_from([episode(n, goal, calls("a", "b")) for n, goal in enumerate(goals)])

    situation = Situation(goal="deploy auth to eu-west by push_image")
    assert {each.name for each in made.trigger.features} == {"deploy", "eu-west", "push_image"}
    assert score(readings(made.trigger, situation, Means())) == 1.0


@pytest.mark.parametrize(
    ("result", "error"),
    [("boom", "boom"), ({"message": "boom"}, "boom"), ({"a": 1}, "{'a': 1}"), (None, "")],
)
def test_the_error_is_found_in_what_a_tool_answered(result, error):
    assert told_error(result) == error
