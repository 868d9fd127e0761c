"""How much two episodes are alike: by the words of their situations, their vectors, their steps.

What is tied together is told by words and steps alone: they are there at once, and so it does not
matter whether a story waits for its vector. What to expect is told by vectors too, which only add
to the words, on the same scale.
"""

import re
from collections.abc import Collection
from functools import lru_cache

from engram.language.lexicon import COMMON_WORDS
from engram.language.stems import stem
from engram.memory.situation import Situation
from engram.text.strings import folded

_WORD = re.compile(r"[^\W_]+")
_UNRELATED = 0.4  # nearness of stories that have nothing in common but being stories
_SHARE_OF_STEPS = 0.5  # of what is missing to the same, where just the same was done
_MOST_WORDS = 400


def likeness(one: Situation, other: Situation) -> float:
    """By their words: from 0, no telling word in common, to 1."""
    first, second = telling_words(one.summary), telling_words(other.summary)
    both = len(first) + len(second)
    return 2 * len(first & second) / both if both else 0.0


def with_nearness(by_words: float, nearness: float | None) -> float:
    """Likeness by words and, where both stories have one, by the nearness of their vectors."""
    if nearness is None:
        return by_words
    return max(by_words, min(1.0, (nearness - _UNRELATED) / (1.0 - _UNRELATED)))


def with_steps(situations: float, one: Collection[str], other: Collection[str]) -> float:
    """Likeness of episodes whose situations are so alike and in which these steps were taken.

    Half the words in common is enough when all steps are; the same steps alone are never enough.
    """
    first, second = frozenset(one), frozenset(other)
    if not first or not second:
        return situations
    agreement = 2 * len(first & second) / (len(first) + len(second))
    return situations + (1.0 - situations) * _SHARE_OF_STEPS * agreement


@lru_cache(maxsize=4_096)
def telling_words(text: str) -> frozenset[str]:
    """The stems of the words of a text that tell what it is about."""
    words = _WORD.findall(folded(text))[:_MOST_WORDS]
    return frozenset(stem(word) for word in words if word not in COMMON_WORDS)
