"""English words cut to their stems, so that "pottery classes" finds "a pottery class".

The algorithm is Porter's of 1980 with his two later repairs ("bli", "logi"), as the text index has
it, so that both agree on what is the same word. Words of other languages pass through nearly
unchanged.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from engram.language.tables import pairs_of, words_of

# A vowel is one of a, e, i, o, u, or a y after a consonant.
_VOWELS = frozenset("aeiou")
_LONGEST = 40  # longer "words" are identifiers or noise

_STEP_2 = dict(pairs_of("suffixes_2"))
_STEP_3 = dict(pairs_of("suffixes_3"))
_STEP_4 = words_of("suffixes_4")
_DOUBLED = re.compile(r"([^aeioulsz])\1$")


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The stem of a lowercase word."""
    if not 3 <= len(word) <= _LONGEST or not word.isascii() or not word.isalpha():
        return word
    found = _past_and_progressive(_plural(word))
    if found.endswith("y") and _has_vowel(found[:-1]):
        found = found[:-1] + "i"
    found = _suffix(_suffix(found, _STEP_2), _STEP_3)
    return _final_letters(_last_suffix(found))


def _kinds(word: str) -> str:
    """The word as a pattern of v and c, one letter for each of its letters."""
    kinds = ""
    for letter in word:
        is_vowel = letter in _VOWELS or (letter == "y" and kinds[-1:] == "c")
        kinds += "v" if is_vowel else "c"
    return kinds


def _measure(word: str) -> int:
    """How many times a vowel is followed by a consonant: the length of a word, as Porter has it."""
    return _kinds(word).count("vc")


def _has_vowel(word: str) -> bool:
    return "v" in _kinds(word)


def _ends_like_hop(word: str) -> bool:
    """Consonant, vowel, consonant, as in "hop", the last not w, x or y."""
    return _kinds(word)[-3:] == "cvc" and word[-1] not in "wxy"


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past_and_progressive(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        if word.endswith(ending):
            rest = word[: -len(ending)]
            return _repaired(rest) if _has_vowel(rest) else word
    return word


def _repaired(word: str) -> str:
    """What an "ed" or "ing" left behind: hopp to hop, conflat to conflate, fil to file."""
    if word.endswith(("at", "bl", "iz")) or (_measure(word) == 1 and _ends_like_hop(word)):
        return word + "e"
    return word[:-1] if _DOUBLED.search(word) else word


def _longest_ending(word: str, endings: Iterable[str]) -> str:
    return max(filter(word.endswith, endings), key=len, default="")


def _suffix(word: str, table: Mapping[str, str]) -> str:
    ending = _longest_ending(word, table)
    rest = word.removesuffix(ending)
    return rest + table[ending] if ending and _measure(rest) > 0 else word


def _last_suffix(word: str) -> str:
    ending = _longest_ending(word, _STEP_4)
    rest = word.removesuffix(ending)
    is_bare = ending == "ion" and not rest.endswith(("s", "t"))
    return rest if _measure(rest) > 1 and not is_bare else word


def _final_letters(word: str) -> str:
    if word.endswith("e"):
        size = _measure(word[:-1])
        if size > 1 or (size == 1 and not _ends_like_hop(word[:-1])):
            word = word[:-1]
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word
