"""Resolving: which names mean one entity, which may, and which must never be made one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.language.names.kinds import EntityType
from engram.memory.entities.resolve import (
    Known,
    information,
    likeness,
    nearest_in_meaning,
    spellings,
)

PERSON, PROJECT, UNKNOWN = EntityType.PERSON, EntityType.PROJECT, EntityType.UNKNOWN
TECHNOLOGY, ORGANIZATION = EntityType.TECHNOLOGY, EntityType.ORGANIZATION


def spelled(*names: str, kind: EntityType = ORGANIZATION) -> dict[str, str]:
    return spellings({name: (kind, len(names) - place) for place, name in enumerate(names)})


@pytest.mark.parametrize(
    ("usual", "other"),
    [
        ("frontend", "front-end"),
        ("front-end", "front end"),
        ("nordwind", "nordwind gmbh"),
        ("nordwind logistics inc.", "nordwind logistics"),
    ],
)
def test_names_that_differ_in_writing_alone_are_one(usual, other):
    assert spelled(usual, other) == {other: usual}


@pytest.mark.parametrize(
    "names",
    [
        ("ilse varga", "ilse"),
        ("j. smithson", "john smithson"),
        ("kubernetes", "kubernets"),
        ("release 1.2", "release 12"),
        ("nordwind gmbh", "nordwind inc"),
        ("go", "g o"),
    ],
)
def test_whatever_else_they_share_does_not_join_two_names(names):
    assert spelled(*names) == {}


def test_a_name_alone_does_not_join_two_companies():
    assert spelled("nordwind", "nordwind gmbh", "nordwind inc") == {}


def test_entities_of_different_types_are_not_one_by_their_writing():
    names = {"night-jar": (PROJECT, 3), "nightjar": (PERSON, 2)}

    assert spellings(names) == {}
    assert spellings(names | {"nightjar": (UNKNOWN, 2)}) == {"nightjar": "night-jar"}


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("veltro inc", "veltro gmbh", "legal form"),
        ("front-end", "frontend", "writing"),
        ("kowalskis", "kowalski", "plural"),
        ("j. smithson", "john smithson", "initials"),
        ("j smithson", "john smithson", "initials"),
        ("wto", "world trade organization", "initials"),
        ("kubernets", "kubernetes", "misspelt"),
        ("kuberentes", "kubernetes", "misspelt"),
        ("nordwind logistcs", "nordwind logistics", "misspelt"),
        ("melanie", "melanie gray", "part of the name"),
        ("gray", "melanie gray", "part of the name"),
    ],
)
def test_two_names_may_mean_the_same_for_a_reason(one, other, reason):
    assert likeness(one, other) == reason
    assert likeness(other, one) == reason


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("al", "al moreno"),  # says too little
        ("bo", "bob"),
        ("api 2", "api 3"),
        ("windows 10", "windows 11"),
        ("melanie gray", "melanie stone"),
        ("melissa", "melanie"),
        ("daniela", "daniel"),
        ("marina", "martina"),
        ("team north", "team south"),
        ("staging cluster", "testing cluster"),
        ("veltro", "veltra"),
        ("j. smithson", "anna smithson"),
    ],
)
def test_names_that_are_told_apart_have_no_reason_to_be_one(one, other):
    assert likeness(one, other) is None


def test_another_name_for_the_same_thing_is_found_by_meaning():
    portal, billing = Known("customer portal", PROJECT), Known("billing", PROJECT)
    near = {"customer portal": 0.9, "billing": 0.2}

    found = nearest_in_meaning(Known("web frontend", PROJECT), [portal, billing], near.__getitem__)

    assert found == portal


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("api 2", "api 3", TECHNOLOGY),
        ("melanie gray", "melanie stone", PERSON),
        ("melissa", "melanie", PERSON),
        ("team north", "team south", ORGANIZATION),
        ("ui", "ux", PROJECT),
    ],
)
def test_nearness_in_meaning_never_joins_what_names_tell_apart(one, other, kind):
    assert nearest_in_meaning(Known(one, kind), [Known(other, kind)], lambda _: 0.99) is None


@pytest.mark.parametrize(("nearness", "kind"), [(0.85, PROJECT), (0.9, TECHNOLOGY), (0.9, UNKNOWN)])
def test_meaning_needs_nearness_and_the_same_type(nearness, kind):
    portal = Known("customer portal", PROJECT)

    assert nearest_in_meaning(Known("web frontend", kind), [portal], lambda _: nearness) is None


def test_two_that_are_equally_near_in_meaning_make_it_unclear():
    both = [Known("customer portal", PROJECT), Known("shop pages", PROJECT)]

    assert nearest_in_meaning(Known("web frontend", PROJECT), both, lambda _: 0.9) is None


def test_long_names_carry_more_information_and_repeated_letters_less():
    assert information("al") < information("tom") < information("melanie")
    assert information("aaaaaaa") == 0.0
    assert information("") == 0.0


NAMES = st.text(st.sampled_from("abc 12-"), min_size=1, max_size=12).filter(str.strip)


@given(st.lists(NAMES, max_size=6, unique=True))
def test_names_are_joined_with_names_that_exist_and_digits_never_change(names):
    found = spelled(*names, kind=PROJECT)

    assert set(found.values()) <= set(names)
    assert not set(found) & set(found.values())
    for name, usual in found.items():
        assert [each for each in name if each.isdigit()] == [
            each for each in usual if each.isdigit()
        ]
