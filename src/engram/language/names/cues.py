"""What the words of a name and the words around it say about its bearer.

Each cue gives points to a type; the most points over all places of a name in one text decide.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from engram.language.names.cue_words import (
    ADDRESSING,
    AUXILIARIES,
    CONCEPT_NOUNS,
    GREETINGS,
    HUMAN_VERBS,
    LEGAL_FORMS,
    ORGANIZATION_HEADS,
    ORGANIZATION_NOUNS,
    PAST_VERBS,
    PLACE_HEADS,
    PLACE_NOUNS,
    PLACE_PREPOSITIONS,
    PLACE_STARTS,
    PROJECT_HEADS,
    PROJECT_NOUNS,
    ROLES,
    SERVICE_NOUNS,
    TECHNOLOGY_NOUNS,
    THING_VERBS,
    TRAVEL_VERBS,
    WORK_WORDS,
)
from engram.language.names.kinds import EntityType
from engram.language.names.known_names import GIVEN_NAMES, ORGANIZATIONS, PLACES
from engram.language.names.ordinary import is_also_a_name, is_ordinary
from engram.language.names.tokens import Token

Points = Iterator[tuple[EntityType, int]]

_PERSON, _PLACE = EntityType.PERSON, EntityType.PLACE
_ORGANIZATION, _PROJECT = EntityType.ORGANIZATION, EntityType.PROJECT
_NOUNS = (
    (PLACE_NOUNS, _PLACE, 4),
    (PROJECT_NOUNS, _PROJECT, 3),
    (TECHNOLOGY_NOUNS, EntityType.TECHNOLOGY, 3),
    (SERVICE_NOUNS, EntityType.SERVICE, 2),
    (ORGANIZATION_NOUNS, _ORGANIZATION, 2),
    (CONCEPT_NOUNS, EntityType.CONCEPT, 4),
)
# What something is said to be: "the codename of our rewrite", "a small city".
_KINDS = (
    (ROLES, _PERSON, 4),
    (frozenset({"codename", "name", "project", "initiative"}), _PROJECT, 5),
    (frozenset("city town village country island region".split()), _PLACE, 5),
    (frozenset("company startup firm bank agency charity band".split()), _ORGANIZATION, 5),
    *_NOUNS,
)
_COPULAS = frozenset({"is", "was", "are"})
_PHRASE_ENDS = frozenset("of in at for to with and from on by that which".split())
_DETERMINERS = frozenset("the a an our my your their his her its this that".split())


def inner_points(words: Sequence[str]) -> "Counter[EntityType]":
    """What the name says by itself; `words` as they are written."""
    lowers = [word.lower() for word in words]
    points: Counter[EntityType] = Counter()
    cues = _single(words[0], lowers[0]) if len(words) == 1 else _several(words, lowers)
    for kind, score in cues:
        points[kind] += score
    joined = " ".join(lowers)
    if joined in PLACES:
        points[_PLACE] += 5
    if joined in ORGANIZATIONS:
        points[_ORGANIZATION] += 5
    return points


def _single(word: str, lower: str) -> Points:
    if lower in GIVEN_NAMES:
        yield _PERSON, 4
    elif word.isupper() and len(word) > 1:
        yield EntityType.CONCEPT, 2
    elif _is_camel(word):
        yield EntityType.TECHNOLOGY, 3
    elif is_ordinary(lower) and "-" in lower:
        yield _PROJECT, 2


def _is_camel(word: str) -> bool:
    inner = word[1:]
    has_hump = any(letter.isupper() for letter in inner) and any(map(str.islower, inner))
    return has_hump and word.isalnum() and not word.startswith(("Mc", "Mac"))


def _several(words: Sequence[str], lowers: Sequence[str]) -> Points:
    head = lowers[-1]
    if head.isdecimal():
        yield EntityType.CONCEPT, 5
        return
    is_given = lowers[0] in GIVEN_NAMES or is_also_a_name(lowers[0])
    ordinary = [is_ordinary(lower) and not is_also_a_name(lower) for lower in lowers]
    if lowers[0] == "project":
        yield _PROJECT, 6
    elif head in LEGAL_FORMS or "&" in lowers:
        yield _ORGANIZATION, 6
    elif lowers[0] in GIVEN_NAMES and not any(ordinary[1:]):
        yield _PERSON, 5
    elif head in PLACE_HEADS or lowers[0] in PLACE_STARTS:
        yield _PLACE, 5
    elif head in ORGANIZATION_HEADS or "of" in lowers:
        yield _ORGANIZATION, 5
    else:
        yield from _by_ordinary_words(words, ordinary, is_given=is_given)


def _by_ordinary_words(words: Sequence[str], ordinary: Sequence[bool], *, is_given: bool) -> Points:
    """Names of people are made of words that mean nothing else; names of projects of words."""
    head = words[-1].lower()
    if all(ordinary) or head in PROJECT_HEADS:
        yield _PROJECT, 4
    elif not any(ordinary):
        yield (_PERSON, 4) if len(words) <= 3 else (_ORGANIZATION, 2)
    elif not ordinary[-1]:
        yield (_PERSON, 2) if is_given else (_PROJECT, 1)
    elif _is_plural(head):
        yield _PROJECT, 2
    else:
        yield _ORGANIZATION, 3


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "ics", "is"))


def before_points(tokens: Sequence[Token], first: int) -> Points:
    """What the words before a name say."""
    if first == 0:
        return
    token, before = tokens[first], tokens[first - 1]
    if before.lower in ROLES and token.joint in ("", ","):
        yield _PERSON, 4
    if token.joint == "," and (before.lower in GREETINGS or _ends_sentence(tokens, first)):
        yield _PERSON, 3
    if token.joint:
        return
    yield from _article_points(tokens, first)
    yield from _preposition_points(tokens, first)
    if before.lower in GREETINGS or before.lower in ADDRESSING:
        yield _PERSON, 3
    elif before.lower in ("joined", "acquired", "sued"):
        yield _ORGANIZATION, 3
    elif before.lower in ("with", "by", "and"):
        yield _PERSON, 1


def _ends_sentence(tokens: Sequence[Token], place: int) -> bool:
    """Whether a sentence ends here, as in "Well done, Ada!"."""
    return place + 1 == len(tokens) or tokens[place + 1].joint[:1] in ("!", "?", ".")


def _article_points(tokens: Sequence[Token], first: int) -> Points:
    if tokens[first - 1].lower not in _DETERMINERS:
        return
    yield _PERSON, -3
    has_preposition = first > 1 and tokens[first - 2].lower in (*PLACE_PREPOSITIONS, "of", "to")
    if has_preposition and _is_plural(tokens[first].lower):
        yield _PLACE, 4


def _preposition_points(tokens: Sequence[Token], first: int) -> Points:
    word = tokens[first - 1].lower
    earlier = {each.lower for each in tokens[max(0, first - 4) : first - 1]}
    if word in PLACE_PREPOSITIONS:
        yield _PLACE, 3
    elif word == "at":
        yield (_ORGANIZATION, 4) if earlier & WORK_WORDS else (_PLACE, 2)
        yield _ORGANIZATION, 1
    elif word in ("to", "from"):
        yield (_PLACE, 4) if earlier & TRAVEL_VERBS else (_PLACE, 1)
        yield _PERSON, 1
    elif word == "for":
        yield (_ORGANIZATION, 4) if earlier & WORK_WORDS else (_PERSON, 1)


def after_points(tokens: Sequence[Token], last: int) -> Points:
    """What the words after a name say."""
    if last + 1 == len(tokens):
        return
    token, after = tokens[last], tokens[last + 1]
    if after.joint == "," or (not after.joint and after.lower in _COPULAS):
        yield from _apposition_points(tokens, last + 1)
    if after.joint:
        if after.joint == "," and token.begins:
            yield _PERSON, 1  # "Ada, the build is red"
        return
    if token.is_possessive:
        yield _PERSON, 1
        return
    yield from _verb_points(after.lower)
    for nouns, kind, score in _NOUNS:
        if after.lower in nouns and not after.is_capital:
            yield kind, score
            return


def _apposition_points(tokens: Sequence[Token], place: int) -> Points:
    """What a name is said to be: "Ada, our auditor", "Ada is the new lead", "Porto is a city"."""
    opening = tokens[place].lower
    if opening in ("who", "whose"):
        yield _PERSON, 4
    start = place + (opening in _COPULAS)
    if start >= len(tokens) or tokens[start].lower not in _DETERMINERS:
        return
    for token in tokens[start + 1 : start + 5]:
        if token.joint or token.lower in _PHRASE_ENDS:
            return
        for nouns, kind, score in _KINDS:
            if token.lower in nouns:
                yield kind, score
                return


def _verb_points(verb: str) -> Points:
    if verb in HUMAN_VERBS or verb in ("who", "whose"):
        yield _PERSON, 3
    elif verb in THING_VERBS:
        yield EntityType.TECHNOLOGY, 1
    elif verb in PAST_VERBS or (verb.endswith("ed") and len(verb) > 4):
        yield _PERSON, 2
    elif verb in AUXILIARIES or verb == "and":
        yield _PERSON, 1


def follows_like_a_subject(tokens: Sequence[Token], last: int) -> bool:
    """Whether what comes after a word makes it a name: a verb, a possessive, a comma."""
    if tokens[last].is_possessive:
        return True
    if last + 1 == len(tokens):
        return False
    after = tokens[last + 1]
    if after.joint:
        return after.joint == ","
    return any(True for _ in _verb_points(after.lower)) or after.lower in THING_VERBS
