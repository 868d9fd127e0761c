"""What every line obeys that a model reads: nothing unseen is in it, and there is room for it."""

import unicodedata
from collections.abc import Callable, Iterable

# Control, format, private and unassigned characters, halves of characters, ends of lines: they hide
# text from people, turn the direction of reading or begin a line.
_UNSEEN_KINDS = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Marks and letters by their kind, but nobody sees them: variation selectors, which can spell out
# any bytes behind one letter, a joiner that joins nothing, and fillers.
_UNSEEN_MARKS = frozenset({
    *"\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0",
    *map(chr, range(0xFE00, 0xFE0E)), *map(chr, range(0xE0100, 0xE01F0)),
})  # fmt: skip
# They make letters and emoji of several signs; so do U+FE0E and U+FE0F, missing above.
_SHAPING = "\u200c\u200d"


def is_unseen(character: str) -> bool:
    """Whether nobody would see that this character stands in a text."""
    is_unseen_kind = unicodedata.category(character) in _UNSEEN_KINDS
    return (is_unseen_kind and character not in _SHAPING) or character in _UNSEEN_MARKS


def replace_unseen(text: str, by: Callable[[str], str]) -> str:
    """The text with something else in the place of each character that is unseen."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(by(each) if is_unseen(each) else each for each in text)


def fitting(lines: Iterable[str], most: int) -> list[str]:
    """As many lines, from the first on, as there is room for; each counts with its end."""
    kept: list[str] = []
    left = most
    for line in lines:
        left -= len(line) + 1
        if left < 0:
            break
        kept.append(line)
    return kept
