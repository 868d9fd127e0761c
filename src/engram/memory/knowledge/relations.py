"""The relations between who and what is known: one row each, which says what follows from it."""

from dataclasses import dataclass
from functools import cache

from engram.errors import InvalidInput
from engram.memory.links import checked_relation


@dataclass(frozen=True, slots=True)
class RelationRule:
    """One relation, and what may be concluded from it.

    `inverse` is the same said from the other end: who learns by that name learns this relation with
    its ends exchanged, so that nothing is kept in two ways.
    """

    name: str
    sentence: str  # with {source} and {target}
    inverse: str | None = None
    is_symmetric: bool = False
    is_transitive: bool = False
    is_functional: bool = False  # one value at a time: another one contradicts
    is_acyclic: bool = False  # nothing comes before itself, or is part of itself
    family: str = ""  # relations of one family must not run in a circle together either
    is_custom: bool = False

    @property
    def relations_of_family(self) -> tuple[str, ...]:
        """This relation and those that must not run in a circle together with it."""
        if not self.family:
            return (self.name,)
        return tuple(rule.name for rule in RELATIONS if rule.family == self.family)


# In the order of the reference: kinds, parts, likeness, causes, time, place, doers, qualities.
RELATIONS: tuple[RelationRule, ...] = (
    RelationRule("is_a", "{source} is a kind of {target}.", "has_kind",
                 is_transitive=True, is_acyclic=True, family="kind"),
    RelationRule("instance_of", "{source} is an instance of {target}.", "has_instance",
                 is_acyclic=True, family="kind"),
    RelationRule("subclass_of", "{source} is a subclass of {target}.", "has_subclass",
                 is_transitive=True, is_acyclic=True, family="kind"),
    RelationRule("part_of", "{source} is part of {target}.", "has_part",
                 is_transitive=True, is_acyclic=True, family="part"),
    RelationRule("contains", "{source} contains {target}.", "contained_in",
                 is_transitive=True, is_acyclic=True, family="content"),
    RelationRule("related_to", "{source} is related to {target}.", is_symmetric=True),
    RelationRule("similar_to", "{source} is similar to {target}.", is_symmetric=True),
    RelationRule("opposite_of", "{source} is the opposite of {target}.", is_symmetric=True),
    RelationRule("causes", "{source} causes {target}.", "caused_by",
                 is_transitive=True, is_acyclic=True, family="cause"),
    RelationRule("enables", "{source} enables {target}.", "enabled_by",
                 is_acyclic=True, family="cause"),
    RelationRule("prevents", "{source} prevents {target}.", "prevented_by"),
    RelationRule("before", "{source} comes before {target}.", "after",
                 is_transitive=True, is_acyclic=True, family="order"),
    RelationRule("during", "{source} happens during {target}.",
                 is_transitive=True, is_acyclic=True, family="span"),
    RelationRule("located_in", "{source} is located in {target}.", "location_of",
                 is_transitive=True, is_functional=True, is_acyclic=True, family="place"),
    RelationRule("near_to", "{source} is near {target}.", is_symmetric=True),
    RelationRule("created_by", "{source} was created by {target}.", "created"),
    RelationRule("owned_by", "{source} is owned by {target}.", "owns", is_functional=True),
    RelationRule("used_by", "{target} uses {source}.", "uses"),
    RelationRule("works_for", "{source} works for {target}.", "employs", is_functional=True),
    RelationRule("knows", "{source} knows {target}.", is_symmetric=True),
    RelationRule("has_property", "The {property} of {source} is {target}.", is_functional=True),
    RelationRule("has_state", "{source} is {target}.", is_functional=True),
)  # fmt: skip
# `has_part` and `after` are the other two of the twenty-four names: inverses of two above.
BY_NAME = {rule.name: rule for rule in RELATIONS}
BY_INVERSE = {rule.inverse: rule for rule in RELATIONS if rule.inverse}
NAMES = (*BY_NAME, *BY_INVERSE)
PROPERTY = "has_property"
# What says that something lies inside something else, so that both can be its place.
WITHIN = ("located_in", "part_of")


@dataclass(frozen=True, slots=True)
class ReadRelation:
    """A relation as a caller named it: the rule, and whether its ends are to be exchanged."""

    rule: RelationRule
    is_reversed: bool = False


def read_relation(
    name: object, *, is_custom: bool = False, is_functional: bool = False
) -> ReadRelation:
    """The rule of a relation; one of the caller's own only when that is said."""
    checked = checked_relation(name)
    if checked in BY_NAME:
        return ReadRelation(BY_NAME[checked])
    if checked in BY_INVERSE:
        return ReadRelation(BY_INVERSE[checked], is_reversed=True)
    if not is_custom:
        raise unknown_relation(checked, "for one of your own say that it is `custom`")
    return ReadRelation(custom_rule(checked, is_functional=is_functional))


def unknown_relation(name: str, advice: str) -> InvalidInput:
    """The refusal of a relation that is not known, with those that are."""
    return InvalidInput(
        hint=f"`{name}` is no known relation ({', '.join(sorted(NAMES))}): {advice}."
    )


@cache
def custom_rule(name: str, *, is_functional: bool = False) -> RelationRule:
    """The rule of a relation of the caller's own: nothing follows from it by itself."""
    return RelationRule(
        name,
        f"{{source}} {name.replace('_', ' ')} {{target}}.",
        is_functional=is_functional,
        is_custom=True,
    )


def rule_of(name: str, *, is_functional: bool = False) -> RelationRule:
    """The rule of a relation that is kept, known or of a caller's own."""
    return BY_NAME.get(name) or custom_rule(name, is_functional=is_functional)
