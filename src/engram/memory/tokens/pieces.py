"""How a text falls into pieces before it is counted: words, numbers, marks, blanks, scripts.

The cut follows the one that the tokenizers make themselves before they look anything up: a word
takes the blank or the mark before it along, numbers go by three digits, what is left of a row of
blanks stays by itself. Each piece has a few features; what a piece costs is their weighted sum.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from engram.memory.tokens.frequent_words import FRAGMENTS

Features = Iterator[tuple[str, float]]
_MOST = 48  # characters in a piece: keeps any text linear, and what is remembered of one short
_LATIN = "A-Za-zªºÀ-ÖØ-öø-ɏ\u1e00-\u1eff"
# Scripts with weights of their own; whatever else there is goes by its bytes.
SCRIPTS = {
    "cyrillic": "Ѐ-ԯ",
    "greek": "Ͱ-Ͼἀ-ῼ",
    "hebrew": "֐-״",
    "arabic": "ؠ-ۿݐ-ݿﭐ-﷽ﹰ-ﻼ",
    "devanagari": "ऀ-ॿ",
    "thai": "ก-๛",
    "kana": "ぁ-ヿ",
    "hangul": "가-힣",
    "han": "㐀-䶿一-鿿",
}
_MARK = r"!-/:-@\[-`{-~"
_PIECES = re.compile(
    rf"'(?:[sdmtSDMT]|ll|re|ve)(?![{_LATIN}])"
    rf"|[ \t{_MARK}]?[{_LATIN}]{{1,{_MOST}}}"
    r"|\d{1,3}"
    rf"|[ ]?[{_MARK}]{{1,{_MOST}}}[\r\n]{{0,{_MOST}}}"
    rf"|[ \t]{{0,{_MOST}}}[\r\n]{{1,{_MOST}}}"
    rf"|[ \t]{{1,{_MOST}}}(?!\S)"
    + "".join(rf"|[ ]?[{letters}]{{1,{_MOST}}}" for letters in SCRIPTS.values())
    + rf"|[\x00-\x1f\x7f-\x9f]{{1,{_MOST}}}|[ ]?[\U00010000-\U0010ffff]|.",
    re.DOTALL,
)
_SCRIPT_OF = tuple((name, re.compile(f"[{letters}]")) for name, letters in SCRIPTS.items())
_IS_LATIN = re.compile(f"[{_LATIN}]")
_TURNS = re.compile(r"(?<=[a-z])(?=[A-Z])")  # where camelCase begins another word
_LONGEST_FRAGMENT = max(map(len, FRAGMENTS))


def pieces(text: str) -> list[str]:
    """The text in pieces, nothing lost; each is at most a hundred characters long."""
    return _PIECES.findall(text)


def features(piece: str, whole: frozenset[str]) -> Features:
    """What a piece is made of: names and amounts, to be weighed by family.

    `whole` are the words that the family's vocabulary is known to hold whole.
    """
    bare = piece[1:] if len(piece) > 1 and piece[0] in " \t" else piece
    if bare.isspace():
        yield "blank", 1
    elif _IS_LATIN.match(bare[-1]):
        yield from _latin(piece, whole)
    elif bare[0].isdecimal() and bare[0].isascii():
        yield "number", 1
    elif bare[0] < "\xa0":
        yield from _marks(bare)
    else:
        yield from _foreign(bare, whole)


def _latin(piece: str, whole: frozenset[str]) -> Features:
    """A word of Latin letters with what stands before it."""
    word = piece if _IS_LATIN.match(piece[0]) else piece[1:]
    if len(word) == len(piece):
        yield "unspaced", 1
    elif piece[0] == "'":
        yield "contraction", 1
        return
    elif piece[0] not in " \t":
        yield "mark before", 1
    for part in _TURNS.split(word):
        yield from _word(part, whole)


def _word(word: str, whole: frozenset[str]) -> Features:
    lower, size = word.lower(), len(word)
    is_shouted = word.isupper() and size > 1
    if size == 1 or lower in whole:
        yield ("shouted" if is_shouted else "common"), 1
    elif size <= 3 and word.isascii():
        yield ("short capitals" if is_shouted else "short"), 1
    elif is_shouted:
        yield "capitals", 1
        yield "capitals length", size - 1
        yield "capitals fragments", len(_fragments(lower, whole)) - 1
    else:
        yield _kind(word), 1
        yield "accents", sum(not letter.isascii() for letter in word)
        yield from _sizes(_fragments(lower, whole)[1:])


def _kind(word: str) -> str:
    if not word.isascii():
        return "accented"
    return "name" if word[0].isupper() else "word"


def _sizes(fragments: list[int]) -> Features:
    for size in fragments:
        yield ("letter" if size == 1 else "pair" if size == 2 else "fragment"), 1


def _fragments(word: str, whole: frozenset[str]) -> list[int]:
    """The lengths of what a word falls into: the longest known beginning, then the longest rests.

    A tokenizer merges in another order; what the two have in common is that strange letters make
    many parts.
    """
    place = next((end for end in range(len(word), 3, -1) if word[:end] in whole), 0)
    found = [place] if place else []
    while place < len(word):
        furthest = min(len(word), place + _LONGEST_FRAGMENT)
        ends = (end for end in range(furthest, place + 1, -1) if word[place:end] in FRAGMENTS)
        end = next(ends, place + 1)
        found.append(end - place)
        place = end
    return found


def _marks(bare: str) -> Features:
    marks = bare.rstrip("\r\n")
    if not marks.isprintable():
        yield "control", len(marks)
        return
    # The same mark again and again is few tokens; mixed marks are more.
    changes = sum(one != other for one, other in pairwise(marks))
    yield "marks", 1
    yield "mark changes", changes
    yield "mark repeats", len(marks) - 1 - changes


def _foreign(bare: str, whole: frozenset[str]) -> Features:
    if bare in whole:
        yield "common", 1
        return
    for name, letters in _SCRIPT_OF:
        if letters.match(bare[0]):
            yield name, 1
            yield f"{name} letters", len(bare)
            return
    yield from _sign(bare[0])


def _sign(sign: str) -> Features:
    if sign >= "\U00010000":
        yield "astral", 1
    elif sign < "\u0100" or "\u2000" <= sign <= "\u206f":
        yield "sign", 1
    elif "\u3000" <= sign <= "\u303f" or "\uff00" <= sign <= "\uffef":
        yield "wide sign", 1
    else:
        yield "other bytes", len(sign.encode("utf-8", "replace"))
