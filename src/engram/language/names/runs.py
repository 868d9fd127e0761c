"""Which words of a text, standing side by side, may be a name."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from engram.language.lexicon import COMMON_WORDS
from engram.language.names.tokens import Form, Token, continues
from engram.language.names.words import cue_words, is_given_name, is_place
from engram.language.word_kinds import is_also_a_name, is_ordinary, word_kind
from engram.text.markup import Area

_MOST_WORDS, _LONGEST_SHORT_MONTH = 6, 4  # a longer row of capitals is a heading or a shout
_MOST_SHOUTED, _LEAST_GERMAN, _FEWEST_TO_TELL = 0.6, 0.15, 4
_PLAIN = frozenset({"ordinary", "compound"})
# Where every word may have a capital, a single word is a name only if it is one elsewhere too.
_DOUBTFUL = frozenset({Area.HEADING, Area.EMPHASIS, Area.CELL})


@dataclass(frozen=True, slots=True)
class Run:
    """Words in a row that may be a name: the first and the last, and what stood before them."""

    first: int
    last: int
    start: int = -1  # of the title that belongs to the name ("Dr. Ada"); else the first
    title: str = ""  # "Dr", "Uncle"
    is_work: bool = False  # a book, a film: "The" with a capital inside a sentence


@dataclass(frozen=True, slots=True)
class Setting:
    """What the whole text says about its words."""

    people: frozenset[str]
    inner: frozenset[str]  # words with a capital although no sentence begins there
    is_loose: bool  # all capitals, or none at a beginning: names that everybody knows are found
    is_german: bool  # there every noun has a capital
    everyday: int = 0  # thirds of the capitals inside sentences that everyday words have


def place_of(text: str, tokens: Sequence[Token], run: Run) -> tuple[int, int]:
    """Where a name stands, with its title, the stop of an initial and the "'s" of a shop."""
    words, end = tokens[run.first : run.last + 1], tokens[run.last].end
    start = tokens[run.start].start if run.start >= 0 else words[0].start
    is_initial = len(words) > 1 and len(words[-1].word) == 1 and words[-1].word.isupper()
    if (is_initial or "." in words[-1].word) and text[end : end + 1] == ".":  # "A.", "e.V."
        return start, end + 1
    return start, end + 2 * owns_nothing(tokens, run)


def owns_nothing(tokens: Sequence[Token], run: Run) -> bool:
    """Whether the "'s" is part of the name: "Lloyd's agreed", "at Luigi's"."""
    if not tokens[run.last].is_possessive:
        return False
    following = tokens[run.last + 1] if run.last + 1 < len(tokens) else None
    acts = cue_words("auxiliaries") | cue_words("human_verbs") | {"have", "only"}
    return following is None or bool(following.joint) or following.lower in acts


def setting_of(tokens: Sequence[Token], people: Collection[str]) -> Setting:
    """Read once over the text, so that every word can be judged by the others."""
    words = [token.word for token in tokens if len(token.word) > 1 and token.word.isalpha()]
    loud = sum(map(str.isupper, words))
    is_shouted = len(words) >= _FEWEST_TO_TELL and loud > _MOST_SHOUTED * len(words)
    capitals = [token for token in tokens if token.is_capital and token.lower != "i"]
    german = sum(token.lower in cue_words("german") for token in tokens)
    is_german = german >= _FEWEST_TO_TELL and german > _LEAST_GERMAN * len(tokens)
    inner = [each.lower for each in capitals if each.area is Area.PROSE and not each.begins]
    everyday = -(-3 * sum(word_kind(word) == "ordinary" for word in inner) // max(1, len(inner)))
    is_loose = is_shouted or not any(each.begins and each.is_capital for each in tokens)
    return Setting(frozenset(people), frozenset(inner), is_loose, is_german, everyday)


def runs_of(tokens: Sequence[Token], setting: Setting, taken: Collection[int]) -> Iterator[Run]:
    """Every row of words that may be a name, in order; `taken` belong to something else."""
    place = 0
    while place < len(tokens):
        if place in taken or not _may_be_named(tokens[place], setting):
            place += 1
            continue
        last = place
        while (following := _next_of_run(tokens, place, last, taken, setting)) is not None:
            last = following
        if last - place < _MOST_WORDS:
            runs = _trimmed(tokens, place, last, setting)
            yield from (run for run in runs if not _is_ruled_out(tokens, run, setting))
        place = last + 1


def _may_be_named(token: Token, setting: Setting) -> bool:
    if token.form is not Form.WORD or token.area is Area.CODE:
        return False
    if token.is_capital and not (setting.is_loose and token.word.isupper()):
        return True
    is_known = setting.is_loose and not is_ordinary(token.lower) and not names_nothing(token.lower)
    is_known = is_known and (is_given_name(token.lower) or is_place(token.lower))
    return is_known or token.lower in setting.people


def _next_of_run(
    tokens: Sequence[Token], first: int, last: int, taken: Collection[int], setting: Setting
) -> int | None:
    """The word that goes on with the name, if need be behind a small one ("of", "van", "&")."""

    def goes_on(place: int) -> bool:
        is_free = place < len(tokens) and place not in taken
        return is_free and continues(tokens[place], tokens[place - 1])

    if tokens[last].is_possessive and _ends_in_head(tokens, last + 1):
        return last + 1  # "St. Anne's Hospital"
    if not goes_on(last + 1):
        return None
    before, following = tokens[last], tokens[last + 1]
    is_number = following.word.isdecimal() and len(following.word) < 3 and before.word.isupper()
    is_family = setting.is_loose and all(is_given_name(each.lower) for each in (before, following))
    if following.is_capital or is_family or (is_number and not _is_date(before.lower)):  # "API 2"
        return last + 1
    is_of = before.lower in cue_words("of_heads") or _opens_work(tokens[first])
    # In German "von" and "der" stand between any two nouns.
    is_particle = following.lower in cue_words("particles") and not setting.is_german
    is_inner = following.lower in ("of", "for") and is_of
    if not (is_particle or following.lower == "&" or is_inner):
        return None
    beyond = last + 2
    if beyond < len(tokens) and tokens[beyond].lower in ("the", "den", "der", "la"):
        beyond += 1  # "of the", "van den", "von der", "de la"
    return beyond if goes_on(beyond) and tokens[beyond].is_capital else None


def _ends_in_head(tokens: Sequence[Token], place: int) -> bool:
    """Whether a word says what a name is of and ends it: "Hospital", "School"."""
    if place >= len(tokens) or tokens[place].joint or not tokens[place].is_capital:
        return False
    is_last = place + 1 == len(tokens) or not tokens[place + 1].is_capital
    return tokens[place].lower in _heads() and (is_last or bool(tokens[place + 1].joint))


@cache
def _heads() -> frozenset[str]:
    return cue_words("organization_heads") | cue_words("place_heads")


@cache
def _never_openers() -> frozenset[str]:
    starts = (cue_words(f"{each}_starts") for each in ("organization", "place", "project"))
    return cue_words("particles").union(*starts)


def _opens_work(token: Token) -> bool:
    return token.word == "The" and not (token.begins and token.joint[-1:] not in ('"', "“"))


def _trimmed(tokens: Sequence[Token], first: int, last: int, setting: Setting) -> Iterator[Run]:
    """The row without what cannot be part of a name: small words, days, titles, openings."""
    is_work = first < last and _opens_work(tokens[first])

    def is_title(place: int) -> bool:
        return place < last and tokens[place].lower in cue_words("titles")

    while first <= last and not is_title(first) and _is_never_first(tokens, first, last, setting):
        first += 1
    title = ""
    if first < last and not is_title(first) and _only_opens(tokens[first : last + 1], setting):
        title = tokens[first].lower if is_role(tokens[first].lower) else ""
        first += 1
    start = -1
    for place in range(first, last):
        if is_title(place):
            title = tokens[place].lower
            is_kept = title in cue_words("forms_of_address")
            first, start = place + 1, (place if start < 0 else start) if is_kept else -1
    while last >= first and _is_never_last(tokens[last], is_alone=first == last):
        last -= 1
    if first > last:
        return
    words = [token.lower for token in tokens[first : last + 1]]
    is_whole = words[-1] in cue_words("organization_heads") and not names_nothing(words[0])
    is_whole = words[0] == "project" or (is_whole and word_kind(words[0]) not in _PLAIN)
    plain = [word_kind(word) in _PLAIN for word in words]
    if is_whole or title or all(plain) or tokens[first].area is Area.PROSE:
        yield Run(first, last, start, title, is_work)
        return
    # In a heading every word has a capital: a name in it is what is no everyday word.
    starts = [
        at for at, is_plain in enumerate(plain) if not is_plain and (at == 0 or plain[at - 1])
    ]
    for start in starts:
        yield Run(first + start, first + [*plain, True].index(True, start) - 1)


def is_role(lower: str) -> bool:
    """Whether a word says what somebody is: a job, a relative, a title."""
    return lower in cue_words("roles") or lower in cue_words("titles")


def _is_never_first(tokens: Sequence[Token], first: int, last: int, setting: Setting) -> bool:
    token = tokens[first]
    if first < last and tokens[first + 1].joint == ".":
        return False  # an initial
    is_month = is_also_a_name(token.lower) or len(token.lower) < _LONGEST_SHORT_MONTH
    if is_month and first < last and word_kind(tokens[first + 1].lower) in ("unknown", "person"):
        return False  # "Jan" and "April" before a family name
    is_german = setting.is_german and token.lower in cue_words("german")
    is_small = _is_small_word(token) or _is_date(token.lower)
    is_called = first < last and word_kind(tokens[first + 1].lower) == "person"
    is_small = is_small or (is_called and token.lower in cue_words("epithets"))
    is_small = is_small or (not token.is_capital and token.lower in cue_words("particles"))
    return (is_german or is_small) and token.lower not in setting.people


def _is_small_word(token: Token) -> bool:
    """A word of grammar or a cry; "US" in capitals is something else."""
    lower = token.lower
    if lower in cue_words("interjections") or lower in cue_words("greetings"):
        return True
    is_called_so = is_also_a_name(lower) and not token.begins
    return lower in COMMON_WORDS and token.word != "US" and not is_called_so


def _is_date(lower: str) -> bool:
    return not cue_words("calendar").isdisjoint({lower, lower.removesuffix("s")})


def _is_never_last(token: Token, *, is_alone: bool) -> bool:
    """Behind a name "Mar" is a family name, and so is "May"; "Friday" is not."""
    is_date = _is_date(token.lower) and (is_alone or len(token.lower) > _LONGEST_SHORT_MONTH)
    is_initial = not is_alone and len(token.word) == 1 and token.word != "I"  # "Kim A."
    is_small = _is_small_word(token) and not is_initial
    return is_date or is_small or token.lower in cue_words("generic_capitals")


def _only_opens(words: Sequence[Token], setting: Setting) -> bool:
    """Whether an ordinary word has its capital from the sentence: "Emailed Ada", "Ask Ada"."""
    token, following = words[:2]
    if not token.begins or token.lower in _never_openers() or token.lower in setting.people:
        return False
    if following.lower == "&" or (following.lower in _heads() and len(words) == 2):
        return False
    if token.lower in cue_words("opening_verbs"):
        return True
    if word_kind(token.lower) != "ordinary" or following.lower in _heads():
        return False
    is_title = following.lower in cue_words("titles") or following.word == "The"
    is_start = following.lower in cue_words("organization_starts")
    is_open = is_title or is_start or word_kind(following.lower) not in _PLAIN
    return is_open and not is_place(f"{token.lower} {following.lower}")


def names_nothing(lower: str) -> bool:
    """Whether a single word is never a name, whatever stands around it."""
    is_grammar = lower in COMMON_WORDS and not is_also_a_name(lower)
    is_listed = not cue_words("generic_capitals").isdisjoint({lower, lower.removesuffix("s")})
    is_listed = is_listed or lower in cue_words("interjections") or lower in cue_words("greetings")
    if len(lower) < 2 or is_grammar or is_listed or _is_date(lower):
        return True
    return word_kind(lower) == "people" or (is_role(lower) and not is_given_name(lower))


def _is_ruled_out(tokens: Sequence[Token], run: Run, setting: Setting) -> bool:
    """Whether a row of words is no name, whatever stands around it."""
    words = tokens[run.first : run.last + 1]
    token, kind = words[0], word_kind(words[0].lower)
    if run.title or all(word.lower in setting.people for word in words):
        return False
    if len(words) > 1:
        is_numbered = words[-1].word.isdecimal()
        is_letter = (
            len(token.word) == 1 and word_kind(words[1].lower) in _PLAIN
        )  # "vitamin C. Eggs"
        return is_letter or (not is_numbered and all(names_nothing(word.lower) for word in words))
    if setting.is_german and kind not in ("person", "place", "organization"):
        # Any noun may stand inside a sentence or alone in a line.
        return not token.begins or token.joint.endswith("\n") or is_ordinary(token.lower)
    is_doubtful = token.area in _DOUBTFUL and token.lower not in setting.inner
    if is_doubtful and kind in ("unknown", "compound", "both"):
        return not is_given_name(token.lower)
    return names_nothing(token.lower) or _is_no_word(token.word)


def _is_no_word(word: str) -> bool:
    """A number, a contraction, an error, or an ordinary word with something before: "GDPR-like"."""
    beginning, hyphen, ending = word.rpartition("-")
    is_english = beginning.isupper() or is_ordinary(beginning.lower())
    is_like = bool(hyphen) and is_english and is_ordinary(ending.lower())
    is_error = word.endswith(("Error", "Exception")) or (word[0].islower() and not word.isalnum())
    return is_like or is_error or not any(map(str.isalpha, word)) or "'" in word[-3:]
