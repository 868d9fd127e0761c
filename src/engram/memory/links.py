"""What ties memories together: directed, named relations, and which of them mean something here."""

import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from engram.errors import InvalidInput
from engram.memory.changes import Change
from engram.memory.ids import ChangeId, MemoryId, checked_id, label_of

_LONGEST = 40
_BY_THE_WAY = "found by "
_NAMED_BY = 3  # two ends and what lies between them

Ends = tuple[int, int, str]
"""A link as rules need it: from which number, to which, and by which relation."""


class Relation(StrEnum):
    """The well-known relations; any other name is a caller's own."""

    RELATED = "related"
    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    MENTIONS = "mentions"
    FOLLOWS = "follows"
    DEPENDS_ON = "depends_on"
    # must not run in a circle
    CAUSED_BY = "caused_by"
    DERIVED_FROM = "derived_from"
    INSTANCE_OF = "instance_of"
    PART_OF = "part_of"
    # causal as well
    CAUSES = "causes"
    ENABLES = "enables"
    PREVENTS = "prevents"
    # said by the record itself
    SUPERSEDED_BY = "superseded_by"
    CONTINUES = "continues"
    # found by the judge, and not sure enough to retire the other
    MAY_REPLACE = "may_replace"


# Nothing is its own origin, cause, kind or whole, not even by way of others.
WITHOUT_CIRCLES = (
    Relation.CAUSED_BY, Relation.DERIVED_FROM, Relation.INSTANCE_OF, Relation.PART_OF,
)  # fmt: skip
# Along causes and effects one asks further than along other relations.
CAUSAL = frozenset({Relation.CAUSED_BY, Relation.CAUSES, Relation.ENABLES, Relation.PREVENTS})
# These follow from what happened to a memory; a claim beside it could contradict it.
RECORDED = frozenset({Relation.SUPERSEDED_BY, Relation.CONTINUES})


class Replacement(NamedTuple):
    """One memory that another one replaced or may replace, by their numbers."""

    old: int
    new: int
    how: str  # replaced, partly (a statement drawn from that turn was), may be


@dataclass(frozen=True, slots=True)
class Tie:
    """Which memory is to be related to which, and how; every part checked."""

    from_id: str
    to_id: str
    relation: str


@dataclass(frozen=True, slots=True)
class Link:
    """One memory related to another, for all who see both."""

    from_number: int
    to_number: int
    from_id: MemoryId
    to_id: MemoryId
    relation: str
    change: Change | None = None  # None: nobody made it, the record itself says so

    @property
    def change_id(self) -> ChangeId | None:
        """The change that made it: what names the link, and what takes it back."""
        return self.change.id if self.change else None

    @property
    def from_label(self) -> str:
        """The short name of the memory it begins at."""
        return label_of(self.from_number)

    @property
    def to_label(self) -> str:
        """The short name of the memory it ends at."""
        return label_of(self.to_number)


@dataclass(frozen=True, slots=True)
class LinkOutcome:
    """What became of a wish to relate, or no longer to relate, two memories."""

    link: Link
    change_id: ChangeId  # takes it back
    is_repeat: bool  # it was so already


def made_with(change_id: ChangeId | None) -> str:
    """The reason of a link that a larger change found by the way, and that goes with it."""
    return f"{_BY_THE_WAY}{change_id}"


def is_by_the_way(reason: str) -> bool:
    """Whether a reason is that of a link which a larger change found by the way."""
    return reason.startswith(_BY_THE_WAY)


def read_tie(from_id: object, to_id: object, relation: object) -> Tie:
    """Check what a caller wants to relate; whether the memories exist is another question."""
    return Tie(checked_id(from_id), checked_id(to_id), checked_relation(relation))


def read_link(link: object) -> Tie | str:
    """A link as callers name it: by its two ends and relation, or by the change that made it."""
    if not isinstance(link, tuple | list):
        return checked_id(link)
    if len(link) != _NAMED_BY:
        raise InvalidInput(hint="A link is named by (a, b, relation), or by its change id.")
    return read_tie(*link)


def checked_relation(value: object) -> str:
    """The one way to write a relation: lower case, words joined by underscores."""
    if not isinstance(value, str) or len(value) > 4 * _LONGEST:
        raise InvalidInput(hint=_HINT)
    name = unicodedata.normalize("NFKC", value).strip().lower()
    name = "_".join(name.replace("-", " ").split())
    if len(name) > _LONGEST or not name.isidentifier():
        raise InvalidInput(hint=_HINT)
    if name in RECORDED:
        raise InvalidInput(
            hint=f"`{name}` follows from what happens to memories: give `replaces` to `remember`."
        )
    return name


WELL_KNOWN = tuple(each for each in Relation if each not in RECORDED)
_HINT = (
    f"A relation is a name of at most {_LONGEST} letters, digits and underscores; "
    f"well-known are {', '.join(WELL_KNOWN)}."
)
