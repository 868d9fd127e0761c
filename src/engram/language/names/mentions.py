"""Who and what a text names: people, organisations, projects, technologies, files, places.

Rows of words with capitals are judged by a small model (`features`); technologies, files and
handles are told by how they are written. The same text always gives the same mentions.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import exp

from engram.language.names.features import TYPES, Scores, score
from engram.language.names.keys import key_of
from engram.language.names.kinds import EntityType
from engram.language.names.runs import Run, Setting, place_of, runs_of, setting_of
from engram.language.names.tokens import Form, Token, tokens_of
from engram.language.names.words import Term, terms_by_first_word
from engram.language.word_kinds import is_ordinary
from engram.text.markup import Area

__all__ = ["EntityType", "Mention", "find_mentions", "key_of"]

_LONGEST_TEXT = 32_768  # a longer text is a document; its names are read where it is cut up
_MOST_CANDIDATES = 2_000  # of one text; one with more is a list
_LEAST_SHARE = 0.52  # of a type, for a name to be told at all; by cross-validation
_BUILT = {EntityType.PROJECT, EntityType.TECHNOLOGY}
_NEIGHBOUR = 0.5  # of what is known of the name beside it in a list
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
class _Candidate:
    """A row of words that may be a name, with what the model gives for it."""

    surface: str
    key: str
    place: tuple[int, int]
    scores: Scores  # the first for no name
    is_speaker: bool

    @property
    def is_name(self) -> bool:
        return self.is_speaker or self.scores[0] < max(self.scores[1:])


def find_mentions(text: str, *, people: Collection[str] = ()) -> tuple[Mention, ...]:
    """Every name in the text, in order; `people` are those known to talk, however written.

    Within one text a name has one type, and a given name alone takes the key of the only full
    name it can stand for. Only the first 32,768 characters are read.
    """
    tokens = tokens_of(text[:_LONGEST_TEXT])
    # Whoever is called Ada Byron is called Ada.
    single = {word for name in people for word in key_of(name).split() if len(word) > 1}
    setting = setting_of(tokens, single)
    terms = list(find_terms(tokens))
    taken = {place for first, last, _ in terms for place in range(first, last + 1)}
    settled = list(_told_by_writing(text, tokens, terms, taken))
    runs = islice(runs_of(tokens, setting, taken), _MOST_CANDIDATES)
    candidates = [_judge(text, tokens, run, setting) for run in runs]
    settled += _with_types(_with_neighbours(text, _accepted(candidates)))
    return tuple(sorted(_with_full_names(settled), key=lambda mention: mention.place))


# Told by how they are written


def find_terms(tokens: Sequence[Token]) -> Iterator[tuple[int, int, Term]]:
    """Technologies by their names, the longest first: the first and the last word, and which."""
    terms = terms_by_first_word()
    free_from = 0
    for place, token in enumerate(tokens):
        if token.lower not in terms or place < free_from:
            continue
        for term in terms[token.lower]:
            if _stands_here(tokens, place, term):
                free_from = place + len(term.words)
                yield place, free_from - 1, term
                break


def _stands_here(tokens: Sequence[Token], place: int, term: Term) -> bool:
    words = tokens[place : place + len(term.words)]
    is_same = tuple(token.lower for token in words) == term.words
    if not is_same or any(token.joint for token in words[1:]):
        return False
    first = words[0]
    if not term.is_ambiguous:
        return len(first.word) > 2 or first.word.isupper() or len(words) > 1
    is_part = _joins_capital(tokens, place) or _joins_capital(tokens, place + 1)
    is_listed = bool(first.joint) and tokens[place - 1].lower not in terms_by_first_word()
    is_inside = not (first.begins or is_listed) or not first.word[1:].islower()  # "LaTeX"
    is_inside = is_inside and first.area in (Area.PROSE, Area.LABEL)
    is_written_so = first.word.isupper() or not term.name.isupper()  # "REST", not "Rest"
    return first.is_capital and is_inside and is_written_so and not is_part


def _joins_capital(tokens: Sequence[Token], place: int) -> bool:
    """Whether a word and the one before it, both with capitals, may be one name."""
    if not 0 < place < len(tokens) or tokens[place].joint or not tokens[place].is_capital:
        return False
    before = tokens[place - 1]
    return before.is_capital and not (before.begins and is_ordinary(before.lower))


def _told_by_writing(
    text: str,
    tokens: Sequence[Token],
    terms: Sequence[tuple[int, int, Term]],
    taken: Collection[int],
) -> Iterator[Mention]:
    """Technologies, files, handles and services."""
    for first, last, term in terms:
        start, end = tokens[first].start, tokens[last].end
        yield Mention(text[start:end], key_of(term.name), EntityType.TECHNOLOGY, (start, end))
    for place, token in enumerate(tokens):
        kind = None
        if token.form is Form.FILE:
            is_library = token.word[0].isupper() and token.lower.endswith(".js")
            kind = EntityType.TECHNOLOGY if is_library else EntityType.FILE
        elif token.form is Form.HANDLE:
            kind = EntityType.PERSON
        elif not token.is_capital and token.lower.endswith(_SERVICE_ENDINGS):
            kind = EntityType.SERVICE
        if kind is not None and place not in taken:
            yield Mention(token.word, key_of(token.word), kind, (token.start, token.end))


# Judged by the model


def _judge(text: str, tokens: Sequence[Token], run: Run, setting: Setting) -> _Candidate:
    place = place_of(text, tokens, run)
    words = tokens[run.first : run.last + 1]
    is_speaker = all(word.lower in setting.people for word in words)
    key = key_of(text[words[0].start : place[1]])
    return _Candidate(text[slice(*place)], key, place, score(tokens, run, setting), is_speaker)


def _accepted(candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """Those that are names here, or are no everyday words and names elsewhere in the text."""
    names = {each.key for each in candidates if each.is_name and not is_ordinary(each.key)}
    return [each for each in candidates if each.is_name or each.key in names]


def _with_neighbours(text: str, found: Sequence[_Candidate]) -> list[_Candidate]:
    """In "in Lyon, Porto and Bergen" what holds of the first name holds of all."""
    judged = list(found)
    for place in range(1, len(found)):
        if text[found[place - 1].place[1] : found[place].place[0]] in _LIST_JOINTS:
            judged[place] = _beside(judged[place], judged[place - 1])
            judged[place - 1] = _beside(judged[place - 1], found[place])
    return judged


def _beside(candidate: _Candidate, neighbour: _Candidate) -> _Candidate:
    pairs = zip(candidate.scores, neighbour.scores, strict=True)
    return replace(candidate, scores=tuple(own + _NEIGHBOUR * other for own, other in pairs))


def _with_types(found: Sequence[_Candidate]) -> Iterator[Mention]:
    """Every name with the type that all its places in the text speak for; none that is unsure."""
    places: dict[str, list[_Candidate]] = {}
    for each in found:
        places.setdefault(each.key, []).append(each)
    for same in places.values():
        totals = [sum(scores) for scores in zip(*(each.scores for each in same), strict=True)]
        kind = TYPES[totals.index(max(totals[1:]), 1) - 1]
        if any(each.is_speaker for each in same):
            kind = EntityType.PERSON
        elif _share(totals, kind) < _LEAST_SHARE:
            continue
        yield from (Mention(each.surface, each.key, kind, each.place) for each in same)


def _share(totals: Sequence[float], kind: EntityType) -> float:
    """How sure a type is; what is built and what it is built with are told apart by nobody."""
    powers = [exp(each - max(totals)) for each in totals]
    alike = _BUILT if kind in _BUILT else {kind}
    return sum(powers[1 + TYPES.index(each)] for each in alike) / sum(powers)


# Short forms of a name


def _with_full_names(mentions: Sequence[Mention]) -> Iterator[Mention]:
    """A given or family name alone means the one person of that name in the text."""
    owners: dict[str, set[tuple[str, EntityType]]] = {}
    for mention in mentions:
        for part in _short_forms(mention):
            owners.setdefault(part, set()).add((mention.key, mention.type))
    for mention in mentions:
        full = owners.get(mention.key, set())
        if len(full) == 1 and mention.type not in (EntityType.TECHNOLOGY, EntityType.FILE):
            ((key, kind),) = full
            yield replace(mention, key=key, type=kind)
        else:
            yield mention


def _short_forms(mention: Mention) -> tuple[str, ...]:
    parts = mention.key.split()
    if mention.type is EntityType.PROJECT and parts[0] == "project":
        return (" ".join(parts[1:]),) if len(parts) > 1 else ()
    return (parts[0], parts[-1]) if mention.type is EntityType.PERSON and len(parts) > 1 else ()
