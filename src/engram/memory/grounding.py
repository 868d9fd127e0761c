"""Whether what a model says is carried by what it was shown.

A model may invent, or obey what somebody wrote into a turn. A statement that it draws from a
conversation is taken only when its words come from what it was shown:

- it shares a content word with the turn that it names (names of the people who talk do not count);
- half of its content words stand in what was shown: the turns, those people's names, and the
  memories shown beside them;
- every number stands there too, as a numeral or, where number words are used, in words. Dates are
  let off: a model is asked to turn "last Friday" into one.

A text that it writes about memories (`Sources`) is read instead of them, so it has to keep to them
word by word: every name, number and telling word of a clause stands in one source, in the same
order, and nothing is affirmed that the source denies, leaves open or limits, or the other way
round. What cannot be carried is refused as a whole; the sources themselves are there to quote.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engram.language.forms import (
    DENIALS,
    DIRECTIONS,
    HEDGES,
    QUANTITIES,
    exact_words,
    figures_in,
    names_in,
    plain_form,
    spellings,
    ungrouped,
    with_numbers,
)
from engram.language.lexicon import COMMON_WORDS
from engram.language.sentences import split_sentences
from engram.language.stems import stem
from engram.text.strings import folded

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


# What a model writes about memories

_MOST_READ = 20_000  # characters of one source
_PARTS = re.compile(r"[,;:]\s|\s(?:and|but|while|whereas)\s", re.IGNORECASE)


class Invention(StrEnum):
    """What the sources do not carry."""

    NAME = "a name"
    NUMBER = "a number"
    WORDS = "words"
    DENIAL = "a denial, or the lack of one"
    ORDER = "who does what to whom"


@dataclass(frozen=True, slots=True)
class _Read:
    """A clause or a sentence, taken apart for comparison."""

    words: tuple[str, ...]  # plain forms of the words that tell something, in order
    names: frozenset[str]  # of these, names and numbers
    quantities: frozenset[str]
    is_denied: bool
    is_open: bool  # it says that something may be, was promised or is only wished for


class Sources:
    """The texts that something was written about, taken apart once for many looks."""

    def __init__(self, texts: Iterable[str]) -> None:
        kept = [text[:_MOST_READ] for text in texts]
        sentences = [each.text for text in kept for each in split_sentences(text)]
        # A clause by itself before the sentence it stands in: what is denied in the one half is
        # not denied in the other.
        self._clauses = [_read(part) for each in sentences for part in _PARTS.split(each)]
        self._sentences = [_read(each) for each in sentences]
        self._texts = [frozenset(_read(text).words) for text in kept]
        self._every = frozenset().union(*self._texts)
        self._written = {
            each for text in kept for word in exact_words(text) for each in spellings(word)
        }
        self._numbers = {each for text in kept for each in figures_in(text)}

    def inventions(self, text: str, *, may_join: bool = False) -> tuple[Invention, ...]:
        """What of a text does not stand here; nothing when it can be believed.

        Who may join can say in one clause what stands in several sources; its words must be theirs.
        """
        found = []
        sentences = [each.text for each in split_sentences(text)]
        named = [name for each in sentences for name in names_in(each)]
        if any(self._written.isdisjoint(spellings(name)) for name in named):
            found.append(Invention.NAME)
        if not figures_in(text) <= self._numbers:
            found.append(Invention.NUMBER)
        found += [why for each in sentences for why in self._objections(each, may_join)]
        return tuple(dict.fromkeys(found))

    def _objections(self, sentence: str, may_join: bool) -> Iterator[Invention]:
        """What is wrong with the clauses of a sentence; each is about whom the first one names."""
        whole = _read(sentence)
        about = next((word for word in whole.words if word in whole.names), None)
        for part in map(_read, _PARTS.split(sentence)):
            told = {*part.words, *([about] if about else [])}
            if any(told <= text for text in self._texts):
                bearers = self._bearers(part)
                is_turned = not bearers
            else:
                bearers = self._touched(part) if may_join and told <= self._every else []
                is_turned = False
            if not bearers:
                yield Invention.ORDER if is_turned else Invention.WORDS
            elif not any(_agree(part, each) for each in bearers):
                yield Invention.DENIAL

    def _touched(self, part: _Read) -> list[_Read]:
        """The clauses that have some of its words."""
        return [each for each in self._clauses if not set(part.words).isdisjoint(each.words)]

    def _bearers(self, part: _Read) -> list[_Read]:
        """The clauses that have all its words in the same order, else the sentences that do."""
        clauses = [each for each in self._clauses if _in_order(part.words, each.words)]
        return clauses or [each for each in self._sentences if _in_order(part.words, each.words)]


def _agree(said: _Read, told: _Read) -> bool:
    """Whether both affirm or both deny, and nothing that limits what was told is left out."""
    is_settled = said.is_open or not told.is_open
    return said.is_denied == told.is_denied and is_settled and told.quantities == said.quantities


def _read(text: str) -> _Read:
    plain = [folded(word).replace("’", "'") for word in exact_words(ungrouped(text))]
    words = [word.removesuffix("'s").removesuffix("'") for word in with_numbers(plain)]
    named = {each for name in names_in(text) for each in spellings(name)}
    telling = [
        word
        for word in words
        if word in DIRECTIONS
        or (word not in COMMON_WORDS and word not in DENIALS and word not in HEDGES)
    ]
    return _Read(
        tuple(_form(word) for word in telling),
        frozenset(_form(word) for word in telling if word in named or word[:1].isdigit()),
        QUANTITIES.intersection(words),
        not DENIALS.isdisjoint(words),
        not HEDGES.isdisjoint(words),
    )


def _form(word: str) -> str:
    return word if word in DIRECTIONS else plain_form(word)


def _in_order(words: Sequence[str], others: Sequence[str]) -> bool:
    """Whether words follow each other in a sentence as they do in another."""
    places = iter(others)
    return all(each in places for each in words)
