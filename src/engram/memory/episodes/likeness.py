"""How much two situations are alike, told by their words: what vectors tell when there are any."""

import re
from functools import lru_cache

from engram.memory.lexicon import COMMON_WORDS, folded
from engram.memory.situation import Situation
from engram.memory.stems import stem

_WORD = re.compile(r"[^\W_]+")
_LIKENESS = 1.6  # words in common that make two texts as near as their vectors would be
_MOST_WORDS = 400


def likeness(one: Situation, other: Situation) -> float:
    """From 0, no telling word in common, to 1."""
    first, second = telling_words(one.summary), telling_words(other.summary)
    both = len(first) + len(second)
    return min(1.0, _LIKENESS * 2 * len(first & second) / both) if both else 0.0


@lru_cache(maxsize=4_096)
def telling_words(text: str) -> frozenset[str]:
    """The stems of the words of a text that tell what it is about."""
    words = _WORD.findall(folded(text))[:_MOST_WORDS]
    return frozenset(stem(word) for word in words if word not in COMMON_WORDS)
