"""How text is cut into findable pieces, for the index and for questions alike.

The text index has two columns. `words` holds the text with joining marks turned into spaces, so
that sentence-final words and the parts of an identifier are found. `fragments` holds what words
alone would lose: identifiers, paths and versions whole, their segments, the humps of camelCase,
and pairs of characters for scripts written without spaces.
"""

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from engram.text.strings import folded

# The tokenizer is told to keep these inside a token; `words` never contains them.
JOINING_MARKS = "._-@#/:+$%&=~\\*"
_MARKS_TO_SPACES = str.maketrans(dict.fromkeys(JOINING_MARKS, " "))

_EDGES = ".,;:!?\"'`()[]{}<>|…“”‘’«»*=~"
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# Thai to Khmer, Kana, CJK ideographs with their extensions, Hangul: written without spaces
# between words, or, as Korean, with particles glued on.
UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+"
)
_JOINT = re.compile("[" + re.escape(JOINING_MARKS) + "]|" + _HUMP.pattern)
_NOT_A_WORD = re.compile(r"[\W_]+")
_VERSION = re.compile(r"[vV][0-9]+\.")
_MOST_PHRASES = 8  # each is looked for in every candidate
_LONGEST_QUOTING = 2_000  # a question says in its first sentences what it wants
_PHRASE_RUN = 3  # longer unspaced runs in a question are matched pair by pair
_MAX_TERMS = 64  # a longer question is cut: more terms cost time and add nothing


@dataclass(frozen=True, slots=True)
class Term:
    """One thing to look for: tokens that must stand next to each other."""

    text: str  # as the asker wrote it
    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IndexText:
    """What the text index is given for one memory."""

    words: str
    fragments: str


def index_text(text: str) -> IndexText:
    """Cut a memory's text for the index."""
    clean = _clean(text)
    # Lowercased here, since SQLite does not know the letters of newer scripts.
    words = clean.lower().translate(_MARKS_TO_SPACES)
    return IndexText(words, " ".join(_fragments(clean)).lower())


def terms_of(query: str, *, ignored: Collection[str] = ()) -> list[Term]:
    """Cut a question into terms; its ignored words go unless nothing else is left."""
    terms: dict[tuple[str, ...], Term] = {}
    dropped: dict[tuple[str, ...], Term] = {}
    for chunk in _clean(query).split():
        target = dropped if chunk.strip(_EDGES).lower() in ignored else terms
        for term in _chunk_terms(chunk):
            target.setdefault(term.tokens, term)
    return list((terms or dropped).values())[:_MAX_TERMS]


def standing_terms(terms: Sequence[Term], text: str) -> list[Term]:
    """The terms that stand in a text; words are compared by their beginnings.

    The index decides what is found; this tells which parts of a question it was found by.
    """
    plain = folded(text)
    haystack = f" {_NOT_A_WORD.sub(' ', plain)} {plain}"
    return [term for term in terms if all(each in haystack for each in _beginnings(term))]


@lru_cache(maxsize=1024)
def _beginnings(term: Term) -> tuple[str, ...]:
    """What to look for: words by their beginning, identifiers and unspaced scripts anywhere."""
    found = []
    for token in map(folded, term.tokens):
        if not token.isalnum() or UNSPACED.search(token):
            found.append(token)
        else:
            found.append(" " + (token if len(token) < 5 else token[: max(4, len(token) - 3)]))
    return tuple(found)


def _chunk_terms(chunk: str) -> list[Term]:
    found = []
    bare = chunk.strip(_EDGES)
    spaced = UNSPACED.sub(" ", bare)
    words = [word for word in spaced.translate(_MARKS_TO_SPACES).split() if _is_findable(word)]
    if len(words) > 1 or (words and _is_identifier(bare)):
        found.append(Term(bare, (bare.lower(),)))
    if words:
        found.append(Term(" ".join(words), tuple(word.lower() for word in words)))
    for run in UNSPACED.findall(bare):
        found.extend(_run_terms(run))
    return found


def _run_terms(run: str) -> list[Term]:
    pairs = _pairs(run)
    if len(run) <= _PHRASE_RUN:
        return [Term(run, tuple(pairs))] if pairs else []
    return [Term(pair, (pair,)) for pair in pairs]


def _fragments(text: str) -> list[str]:
    found = []
    for chunk in text.split():
        if chunk.isalnum() and chunk[1:].islower():
            continue  # a plain word, as most are
        bare = chunk.strip(_EDGES)
        if _is_identifier(bare):
            found.extend(_identifier_parts(bare))
    if text.isascii():
        return found
    for run in UNSPACED.findall(text):
        # Pairs first and single characters after, so that pairs of one run stand together and
        # two runs never do.
        found.extend(_pairs(run))
        found.extend(_letters(run))
    return found


def _identifier_parts(identifier: str) -> list[str]:
    parts = [identifier]
    parts += [part for part in re.split(r"[/\\]", identifier) if part and part != identifier]
    if _VERSION.match(identifier):
        parts.append(identifier[1:])  # v1.2.3 is also asked for as 1.2.3
    for word in identifier.translate(_MARKS_TO_SPACES).split():
        humps = _HUMP.split(word)
        if len(humps) > 1:
            parts += humps
    return [part for part in parts if _is_findable(part)]


def _pairs(run: str) -> list[str]:
    letters = _letters(run)
    return [first + second for first, second in pairwise(letters)] or letters


def _letters(run: str) -> list[str]:
    # Vowel signs and tone marks would split a token; the letters alone are specific enough.
    return [letter for letter in run if letter.isalnum()]


def _is_identifier(word: str) -> bool:
    return _JOINT.search(word) is not None and _is_findable(word)


def _is_findable(word: str) -> bool:
    return any(character.isalnum() for character in word)


def _clean(text: str) -> str:
    if text.isascii():
        return text.replace("\x00", " ")
    readable = text.encode("utf-8", "replace").decode()
    return unicodedata.normalize("NFKC", readable.replace("\x00", " ").replace("’", "'"))


_QUOTED = re.compile(
    r"\"([^\"\n]{0,200})\"|“([^”\n]{0,200})”|«\s?([^»\n]{0,200}?)\s?»|„([^“”\n]{0,200})[“”]"
    r"|`([^`\n]{0,200})`|(?<!\w)['‘]([^'‘’\n]{0,200})['’](?!\w)"
)


def quoted_phrases(question: str) -> tuple[str, ...]:
    """What stands in quotation marks, to be found as it is written; an apostrophe is none."""
    text = question[:_LONGEST_QUOTING]
    found = ("".join(groups).strip() for groups in _QUOTED.findall(text))
    return tuple(dict.fromkeys(phrase for phrase in found if len(phrase) > 1))[:_MOST_PHRASES]
