"""Skills that follow each other come to an end, whatever order they are added in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram import Engram, Scope
from engram.errors import InvalidInput
from engram.memory.skills import Procedure
from engram.memory.skills.circles import Placed, check_ends

from .samples import invoking, step

KEYS = "abcdef"
graphs = st.lists(
    st.tuples(st.sampled_from(KEYS), st.lists(st.sampled_from(KEYS), max_size=3)), max_size=12
)


def ends(known: dict[str, tuple[str, ...]]) -> bool:
    """Whether taking away what follows nothing known, again and again, leaves nothing."""
    left = dict(known)
    while left:
        free = [key for key, others in left.items() if not any(each in left for each in others)]
        if not free:
            return False
        for key in free:
            del left[key]
    return True


@given(graphs)
def test_whatever_is_added_no_skill_leads_back_to_itself(wishes):
    known: dict[str, tuple[str, ...]] = {}
    for name, others in wishes:
        placed = [Placed(Scope(), invoking(key, *several)) for key, several in known.items()]
        wanted = {**known, name: tuple(others)}
        try:
            check_ends(Placed(Scope(), invoking(name, *others)), placed)
        except InvalidInput:
            assert not ends(wanted)
            continue
        assert ends(wanted)
        known = wanted


def test_a_name_means_the_nearest_skill_around_the_one_that_names_it():
    inner = Scope(project="p")
    wide = Placed(Scope(), invoking("a", "b"))

    # The wide `a` follows the wide `b`; the inner `b` is another, and may follow the wide `a`.
    check_ends(Placed(inner, invoking("b", "a")), [wide])
    check_ends(Placed(inner, invoking("b", "a")), [wide, Placed(Scope(), invoking("b"))])

    with pytest.raises(InvalidInput):
        check_ends(Placed(Scope(), invoking("b", "a")), [wide])


def test_a_skill_does_not_follow_itself(engram: Engram):
    with pytest.raises(InvalidInput, match="back to itself"):
        engram.skills.add(invoking("tidy up", "Tidy Up"))

    assert engram.skills.list() == []


def test_a_circle_is_refused_on_adding_and_on_revising(engram: Engram):
    engram.skills.add(invoking("a", "b"))
    with pytest.raises(InvalidInput, match="by way of mem-0001"):
        engram.skills.add(invoking("b", "a"))
    engram.skills.add(invoking("b"))

    with pytest.raises(InvalidInput, match="by way of mem-0001"):
        engram.skills.revise("b", procedure=invoking("b", "a").procedure)

    assert engram.skills.get("b").procedure == Procedure(steps=(step("finish"),))


def test_a_retired_skill_still_counts_since_it_may_come_back(engram: Engram):
    engram.skills.add(invoking("a", "b"))
    engram.skills.retire("a", "not needed")

    with pytest.raises(InvalidInput, match="back to itself"):
        engram.skills.add(invoking("b", "a"))
