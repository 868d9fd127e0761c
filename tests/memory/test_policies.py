"""Presets of tools: each gives what the one before gives, and none grants what a role does not."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.memory.policies import Preset, allows
from engram.memory.roles import Need
from engram.surfaces.mcp.standard import standard_tools
from engram.surfaces.operations import OPERATIONS, Effect, Operation

STANDARD_TOOLS = [tool.operation for tool in standard_tools()]
EVERY = [*OPERATIONS.values(), *STANDARD_TOOLS]
NAMES = st.sampled_from([each.name for each in EVERY])
EFFECTS = st.sampled_from(["reads", "adds", "changes", "removes"])


@given(NAMES, st.sampled_from(Need), EFFECTS)
def test_each_preset_gives_what_the_one_before_gives(name, need, effect):
    for less, more in pairwise(Preset):
        assert not allows(less, name, need, effect) or allows(more, name, need, effect)


def least_preset(operation: Operation) -> Preset:
    """From which preset on an operation is among the tools, by what it needs and does."""
    if operation.name in ("feedback", "memory_feedback"):
        return Preset.READ_ONLY
    match operation.need, operation.effect:
        case Need.READ, Effect.READS:
            return Preset.READ_ONLY
        case Need.WRITE, Effect.ADDS:
            return Preset.STANDARD
        case Need.WRITE, _:
            return Preset.MEMORY_AWARE
        case _:
            return Preset.UNRESTRICTED


@pytest.mark.parametrize("operation", EVERY, ids=lambda each: each.name)
def test_every_operation_there_is_falls_on_the_right_side_of_read_only(operation):
    order = list(Preset)

    given_by = [
        preset
        for preset in order
        if allows(preset, operation.name, operation.need, operation.effect)
    ]

    assert given_by == order[order.index(least_preset(operation)) :]


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("recall", Preset.READ_ONLY),
        ("feedback", Preset.READ_ONLY),
        ("memory_feedback", Preset.READ_ONLY),
        ("remember", Preset.STANDARD),
        ("memory_store", Preset.STANDARD),
        ("revise", Preset.MEMORY_AWARE),
        ("forget", Preset.MEMORY_AWARE),
        ("relate", Preset.MEMORY_AWARE),
        ("unrelate", Preset.MEMORY_AWARE),
        ("undo", Preset.MEMORY_AWARE),
        ("memory_update", Preset.MEMORY_AWARE),
        ("memory_delete", Preset.MEMORY_AWARE),
        ("approve", Preset.UNRESTRICTED),
        ("backup", Preset.UNRESTRICTED),
        ("keys", Preset.UNRESTRICTED),
    ],
)
def test_the_least_preset_of_what_agents_use_most(name, least):
    [operation] = [each for each in EVERY if each.name == name]

    assert least_preset(operation) is least
