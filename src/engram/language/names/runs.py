"""Which words of a text, standing side by side, are a name."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from engram.language.lexicon import COMMON_WORDS
from engram.language.names.cue_words import (
    GENERIC_CAPITALS,
    INTERJECTIONS,
    OF_HEADS,
    PARTICLES,
    ROLES,
    TITLES,
)
from engram.language.names.cues import follows_like_a_subject
from engram.language.names.known_names import (
    CALENDAR,
    GIVEN_NAMES,
    ORGANIZATIONS,
    PEOPLES,
    PLACES,
)
from engram.language.names.ordinary import is_also_a_name, is_ordinary
from engram.language.names.tokens import Form, Token, continues
from engram.language.stems import stem

_MOST_WORDS = 6  # a longer row of capitals is a heading or a shout
_MOST_SHOUTED = 0.6
_FEWEST_TO_SHOUT = 4
_LONGEST_SHORT_MONTH = 4
_LEAST_GERMAN = 0.15
_GERMAN = frozenset(
    """der die das den dem des ein eine einen einem einer und oder aber nicht ist war sind hat haben
    wird wurde mit von für auf im zu zum zur bei nach aus über ich wir sie er es ihr sich auch als
    wie dass wenn am an um noch nur mein meine unser unsere ihre seine""".split()
)
_PARTICLES_AND_SIGN = PARTICLES | {"&"}
_NEVER_FIRST = (
    COMMON_WORDS
    | INTERJECTIONS
    | frozenset(
        """although among another anyone as because despite dear each either else even everyone
        few finally first however last later like many maybe meanwhile my never next nobody none now
        often one perhaps please several since someone still thanks their though today tomorrow
        tonight two unless until upon usually via whatever whenever whereas whether whoever within
        without yes yesterday yet hi hello hey good great also additionally overall""".split()
    )
)


@dataclass(frozen=True, slots=True)
class Run:
    """A name in a row of words: the first and the last, and what stood before it."""

    first: int
    last: int
    has_title: bool = False
    is_work: bool = False  # a book, a film: "The" with a capital inside a sentence


@dataclass(frozen=True, slots=True)
class Setting:
    """What the whole text says about its words."""

    people: frozenset[str]
    small: frozenset[str]  # stems of what is also written small
    inner: frozenset[str]  # words with a capital although no sentence begins there
    is_shouted: bool
    is_german: bool  # there every noun has a capital
    has_other_script: bool  # between Latin words, so that no English sentence tells a beginning


def setting_of(tokens: Sequence[Token], people: Collection[str]) -> Setting:
    """Read once over the text, so that every word can be judged by the others."""
    capitals = [token for token in tokens if token.is_capital]
    wanted = {stem(token.lower) for token in capitals}
    small = wanted & {stem(token.lower) for token in tokens if not token.is_capital}
    inner = frozenset(token.lower for token in capitals if not token.begins)
    between = "".join({token.joint for token in tokens})
    is_mixed = not between.isascii() and any(map(str.isalpha, between))
    shouted, german = _is_shouted(tokens), _is_german(tokens)
    return Setting(frozenset(people), frozenset(small), inner, shouted, german, is_mixed)


def _is_german(tokens: Sequence[Token]) -> bool:
    marks = sum(token.lower in _GERMAN for token in tokens)
    return marks >= _FEWEST_TO_SHOUT and marks > _LEAST_GERMAN * len(tokens)


def _is_shouted(tokens: Sequence[Token]) -> bool:
    words = [token.word for token in tokens if len(token.word) > 1 and token.word.isalpha()]
    loud = sum(map(str.isupper, words))
    return len(words) >= _FEWEST_TO_SHOUT and loud > _MOST_SHOUTED * len(words)


def runs_of(tokens: Sequence[Token], setting: Setting, taken: Collection[int]) -> Iterator[Run]:
    """Every name, in order; `taken` are the words that belong to something else."""
    place = 0
    while place < len(tokens):
        if place in taken or not _may_be_named(tokens[place], setting):
            place += 1
            continue
        last = _end_of_run(tokens, place, taken, setting)
        if last - place < _MOST_WORDS:
            yield from _names_in(tokens, place, last, setting)
        place = last + 1


def _may_be_named(token: Token, setting: Setting) -> bool:
    if token.form is not Form.WORD:
        return False
    if not token.is_capital or setting.is_shouted:
        return token.lower in setting.people or (setting.is_shouted and _is_known(token.lower))
    return True


def _is_known(lower: str) -> bool:
    return (lower in GIVEN_NAMES or lower in PLACES) and not is_ordinary(lower)


def _end_of_run(
    tokens: Sequence[Token], first: int, taken: Collection[int], setting: Setting
) -> int:
    last = first
    # In German "von" and "der" stand between any two nouns.
    joining = frozenset({"&"}) if setting.is_german else _PARTICLES_AND_SIGN
    if _opens_work(tokens[first]):
        joining |= {"of"}
    while True:
        following = _next_of_run(tokens, last, taken, joining)
        if following is None:
            return last
        last = following


def _opens_work(token: Token) -> bool:
    return token.word == "The" and not (token.begins and token.joint[-1:] not in ('"', "“"))


def _next_of_run(
    tokens: Sequence[Token], last: int, taken: Collection[int], joining: Collection[str]
) -> int | None:
    """The word that goes on with the name, if need be behind a small one ("of", "van", "&")."""
    if (
        last + 1 >= len(tokens)
        or last + 1 in taken
        or not continues(tokens[last + 1], tokens[last])
    ):
        return None
    if tokens[last + 1].is_capital or _counts(tokens[last], tokens[last + 1]):
        return last + 1
    beyond = last + 2
    if beyond < len(tokens) and tokens[beyond].lower in ("the", "den", "der", "la"):
        beyond += 1  # "of the", "van den", "von der", "de la"
    if (
        not _joins(tokens[last], tokens[last + 1], joining)
        or beyond >= len(tokens)
        or beyond in taken
    ):
        return None
    is_name = tokens[beyond].is_capital and continues(tokens[beyond], tokens[beyond - 1])
    return beyond if is_name else None


def _counts(before: Token, number: Token) -> bool:
    """Whether a number is part of a name in capitals: "API 2", not "API 2024"."""
    is_short = number.word.isdecimal() and len(number.word) < 4
    return is_short and before.word.isupper() and before.lower not in CALENDAR


def _joins(before: Token, small: Token, joining: Collection[str]) -> bool:
    return small.lower in joining or (small.lower == "of" and before.lower in OF_HEADS)


def _names_in(tokens: Sequence[Token], first: int, last: int, setting: Setting) -> Iterator[Run]:
    is_work = first < last and _opens_work(tokens[first])
    while first <= last and _is_never_first(tokens[first], setting):
        first += 1
    title = first
    while first < last and tokens[first].lower in TITLES:
        first += 1
    has_title = first > title
    if first < last and not has_title and _only_opens(tokens, first, setting):
        first += 1
        has_title = tokens[first - 1].lower in ROLES
    while last >= first and _is_never_last(tokens[last].lower, is_alone=first == last):
        last -= 1
    if first > last:
        return
    run = Run(first, last, has_title, is_work)
    is_name = (
        _is_name(tokens, first, setting) if first == last else _is_phrase(tokens, run, setting)
    )
    if has_title or is_name:
        yield run


def _is_phrase(tokens: Sequence[Token], run: Run, setting: Setting) -> bool:
    """Ordinary words that open a sentence or a line are a heading, unless they do something."""
    words = [token.lower for token in tokens[run.first : run.last + 1]]
    if not tokens[run.first].begins or not all(map(is_ordinary, words)):
        return True
    if all(word in setting.inner or is_also_a_name(word) for word in words[:1]):
        return True
    is_subject = follows_like_a_subject(tokens, run.last)
    return is_subject and not _has_mark_before(tokens[run.first])


def _has_mark_before(token: Token) -> bool:
    return not token.joint.endswith((".", "!", "?", "")) or "*" in token.joint


def _is_never_first(token: Token, setting: Setting) -> bool:
    if token.lower in setting.people:
        return False
    is_small_word = token.lower in _NEVER_FIRST or (setting.is_german and token.lower in _GERMAN)
    return is_small_word or _is_date(token.lower)


def _is_date(lower: str) -> bool:
    return lower in CALENDAR or lower.removesuffix("s") in CALENDAR


def _is_never_last(lower: str, *, is_alone: bool) -> bool:
    """Behind a name "Mar" is a family name, and so is "May"; "Friday" is not."""
    is_date = _is_date(lower) and (is_alone or len(lower) > _LONGEST_SHORT_MONTH)
    return is_date or lower in GENERIC_CAPITALS or lower in _NEVER_FIRST


def _only_opens(tokens: Sequence[Token], first: int, setting: Setting) -> bool:
    """Whether an ordinary word has its capital from the sentence: "Emailed Ada", "Ask Ada"."""
    token, following = tokens[first], tokens[first + 1]
    if not token.begins or token.lower == "project":
        return False
    if token.lower in setting.people or is_also_a_name(token.lower):
        return False
    return is_ordinary(token.lower) and not is_ordinary(following.lower)


def _is_name(tokens: Sequence[Token], place: int, setting: Setting) -> bool:
    """Whether one word with a capital names something."""
    token = tokens[place]
    if token.lower in setting.people:
        return True
    if _names_nothing(token.lower) or not _is_spelled_like_a_name(token.word):
        return False
    if token.lower in GIVEN_NAMES or token.lower in PLACES or token.lower in ORGANIZATIONS:
        return not (is_ordinary(token.lower) and token.begins)
    if stem(token.lower) in setting.small:
        return False
    if setting.is_german:
        return token.begins and token.lower not in _GERMAN and not token.joint.endswith("\n")
    if is_ordinary(token.lower):
        return _is_name_all_the_same(tokens, place)
    return not token.begins or _is_name_at_the_beginning(tokens, place, setting)


def _is_spelled_like_a_name(word: str) -> bool:
    """Not a number, and not an ordinary word with something before it: "GDPR-like"."""
    _, hyphen, ending = word.rpartition("-")
    is_compound = bool(hyphen) and ending.islower() and is_ordinary(ending)
    return not is_compound and any(map(str.isalpha, word))


@lru_cache(maxsize=4_096)
def _names_nothing(lower: str) -> bool:
    return (
        lower in GENERIC_CAPITALS
        or lower in _NEVER_FIRST
        or _is_date(lower)
        or lower in PEOPLES
        or lower in ROLES
        or len(lower) < 2
    )


def _is_name_all_the_same(tokens: Sequence[Token], place: int) -> bool:
    """An ordinary word is a name where its capital cannot come from the sentence."""
    token = tokens[place]
    if token.begins:
        is_called_so = is_also_a_name(token.lower) and follows_like_a_subject(tokens, place)
        return is_called_so and not token.joint.endswith("\n")
    return not token.word.isupper() and "'" not in token.lower


def _is_name_at_the_beginning(tokens: Sequence[Token], place: int, setting: Setting) -> bool:
    token = tokens[place]
    if token.lower in setting.inner or token.word.isupper() or setting.has_other_script:
        return True
    return not token.lower.endswith(("ly", "ed", "n't")) and follows_like_a_subject(tokens, place)
