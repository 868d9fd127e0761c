"""Which names a name is compared with, and what is proposed to a person."""

from hypothesis import given
from hypothesis import strategies as st

from engram.language.names.kinds import EntityType
from engram.memory.entities.nearby import Nearby, Proposal, propose
from engram.memory.entities.resolve import Known, likeness

PERSON, PROJECT = EntityType.PERSON, EntityType.PROJECT
_WORDS = st.sampled_from(
    "ada adam byron byrne melanie melaine melannie caroline carolyn postgresql postgressql "
    "posgresql post gres acme acme-corp ltd inc nightjar nightjars nigthjar kubernetes kuberentes "
    "kubrenetes kubernetesses internationale internatoinale inetrnationale alpha-2 alpha2".split()
)
_LETTERS = st.text(alphabet="abcd", min_size=1, max_size=14)
_NAMES = st.lists(st.one_of(_WORDS, _LETTERS), min_size=1, max_size=3).map(" ".join)


@given(st.lists(_NAMES, max_size=12, unique=True), _NAMES)
def test_whatever_a_name_is_like_is_among_those_it_is_compared_with(known, name):
    nearby = Nearby(Known(key, PERSON) for key in known)

    compared = {each.key for each in nearby.of(name)}

    assert {key for key in known if likeness(name, key)} <= compared


def test_names_that_have_nothing_in_common_are_not_compared():
    nearby = Nearby()
    for name in ("ada byron", "postgresql", "lyon", "project nightjar"):
        nearby.add(Known(name, EntityType.UNKNOWN))

    assert nearby.of("melanie") == []
    assert [each.key for each in nearby.of("nightjar")] == ["project nightjar"]


def test_initials_and_slips_are_proposed_and_two_that_fit_equally_are_not():
    people = dict.fromkeys(
        ["john smithson", "melanie gray", "melanie stone", "j. smithson", "melanie"], PERSON
    )

    found = propose(people, beside=lambda *_: False)

    assert found == [Proposal("j. smithson", "john smithson", "initials")]


def test_who_stands_beside_another_in_one_memory_is_somebody_else():
    people = {"kowalski": PERSON, "kowalskis": PERSON}

    assert propose(people, beside=lambda *_: True) == []
    assert propose(people, beside=lambda *_: False) != []


def test_what_is_near_in_meaning_is_proposed_where_nothing_else_is():
    projects = {"customer portal": PROJECT, "billing": PROJECT, "web frontend": PROJECT}
    near = {frozenset({"customer portal", "web frontend"}): 0.93}

    found = propose(
        projects,
        beside=lambda *_: False,
        nearness=lambda one, other: near.get(frozenset({one, other}), 0.1),
    )

    assert found == [Proposal("web frontend", "customer portal", "meaning")]
