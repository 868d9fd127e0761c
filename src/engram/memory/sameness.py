"""Whether two statements say the same in other words.

Everything in a statement counts unless it stands on a short list of what may differ: articles,
forms of "be" and "do", fillers, spellings, contractions, the ways to write a number or a date, and
words that are one word to everybody. Nearness of meaning alone decides nothing: facts that differ
in one number or one name are as near to each other as two wordings of one fact.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from engram.language.texts import normalised
from engram.language.when.spans import find_times
from engram.language.when.words import VOCABULARY
from engram.memory.claims.forms import (
    EQUAL_WORDS,
    LONGEST_TEXT,
    NUMBER_WORDS,
    is_past,
    plain_form,
    spelled_out,
    with_numbers,
)

NEAR = 0.92  # below that even colouring words count; not tuned, since it can only let those differ

NUMBERS, NEGATION, NAMES, TIME = "numbers", "negation", "names", "time"
DIRECTION, MODALITY, WORDS = "direction", "modality", "words"
_ORDER = (NUMBERS, NEGATION, NAMES, TIME, DIRECTION, MODALITY, WORDS)

_MAY_DIFFER = frozenset(
    """a an the is are am be been being do does please actually basically indeed also oh hey hi ok
    okay yes yeah now currently presently btw fyi um uh""".split()
)
# May differ only between statements that are near in meaning too.
_COLOURING = frozenset(
    """really very quite truly greatly highly deeply absolutely completely totally extremely
    incredibly especially
    particularly definitely certainly honestly frankly personally obviously literally pretty so
    super happily kindly quickly simply just still already surely clearly""".split()
)
_KIND_WORDS = {
    NEGATION: """not never no none nobody nothing neither nor without cannot nowhere hardly barely
        scarcely rarely seldom lack lacks stop stops stopped quit refuse refuses refused fail fails
        failed longer anymore unable unless except""",
    MODALITY: """can could must should may might will would shall ought need needs want wants plan
        plans hope hopes try tries intend intends maybe perhaps probably possibly likely unlikely if
        whether when think thinks believe believes guess seems apparently allegedly supposedly
        almost nearly""",
    DIRECTION: """to from over under before after with against for by into onto off up down above
        below behind inside outside than between through across toward towards via on in at of out
        around among beyond along past near upon as rather instead vs versus""",
    NUMBERS: """all every each most many much few several some any both only half twice once more
        less fewer least double triple a_few a_little little another other others""",
    NAMES: """i me my mine myself we us our ours you your yours he him his she her hers they them
        their theirs it its this that these those who whose""",
    TIME: """was were had did used formerly previously yet ago since until till always usually often
        sometimes soon later early late daily weekly monthly yearly annually ever""",
}  # fmt: skip
_KINDS = {word: kind for kind, words in _KIND_WORDS.items() for word in words.split()}
_TIME_TAGS = frozenset("MWPSHUpJEQCK")
_PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non", "non-", "de")
_QUANTITY = re.compile(r"\ba (few|little)\b", re.IGNORECASE)
_PLACING = re.compile(r"(?:\b(?:on|in|at)\s+)?$", re.IGNORECASE)
_MARKS = ".,;:!?…\"'`()[]{}–—-"
_LONGEST_DATED = 2_000  # characters; in longer texts dates count as they are written
# Seconds and zones are finer than the moments that words of time are read as.
_FINE_TIME = re.compile(r"\d:\d\d:\d\d|\d[tT]\d\d|[+-]\d\d:\d\d")
_TOLD_BY_DATES = frozenset({NUMBERS, TIME, DIRECTION, NAMES})
# Two days, so that a time told from today never passes for a date that falls on it by chance.
_ANY_DAYS = (datetime(2024, 6, 15, tzinfo=UTC), datetime(2025, 11, 3, tzinfo=UTC))


@dataclass(frozen=True, slots=True)
class Sameness:
    """Whether two statements are one, and if not, in what they differ."""

    is_same: bool
    differs_in: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Reading:
    """A statement as it is compared: its words in order with their kinds, and its times."""

    text: str
    words: tuple[str, ...]
    kinds: tuple[str, ...]
    times: tuple[tuple[datetime, datetime], ...]
    is_question: bool


def is_same_statement(
    a: str,
    b: str,
    *,
    similarity: float | None = None,
    said: tuple[datetime, datetime] | None = None,
) -> Sameness:
    """Whether `b` says what `a` says; `said` tells when, so that "yesterday" is a date.

    A similarity can only widen what may differ a little, never decide: with it, words that merely
    colour ("absolutely", "happily") may be there or not.
    """
    if max(len(a), len(b)) > LONGEST_TEXT:
        is_equal = normalised(a) == normalised(b)
        return Sameness(is_equal, () if is_equal else (WORDS,))
    is_near = similarity is not None and similarity >= NEAR
    first, second = (_read(text) for text in (a, b))
    differs_in = _differences(first, second, is_near=is_near)
    if set(differs_in) <= _TOLD_BY_DATES and _has_moments(first, second, said):
        # The same date may be written in two ways, and the same words may mean two dates.
        dated = (_dated(*each) for each in zip((first, second), _days(said), strict=True))
        differs_in = _differences(*dated, is_near=is_near)
    return Sameness(not differs_in, differs_in)


def _has_moments(first: _Reading, second: _Reading, said: tuple[datetime, datetime] | None) -> bool:
    is_short = max(len(first.text), len(second.text)) <= _LONGEST_DATED
    may_matter = is_short and (first.words != second.words or said is not None)
    if not may_matter or any(_FINE_TIME.search(each.text) for each in (first, second)):
        return False
    return _may_name_time(first.text) and _may_name_time(second.text)


def _days(said: tuple[datetime, datetime] | None) -> tuple[Sequence[datetime], Sequence[datetime]]:
    return ((said[0],), (said[1],)) if said else (_ANY_DAYS, _ANY_DAYS)


def _read(text: str) -> _Reading:
    plain = _QUANTITY.sub(r"a_\1", spelled_out(text))
    return _reading(plain, (), text.rstrip().endswith(("?", "？")))


def _reading(
    plain: str, times: tuple[tuple[datetime, datetime], ...], is_question: bool
) -> _Reading:
    words, names = _words_of(plain)
    kinds = tuple(_kind(word, word in names) for word in words)
    return _Reading(plain, tuple(words), kinds, times, is_question)


def _dated(reading: _Reading, days: Sequence[datetime]) -> _Reading:
    """The reading with its dates taken out of the words and made moments."""
    plain = reading.text
    spans = find_times(plain, days[0])
    times = tuple((span.start, span.end) for day in days for span in find_times(plain, day))
    for span in reversed(spans):
        start, end = span.place
        lead = _PLACING.search(plain, max(0, start - 12), start)
        plain = f"{plain[: lead.start() if lead else start]} {plain[end:]}"
    return _reading(plain, times, reading.is_question)


def _may_name_time(text: str) -> bool:
    words = re.findall(r"\w+", text.lower())
    return any(
        word[0].isdigit() or VOCABULARY.get(word, ("",))[0] in _TIME_TAGS
        or word in ("may", "march", "mar", "jan", "feb", "sun", "sat")
        for word in words
    )  # fmt: skip


def _words_of(plain: str) -> tuple[list[str], set[str]]:
    """The words that count, in one spelling, and which of them are written as names."""
    names: set[str] = set()
    found: list[str] = []
    for place, raw in enumerate(plain.split()):
        word = normalised(raw)
        is_shouted = len(word) > 1 and raw.isupper() and not plain.isupper()
        if is_shouted and (word in _KINDS or word in _MAY_DIFFER):
            word = word.upper()  # "US" is not "us"
        if not word.strip(_MARKS) or word in _MAY_DIFFER:
            continue
        bare = raw.lstrip("\"'([{“‘")
        if place and bare[:1].isupper() and word not in ("i", "i'm"):
            names.add(word)
        found.append(EQUAL_WORDS.get(word, word))
    return with_numbers(found), names


def _kind(word: str, is_name: bool) -> str:
    if any(character.isdigit() for character in word) or word in NUMBER_WORDS:
        return NUMBERS
    if is_name:
        return NAMES
    known = _KINDS.get(word)
    if known is None and VOCABULARY.get(word, ("",))[0] in _TIME_TAGS:
        return TIME
    return known or WORDS


def _uncoloured(reading: _Reading) -> _Reading:
    """Without the words that merely colour; "not very happy" is not "not happy", though."""
    if NEGATION in reading.kinds:
        return reading
    kept = [
        (word, kind)
        for word, kind in zip(reading.words, reading.kinds, strict=True)
        if word not in _COLOURING
    ]
    words, kinds = tuple(word for word, _ in kept), tuple(kind for _, kind in kept)
    return _Reading(reading.text, words, kinds, reading.times, reading.is_question)


def _differences(first: _Reading, second: _Reading, *, is_near: bool) -> tuple[str, ...]:
    if is_near:
        first, second = _uncoloured(first), _uncoloured(second)
    found: set[str] = set()
    if first.is_question != second.is_question:
        found.add(MODALITY)
    if first.times != second.times:
        found.add(TIME)
    if first.words != second.words:
        found |= _word_differences(first, second)
    return tuple(kind for kind in _ORDER if kind in found)


def _word_differences(first: _Reading, second: _Reading) -> set[str]:
    """The kinds of the words that only one has; the same words in another order are a direction."""
    ours, theirs = Counter(first.words), Counter(second.words)
    if ours == theirs:
        return {DIRECTION}
    kind_of = dict(zip(second.words, second.kinds, strict=True))
    kind_of |= dict(zip(first.words, first.kinds, strict=True))
    mine, other = set(ours - theirs), set(theirs - ours)
    found = {kind_of[word] for word in mine | other}
    if any(_are_opposed(word, each) for word in mine for each in other):
        found.add(NEGATION)
    if any(_are_tenses(word, each) for word in mine for each in other):
        found.add(TIME)
    return found


def _are_opposed(word: str, other: str) -> bool:
    """ "Happy" and "unhappy"."""
    short, long = sorted((word, other), key=len)
    return len(short) > 2 and any(long == prefix + short for prefix in _PREFIXES)


def _are_tenses(word: str, other: str) -> bool:
    """ "Lives" and "lived"."""
    return is_past(word) != is_past(other) and plain_form(word) == plain_form(other)
