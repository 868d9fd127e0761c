"""Who and what a text names: people, organisations, projects, tools, files, services, places.

Rules alone: capitals, the words a name is made of, the words around it, and lists of what most
readers know. The same text always gives the same mentions.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from engram.language.names.cues import after_points, before_points, inner_points
from engram.language.names.keys import key_of
from engram.language.names.kinds import EntityType
from engram.language.names.ordinary import is_also_a_name, is_ordinary
from engram.language.names.runs import Run, Setting, runs_of, setting_of
from engram.language.names.technologies import Term, terms_by_first_word
from engram.language.names.tokens import Form, Token, tokens_of

__all__ = ["EntityType", "Mention", "find_mentions", "key_of"]

_LONGEST_TEXT = 32_768  # a longer text is a document; its names are read where it is cut up
_TITLE_POINTS = 5
_WORK_POINTS = 8
_SPEAKER_POINTS = 8
_FEWEST_POINTS = 1
_FEWEST_FOR_ORDINARY = 2
_LIST_JOINTS = frozenset({", ", " and ", ", and ", " or ", ", or ", ", the ", " and the ", "/"})
_SERVICE_ENDINGS = ("-service", "-api", "-server", "-worker", "-gateway", "-svc", "-proxy")


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a text: as written, its identity, what it belongs to, and where it stands."""

    surface: str
    key: str
    type: EntityType
    place: tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Found:
    """A name before its type is settled."""

    surface: str
    key: str
    points: "Counter[EntityType]"
    place: tuple[int, int]


def find_mentions(text: str, *, people: Collection[str] = ()) -> tuple[Mention, ...]:
    """Every name in the text, in order; `people` are those known to talk, however written.

    Within one text a name has one type, and a given name alone takes the key of the only full
    name it can stand for. Only the first 32,768 characters are read.
    """
    tokens = tokens_of(text[:_LONGEST_TEXT])
    if not tokens:
        return ()
    setting = setting_of(tokens, _single_names(people))
    known = list(_known_terms(tokens))
    taken = {place for first, last, _ in known for place in range(first, last + 1)}
    settled = [_term_mention(text, tokens, *each) for each in known]
    settled += _written_like_names(tokens, taken)
    found = [_read(text, tokens, run, setting) for run in runs_of(tokens, setting, taken)]
    found = [each for each in found if _is_told(each)]
    settled += _with_types(_with_neighbours(text, found))
    return tuple(sorted(_with_full_names(settled), key=lambda mention: mention.place))


def _single_names(people: Collection[str]) -> set[str]:
    """Each name of a speaker by itself: whoever is called Ada Byron is called Ada."""
    return {word for name in people for word in key_of(name).split() if len(word) > 1}


def _known_terms(tokens: Sequence[Token]) -> Iterator[tuple[int, int, Term]]:
    """Technologies and services by their names, the longest first."""
    terms = terms_by_first_word()
    free_from = 0
    for place, token in enumerate(tokens):
        if token.lower not in terms or place < free_from:
            continue
        for term in terms[token.lower]:
            last = place + len(term.words) - 1
            if _stands_here(tokens, place, term):
                free_from = last + 1
                yield place, last, term
                break


def _stands_here(tokens: Sequence[Token], place: int, term: Term) -> bool:
    words = tokens[place : place + len(term.words)]
    if tuple(token.lower for token in words) != term.words:
        return False
    if any(token.joint for token in words[1:]):
        return False
    first = words[0]
    if not term.is_ambiguous:
        return len(first.word) > 2 or first.word.isupper() or len(words) > 1
    following = tokens[place + 1] if place + 1 < len(tokens) else None
    is_part = following is not None and following.is_capital and not following.joint
    return first.is_capital and not first.begins and not is_part


def _term_mention(text: str, tokens: Sequence[Token], first: int, last: int, term: Term) -> Mention:
    place = (tokens[first].start, tokens[last].end)
    return Mention(text[slice(*place)], key_of(term.name), term.type, place)


def _written_like_names(tokens: Sequence[Token], taken: Collection[int]) -> Iterator[Mention]:
    """Files, handles and services, told by how they are written."""
    for place, token in enumerate(tokens):
        kind = None
        if token.form is Form.FILE:
            kind = EntityType.FILE
        elif token.form is Form.HANDLE:
            kind = EntityType.PERSON
        elif not token.is_capital and token.lower.endswith(_SERVICE_ENDINGS):
            kind = EntityType.SERVICE
        if kind is not None and place not in taken:
            yield Mention(token.word, key_of(token.word), kind, (token.start, token.end))


def _read(text: str, tokens: Sequence[Token], run: Run, setting: Setting) -> _Found:
    """A name with all that speaks for one type or another."""
    words = [token.word for token in tokens[run.first : run.last + 1]]
    points = inner_points(words)
    for kind, score in before_points(tokens, run.first):
        points[kind] += score
    for kind, score in after_points(tokens, run.last):
        points[kind] += score
    if run.is_work:
        points[EntityType.CONCEPT] += _WORK_POINTS
    if run.has_title:
        points[EntityType.PERSON] += _TITLE_POINTS
    if all(word.lower() in setting.people for word in words):
        points[EntityType.PERSON] += _SPEAKER_POINTS
    place = (tokens[run.first].start, tokens[run.last].end)
    return _Found(text[slice(*place)], key_of(text[slice(*place)]), points, place)


def _is_told(found: _Found) -> bool:
    """Whether it is more than an ordinary word with a capital: something must say what it is."""
    if not is_ordinary(found.key):
        return True
    fewest = 1 if is_also_a_name(found.key) else _FEWEST_FOR_ORDINARY
    return " " in found.key or _best(found.points) >= fewest


def _with_neighbours(text: str, found: Sequence[_Found]) -> list[_Found]:
    """In "in Lyon, Porto and Bergen" what holds of the first name holds of all."""
    told = list(found)
    for before, after in ((0, 1), (1, 0)):
        order = range(len(told) - 1)
        for place in order if before == 0 else reversed(order):
            source, target = told[place + before], told[place + after]
            gap = text[told[place].place[1] : told[place + 1].place[0]]
            if gap in _LIST_JOINTS and _best(target.points) < 2 <= _best(source.points):
                points = target.points + Counter({_type_of(source.points): 2})
                told[place + after] = replace(target, points=points)
    return told


def _best(points: "Counter[EntityType]") -> int:
    return max(points.values(), default=0)


def _type_of(points: "Counter[EntityType]") -> EntityType:
    best = _best(points)
    if best < _FEWEST_POINTS:
        return EntityType.UNKNOWN
    return next(kind for kind in EntityType if points[kind] == best)


def _with_types(found: Sequence[_Found]) -> Iterator[Mention]:
    """Every name with the type that all its places in the text speak for."""
    sums: dict[str, Counter[EntityType]] = {}
    for each in found:
        sums.setdefault(each.key, Counter()).update(each.points)
    types = {key: _type_of(points) for key, points in sums.items()}
    for each in found:
        yield Mention(each.surface, each.key, types[each.key], each.place)


def _with_full_names(mentions: Sequence[Mention]) -> Iterator[Mention]:
    """A given or family name alone means the one person of that name in the text."""
    owners: dict[str, set[Mention]] = {}
    full_names = {mention.key: mention for mention in mentions}
    for mention in full_names.values():
        for part in _short_forms(mention):
            owners.setdefault(part, set()).add(mention)
    for mention in mentions:
        full = owners.get(mention.key, set())
        if len(full) == 1 and mention.type in (EntityType.PERSON, EntityType.UNKNOWN):
            (owner,) = full
            yield replace(mention, key=owner.key, type=owner.type)
        else:
            yield mention


def _short_forms(mention: Mention) -> tuple[str, ...]:
    parts = mention.key.split()
    if len(parts) < 2:
        return ()
    if mention.type is EntityType.PROJECT and parts[0] == "project":
        return (" ".join(parts[1:]),)
    return (parts[0], parts[-1]) if mention.type is EntityType.PERSON else ()
