"""The shape of the table of gaps: a sort of subjects, and what one expects to know of each."""

import re
from dataclasses import dataclass

from engram.language.names.kinds import EntityType


@dataclass(frozen=True, slots=True)
class Field:
    """Something to be known of a subject.

    `question` and `statement` have {asked} and {told} for the subject, as one says it to its owner
    and of its owner, and `statement` has {answer}. `none` is what "none" says; "": it says nothing.
    """

    name: str
    question: str
    statement: str
    known: re.Pattern[str]  # what in a statement about the subject tells it
    severity: float
    predicates: frozenset[str] = frozenset()  # of claims about the subject
    relations: frozenset[str] = frozenset()  # of beliefs about it, and names of its properties
    is_anywhere: bool = False  # any statement of the scope may tell it, not only those about it
    none: str = ""
    is_of_subject: bool = False  # an answer "it is …" speaks of the subject, not of the field


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A sort of subjects, what makes one, and what is to be known of it."""

    name: str
    fields: tuple[Field, ...]
    fewest: int = 1  # statements that speak of one
    # By name: what a mention of this type, or a node of that one, stands for.
    type: EntityType | None = None
    node_type: str = ""
    cue: re.Pattern[str] | None = None  # one of them must say so: types of names are guesses
    # By description: what in a statement speaks of one; groups `thing`, and `owner` if it has one.
    phrases: tuple[re.Pattern[str], ...] = ()
    words: frozenset[str] = frozenset()  # one of them stands in every statement that speaks of one
    asked: str = "{owner} {thing}"  # how one calls it when asking
    told: str = "{owner} {thing}"  # and when telling
    unless: re.Pattern[str] | None = None  # what is over, or not meant so, makes no subject
    fresh_days: int | None = None  # afterwards nobody wants to be asked any more
    category: str = "fact"  # of what is answered
    is_somebody: bool = False  # "he" and "she" may be one


def words(pattern: str) -> re.Pattern[str]:
    """Whole words, however they are written."""
    return re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)


def field(
    name: str, question: str, statement: str, known: str, severity: float,
    *, none: str = "", predicates: str = "", relations: str = "", is_anywhere: bool = False,
    is_of_subject: bool = False,
) -> Field:  # fmt: skip
    """A field as its row says it: predicates between semicolons, relations between spaces."""
    return Field(
        name, question, statement, words(known), severity,
        frozenset(filter(None, predicates.split("; "))),
        frozenset(filter(None, relations.split())),
        is_anywhere, none, is_of_subject,
    )  # fmt: skip
