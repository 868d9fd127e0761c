"""The forms of English words, brought down to one: contractions, numbers, pasts, spellings.

Only what can be said of a word alone stands here. What a form means for a pair of statements is
decided by those who compare them.
"""

import re
from functools import lru_cache

from engram.language.lexicon import folded
from engram.language.stems import stem

LONGEST_TEXT = 8_192  # characters read of one statement; more is a document, not a statement

# An apostrophe that stands for left-out letters. "'s" is kept: it is mostly a possessive.
_CONTRACTIONS = (
    (re.compile(r"\bcan(?:'t|not)\b", re.IGNORECASE), "can not"),
    (re.compile(r"\bwon't\b", re.IGNORECASE), "will not"),
    (re.compile(r"\bshan't\b", re.IGNORECASE), "shall not"),
    (re.compile(r"\bain't\b", re.IGNORECASE), "is not"),
    (re.compile(r"(?<=\w)n't\b", re.IGNORECASE), " not"),
    (re.compile(r"(?<=\bi)'m\b", re.IGNORECASE), " am"),
    (re.compile(r"(?<=\w)'re\b", re.IGNORECASE), " are"),
    (re.compile(r"(?<=\w)'ve\b", re.IGNORECASE), " have"),
    (re.compile(r"(?<=\w)'ll\b", re.IGNORECASE), " will"),
    (re.compile(r"(?<=\w)'d\b", re.IGNORECASE), " would"),
    (re.compile(r"\b(he|she|it|that|there|who|what|where|here)'s\b", re.IGNORECASE), r"\1 is"),
    (re.compile(r"\blet's\b", re.IGNORECASE), "let us"),
)

_ONES = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
    fifteen sixteen seventeen eighteen nineteen""".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
NUMBER_WORDS = {word: number for number, word in enumerate(_ONES)}
NUMBER_WORDS |= {word: 10 * number for number, word in enumerate(_TENS, 2)}
NUMBER_WORDS["dozen"] = 12
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_ORDINALS = {
    word: f"{number}{ending}"
    for number, (word, ending) in enumerate(
        zip(
            "first second third fourth fifth sixth seventh eighth ninth tenth".split(),
            ("st", "nd", "rd", *["th"] * 7),
            strict=True,
        ),
        start=1,
    )
}
_GROUPED = re.compile(r"(?<=\d),(?=\d{3}\b)")
_WITH_UNIT = re.compile(r"([-+]?[$€£]?\d+(?:[.,]\d+)?)(%|(?!(?:st|nd|rd|th)$)[a-zµ°]{1,12})")

# Both members of a line are one word to everybody; words that are merely related are not here.
_EQUALS = """
    favorite favourite; color colour; colors colours; gray grey; center centre; theater theatre
    program programme; license licence; catalog catalogue; organize organise; analyze analyse
    behavior behaviour; neighbor neighbour; labor labour; honor honour; traveling travelling
    canceled cancelled; jewelry jewellery; mom mum mother; dad father; kid child; kids children
    bike bicycle; phone telephone; email e-mail; movie film; car automobile; couch sofa
    buy purchase; start begin; started began; big large; bought purchased; ok okay
    tv television; fridge refrigerator; ad advertisement; exam examination; photo photograph
    flat apartment; repo repository; db database; config configuration; prod production
    dev development; docs documentation; hq headquarters; live reside; lives resides
    lived resided; kilometre kilometer kilometres kilometers km; kilogram kilograms kilos kg
    metre meter metres meters; litre liter litres liters; percent %
"""
EQUAL_WORDS: dict[str, str] = {}
for _line in _EQUALS.replace("\n", ";").split(";"):
    for _word in _line.split():
        EQUAL_WORDS[_word] = _line.split()[0]

_IRREGULAR = """
    bought buy; went go; gone go; saw see; seen see; took take; taken take; gave give; given give
    came come; made make; said say; told tell; got get; had have; has have; did do; does do
    knew know; known know; thought think; found find; left leave; felt feel; kept keep; met meet
    ran run; wrote write; written write; read read; spoke speak; spoken speak; broke break
    broken break; chose choose; chosen choose; drove drive; driven drive; ate eat; eaten eat
    drank drink; drunk drink; fell fall; fallen fall; flew fly; grew grow; grown grow; held hold
    heard hear; led lead; lost lose; paid pay; sent send; sold sell; slept sleep; spent spend
    stood stand; swam swim; taught teach; understood understand; won win; wore wear; began begin
    began begin; brought bring; built build; caught catch; sang sing; sat sit; threw throw
    forgot forget; forgotten forget; became become; rode ride; rang ring; rose rise; lent lend
"""
IRREGULAR_PASTS: dict[str, str] = {}
for _line in _IRREGULAR.replace("\n", ";").split(";"):
    if _line.split():
        _form, _plain = _line.split()
        IRREGULAR_PASTS[_form] = _plain


def spelled_out(text: str) -> str:
    """The text with straight quotes and without contractions."""
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
    singular = word.removesuffix("s")
    known = EQUAL_WORDS.get(word) or EQUAL_WORDS.get(singular, word)
    known = IRREGULAR_PASTS.get(known, known)
    return stem(folded(EQUAL_WORDS.get(known, known)))


@lru_cache(maxsize=16_384)
def is_past(word: str) -> bool:
    """Whether a lowercase word looks like a past: "moved", "went"."""
    is_irregular = word in IRREGULAR_PASTS and word not in ("has", "does", "read")
    return is_irregular or (len(word) > 4 and word.endswith("ed") and not word.endswith("eed"))
