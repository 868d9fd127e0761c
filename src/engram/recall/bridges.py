"""The words of a question and the names in memories: what one memory leads to the next by."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from engram.language.lexicon import COMMON_WORDS, query_terms
from engram.language.names.keys import key_of
from engram.language.names.kinds import EntityType
from engram.language.names.mentions import find_mentions
from engram.language.stems import stem
from engram.memory.record import Memory
from engram.text.strings import folded
from engram.text.terms import Term, standing_terms

_CLITIC = re.compile(r"(?<=\w)['’](?:s|t|d|ll|m|re|ve)\b", re.IGNORECASE)
_SIGNS = str.maketrans(dict.fromkeys('.,;:!?()"', " "))
_FEWEST_SAID = 2
_SHORTEST_DOER = 5  # letters: owner, buyer
# Words that say how something is asked; no memory has to contain them.
_ASKING = frozenset(
    """kind kinds type types sort name names named called many much thing things long often old
    person people someone somebody according based mentioned ever""".split()
)
# What a question mostly wants to know in the end, and seldom what leads to something else.
_ANSWERS = frozenset({EntityType.PLACE, EntityType.FILE, EntityType.CONCEPT})


def question_words(question: str) -> dict[str, Term]:
    """The words of a question that an answer should contain, as the asker wrote them."""
    bare = without_clitics(question)
    # An identifier comes whole and in its parts; whole it says which.
    return {
        term.text: term
        for term in query_terms(bare)
        if term.text.lower() not in _ASKING and " " not in term.text
    }


def words_standing(words: Mapping[str, Term], told: str) -> frozenset[str]:
    """The words of a question that stand in a text, in whatever form: an owner where Ada owns."""
    found = frozenset(word for word, term in words.items() if standing_terms([term], told))
    if len(found) == len(words):
        return found
    there = {
        form
        for token in folded(told).translate(_SIGNS).split()
        if token not in COMMON_WORDS
        for form in _forms(token)
    }
    return found | {word for word in words if word not in found and _forms(folded(word)) & there}


@lru_cache(maxsize=4_096)
def _forms(word: str) -> frozenset[str]:
    """The stem of a word and, of whoever does something, that of what is done."""
    if not word.isalpha() or not word.isascii():
        return frozenset()
    one = word.removesuffix("s")
    if one.endswith(("er", "or")) and len(one) >= _SHORTEST_DOER:
        return frozenset((stem(word), stem(f"{one[:-2]}ing")))
    return frozenset((stem(word),))


def same_entity(name: str, aliases: Mapping[str, str]) -> list[str]:
    """What else the one is called whom a name was decided to mean, by its keys."""
    key = key_of(name)
    entity = aliases.get(key, key)
    known = [each for each, of in aliases.items() if of == entity]
    return [each for each in (entity, *known) if each != key] if known else []


def without_clitics(text: str) -> str:
    """A text without what is hung on to its words: Ada's becomes Ada."""
    return _CLITIC.sub("", text)


def said(memory: Memory) -> str:
    """What a memory tells, with who says it and of whom."""
    return without_clitics(" ".join(filter(None, (memory.content, memory.speaker, memory.subject))))


def names_told(memory: Memory) -> list[str]:
    """The names in a memory, as written: those that lead on before those that are answers."""
    people = [memory.speaker] if memory.speaker else []
    found = find_mentions(memory.content, people=people)
    leading = [each.surface for each in found if each.type not in _ANSWERS]
    return [*leading, *people, *(each.surface for each in found if each.type in _ANSWERS)]


def is_told_of(names: Sequence[str], words: Iterable[str], memory: Memory) -> bool:
    """Whether a word stands beside a name as something of it: Ada's brother, the brother of Ada.

    "Tim's brother is Ada" has the same words, and tells something of Tim.
    """
    tokens = folded(without_clitics(memory.content)).translate(_SIGNS).split()
    places = {place for name in names for place in _ends_of(folded(name).split(), tokens)}
    stems = tuple(folded(word)[: max(4, len(word) - 3)] for word in words if word not in names)
    if not stems:
        return False
    return any(
        tokens[place : place + 1] and tokens[place].startswith(stems) for place in places
    ) or any(
        token.startswith(stems) and tokens[place + 1 : place + 2] == ["of"] and place + 3 in places
        for place, token in enumerate(tokens)
    )


def _ends_of(name: Sequence[str], tokens: Sequence[str]) -> Iterator[int]:
    """Where a name ends in a text, as often as it stands there."""
    for place in range(len(tokens) - len(name) + 1):
        if tokens[place : place + len(name)] == list(name):
            yield place + len(name)


def those_talking(memories: Sequence[Memory]) -> set[str]:
    """Those who say much of what was found: they are named everywhere and lead nowhere."""
    spoken = Counter(memory.speaker for memory in memories if memory.speaker)
    most = max(_FEWEST_SAID, len(memories) // 4)
    return {
        word
        for speaker, count in spoken.items()
        if count >= most
        for word in (*folded(speaker).split(), *_short_names(speaker))
    }


def _short_names(name: str) -> list[str]:
    """What a name may be cut to in talk: Mel for Melanie."""
    return [word[:length] for word in folded(name).split() for length in range(3, len(word))]


def names_in(text: str) -> list[str]:
    """The names in a text by their keys."""
    return [each.key for each in find_mentions(text)]
