"""How a text falls into pieces before anything is looked up: words, numbers, marks, blanks.

The cut is the one that the tokenizers make themselves: a word takes the blank or the mark before
it along, numbers go by three digits, what is left of a row of blanks stays by itself. o200k cuts
where capitals begin another word and keeps accents that stand by themselves with their letters.
"""

import re
from collections.abc import Callable
from functools import cache
from unicodedata import category

Cut = Callable[[str], list[str]]
_MOST = 80  # letters in a row: keeps any text linear, and what is remembered of one short
_ENDINGS = r"'(?:[sdmtSDMT]|ll|re|ve|LL|RE|VE)"
# Where letters with capitals and where accents of their own are found, as far as it matters here.
_CASED = (range(0x41, 0x590), range(0x1E00, 0x2000))
_ACCENTS = (
    range(0x300, 0x1B00),
    range(0x20D0, 0x2100),
    range(0xFE00, 0xFE30),
    range(0x3099, 0x309B),
)


@cache
def cutter(family: str) -> Cut:
    """What cuts a text as this measured family does: nothing lost, and no piece empty."""
    patterns = _cl100k if family == "cl100k" else _o200k
    cut_plain = patterns(is_plain=True).findall

    def cut(text: str) -> list[str]:
        # Plain letters are told apart twice as fast where nothing else can come.
        return cut_plain(text) if text.isascii() else patterns(is_plain=False).findall(text)

    return cut


@cache
def _cl100k(*, is_plain: bool) -> re.Pattern[str]:
    before, letter = ("[^\r\nA-Za-z0-9]", "[A-Za-z]") if is_plain else (_BEFORE, r"[^\W\d_]")
    word = f"{before}?{letter}{{1,{_MOST}}}"
    return re.compile(f"{_ENDINGS}|{word}|{_rest('', is_plain=is_plain)}", re.DOTALL)


@cache
def _o200k(*, is_plain: bool) -> re.Pattern[str]:
    before, capital, letter = "[^\r\nA-Za-z0-9]", "[A-Z]", "[a-z]"
    if not is_plain:
        capitals = _ranges(_CASED, str.isupper)
        accents = _ranges(_ACCENTS, lambda letter: category(letter)[0] == "M")
        before, capital = _BEFORE, f"[{capitals}]"
        letter = rf"(?:[^\W\d_{capitals}]|[{accents}])"
    word = rf"{before}?{capital}{{0,{_MOST}}}{letter}{{1,{_MOST}}}(?:{_ENDINGS})?"
    shouted = rf"{before}?{capital}{{1,{_MOST}}}(?:{_ENDINGS})?"
    return re.compile(f"{word}|{shouted}|{_rest('/', is_plain=is_plain)}", re.DOTALL)


_BEFORE = r"(?:[^\r\n\w]|_)"


def _rest(ending: str, *, is_plain: bool) -> str:
    """What is no word; a row of marks ends with line breaks, or with one more mark."""
    mark = r"[^\sA-Za-z0-9]" if is_plain else r"(?:[^\s\w]|_)"
    return (
        rf"\d{{1,3}}| ?{mark}{{1,{_MOST}}}[\r\n{ending}]{{0,{_MOST}}}"
        rf"|\s{{0,{_MOST}}}[\r\n]{{1,{_MOST}}}|\s{{1,{_MOST}}}(?!\S)|\s{{1,{_MOST}}}|."
    )


def _ranges(places: tuple[range, ...], is_meant: Callable[[str], bool]) -> str:
    """The letters that are meant as a pattern writes them: told apart faster than one by one."""
    codes = [code for place in places for code in place if is_meant(chr(code))]
    firsts = [code for code, before in zip(codes, [0, *codes], strict=False) if code != before + 1]
    lasts = [code for code, after in zip(codes, [*codes[1:], 0], strict=True) if code != after - 1]
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in zip(firsts, lasts, strict=True))
