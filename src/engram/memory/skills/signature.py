"""Errors made comparable: what changes from one time to the next is taken out."""

import re
from functools import lru_cache

from engram.language.lexicon import COMMON_WORDS
from engram.language.stems import stem
from engram.text.strings import folded

_MOST_CHARACTERS = 200
_LOOKED_AT = 2_000
# In this order: an address holds a path, a path holds numbers.
_VARYING = tuple(
    (re.compile(pattern), put_in)
    for pattern, put_in in (
        (r"\b[a-z][a-z0-9+.-]{0,20}://[^\s'\"<>]+", "<address>"),
        (r"\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+", "<mail>"),
        (r"\"[^\"\n]{0,500}\"|`[^`\n]{0,500}`|(?<!\w)'[^'\n]{0,500}'(?!\w)", "<text>"),
        (r"\b\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?z?)?", "<time>"),
        (r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", "<id>"),
        (r"\b0x[0-9a-f]+\b", "<id>"),
        (r"\b(?=[a-z-]*\d)(?=[\d-]*[a-f])[0-9a-f]{7,64}\b", "<id>"),
        (r"(?<![\w<])(?:[a-z]:|\.{1,2}|~|[\w-]+)?(?:[\\/][\w.@~+-]+)+[\\/]?", "<path>"),
        (r"\b\d+(?:[.:,]\d+)*(?:\s?(?:ms|s|kb|mb|gb|%))?\b", "<number>"),
    )
)
_SPACES = re.compile(r"\s+")
_PUT_IN = re.compile(r"<[a-z]+>")
_WORD = re.compile(r"\w+")
_FEWEST_WORDS = 2  # that one error holds of another: "failed" alone is in too many
_ALIKE = 0.6  # of the words of both


@lru_cache(maxsize=8_192)
def error_signature(error: str) -> str:
    """What makes two errors one: the first telling line, without names, places and figures.

    Empty for an error that says nothing.
    """
    text = folded(_first_line(error[:_LOOKED_AT]))
    for pattern, put_in in _VARYING:
        text = pattern.sub(put_in, text)
    return _SPACES.sub(" ", text).strip(" .:;,!-")[:_MOST_CHARACTERS].rstrip()


def are_alike(one: str, other: str) -> bool:
    """Whether two signatures tell of the same in other words: one says what the other does and
    more, or they share most of their telling words."""
    mine, others = _telling_words(one), _telling_words(other)
    shared = len(mine & others)
    if not shared:
        return one == other != ""
    is_within = _FEWEST_WORDS <= shared == min(len(mine), len(others))
    return is_within or shared >= _ALIKE * len(mine | others)


@lru_cache(maxsize=8_192)
def _telling_words(signature: str) -> frozenset[str]:
    words = _WORD.findall(_PUT_IN.sub(" ", signature))
    return frozenset(stem(word) for word in words if word not in COMMON_WORDS)


def _first_line(error: str) -> str:
    """The line that names the error: of a stack trace the last, of anything else the first."""
    lines = [line.strip() for line in error.splitlines() if line.strip()]
    if not lines:
        return ""
    return lines[-1] if lines[0].lower().startswith("traceback") else lines[0]
