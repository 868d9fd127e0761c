"""Conditions: met, failed, or not to be told here, which never counts as met."""

from dataclasses import dataclass, field

import pytest

from engram.memory.situation import Situation
from engram.memory.skills import (
    AllOf,
    AnyOf,
    BeliefHeld,
    CustomCheck,
    Described,
    EnvironmentEquals,
    EnvironmentHas,
    Not,
    Precondition,
    ToolAvailable,
    Verdict,
)
from engram.memory.skills.conditions import condition_text, report, verdict

MET, FAILED, UNKNOWN = Verdict.MET, Verdict.FAILED, Verdict.UNKNOWN


@dataclass
class Means:
    """What is believed and registered, as a test says."""

    beliefs: dict[str, bool] = field(default_factory=dict)
    checks: dict[str, bool] = field(default_factory=dict)

    def is_believed(self, memory_id: str) -> bool | None:
        return self.beliefs.get(memory_id)

    def holds(self, name: str, situation: Situation) -> bool | None:
        return self.checks.get(name)


HERE = Situation(tools=("git",), environment={"region": "EU", "dry_run": True, "count": 1})


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (ToolAvailable("git"), MET),
        (ToolAvailable("docker"), FAILED),
        (EnvironmentHas("region"), MET),
        (EnvironmentHas("zone"), FAILED),
        (EnvironmentEquals("region", "eu"), MET),
        (EnvironmentEquals("region", "us"), FAILED),
        (EnvironmentEquals("count", True), FAILED),  # true is not 1
        (EnvironmentEquals("zone", None), FAILED),
        (BeliefHeld("mem-0001"), MET),
        (BeliefHeld("mem-0002"), FAILED),
        (BeliefHeld("mem-0003"), UNKNOWN),
        (CustomCheck("is quiet"), MET),
        (CustomCheck("never heard of"), UNKNOWN),
        (Described("the moon is full"), UNKNOWN),
        (Not(ToolAvailable("git")), FAILED),
        (Not(Described("the moon is full")), UNKNOWN),
        (AllOf((ToolAvailable("git"), Described("so"))), UNKNOWN),
        (AllOf((ToolAvailable("docker"), Described("so"))), FAILED),
        (AllOf((ToolAvailable("git"), EnvironmentHas("region"))), MET),
        (AnyOf((ToolAvailable("git"), Described("so"))), MET),
        (AnyOf((ToolAvailable("docker"), Described("so"))), UNKNOWN),
        (AnyOf((ToolAvailable("docker"), EnvironmentHas("zone"))), FAILED),
    ],
)
def test_a_condition_is_met_failed_or_not_to_be_told(condition, expected):
    means = Means({"mem-0001": True, "mem-0002": False}, {"is quiet": True})

    assert verdict(condition, HERE, means) is expected
    assert condition_text(condition)


def test_who_names_no_tools_has_not_said_that_one_is_lacking():
    assert verdict(ToolAvailable("git"), Situation(), Means()) is UNKNOWN


def test_a_report_says_what_its_author_wanted_said():
    asked = Precondition(ToolAvailable("docker"), "Docker runs", "Start Docker first.")

    assert report(asked, HERE, Means()).reason == "Start Docker first."
    assert report(asked, Situation(), Means()).reason == "cannot be checked here: Docker runs"
