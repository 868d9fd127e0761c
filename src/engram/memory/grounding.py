"""Whether a statement that a model made of a conversation is carried by the conversation.

A model may invent, or obey what somebody wrote into a turn. What it says is taken only when its
words come from what it was shown:

- it shares a content word with the turn that it names (names of the people who talk do not count);
- half of its content words stand in what was shown: the turns, those people's names, and the
  memories shown beside them;
- every number stands there too, as a numeral or, where number words are used, in words. Dates are
  let off: a model is asked to turn "last Friday" into one.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from engram.language.lexicon import COMMON_WORDS, folded
from engram.language.stems import stem

# Takes 94 % of the facts that people wrote down for the turns of LoCoMo's conversations, and 5 % of
# those they wrote for other turns of the same conversation; at 0.4 it is 96 % and 8 %.
_LEAST_SHARE = 0.5
_MOST_CHARACTERS = 100_000  # of one text that are looked at
_WORD = re.compile(r"[^\W_]+")
_UNSPACED_FROM = "\u0e00"  # from Thai on most scripts join words; pairs of characters stand in
_LONGEST_WRITTEN_OUT = 3  # digits of a number that people write in words

_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december|"
    "jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec"
)
_DAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_DATE = re.compile(
    rf"\b(?:(?:19|20)[0-9]{{2}}(?:-[0-9]{{2}}(?:-[0-9]{{2}}(?:t[0-9:.]{{4,15}}z?)?)?)?"
    rf"|[0-9]{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{_MONTHS})"
    rf"|(?:{_MONTHS}) [0-9]{{1,2}}(?:st|nd|rd|th)?)\b"
)
# Words by which a model reports what was said, and words of time that stand for one another.
_REPORTING = frozenset(
    stem(word)
    for word in f"""user assistant person people speaker say says said mention mentioned tell told
    state stated report reported express expressed note noted talk talked describe described plan
    recently currently now today yesterday tomorrow day week month year time ago last next
    {_MONTHS.replace("|", " ")} {_DAYS.replace("|", " ")}""".split()
)
_NUMBER_WORDS = frozenset(
    """one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety
    hundred thousand million dozen half couple first second third fourth fifth sixth seventh eighth
    ninth tenth once twice""".split()
)


@dataclass(frozen=True, slots=True)
class Ground:
    """What a model was shown, as words: who talks, and all that stands in turns and memories."""

    names: frozenset[str]
    content: frozenset[str]
    numbers: frozenset[str]
    has_number_words: bool


def ground_of(texts: Iterable[str], names: Iterable[str]) -> Ground:
    """What statements may be made of."""
    content: set[str] = set()
    numbers: set[str] = set()
    has_number_words = False
    for text in texts:
        words = _words(folded(text[:_MOST_CHARACTERS]))
        content |= _content(words)
        numbers |= _numbers(words)
        has_number_words = has_number_words or not _NUMBER_WORDS.isdisjoint(words)
    named = frozenset(stem(word) for name in names for word in _words(folded(name)))
    return Ground(named, frozenset(content), frozenset(numbers), has_number_words)


def content_of(text: str) -> frozenset[str]:
    """The content words of a turn by their stems: what a statement about it must share in."""
    return frozenset(_content(_words(folded(text[:_MOST_CHARACTERS]))))


def is_grounded(statement: str, said: frozenset[str], ground: Ground) -> bool:
    """Whether a statement about a turn of these content words is made of what was shown."""
    undated = _words(_DATE.sub(" ", folded(statement)))
    told = _content(undated) - _REPORTING - ground.names
    if not _are_known(_numbers(undated), ground):
        return False
    if told.isdisjoint(said):
        return False
    return len(told & ground.content) >= _LEAST_SHARE * len(told)


def share_words(first: str, second: str) -> bool:
    """Whether two statements have a content word in common, be it only whom they are about."""
    return not content_of(first).isdisjoint(content_of(second))


def _are_known(numbers: Collection[str], ground: Ground) -> bool:
    def is_written_out(number: str) -> bool:
        return ground.has_number_words and len(number) <= _LONGEST_WRITTEN_OUT

    return all(number in ground.numbers or is_written_out(number) for number in numbers)


def _words(text: str) -> list[str]:
    return _WORD.findall(text)


def _numbers(words: Iterable[str]) -> set[str]:
    return {word.lstrip("0") or "0" for word in words if word.isdecimal()}


def _content(words: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for word in words:
        if word in COMMON_WORDS or len(word) == 1 or word.isdecimal():
            continue
        if max(word) >= _UNSPACED_FROM:
            found.update(word[start : start + 2] for start in range(len(word) - 1))
        else:
            found.add(stem(word))
    return found
