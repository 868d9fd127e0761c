"""Which fields of whom and what are missing: subjects found in statements, held against the table.

Nothing is asked that a statement tells already: in doubt it does.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from engram.language.names.kinds import EntityType
from engram.language.names.technologies import display_names
from engram.memory.claims import Claim
from engram.memory.claims.claim import plain_name
from engram.memory.dreams.artefact import inherited
from engram.memory.dreams.gap_index import Statements
from engram.memory.dreams.gap_pieces import joined
from engram.memory.dreams.gap_shapes import Field, Template
from engram.memory.dreams.gap_templates import BY_NODE_TYPE, BY_TYPE, DESCRIBED
from engram.memory.dreams.gaps import Gap, GapKind, gap_id, may_be_asked_about
from engram.memory.record import Memory
from engram.memory.scopes import Scope

_MOST_PER_SUBJECT = 3  # questions; the next ones come when these are answered
_MOST_SOURCES = 3
_PAUSE = 32  # statements looked at in one go
_SELF = re.compile(r"(?:i|we|my|our|the user(?: and others)?(?:'s)?)$", re.IGNORECASE)
_THINGS = (EntityType.PROJECT, EntityType.SERVICE)
_CALLED = r"(?:,? (?:is |was )?(?:named|called) | (?=[A-Z]))(?P<name>[A-Z][\w-]+)"
_PROJECT_WORD = re.compile(r"^project | (?:project|app)$")
_JOINTS = re.compile(r"[\s_-]+")
_ANSWER = "{answer}"
_OWNER = "owner="  # how the owner of what is asked about is kept among the names of a gap


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
    """Something of which something is expected to be known, and the statements about it."""

    template: Template
    key: str
    asked: str
    told: str
    names: tuple[str, ...]  # by which statements about it are found again
    about: tuple[Memory, ...]
    origins: tuple[Memory, ...]  # what makes it one
    owner: str = ""  # "" is whoever is asked
    tells: frozenset[str] = frozenset()


def subjects_in(
    statements: Statements,
    named: Iterable[NamedOne],
    now: datetime,
    breathe: Callable[[], None],
) -> list[Subject]:
    """Everybody and everything of a sort of which something is expected to be known."""
    described = list(_described(statements, now, breathe))
    speakers = {plain_name(each.speaker) for each in statements.memories if each.speaker}
    # Who talks is not asked about, and "Rex" of "my dog Rex" is nobody one knows from somewhere.
    others = speakers | {name for each in described for name in each.names}
    found = (_of_name(each, statements) for each in _one_each(named) if not others & each.keys)
    return _told_apart([*(each for each in found if each is not None), *described])


def _one_each(named: Iterable[NamedOne]) -> list[NamedOne]:
    """Each one once: "Project Night-Jar", "the Nightjar app" and "nightjar" are one project."""
    group_of: dict[str, list[NamedOne]] = {}
    for each in named:
        forms = {_joint(key) for key in (each.name, *each.keys)}
        group = [each]
        for other in _apart(group_of[form] for form in sorted(forms) if form in group_of):
            group = [*other, *group]
            forms |= {_joint(key) for one in other for key in (one.name, *one.keys)}
        group_of |= dict.fromkeys(forms, group)
    return [_united(group) for group in _apart(group_of.values())]


def _apart(groups: Iterable[list[NamedOne]]) -> list[list[NamedOne]]:
    """Each group once."""
    return list({id(group): group for group in groups}.values())


def _bare(name: str) -> str:
    return _PROJECT_WORD.sub("", plain_name(name)).strip() or plain_name(name)


def _joint(name: str) -> str:
    """A name whatever stands between its parts: "Night-Jar" and "Nightjar" are one."""
    return _JOINTS.sub("", _bare(name)) or name


def _spellings(each: NamedOne) -> set[str]:
    """How else a thing with a name may be written; the names of people are words too often."""
    if each.type not in _THINGS and each.node_type != "project":
        return set()
    bare = [_bare(key) for key in (each.name, *each.keys)]
    return {_JOINTS.sub(between, name) for name in bare for between in ("", " ", "-")}


def _united(group: Sequence[NamedOne]) -> NamedOne:
    if len(group) == 1:
        return group[0]
    projects = [each for each in group if each.type is EntityType.PROJECT]
    first = next((each for each in group if each.node_type), (projects or list(group))[0])
    about = {memory.number: memory for each in group for memory in each.about}
    return replace(
        first,
        name=min((each.name for each in group), key=lambda name: (len(name), name)),
        keys=frozenset(key for each in group for key in each.keys),
        about=tuple(about[number] for number in sorted(about)),
        tells=frozenset(tell for each in group for tell in each.tells),
    )


def _told_apart(subjects: Iterable[Subject]) -> list[Subject]:
    """Each subject once: a project that is also a node is one project."""
    kept: dict[tuple[str, str], Subject] = {}
    for each in subjects:
        kept.setdefault((each.template.name, each.key), each)
    return list(kept.values())


def _of_name(each: NamedOne, statements: Statements) -> Subject | None:
    template = _template_of(each)
    if template is None:
        return None
    origins = tuple(memory for memory in each.about if may_be_asked_about(memory))
    is_said = each.node_type != "" or (
        len(origins) >= template.fewest
        and (template.cue is None or any(template.cue.search(m.content) for m in origins))
    )
    if not is_said or not origins:
        return None
    spellings = _spellings(each)
    about = {memory.number: memory for memory in (*each.about, *statements.naming(spellings))}
    return Subject(
        template, plain_name(each.name), each.name, each.name, tuple(sorted(each.keys | spellings)),
        tuple(about[number] for number in sorted(about)), origins[:_MOST_SOURCES],
        tells=each.tells,
    )  # fmt: skip


def _template_of(each: NamedOne) -> Template | None:
    """The row for a name; what most readers know (GitHub, Stripe) is not asked about."""
    if each.node_type:
        return BY_NODE_TYPE.get(each.node_type)
    if each.type is None or each.keys & display_names().keys():
        return None
    return BY_TYPE.get(each.type)


def _described(
    statements: Statements, now: datetime, breathe: Callable[[], None]
) -> Iterator[Subject]:
    """Subjects without a name of their own: "my dog", "our trip to Oslo"."""
    for template in DESCRIBED:
        found: dict[str, tuple[re.Match[str], list[Memory]]] = {}
        for place, memory in enumerate(statements.with_any(template.words)):
            if place % _PAUSE == 0:
                breathe()
            match = _spoken_of(template, memory, now)
            if match is not None:
                key = _described_key(template, match)
                found.setdefault(key, (match, []))[1].append(memory)
        for key, (match, origins) in found.items():
            breathe()
            if len(origins) >= template.fewest:
                yield _description(template, match, key, origins, statements)


def _spoken_of(template: Template, memory: Memory, now: datetime) -> re.Match[str] | None:
    """Where a statement speaks of a subject of this sort."""
    text = memory.content
    found = (phrase.search(text) for phrase in template.phrases)
    match = next((each for each in found if each is not None), None)
    if match is None or _is_outdated(template, memory, now) or not may_be_asked_about(memory):
        return None
    is_over = template.unless is not None and template.unless.search(text) is not None
    return None if is_over else match


def _is_outdated(template: Template, memory: Memory, now: datetime) -> bool:
    days = template.fresh_days
    return days is not None and memory.learned_at < now - timedelta(days=days)


def _described_key(template: Template, match: re.Match[str]) -> str:
    owner = _owner(match)
    is_owned = "{owner}" in template.told or template.name == "tech_stack"
    return f"{owner if is_owned else ''}|{plain_name(_thing(match))}"


def _thing(match: re.Match[str]) -> str:
    return match["thing"].rstrip(".,")


def _owner(match: re.Match[str]) -> str:
    """Whose it is; "" for whoever is asked."""
    owner = match.groupdict().get("owner") or ""
    return "" if _SELF.match(owner) else owner.removesuffix("'s")


def _description(
    template: Template,
    match: re.Match[str],
    key: str,
    origins: Sequence[Memory],
    statements: Statements,
) -> Subject:
    owner, thing = _owner(match), _thing(match)
    asked = template.asked.format(owner=f"{owner}'s" if owner else "your", thing=thing)
    told = template.told.format(owner=f"{owner}'s" if owner else "the user's", thing=thing)
    about = statements.naming([thing])
    own_names = _own_names(thing, about)
    return Subject(
        template,
        key,
        asked,
        told,
        tuple(sorted({thing.lower(), *own_names})),
        tuple(statements.naming([thing, *own_names])),
        tuple(origins[:_MOST_SOURCES]),
        owner=owner,
    )


def _own_names(thing: str, statements: Iterable[Memory]) -> set[str]:
    """What a described thing is called: of "my dog Rex" later statements say "Rex"."""
    called = re.compile(rf"\b(?i:{re.escape(thing)})" + _CALLED)
    found = (called.search(each.content) for each in statements)
    return {match["name"].lower() for match in found if match}


def missing_fields(subject: Subject, statements: Statements) -> list[Field]:
    """What is not known of a subject and expected to be, what matters most first."""
    missing = (each for each in subject.template.fields if not is_known(each, subject, statements))
    return sorted(missing, key=lambda each: -each.severity)[:_MOST_PER_SUBJECT]


def is_known(field: Field, subject: Subject, statements: Statements) -> bool:
    """Whether a field of a subject is told: by a belief, a claim, or words; in doubt it is."""
    if field.relations & subject.tells or (subject.told, field.name) in statements.answered:
        return True
    if field.is_anywhere and statements.tells(subject.template.name, field):
        return True
    return any(_tells(field, subject, each, statements) for each in subject.about)


def _tells(field: Field, subject: Subject, memory: Memory, statements: Statements) -> bool:
    text = memory.content
    # The subject's own name tells nothing: "Pro" of "Visual Pro" is no plan.
    is_told = field.known.search(text) and field.known.search(_without(text, subject))
    if is_told or (field.name == "name" and _is_named(subject, text)):
        return True
    claim = statements.claim_of(memory) if field.predicates else None
    return claim is not None and claim.predicate in field.predicates and _is_of(claim, subject)


def _without(text: str, subject: Subject) -> str:
    for name in (subject.asked, *subject.names):
        text = re.sub(rf"\b{re.escape(name)}\b", " ", text, flags=re.IGNORECASE)
    return text


def _is_named(subject: Subject, text: str) -> bool:
    """ "My sister Clara": a name beside the description is a name."""
    thing = subject.names[0] if len(subject.names) == 1 else "|".join(subject.names)
    pattern = (
        rf"\b(?i:{thing}),? (?!I\b)[A-Z][a-z]+|[A-Z][a-z]+,? (?:my|our|the user's) (?i:{thing})"
    )
    return re.search(pattern, text) is not None


def _is_of(claim: Claim, subject: Subject) -> bool:
    about = plain_name(claim.subject)
    return about in {plain_name(name) for name in (subject.told, *subject.names)}


def field_gap(field: Field, subject: Subject, *, scope: Scope, now: datetime) -> Gap:
    """The question for a field that is missing."""
    trust, _ = inherited(subject.origins)
    return Gap(
        id=gap_id(scope, GapKind.MISSING_FIELD, subject.template.name, subject.key, field.name),
        scope=scope,
        kind=GapKind.MISSING_FIELD,
        question=field.question.format(asked=subject.asked, **_verbs(subject.owner, is_asked=True)),
        severity=field.severity,
        subject=subject.told,
        template=subject.template.name,
        field=field.name,
        names=(*subject.names, *([f"{_OWNER}{subject.owner}"] if subject.owner else [])),
        numbers=tuple(each.number for each in subject.origins),
        trust=trust,
        made_at=now,
    )


def _verbs(owner: str, *, is_asked: bool) -> dict[str, str]:
    """The words around an owner, so that a question and an answer are sentences."""
    you = "you" if is_asked else "the user"
    is_you = not owner and is_asked
    return {
        "whom": owner or you, "who": owner or you, "do": "do" if is_you else "does",
        "uses": "use" if is_you else "uses", "build": "build" if is_you else "builds",
    }  # fmt: skip


def sentence(pattern: str, gap: Gap, answer: str = "") -> str:
    """What is kept of an answer: of "Friday" "Nightjar is due Friday."."""
    owner = next((n.removeprefix(_OWNER) for n in gap.names if n.startswith(_OWNER)), "")
    before, place, after = (
        each.format(told=gap.subject, **_verbs(owner, is_asked=False)) if each != _ANSWER else each
        for each in pattern.partition(_ANSWER)
    )
    text = joined(before, answer, after) if place else before
    # A name stays as it is written: mail-worker is no Mail-worker.
    is_name = not gap.subject.startswith("the ") and text.startswith(gap.subject)
    return text if is_name else text[:1].upper() + text[1:]
