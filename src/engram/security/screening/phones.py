"""Telephone numbers of many countries, told from dates, sums and identifiers by their shape."""

import re
from collections.abc import Iterator

_RUN = re.compile(
    r"(?:\d(?<![\w+.$€£#=/:(-]\d)(?<!\d,\d)|\+(?<![\w+.]\+)\d|\((?<!\w\()\+?\d)"
    r"[\d ().\-/]{4,24}(?<=\d)(?:(?:x| ext\.? ?)\d{1,6})?"
    r"(?![\w%€$£:]|[.,]\d|\)\d)"
)
_GAP = re.compile(r"  | [-/.]|[-/.] |--|\+ ")
_GROUP = re.compile(r"\d+")
_EXTENSION = re.compile("x| ext")
_FEWEST, _MOST = 6, 15
_MOST_GROUPS = 7
_DATE = re.compile(
    r"(?:19|20)\d\d[-./ ]\d{1,2}[-./ ]\d{1,2}(?!\d)|\d{1,2}[-./ ]\d{1,2}[-./ ](?:19|20)\d\d(?!\d)"
)
_NORTH_AMERICAN = re.compile(
    r"(?:(?:\+?1|001)[-. ]?)?(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4}(?:(?:x| ext\.? ?)\d{1,6})?"
)
_WORD = re.compile(r"[^\W\d_]+")
_NAMES = frozenset(
    "phone tel telephone telefon téléphone teléfono mobile cell cellphone handy fax call text"
    " whatsapp signal dial ring reach answering".split()
)
_OWNERS = frozenset("my his her their our your meine".split())
_NAMED_AFTER = re.compile(
    r"[\s,\-(\\]{1,3}(?:office|fax|mobile|home|cell|work|direct|landline)\b", re.I
)
_LOOKED_BACK = 32


def find_phones(text: str) -> Iterator[tuple[int, int, bool]]:
    """Start, end and certainty of each number that can be dialled."""
    for match in _RUN.finditer(text):
        start, end = match.span()
        found = match.group()
        number = _EXTENSION.split(found)[0]
        groups = _GROUP.findall(number)
        digits = "".join(groups)
        if len(groups) > _MOST_GROUPS or not _could_be(number, digits):
            continue
        is_certain = _is_unmistakable(found) or _is_named(text, start, end)
        if is_certain or _is_local(number, groups, digits):
            yield start, end, is_certain


def _could_be(number: str, digits: str) -> bool:
    """Whether a run of digits has the length and the signs of any number at all."""
    if not _FEWEST <= len(digits) <= _MOST or len(set(digits)) < 3:
        return False
    is_balanced = number.count("(") == number.count(")")
    return is_balanced and not _GAP.search(number) and not _DATE.search(number)


def _is_named(text: str, start: int, end: int) -> bool:
    line = text[max(0, start - _LOOKED_BACK) : start].lower().rpartition("\n")[2]
    words = _WORD.findall(line)
    is_owned = "number" in words or "nummer" in words
    is_named = not _NAMES.isdisjoint(words) or (is_owned and not _OWNERS.isdisjoint(words))
    return is_named or _NAMED_AFTER.match(text, end) is not None


def _is_unmistakable(found: str) -> bool:
    """Whether the shape alone says telephone: a country code, or the form of North America."""
    is_international = found.startswith(("+", "(+")) and sum(map(str.isdigit, found)) >= 8
    return is_international or _NORTH_AMERICAN.fullmatch(found) is not None


def _is_local(number: str, groups: list[str], digits: str) -> bool:
    """Whether groups with a leading zero or a code in brackets look like a national number."""
    is_grouped = 2 <= len(groups) <= 6 and all(2 <= len(group) <= 8 for group in groups[:-1])
    has_code = number.startswith("(") and len(digits) >= 7
    has_code = has_code or (digits.startswith("0") and len(digits) >= 9)
    return is_grouped and has_code and "." not in number
