"""Whether two statements say the same.

To the word: articles, forms of "be" and "do", spellings, contractions and the ways to write a
number or a date may differ, and nothing else. In other words: the pair judge has to say so, and
numbers, names, times and what is denied or left open have to agree. Nearness of meaning alone
decides nothing: facts that differ in one number or one name are as near to each other as two
wordings of one fact.
"""

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Protocol

from engram.language.forms import (
    DENIALS,
    DIRECTIONS,
    EQUAL_WORDS,
    HEDGES,
    LONGEST_TEXT,
    MAY_DIFFER,
    QUANTITIES,
    names_in,
    plain_form,
    spelled_out,
    with_numbers,
)
from engram.language.lexicon import COMMON_WORDS
from engram.language.when.spans import find_times
from engram.memory.record import Memory
from engram.text.strings import folded, normalised

SAME = 0.8  # probability from which on the judge is believed, in both orders
SURE = 0.95  # and where one statement has all words of the other and some more

NUMBERS, NEGATION, NAMES, TIME = "numbers", "negation", "names", "time"
DIRECTION, MODALITY, WORDS = "direction", "modality", "words"
_LONGEST_DATED = 2_000  # characters; in longer texts dates count as they are written
_MOST_SHOWN = 1_000  # characters of a statement that the judge is shown
_FEW = 2  # words that are exchanged where all others stay: a contrast and no rewording
_ANY_DAY = datetime(2024, 6, 15, tzinfo=UTC)


class PairReader(Protocol):
    """The model that compares two statements."""

    def compare(self, pairs: Sequence[tuple[str, str]]) -> list[dict[str, float]]:
        """How likely each relation of a later statement to an earlier one is, for each pair."""
        ...


@dataclass(frozen=True, slots=True)
class Sameness:
    """Whether two statements are one, and if not, in what they differ."""

    is_same: bool
    differs_in: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Reading:
    """A statement as it is compared: its words in order, and what is particular in it."""

    words: tuple[str, ...]
    telling: tuple[str, ...]  # plain forms of those that tell something
    numbers: frozenset[str]
    names: frozenset[str]
    times: frozenset[tuple[datetime, datetime]]
    is_denied: bool
    hedges: frozenset[str]
    is_past: bool
    is_question: bool

    @property
    def spoken(self) -> tuple[object, ...]:
        """All that is the same when two say the same to the word."""
        return self.words, self.times, self.is_question


def is_same_statement(a: str, b: str, *, said: tuple[datetime, datetime] | None = None) -> Sameness:
    """Whether `b` says to the word what `a` says; `said` tells when, so that "today" is a date."""
    if max(len(a), len(b)) > LONGEST_TEXT:
        is_equal = normalised(a) == normalised(b)
        return Sameness(is_equal, () if is_equal else (WORDS,))
    days = said or (_ANY_DAY, _ANY_DAY)
    first, second = _read(a, days[0]), _read(b, days[1])
    if first.spoken == second.spoken:
        return Sameness(True)
    differs_in = _differences(first, second)
    if first.words != second.words and not differs_in:
        is_turned = sorted(first.words) == sorted(second.words)
        has_other = set(first.words) ^ set(second.words)
        is_directed = is_turned or (bool(has_other) and has_other <= DIRECTIONS)
        differs_in = (DIRECTION,) if is_directed else (WORDS,)
    return Sameness(False, differs_in or (WORDS,))


def may_be_same(one: Memory, other: Memory) -> bool:
    """Whether nothing plain keeps two memories from being wordings of one fact."""
    if one.speaker != other.speaker or max(len(one.content), len(other.content)) > _LONGEST_DATED:
        return False
    first, second = _read(one.content, one.at), _read(other.content, other.at)
    if first.spoken == second.spoken:
        return True
    own = frozenset(folded(one.speaker or "").split())
    if not _name_the_same(first, second, own) or _in_other_order(first, second):
        return False
    is_other = set(_differences(first, second)) - {NAMES}
    return not is_other and not _is_contrast(first.words, second.words)


def _name_the_same(first: _Reading, second: _Reading, own: frozenset[str]) -> bool:
    """Whether each name of the one stands in the other; who speaks may also say "I"."""
    return all(
        name in own or name in other.words or f"{name}'s" in other.words
        for each, other in ((first, second), (second, first))
        for name in each.names
    )


def say_the_same(one: Memory, other: Memory, judge: PairReader | None) -> bool:
    """Whether two memories are one statement: to the word, else by the judge in both orders."""
    if one.speaker == other.speaker:
        said = (one.at, other.at)
        if is_same_statement(one.content, other.content, said=said).is_same:
            return True
    if judge is None or not may_be_same(one, other):
        return False
    first, second = as_read(one), as_read(other)
    least = SURE if _says_more(one, other) else SAME
    read = judge.compare([(first, second), (second, first)])
    return all(chances["same"] >= least for chances in read)


def plain_key(memory: Memory) -> Hashable:
    """What all wordings of one fact have in common: who speaks, numbers, times, what is denied."""
    read = _read(memory.content, memory.at)
    return memory.speaker, read.numbers, read.times, read.is_denied, read.hedges, read.is_question


def telling_words(memory: Memory) -> frozenset[str]:
    """The words of a memory that tell something, in one form."""
    return frozenset(_read(memory.content, memory.at).telling)


def as_read(memory: Memory) -> str:
    """A statement as the judge was taught to read it: who said it, then the words."""
    content = memory.content[:_MOST_SHOWN]
    return f"{memory.speaker}: {content}" if memory.speaker else content


@lru_cache(maxsize=8_192)
def _read(text: str, day: datetime) -> _Reading:
    dated, times = text, []
    if len(text) <= _LONGEST_DATED and not _FINE_TIME.search(text):
        for span in reversed(find_times(text, day)):
            start, end = span.place
            lead = _PLACING.search(dated, max(0, start - 12), start)
            dated = f"{dated[: lead.start() if lead else start]} {dated[end:]}"
            times.append((span.start, span.end))
    words = _words_of(dated)
    bare = [word.removesuffix("'s") for word in words]
    telling = tuple(plain_form(word) for word in bare if word not in COMMON_WORDS)
    return _Reading(
        tuple(words),
        telling,
        frozenset(word for word in words if word in _AMOUNTS or any(map(str.isdigit, word))),
        frozenset(
            EQUAL_WORDS.get(each, each) for name in names_in(dated) if (each := _bare(folded(name)))
        ),
        frozenset(times),
        not DENIALS.isdisjoint(words),
        HEDGES.intersection(words),
        not _PAST.isdisjoint(words) or _USED_TO.search(text) is not None,
        text.rstrip().endswith(("?", "？")),
    )


def _words_of(text: str) -> list[str]:
    """The words that count, in one spelling, with numbers in figures."""
    few = _A_FEW.sub(r"a_\1", spelled_out(text))
    plain = [word for raw in few.split() if (word := _bare(raw))]
    kept = [EQUAL_WORDS.get(word, word) for word in plain if word not in MAY_DIFFER]
    return with_numbers(kept)


def _bare(raw: str) -> str:
    word = normalised(raw).strip(_EDGES)
    # "US" is not "us".
    return word.upper() if len(word) > 1 and raw.isupper() and word in COMMON_WORDS else word


_AMOUNTS = (QUANTITIES | {"a_few", "a_little"}) - {"every", "each"}  # "every day" is "daily"
_A_FEW = re.compile(r"\ba (few|little)\b", re.IGNORECASE)
_PAST = frozenset("was were had did formerly previously".split())
_USED_TO = re.compile(r"\bused to\b", re.IGNORECASE)
# Seconds and zones are finer than the moments that words of time are read as.
_FINE_TIME = re.compile(r"\d:\d\d:\d\d|\d[tT]\d\d|[+-]\d\d:\d\d")
_PLACING = re.compile(r"(?:\b(?:on|in|at)\s+)?$", re.IGNORECASE)
_EDGES = ".,;:!?…\"'`()[]{}–—"


def _differences(first: _Reading, second: _Reading) -> tuple[str, ...]:
    """In which particulars two statements differ."""
    found = {
        NUMBERS: first.numbers != second.numbers,
        NEGATION: first.is_denied != second.is_denied,
        NAMES: first.names != second.names,
        TIME: (first.times, first.is_past) != (second.times, second.is_past),
        MODALITY: first.hedges != second.hedges or first.is_question != second.is_question,
    }
    return tuple(kind for kind, differs in found.items() if differs)


def _is_contrast(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether a word or two stand for others where all the rest is the same.

    Who words something anew changes more than that; "I like tea" and "I like coffee" do not.
    """
    if len(one) == len(other) == 1:
        return False
    changes = [
        (end - start, stop - begin)
        for how, start, end, begin, stop in SequenceMatcher(None, one, other, False).get_opcodes()
        if how != "equal"
    ]
    return len(changes) == 1 and all(1 <= length <= _FEW for length in changes[0])


def _says_more(one: Memory, other: Memory) -> bool:
    """Whether one has all telling words of the other and more of its own."""
    first, second = telling_words(one), telling_words(other)
    return first < second or second < first


def _in_other_order(first: _Reading, second: _Reading) -> bool:
    """Whether two names have changed places: "Marta reports to Jonas" and the other way round."""
    shared = first.names & second.names
    orders = [
        [name for word in each.words if (name := word.removesuffix("'s")) in shared]
        for each in (first, second)
    ]
    return len(shared) > 1 and orders[0] != orders[1]
