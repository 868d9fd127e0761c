"""Undoing dreams when it cannot be done: what to undo first, or that nothing stands."""

import re

import pytest

from engram import Engram
from engram.errors import ChangeNotFound, UndoConflict
from engram.memory.dreams.report import DreamReport


def dreamt_of(engram: Engram, text: str) -> DreamReport:
    """A dream with something to tell of anew."""
    engram.remember(text, category="fact")
    return engram.dream(steps=["tree"])


@pytest.fixture
def dreams(engram, clock) -> list[DreamReport]:
    """Three dreams, each of which makes anew what the one before it made."""
    found = []
    for text in ("Bo sails in Lisbon.", "Bo keeps bees in Porto.", "Bo reads Latin at night."):
        found.append(dreamt_of(engram, text))
        clock.advance(days=1)
    return found


def refusal(engram: Engram, named: str) -> str:
    with pytest.raises(UndoConflict) as refused:
        engram.undo(named)
    return refused.value.hint


def test_the_last_dream_that_made_the_same_anew_is_named(engram, dreams):
    first, second, third = dreams

    assert f"undo {third.id}:tree first" in refusal(engram, first.id)
    engram.undo(third.id)
    assert f"undo {second.id}:tree first" in refusal(engram, first.id)
    engram.undo(second.id)
    engram.undo(first.id)

    assert [each.undone for each in engram.dreams()] == [1, 1, 1]


def test_a_single_decision_that_made_way_names_the_dream_too(engram, dreams):
    first, _, third = dreams
    (done,) = first.of("tree")

    hint = refusal(engram, done.decided[0].changes[0])

    assert f"undo {third.id}:tree first" in hint


def test_what_was_redone_stands_in_the_way_again(engram, dreams):
    _, second, third = dreams
    engram.undo(third.id)
    undoing = engram.audit(action="undo", limit=1)[0].change_id
    engram.undo(undoing)

    assert f"undo {third.id}:tree first" in refusal(engram, second.id)


def test_the_answer_of_a_person_is_named_where_it_stands_in_the_way(engram):
    engram.remember("mail-worker sends the weekly newsletter.")
    asked = engram.dream(steps=["gaps"])
    gap = next(each for each in engram.gaps() if each.field == "host")
    assert engram.answer_gap(gap.id, "mail-worker runs on a small VM.").is_closed

    hint = refusal(engram, asked.id)

    change = re.search(r"undo (chg-[0-9a-z]{26}) first", hint)
    assert change is not None
    engram.undo(change[1])
    engram.undo(asked.id)
    assert engram.gaps() == []


def test_a_pass_that_decided_nothing_is_told_apart_from_a_dream(engram, dreams):
    last = dreams[-1]

    assert refusal(engram, f"{last.id}:merge") == (
        "That pass decided nothing, or nothing of it stands any more."
    )
    engram.undo(last.id)
    assert refusal(engram, last.id) == (
        "That dream decided nothing, or nothing of it stands any more."
    )


def test_a_dream_that_is_not_there_is_told_where_they_are_listed(engram):
    with pytest.raises(ChangeNotFound) as refused:
        engram.undo("drm-unknown")

    assert "engram dream --list" in refused.value.hint
