"""English words cut to their stems, so that "pottery classes" finds "a pottery class".

The algorithm is Porter's of 1980 with his two later repairs ("bli", "logi"), as the text index has
it, so that both agree on what is the same word. Words of other languages pass through nearly
unchanged.
"""

import re
from functools import lru_cache

from engram.language.tables import read_table

_LONGEST = 40  # longer "words" are identifiers or noise

_Rule = tuple[str, str, re.Pattern[str]]  # an ending, what stands for it, and after what


def _longest_first(step: dict[str, dict[str, str]]) -> list[_Rule]:
    rules = [(*each, re.compile(after)) for after, ends in step.items() for each in ends.items()]
    return sorted(rules, key=lambda rule: len(rule[0]), reverse=True)


# "~" is what an "ed" or "ing" leaves behind: hopp~ becomes hop, conflat~ conflate, fil~ file.
_STEPS = tuple(map(_longest_first, read_table("stems.json")))


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The stem of a lowercase word."""
    if not 3 <= len(word) <= _LONGEST or not word.isascii() or not word.isalpha():
        return word
    for step in _STEPS:
        for ending, instead, after in step:
            if word.endswith(ending):
                rest = word.removesuffix(ending)
                word = rest + instead if after.search(_kinds(rest)) else word
                break
    return word


def _kinds(word: str) -> str:
    """One letter for each: v for a vowel (also a y after a consonant), x for w, x and y, else c."""
    kinds = ""
    for letter in word:
        is_vowel = letter in "aeiou" or (letter == "y" and kinds[-1:] not in ("", "v"))
        kinds += "v" if is_vowel else "x" if letter in "wxy" else "c"
    return kinds
