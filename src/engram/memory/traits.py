"""What recall needs to know of a wording without reading it again: its stems and some marks.

Derived from the text alone, so it can be made anew at any time. Stems are kept as numbers in the
order of the text: that tells how often a word stands in it and which words stand side by side.
"""

import re
import zlib
from array import array
from dataclasses import dataclass
from enum import IntFlag
from functools import lru_cache

from engram.language.asking import states_something
from engram.language.stems import stem
from engram.language.tables import pattern_of
from engram.text.strings import folded
from engram.text.terms import index_text

VERSION = 3  # a change of any rule below makes the stored traits of old wordings out of date
BREAK = 0  # ends the words; behind it stands what is findable but not said in this order
CALLS = 1  # ends that; behind it stand the names by which somebody is addressed
_MOST_TOKENS = 100_000
_WORD = re.compile(r"\w+")
_RULE_LENGTH = 300


class Mark(IntFlag):
    """What a wording is recognised as."""

    PREFERENCE = 1
    DATE = 2
    NUMBER = 4
    RULE = 8
    QUESTION = 16
    CHANGE = 32
    FIRST_PERSON = 64
    PLACE = 128
    ASKS = 256  # nothing in it is stated: it asks, or says that something is not known


@dataclass(frozen=True, slots=True)
class Traits:
    """The stems of a wording in order, four bytes each, and its marks."""

    tokens: bytes
    flags: int


# In lower case: ignoring case takes three times as long.
_PATTERNS = {
    mark: pattern_of(f"mark_{str(mark.name).lower()}")
    for mark in (Mark.PREFERENCE, Mark.DATE, Mark.NUMBER, Mark.CHANGE, Mark.FIRST_PERSON)
}
_PLACE = pattern_of("mark_place")
# "Hi Kate", "Thanks, Kate", "…, Kate!": the name is the only word that must be capitalised.
_CALL = pattern_of("called_names")
_RULE = pattern_of("mark_rule")


def traits_of(text: str) -> Traits:
    """The traits of one wording."""
    return Traits(_tokens(text).tobytes(), marks_of(text))


def marks_of(text: str) -> int:
    """What a wording is recognised as, all marks added up."""
    plain = text.replace("’", "'").lower()
    found: dict[Mark, object] = {mark: each.search(plain) for mark, each in _PATTERNS.items()}
    found[Mark.PLACE] = _PLACE.search(text)  # as it was written: a place has a capital
    found[Mark.RULE] = len(plain) < _RULE_LENGTH and _RULE.search(plain)
    found[Mark.QUESTION] = plain.rstrip().endswith("?")
    found[Mark.ASKS] = not states_something(text)
    return sum(int(mark) for mark, holds in found.items() if holds)


@lru_cache(maxsize=65_536)
def token_of(word: str) -> int:
    """The number that stands for a lowercase word's stem; never that of a mark between parts."""
    return max(zlib.crc32(stem(folded(word)).encode("utf-8", "replace")), CALLS + 1)


def _tokens(text: str) -> "array[int]":
    indexed = index_text(text)
    found = array("I", map(token_of, _WORD.findall(indexed.words)[:_MOST_TOKENS]))
    if indexed.fragments:
        found.append(BREAK)
        found.extend(map(token_of, indexed.fragments.split()[:_MOST_TOKENS]))
    calls = [first or second for first, second in _CALL.findall(text)]
    if calls:
        found.append(CALLS)
        found.extend(token_of(name.lower()) for name in calls)
    return found
