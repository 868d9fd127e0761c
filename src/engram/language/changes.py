"""Whether a text says that something has changed, by the words of five languages."""

import re
from functools import cache

from engram.language.tables import phrases_of
from engram.text.terms import UNSPACED


def tells_change(text: str) -> bool:
    """Whether a word of change stands in a text."""
    return _pattern().search(text) is not None


def without_adverbs(words: list[str]) -> list[str]:
    """Words without those that only say that something holds from now on: "now", "instead"."""
    return [word for word in words if word.lower().strip(",.!") not in _adverbs()]


@cache
def _adverbs() -> frozenset[str]:
    return frozenset(phrases_of("changes.json", "adverbs"))


@cache
def _pattern() -> re.Pattern[str]:
    # "*" stands for the rest of a word; scripts without spaces have no ends of words.
    words = [word.replace("*", r"\w*") for word in phrases_of("changes.json", "words")]
    either = (word if UNSPACED.search(word) else rf"\b{word}\b" for word in words)
    return re.compile("|".join(either), re.IGNORECASE)
