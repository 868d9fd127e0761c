"""Which fields of whom and what are missing: named subjects, held against a table.

The table is `language/en/questions.json`: a question for each field, and the words by which a
statement tells it. Nothing is asked that a statement may tell already: in doubt it does.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache

from engram.language.names.keys import key_of
from engram.language.names.kinds import EntityType
from engram.language.names.words import display_names
from engram.language.tables import read_table
from engram.memory.dreams.artefact import inherited
from engram.memory.dreams.gaps import Gap, GapKind, gap_id, may_be_asked_about
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.text.strings import folded

_MOST_PER_SUBJECT = 2  # questions; the next ones come when these are answered
_MOST_SOURCES = 3
_PROJECT = EntityType.PROJECT
_WORD = re.compile(r"\w+")
_SORT_WORD = re.compile(r"^project | (?:project|app)$")
_JOINTS = re.compile(r"[\s_-]+")


@dataclass(frozen=True, slots=True)
class Field:
    """Something to be known of a subject, and by which words and relations it is told."""

    name: str
    question: str  # with {name}
    severity: float
    told_by: frozenset[str]
    relations: frozenset[str]


@dataclass(frozen=True, slots=True)
class Sort:
    """A sort of subjects, and what is to be known of each."""

    name: str
    type: EntityType
    node_type: str
    category: str  # of what is answered
    fewest: int  # statements that name one
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class NamedOne:
    """Somebody or something with a name: how it is written, its keys, and who speaks of it."""

    name: str
    keys: frozenset[str]
    about: tuple[Memory, ...]  # by number
    type: EntityType | None = None
    node_type: str = ""
    tells: frozenset[str] = frozenset()  # relations and properties of what is believed of it


@dataclass(frozen=True, slots=True)
class Subject:
    """One of whom something is expected to be known, and the statements about it."""

    sort: Sort
    name: str
    keys: frozenset[str]
    about: tuple[Memory, ...]
    tells: frozenset[str] = frozenset()


@cache
def sorts() -> tuple[Sort, ...]:
    """The table of what one expects to know."""
    rows = read_table("questions.json")["sorts"]
    return tuple(
        Sort(
            name, EntityType(row["type"]), row["node_type"], row["category"], row["fewest"],
            tuple(
                Field(
                    each["name"], each["question"], each["severity"],
                    frozenset(each["told_by"].split()), frozenset(each["relations"].split()),
                )
                for each in row["fields"]
            ),
        )
        for name, row in rows.items()
    )  # fmt: skip


def sort_named(name: str) -> Sort | None:
    """A row of the table."""
    return next((each for each in sorts() if each.name == name), None)


def subjects_in(named: Iterable[NamedOne], statements: Sequence[Memory]) -> list[Subject]:
    """Everybody and everything of a sort of which something is expected to be known.

    Who talks is not asked about, nor what most readers know (GitHub, Stripe).
    """
    speakers = {key_of(each.speaker) for each in statements if each.speaker}
    known = speakers | display_names().keys()
    joint = [(each, _JOINTS.sub("", folded(each.content))) for each in statements]
    found = []
    for each in _one_each(named):
        sort = _sort_of(each)
        askable = [memory for memory in each.about if may_be_asked_about(memory)]
        if sort is None or each.keys & known or not askable:
            continue
        if each.node_type or len(askable) >= sort.fewest:
            # People's names are words too often to be looked for in any spelling.
            form = "" if sort.type is EntityType.PERSON else _joint(each.name)
            spelt = [memory for memory, text in joint if form and form in text]
            about = {memory.number: memory for memory in (*each.about, *spelt)}
            every = tuple(about[number] for number in sorted(about))
            found.append(Subject(sort, each.name, each.keys, every, each.tells))
    return found


def _sort_of(each: NamedOne) -> Sort | None:
    if each.node_type:
        return next((sort for sort in sorts() if sort.node_type == each.node_type), None)
    return next((sort for sort in sorts() if sort.type is each.type), None)


def _one_each(named: Iterable[NamedOne]) -> list[NamedOne]:
    """Each one once: "Project Night-Jar", "the Nightjar app" and "nightjar" are one project."""
    found: dict[str, NamedOne] = {}
    # The more specific sort first: what the same name is elsewhere taken for is a guess.
    ordered = sorted(named, key=lambda each: (not each.node_type, each.type is not _PROJECT))
    for each in ordered:
        form = _joint(each.name)
        known = found.get(form)
        found[form] = each if known is None else _united(known, each)
    return list(found.values())


def _joint(name: str) -> str:
    """A name whatever stands between its parts, and without what it is."""
    plain = key_of(name)
    return _JOINTS.sub("", _SORT_WORD.sub("", plain)) or plain


def _united(one: NamedOne, other: NamedOne) -> NamedOne:
    first = one if one.node_type or one.type is EntityType.PROJECT else other
    about = {memory.number: memory for each in (one, other) for memory in each.about}
    return replace(
        first,
        name=min((one.name, other.name), key=lambda name: (len(name), name)),
        keys=one.keys | other.keys,
        about=tuple(about[number] for number in sorted(about)),
        tells=one.tells | other.tells,
    )


def missing_fields(subject: Subject) -> list[Field]:
    """What is not known of a subject and expected to be, what matters most first."""
    missing = [each for each in subject.sort.fields if not is_known(each, subject)]
    return sorted(missing, key=lambda each: -each.severity)[:_MOST_PER_SUBJECT]


def is_known(field: Field, subject: Subject) -> bool:
    """Whether a field of a subject is told: by a belief, an answer, or a word; in doubt it is."""
    if field.relations & subject.tells:
        return True
    named = {word for key in subject.keys for word in _WORD.findall(folded(key))}
    return any(
        each.metadata.get("field") == field.name
        or not field.told_by.isdisjoint(set(_WORD.findall(folded(each.content))) - named)
        for each in subject.about
    )


def field_gap(field: Field, subject: Subject, *, scope: Scope, now: datetime) -> Gap:
    """The question for a field that is missing."""
    origins = [each for each in subject.about if may_be_asked_about(each)][:_MOST_SOURCES]
    trust, _ = inherited(origins)
    return Gap(
        id=gap_id(
            scope, GapKind.MISSING_FIELD, subject.sort.name, _joint(subject.name), field.name
        ),
        scope=scope,
        kind=GapKind.MISSING_FIELD,
        question=field.question.format(name=subject.name),
        severity=field.severity,
        subject=subject.name,
        template=subject.sort.name,
        field=field.name,
        names=tuple(sorted(subject.keys)),
        numbers=tuple(each.number for each in origins),
        trust=trust,
        made_at=now,
    )


def is_told_by(gap: Gap, memories: Sequence[Memory]) -> bool:
    """Whether statements that name the subject of a question tell what it asks for."""
    sort = sort_named(gap.template)
    field = next((each for each in sort.fields if each.name == gap.field), None) if sort else None
    if sort is None or field is None:
        return True
    return is_known(field, Subject(sort, gap.subject, frozenset(gap.names), tuple(memories)))
