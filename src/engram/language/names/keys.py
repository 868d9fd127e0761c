"""The identity of a name: what stays when the ways of writing it are taken away."""

import re
import unicodedata
from functools import lru_cache

from engram.language.tables import pattern_of

_SPACES = re.compile(r"\s+")
_EDGES = " \t\n.,;:!?\"'`()[]{}<>|…“”‘’«»*=~"
_POSSESSIVE = re.compile(r"(?:['’]s|(?<=s)['’])$")
_LEADING = pattern_of("leading_words")
_LONGEST = 400


@lru_cache(maxsize=16_384)
def key_of(name: str) -> str:
    """The identity of a name: "Dr. Ada Byron's" and "ada  byron" have the same.

    Case, width, spaces, articles, titles and a possessive do not count. A name of nothing but
    these is its own key, so that a key is empty only when the name is.
    """
    plain = unicodedata.normalize("NFKC", name[:_LONGEST]).casefold()
    plain = _SPACES.sub(" ", plain.replace("’", "'")).strip()
    bare = plain.strip(_EDGES).removeprefix("@")
    bare = _POSSESSIVE.sub("", bare).strip(_EDGES)
    previous = ""
    while bare != previous:
        previous, bare = bare, _LEADING.sub("", bare)
    return bare or plain
