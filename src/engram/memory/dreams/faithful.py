"""Whether what a model wrote about memories says only what the memories say.

A summary that is wrong in one name, one number or one "not" is worse than none, since it is read
instead of its sources. So these must stand in the sources as they are, and so must most of the
other words. What cannot be carried is refused as a whole: the sentences of the sources themselves
are always there to fall back on.
"""

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import lru_cache

from engram.language.lexicon import COMMON_WORDS, folded
from engram.language.names.ordinary import is_ordinary
from engram.language.sentences import split_sentences
from engram.memory.claims.forms import NUMBER_WORDS, plain_form, spelled_out, with_numbers
from engram.memory.claims.polarity import Polarity, polarity_of
from engram.memory.grounding import content_of

_LEAST_SHARE = 0.6  # of the content words; a summary may join and shorten, hardly more
_SAME_MATTER = 0.6  # shared words from which on two sentences are about one thing
_MOST_CHARACTERS = 20_000  # of one source that are looked at
_WORD = re.compile(r"[\w][\w'’+#./:@-]*[\w+#]|\w")
_UNITS = frozenset(NUMBER_WORDS) - {"one"}  # "one" is mostly no number: "the one who"
_GROUPED = re.compile(r"(?<=\d),(?=\d{3}\b)")


class Invention(StrEnum):
    """What the sources do not carry."""

    NAME = "a name"
    NUMBER = "a number"
    WORDS = "words"
    DENIAL = "a denial, or the lack of one"


class Sources:
    """The texts that something was written about, taken apart once for many looks."""

    def __init__(self, texts: Iterable[str]) -> None:
        kept = [text[:_MOST_CHARACTERS] for text in texts]
        self._sentences = [each.text for text in kept for each in split_sentences(text)]
        words = [word for text in kept for word in _words(text)]
        self._written = {each for word in words for each in _spellings(word)}
        self._numbers = {number for text in kept for number in _numbers(text)}
        self._content = frozenset().union(*(content_of(text) for text in kept))
        self._polarities = [
            found for found in map(polarity_of, self._sentences) if found is not None
        ]

    def inventions(self, text: str) -> tuple[Invention, ...]:
        """What of a text does not stand here; nothing when it can be believed."""
        sentences = [each.text for each in split_sentences(text)]
        found = []
        if any(not self._is_written(name) for each in sentences for name in _names(each)):
            found.append(Invention.NAME)
        if not _numbers(text) <= self._numbers:
            found.append(Invention.NUMBER)
        if not all(map(self._is_carried, sentences)):
            found.append(Invention.WORDS)
        if any(map(self._is_denied, sentences)):
            found.append(Invention.DENIAL)
        return tuple(found)

    def _is_written(self, name: str) -> bool:
        return not self._written.isdisjoint(_spellings(name))

    def _is_carried(self, sentence: str) -> bool:
        told = content_of(sentence)
        return len(told & self._content) >= _LEAST_SHARE * len(told)

    def _is_denied(self, sentence: str) -> bool:
        """Whether the sources speak of this, and all that do say the contrary."""
        said = polarity_of(sentence)
        if said is None or not said.words:
            return False
        alike = [each for each in self._polarities if _is_same_matter(said, each)]
        return bool(alike) and all(each.is_negated != said.is_negated for each in alike)


def _is_same_matter(said: Polarity, known: Polarity) -> bool:
    ours, theirs = set(said.words), set(known.words)
    return len(ours & theirs) >= _SAME_MATTER * min(len(ours), len(theirs))


def _words(text: str) -> list[str]:
    return _WORD.findall(text)


@lru_cache(maxsize=16_384)
def _spellings(word: str) -> frozenset[str]:
    """The ways in which one word may be written: as it is, as its stem, without a possessive."""
    plain = folded(word).replace("’", "'")
    bare = plain.removesuffix("'s").removesuffix("'")
    return frozenset({plain, bare, plain_form(bare)})


def _names(sentence: str) -> list[str]:
    """The words that name somebody or something, and everything that is written exactly."""
    found = []
    for place, word in enumerate(_words(sentence)):
        is_exact = any(each.isdigit() or each in "_/@#\\" for each in word) and not word.isdecimal()
        is_capital = word[0].isupper() and folded(word) not in COMMON_WORDS
        opens = place == 0 and is_ordinary(folded(word).removesuffix("'s"))
        if (is_exact and not _is_measure(word)) or (is_capital and not opens):
            found.append(word)
    return found


def _is_measure(word: str) -> bool:
    """A number with its unit or its ending, as 5kg or 3rd: compared as a number."""
    return word[0].isdigit()


def _numbers(text: str) -> set[str]:
    """The numbers of a text, in figures, whatever way they are written."""
    ungrouped = _GROUPED.sub("", spelled_out(text))
    plain = [folded(word).replace("’", "'") for word in _words(ungrouped)]
    said: Sequence[str] = with_numbers([word for word in plain if word not in ("one", "a", "an")])
    return {
        piece.lstrip("0") or "0"
        for word in said
        if word[0].isdigit() or word in _UNITS
        for piece in re.findall(r"\d+", word)
    }
