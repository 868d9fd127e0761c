"""Resolving: which names mean one entity, and which must never be made one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.language.names.mentions import EntityType, Mention, key_of
from engram.memory.entities.resolve import Known, Resolution, information, resolve

PERSON, PROJECT, UNKNOWN = EntityType.PERSON, EntityType.PROJECT, EntityType.UNKNOWN
TECHNOLOGY, ORGANIZATION = EntityType.TECHNOLOGY, EntityType.ORGANIZATION


def mention(name: str, kind: EntityType = PERSON) -> Mention:
    return Mention(name, key_of(name), kind, (0, len(name)))


def known(name: str, kind: EntityType = PERSON, *aliases: str) -> Known:
    return Known(key_of(name), name, kind, frozenset(map(key_of, aliases)))


def test_the_same_name_is_the_same_entity_however_it_is_written():
    found = resolve(mention("Dr. ADA Byron’s"), [known("Ada Byron"), known("Ada Lovett")])

    assert found == Resolution("ada byron", "exact")


def test_an_alias_leads_to_its_entity_even_of_another_type():
    atlas = known("Atlas", PROJECT, "the big rewrite")

    assert resolve(mention("the big rewrite", UNKNOWN), [atlas]) == Resolution("atlas", "alias")


def test_an_alias_of_two_entities_leads_to_neither():
    both = [known("Ada Byron", PERSON, "boss"), known("Eve Lund", PERSON, "boss")]

    assert resolve(mention("boss"), both).how == "first seen"


@pytest.mark.parametrize(
    ("name", "entity", "kind"),
    [
        ("Melanie", "Melanie Gray", PERSON),
        ("Melanie Gray", "Melanie", PERSON),
        ("Gray", "Melanie Gray", PERSON),
        ("Tom", "Tom Baker", PERSON),
        ("Front-End", "frontend", PROJECT),
        ("front end", "front-end", PROJECT),
        ("Kubernets", "Kubernetes", TECHNOLOGY),
        ("Kuberentes", "Kubernetes", TECHNOLOGY),
        ("Veltro Inc.", "Veltro", ORGANIZATION),
        ("Veltro", "Veltro GmbH", ORGANIZATION),
        ("Nordwind Logistcs", "Nordwind Logistics", ORGANIZATION),
    ],
)
def test_nearly_the_same_name_is_the_same_entity(name, entity, kind):
    found = resolve(mention(name, kind), [known(entity, kind)])

    assert found == Resolution(key_of(entity), "fuzzy")


@pytest.mark.parametrize(
    ("name", "entity", "kind"),
    [
        ("Al", "Al Moreno", PERSON),  # says too little
        ("Bo", "Bob", PERSON),
        ("API 2", "API 3", TECHNOLOGY),
        ("Windows 10", "Windows 11", TECHNOLOGY),
        ("release 1.2", "release 12", PROJECT),
        ("Melanie Gray", "Melanie Stone", PERSON),
        ("Melissa", "Melanie", PERSON),
        ("Martin", "Martina", PERSON),
        ("Daniela", "Daniel", PERSON),
        ("Marina", "Martina", PERSON),
        ("Team North", "Team South", ORGANIZATION),
        ("Atlas", "Atlas Migration", PROJECT),  # a part of it, maybe
        ("staging cluster", "testing cluster", PROJECT),
        ("Veltro", "Veltra", ORGANIZATION),
    ],
)
def test_names_that_are_told_apart_stay_apart_however_near_in_meaning(name, entity, kind):
    found = resolve(mention(name, kind), [known(entity, kind)], nearness=lambda _: 0.84)

    assert found == Resolution(key_of(name), "first seen")


@pytest.mark.parametrize(
    ("name", "entity", "kind"),
    [
        ("API 2", "API 3", TECHNOLOGY),
        ("Melanie Gray", "Melanie Stone", PERSON),
        ("Melissa", "Melanie", PERSON),
        ("Team North", "Team South", ORGANIZATION),
        ("UI", "UX", PROJECT),
    ],
)
def test_nearness_in_meaning_never_joins_what_names_tell_apart(name, entity, kind):
    assert resolve(mention(name, kind), [known(entity, kind)], nearness=lambda _: 0.99).how == (
        "first seen"
    )


def test_a_name_that_two_may_bear_is_an_entity_of_its_own():
    both = [known("Melanie Gray"), known("Melanie Stone")]

    assert resolve(mention("Melanie"), both) == Resolution("melanie", "first seen")


def test_a_full_name_does_not_take_over_a_short_one_that_may_be_another():
    both = [known("Melanie"), known("Melanie Stone")]

    assert resolve(mention("Melanie Gray"), both).how == "first seen"


def test_entities_of_different_types_are_not_nearly_the_same():
    assert resolve(mention("Kubernets", PERSON), [known("Kubernetes", TECHNOLOGY)]).how == (
        "first seen"
    )
    assert resolve(mention("Kubernets", UNKNOWN), [known("Kubernetes", TECHNOLOGY)]).how == "fuzzy"


def test_another_name_for_the_same_thing_is_found_by_meaning():
    entities = [known("customer portal", PROJECT), known("billing", PROJECT)]
    near = {"customer portal": 0.9, "billing": 0.2}

    found = resolve(mention("web frontend", PROJECT), entities, nearness=near.__getitem__)

    assert found == Resolution("customer portal", "meaning")


@pytest.mark.parametrize(
    ("nearness", "kind"),
    [(0.85, PROJECT), (0.9, TECHNOLOGY), (0.9, UNKNOWN)],
)
def test_meaning_needs_nearness_and_the_same_type(nearness, kind):
    entities = [known("customer portal", PROJECT)]

    assert resolve(mention("web frontend", kind), entities, nearness=lambda _: nearness).how == (
        "first seen"
    )


def test_two_that_are_equally_near_in_meaning_make_it_unclear():
    entities = [known("customer portal", PROJECT), known("shop pages", PROJECT)]

    assert resolve(mention("web frontend", PROJECT), entities, nearness=lambda _: 0.9).how == (
        "first seen"
    )


def test_long_names_carry_more_information_and_repeated_letters_less():
    assert information("al") < information("tom") < information("melanie")
    assert information("aaaaaaa") == 0.0
    assert information("") == 0.0


NAMES = st.text(st.sampled_from("abc 12-"), min_size=1, max_size=12).filter(key_of)


@given(NAMES, st.lists(NAMES, max_size=4), st.sampled_from([PERSON, PROJECT, UNKNOWN]))
def test_a_mention_goes_to_a_known_entity_or_to_its_own_and_digits_never_change(name, names, kind):
    entities = [known(each, kind) for each in names]

    found = resolve(mention(name, kind), entities, nearness=lambda _: 1.0)

    assert found.key in {key_of(name), *(each.key for each in entities)}
    assert (found.how == "first seen") == (found.key not in {each.key for each in entities})
    if found.how in ("fuzzy", "meaning"):
        digits = [letter for letter in found.key if letter.isdigit()]
        assert digits == [letter for letter in key_of(name) if letter.isdigit()]
