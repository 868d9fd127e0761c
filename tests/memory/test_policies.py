"""Presets of tools: each gives what the one before gives, and none grants what a role does not."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.memory.policies import Preset, allows
from engram.memory.roles import Need
from engram.surfaces.operations import OPERATIONS

NAMES = st.sampled_from(["recall", "feedback", "remember", "revise", "forget", "backup", "approve"])
EFFECTS = st.sampled_from(["reads", "adds", "changes", "removes"])


@given(NAMES, st.sampled_from(Need), EFFECTS)
def test_each_preset_gives_what_the_one_before_gives(name, need, effect):
    for less, more in pairwise(Preset):
        assert not allows(less, name, need, effect) or allows(more, name, need, effect)


@pytest.mark.parametrize(
    ("operation", "least"),
    [
        (("recall", Need.READ, "reads"), Preset.READ_ONLY),
        (("memory_list", Need.READ, "reads"), Preset.READ_ONLY),
        (("feedback", Need.WRITE, "changes"), Preset.READ_ONLY),
        (("memory_feedback", Need.WRITE, "adds"), Preset.READ_ONLY),
        (("remember", Need.WRITE, "adds"), Preset.STANDARD),
        (("memory_store", Need.WRITE, "adds"), Preset.STANDARD),
        (("revise", Need.WRITE, "changes"), Preset.MEMORY_AWARE),
        (("memory_update", Need.CURATE, "changes"), Preset.MEMORY_AWARE),
        (("forget", Need.WRITE, "removes"), Preset.MEMORY_AWARE),
        (("relate", Need.CURATE, "adds"), Preset.MEMORY_AWARE),
        (("approve", Need.CURATE, "changes"), Preset.UNRESTRICTED),
        (("backup", Need.CONTROL, "adds"), Preset.UNRESTRICTED),
        (("keys", Need.CONTROL, "reads"), Preset.UNRESTRICTED),
        (("odd", Need.READ, "changes"), Preset.UNRESTRICTED),
    ],
)
def test_the_least_preset_that_gives_an_operation(operation, least):
    order = list(Preset)

    given_by = [preset for preset in order if allows(preset, *operation)]

    assert given_by == order[order.index(least) :]


def test_every_operation_there_is_falls_on_the_right_side_of_read_only():
    for each in OPERATIONS.values():
        is_given = allows(Preset.READ_ONLY, each.name, each.need, each.effect)
        is_look = each.need is Need.READ and each.effect == "reads"
        assert is_given == (is_look or each.name == "feedback"), each.name
    assert {"recall", "get", "list"} <= OPERATIONS.keys()
