"""The rules of the process in the background, without a process."""

import pytest

from engram.surfaces.daemon.leaving import Backlog, Reason, Situation, reason_to_leave


def situation(**changed: object) -> Situation:
    usual: dict[str, object] = {
        "is_told": False, "is_wanted": False, "is_there": True, "quiet_seconds": 0.0,
        "patience_seconds": 60.0,
    }  # fmt: skip
    return Situation(**{**usual, **changed})


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({}, None),
        ({"quiet_seconds": 59.9}, None),
        ({"quiet_seconds": 60.0}, Reason.IDLE),
        ({"is_there": False}, Reason.MOVED),
        ({"is_wanted": True, "is_there": False}, Reason.WANTED),
        ({"is_told": True, "is_wanted": True}, Reason.TOLD),
    ],
)
def test_it_leaves_for_a_reason_and_names_the_most_pressing(changed, reason):
    assert reason_to_leave(situation(**changed)) == reason


def test_what_somebody_else_is_embedding_is_left_to_them():
    backlog = Backlog().after(64, 10.0)
    for step in range(1, 4):
        backlog = backlog.after(64 - 16 * step, 10.0 + step)

        assert not backlog.is_ours(10.0 + step)


def test_what_nobody_embeds_is_taken_on_after_a_moment():
    backlog = Backlog().after(5, 10.0)

    assert not backlog.after(5, 10.5).is_ours(10.5)
    assert backlog.after(9, 11.5).is_ours(11.5)


def test_nothing_is_nobodys_work():
    assert not Backlog().after(0, 10.0).is_ours(99.0)
