"""The forms of English words brought down to one: contractions, numbers, spellings, pasts.

Only what can be said of a word alone stands here; the words themselves are in `en/forms.json`.
"""

import re
from functools import lru_cache

from engram.language.lexicon import COMMON_WORDS
from engram.language.stems import stem
from engram.language.tables import read_table
from engram.language.word_kinds import is_ordinary
from engram.text.strings import folded, normalised

LONGEST_TEXT = 8_192  # characters read of one statement; more is a document, not a statement

_READ = read_table("forms.json")
_CONTRACTIONS = [(re.compile(each, re.IGNORECASE), plain) for each, plain in _READ["contractions"]]
_TENS = tuple(_READ["tens"].split())
NUMBER_WORDS: dict[str, int] = {
    **{word: number for number, word in enumerate(_READ["ones"].split())},
    **{word: 10 * number for number, word in enumerate(_TENS, 2)},
    "dozen": 12,
}
_SCALES: dict[str, int] = _READ["scales"]
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
_ORDINALS = {
    word: f"{number}{_ENDINGS.get(number, 'th')}"
    for number, word in enumerate(_READ["ordinals"].split(), start=1)
}
# All of one line are one word to everybody; words that are merely related are not there.
EQUAL_WORDS: dict[str, str] = {
    word: line.split()[0] for line in _READ["equal"] for word in line.split()
}
_PAIRS = _READ["irregular"].split()
_IRREGULAR: dict[str, str] = dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True))
DENIALS = frozenset(_READ["denials"].split())
HEDGES = frozenset(_READ["hedges"].split())
DIRECTIONS = frozenset(_READ["directions"].split())
QUANTITIES = frozenset(_READ["quantities"].split())
MAY_DIFFER = frozenset(_READ["may_differ"].split())
_PAST_HELPERS = frozenset(_READ["past_helpers"].split())
_PRESENT_HELPERS = frozenset(_READ["present_helpers"].split())

_GROUPED = re.compile(r"(?<=\d),(?=\d{3}\b)")
_WITH_UNIT = re.compile(r"([-+]?[$€£]?\d+(?:[.,]\d+)?)(%|(?!(?:st|nd|rd|th)$)[a-zµ°]{1,12})")
_EXACT_WORD = re.compile(r"[\w][\w'’+#./:@-]*[\w+#]|\w")
_ARTICLE = re.compile(rf"^(?:(?:{'|'.join(_READ['articles'].split())})\s+)+")


def spelled_out(text: str) -> str:
    """The text with straight quotes and without contractions; "'s" stays, mostly a possessive."""
    plain = text.replace("’", "'").replace("‘", "'")
    if "'" not in plain and "cannot" not in plain.lower():
        return plain
    for pattern, replacement in _CONTRACTIONS:
        plain = pattern.sub(replacement, plain)
    return plain


def with_numbers(words: list[str]) -> list[str]:
    """The words with numbers in figures: "twenty five" as 25, 1,000 as 1000, 5kg as 5 and kg."""
    found: list[str] = []
    pending: int | None = None
    for word in (part for each in words for part in _parts_of_number(each)):
        value = _next_value(pending, word)
        if value is None and pending is not None:
            found.append(str(pending))
            value = _next_value(None, word)
        if value is None:
            found.append(word)
        pending = value
    return found if pending is None else [*found, str(pending)]


def _parts_of_number(word: str) -> list[str]:
    """One word as the words its number is made of; most are their own only part."""
    if word[:1].isdigit() or word[:1] in "-+$€£":
        plain = _GROUPED.sub("", word)
        match = _WITH_UNIT.fullmatch(plain)
        return [match[1], "percent" if match[2] == "%" else match[2]] if match else [plain]
    parts = word.split("-")
    is_spelled = len(parts) == 2 and parts[0] in _TENS and parts[1] in NUMBER_WORDS
    return parts if is_spelled else [_ORDINALS.get(word, word)]


def _next_value(pending: int | None, word: str) -> int | None:
    """The number so far with this word added; None when the word is no part of it."""
    if word in _SCALES:
        return (pending if pending is not None else 1) * _SCALES[word]
    value = NUMBER_WORDS.get(word)
    if value is None or (pending is not None and not (pending % 10 == 0 and 0 < value < pending)):
        return None
    return (pending or 0) + value


@lru_cache(maxsize=16_384)
def plain_form(word: str) -> str:
    """The stem of a lowercase word after spelling and irregular pasts are evened out."""
    known = EQUAL_WORDS.get(word) or EQUAL_WORDS.get(word.removesuffix("s"), word)
    known = _IRREGULAR.get(known, known)
    return stem(folded(EQUAL_WORDS.get(known, known)))


def tells_of_past(text: str) -> bool:
    """Whether the verb of a text is a past: the helping verb tells, where there is one."""
    words = set(re.findall(r"[^\W\d_]+", spelled_out(text).lower()))
    if words & _PAST_HELPERS:
        return True
    return not words & _PRESENT_HELPERS and any(
        (word in _IRREGULAR and word not in ("has", "does"))
        or (len(word) > 4 and word.endswith("ed") and not word.endswith("eed"))
        for word in words
    )


def plain_name(name: str) -> str:
    """A subject or a value as it is compared: lower case, no article, numbers in figures."""
    plain = _ARTICLE.sub("", normalised(folded(spelled_out(name))))
    return " ".join(with_numbers([EQUAL_WORDS.get(word, word) for word in plain.split()]))


def is_denied(text: str) -> bool:
    """Whether a text denies something, by a word that does."""
    words = re.findall(r"[^\W\d_]+", spelled_out(text).lower())
    return not DENIALS.isdisjoint(words)


def exact_words(text: str) -> list[str]:
    """The words of a text as they are written, with the marks that belong inside them."""
    return _EXACT_WORD.findall(text)


def ungrouped(text: str) -> str:
    """A text without contractions and without commas inside numbers."""
    return _GROUPED.sub("", spelled_out(text))


def spellings(word: str) -> frozenset[str]:
    """The ways in which one word may be written: as it is, as its stem, without a possessive."""
    plain = folded(word).replace("’", "'")
    bare = plain.removesuffix("'s").removesuffix("'")
    return frozenset({plain, bare, plain_form(bare)})


def names_in(sentence: str) -> list[str]:
    """The words that name somebody or something, and everything that is written exactly."""
    found = []
    for place, word in enumerate(exact_words(sentence)):
        plain = folded(word).removesuffix("'s")
        is_exact = any(each.isdigit() or each in "_/@#\\" for each in word)
        is_exact = is_exact and not word[0].isdigit()  # 5kg and 3rd are compared as numbers
        is_capital = word[0].isupper() and plain not in COMMON_WORDS
        opens = place == 0 and (is_ordinary(plain) or is_ordinary(plain.removesuffix("s")))
        if is_exact or (is_capital and not opens):
            found.append(word)
    return found


def figures_in(text: str) -> set[str]:
    """The numbers of a text, in figures, whatever way they are written."""
    plain = [folded(word) for word in exact_words(ungrouped(text))]
    said = with_numbers([word for word in plain if word not in ("one", "a", "an")])
    return {
        piece.lstrip("0") or "0"
        for word in said
        if word[0].isdigit() or word in NUMBER_WORDS
        for piece in re.findall(r"\d+", word)
    }
