"""Letters that a person does not see and a model reads."""

import re
from collections.abc import Iterator

_ZERO_WIDTH = "\u200b\u2060\ufeff\u180e"
_SOFT_HYPHEN = "\u00ad"  # unseen as well, but printers put it into words for good reason
_TURNS = "\u202a\u202b\u202d\u202e\u2066\u2067\u2068"
_INSIDE_WORD = re.compile(f"[A-Za-z][{_ZERO_WIDTH}\u200c\u200d]{{1,64}}[A-Za-z]")
# Tag letters spell out flags behind a black flag; anywhere else they spell out words unseen.
_TAGS = re.compile("(?<![\U000e0020-\U000e007f\U0001f3f4])[\U000e0020-\U000e007f]{2}")
_UNSEEN = re.compile(f"[{_ZERO_WIDTH}{_SOFT_HYPHEN}{_TURNS}\u200c\u200d\u202c\u2069]")
_TAG = re.compile("[\U000e0020-\U000e007e]")


def find_hidden(text: str) -> Iterator[tuple[str, float]]:
    """The ways in which a text hides letters, each with how much that says."""
    if _INSIDE_WORD.search(text):
        yield "hidden letters", 0.5
    if _TAGS.search(text):
        yield "hidden letters", 0.8
    if "\u202e" in text or "\u202d" in text:
        yield "turned letters", 0.6


def revealed(text: str) -> str:
    """The text as a model reads it: what is unseen between letters gone, tag letters as letters."""
    plain = _UNSEEN.sub("", text)
    return _TAG.sub(lambda match: chr(ord(match.group()) - 0xE0000), plain)
