"""A text cut into words that know how they are written, where they stand and what is between them.

A word also knows its area: in headings, labels and tables a capital says little.
"""

import re
from collections.abc import Iterator
from enum import Enum
from functools import cache
from typing import NamedTuple

from engram.language.names.words import cue_words
from engram.text.markup import Area, Span, areas_of

# Dashes, and scripts without capitals or spaces, separate what is written in Latin letters.
_CHUNK = re.compile(r"[^\s—–…|\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]+")
_OPENING = "\"'`([{<“‘«*_#>-•=~+"
_CLOSING = "\"'`)]}>.,;:!?”’»*_=~-"
_BEGINNING = frozenset('.!?:;…\n"“”*•#([{«`।')
_LONGEST_WORD = 120  # what is longer is no word of any language
_PATH = r"(?:(?:~|\.{1,2})?/[\w.@+-]+(?:/[\w.@+-]+)+|~/[\w.-]+|[A-Za-z]:\\[\w\\.-]+)/?"
_HANDLE = re.compile(r"@[^\W_][\w-]*")
# Inside a word these belong to a program, not to a name.
_CODE_MARKS = re.compile(r"[(){}\[\]=<>\"\\/;%$^*]|::|://|_")
_INITIALS = re.compile(r"[A-Z](?:\.[A-Z]){0,3}")


class Form(Enum):
    """What a token is written like."""

    WORD = "word"
    FILE = "file"
    LINK = "link"
    HANDLE = "handle"
    CODE = "code"


class Token(NamedTuple):
    """One word; a tuple, because a long text has tens of thousands of them."""

    word: str  # without marks around it and without a possessive
    lower: str
    start: int
    end: int
    joint: str  # the marks between it and the word before; "" when there are only spaces
    begins: bool  # a sentence, a line or a quotation
    is_capital: bool
    is_possessive: bool
    form: Form
    area: Area = Area.PROSE


def tokens_of(text: str) -> list[Token]:
    """The words of a text in order; blocks of code have none."""
    areas = list(areas_of(text))
    if not areas:
        return list(_tokens(text))
    spans = iter([*areas, (len(text) + 1, len(text) + 1, Area.PROSE)])
    start, end, area = next(spans)
    found = []
    for token in _tokens(_without_blocks(text, areas)):
        while token.start >= end:
            start, end, area = next(spans)
        found.append(token if token.start < start else token._replace(area=area))
    return found


def _without_blocks(text: str, areas: list[Span]) -> str:
    pieces, done = [], 0
    for start, end, area in areas:
        if area is Area.BLOCK:
            pieces += [text[done:start], "\n" * (end - start)]
            done = end
    return "".join([*pieces, text[done:]])


def _tokens(text: str) -> Iterator[Token]:
    last_end = 0
    before = ""
    for match in _CHUNK.finditer(text):
        chunk, start = match[0], match.start()
        core = chunk.lstrip(_OPENING) if not chunk[0].isalnum() else chunk
        if not core or len(core) > _LONGEST_WORD:
            continue  # its marks are part of the joint before the next word
        start += len(chunk) - len(core)
        if core[-1] in _CLOSING:
            core = core.rstrip(_CLOSING)
        if not core:
            continue
        if core[0] == "/" and start and text[start - 1] == "~":
            core, start = f"~{core}", start - 1
        gap = text[last_end:start]
        joint = "" if gap == " " else "".join(gap.split()) + "\n" * ("\n" in gap)
        is_short = joint == "." and _is_short_form(before)
        begins = last_end == 0 or not (is_short or _BEGINNING.isdisjoint(joint))
        yield _token(core, start, joint, begins)
        last_end, before = start + len(core), core


def _is_short_form(word: str) -> bool:
    """Whether a stop behind a word ends no sentence: "Dr.", "J.", "N.K."."""
    return word.lower() in cue_words("abbreviations") or _INITIALS.fullmatch(word) is not None


def continues(token: Token, before: Token) -> bool:
    """Whether a word may go on with the name that the word before is part of."""
    if before.is_possessive or token.form is not Form.WORD or token.area is not before.area:
        return False
    return not token.joint or (token.joint == "." and _is_short_form(before.word))


def _token(core: str, start: int, joint: str, begins: bool) -> Token:
    end = start + len(core)
    if core.isalpha():  # most words are nothing else
        form = Form.FILE if core in cue_words("bare_files") else Form.WORD
        return Token(core, core.lower(), start, end, joint, begins, core[0].isupper(), False, form)
    form = _form(core)
    is_possessive = form is Form.WORD and core.endswith(("'s", "’s")) and len(core) > 2
    word = core[:-2] if is_possessive else core
    has_capital = word[0].isupper() or (word[0].isalpha() and any(map(str.isupper, word)))
    is_capital = form is Form.WORD and has_capital
    lower = word.lower().replace("’", "'")
    end = start + len(word)
    return Token(word, lower, start, end, joint, begins, is_capital, is_possessive, form)


def _form(core: str) -> Form:
    if core.startswith(("http://", "https://", "www.")):
        return Form.LINK
    if "@" in core:
        return Form.HANDLE if _HANDLE.fullmatch(core) else Form.LINK
    has_mark = "/" in core or "\\" in core or "." in core
    if has_mark and _file_pattern().fullmatch(core) and any(map(str.isalpha, core)):
        return Form.FILE
    return Form.CODE if _CODE_MARKS.search(core) else Form.WORD


@cache
def _file_pattern() -> re.Pattern[str]:
    """A path, or a file with one of the known endings, if need be with folders before it."""
    endings = "|".join(sorted(cue_words("file_endings")))
    bare = "|".join(map(re.escape, sorted(cue_words("bare_files"))))
    return re.compile(rf"(?:[^\s\":]*[/\\])?(?:[\w.+@~-]*\w\.(?i:{endings})|{bare})|{_PATH}")
