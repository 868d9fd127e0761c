"""The identity of a name, however it is written, and whether speakers tell of themselves."""

import re
import unicodedata
from functools import lru_cache

from engram.language.tables import pattern_of

_SPACES = re.compile(r"\s+")
_EDGES = " \t\n.,;:!?\"'`()[]{}<>|…“”‘’«»*=~"
_POSSESSIVE = re.compile(r"(?:['’]s|(?<=s)['’])$")
_LEADING = pattern_of("leading_words")
_LONGEST = 400
# "I" before a stop is an initial, and "US" is a country.
_SELF = pattern_of("speaker_pronouns")
_OTHER_SCRIPT = re.compile(r"[\u0370-\U0010ffff]")
_MARKS = re.compile(r"[\u2000-\u2bff\U0001f000-\U0001faff\ufe0f]")  # dashes, quotes and emoji


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


def tells_of_speaker(text: str, speaker: str, subject: str | None = None) -> bool:
    """Whether a statement is about who made it, by its first person or by its subject.

    In a script of which the first person is not known here it is taken to be.
    """
    if subject is not None and key_of(subject) == key_of(speaker):
        return True
    plain = _MARKS.sub(" ", text.replace("’", "'"))
    return _SELF.search(plain) is not None or _OTHER_SCRIPT.search(plain) is not None
