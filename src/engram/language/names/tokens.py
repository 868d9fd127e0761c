"""A text cut into words that know how they are written and what stands between them."""

import re
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

# Dashes, and scripts without capitals or spaces, separate what is written in Latin letters.
_CHUNK = re.compile(r"[^\s—–…|\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]+")
_OPENING = "\"'`([{<“‘«*_#>-•=~+"
_CLOSING = "\"'`)]}>.,;:!?”’»*_=~-"
_BEGINNING = frozenset('.!?:;…\n"“”*•#([{«`।')
_ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof st mt vs rev sgt capt lt jr sr gen gov sen rep".split()
)
_LONGEST_WORD = 120  # what is longer is no word of any language

_EXTENSIONS = frozenset(
    """bak bat bin c cfg conf cpp cs css csv db dockerfile docx env exe gif go gz h hpp html ini
    ipynb java jpeg jpg js json jsonl jsx kt lock log lua md mdx mjs mp3 mp4 parquet pdf php png
    pptx proto ps1 py pyc pyi rb rs rst scss sh sql sqlite svg swift tar tex toml ts tsx txt vue
    wasm wav xlsx xml yaml yml zip""".split()
)
_BARE_FILES = frozenset("Dockerfile Makefile Jenkinsfile Procfile Vagrantfile Gemfile".split())
_DOT_FILES = frozenset(
    """.env .gitignore .gitattributes .dockerignore .editorconfig .bashrc .zshrc .npmrc .profile
    .vimrc .ssh .config""".split()
)
_FILE = re.compile(r"[\w.+@~-]*\w\.([A-Za-z0-9]{1,10})")
_PATH = re.compile(r"(?:(?:~|\.{1,2})?/[\w.@+-]+(?:/[\w.@+-]+)+|~/[\w.-]+|[A-Za-z]:\\[\w\\.-]+)/?")
# Inside a word these belong to a program, not to a name.
_CODE_MARKS = re.compile(r"[(){}\[\]=<>\"\\/;%$^*]|::|://|_")
_FENCED = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_INITIALS = re.compile(r"[A-Z](?:\.[A-Z])*")


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


def tokens_of(text: str) -> list[Token]:
    """The words of a text in order; blocks of code have none."""
    if "```" in text or "~~~" in text:
        text = _FENCED.sub(lambda block: "\n" * len(block[0]), text)
    return list(_tokens(text))


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
        joint = "" if gap == " " else _joint(gap)
        yield _token(core, start, joint, _begins(joint, before, is_first=last_end == 0))
        last_end, before = start + len(core), core


def _joint(gap: str) -> str:
    if "\n" in gap:
        return "".join(gap.split()) + "\n"
    return "".join(gap.split())


def _begins(joint: str, before: str, *, is_first: bool) -> bool:
    if is_first:
        return True
    if not joint:
        return False
    if joint == "." and (before.lower() in _ABBREVIATIONS or _is_initial(before)):
        return False
    return not _BEGINNING.isdisjoint(joint)


def _is_initial(word: str) -> bool:
    return len(word) < 8 and _INITIALS.fullmatch(word) is not None


def continues(token: Token, before: Token) -> bool:
    """Whether a word may go on with the name that the word before is part of."""
    if before.is_possessive or token.form is not Form.WORD:
        return False
    is_short = before.lower in _ABBREVIATIONS or _is_initial(before.word)
    return not token.joint or (token.joint == "." and is_short)


def _token(core: str, start: int, joint: str, begins: bool) -> Token:
    if core.isalpha():  # most words are nothing else
        lower = core.lower()
        form = Form.FILE if core in _BARE_FILES else Form.WORD
        is_capital = core[0].isupper()
        end = start + len(core)
        return Token(core, lower, start, end, joint, begins, is_capital, False, form)
    form = _form(core)
    word, is_possessive = core, False
    if form is Form.WORD:
        word, is_possessive = _without_possessive(core)
    is_capital = form is Form.WORD and (word[:1].isupper() or _has_inner_capital(word))
    end = start + len(word)
    lower = word.lower().replace("’", "'")
    return Token(word, lower, start, end, joint, begins, is_capital, is_possessive, form)


def _has_inner_capital(word: str) -> bool:
    return word[0].isalpha() and not word.islower() and any(map(str.isupper, word))


def _without_possessive(core: str) -> tuple[str, bool]:
    if core.endswith(("'s", "’s")) and len(core) > 2:
        return core[:-2], True
    return core, False


def _form(core: str) -> Form:
    if core.startswith(("http://", "https://", "www.")):
        return Form.LINK
    if "@" in core:
        is_handle = core[0] == "@" and core[1:].replace("_", "").replace("-", "").isalnum()
        return Form.HANDLE if is_handle else Form.LINK
    if _is_file(core):
        return Form.FILE
    return Form.CODE if _CODE_MARKS.search(core) else Form.WORD


def _is_file(core: str) -> bool:
    if core in _BARE_FILES or core in _DOT_FILES:
        return True
    if "/" not in core and "\\" not in core and "." not in core:
        return False
    last = re.split(r"[/\\]", core)[-1]
    named = _FILE.fullmatch(last)
    if named and named[1].lower() in _EXTENSIONS:
        return "://" not in core and '"' not in core
    return _PATH.fullmatch(core) is not None and any(map(str.isalpha, core))
