"""Which parts of a text are no running sentences: headings, labels, emphasis, tables and code.

Everything is found in one pass over the lines.
"""

import re
from collections.abc import Iterator
from enum import Enum

_FENCE = re.compile(r"\s*(?:```|~~~)")
_MARKED_HEADING = re.compile(
    r"\s*#{1,6}\s|\s*(?:[-*•+]|\d{1,3}[.)])?\s*\*\*[^*\n]{1,120}\*\*:?\s*$"
)
_RULED = re.compile(r"\s*\||.*\|.*\|")
_LABEL = re.compile(
    r"\s*(?:[-*•+>]\s+|\d{1,3}[.)]\s+|\[[^\]\n]{1,20}\]\s*)*(?:\*\*|__)?"
    r"(?P<label>[^\W\d_][^:*\n.!?,]{0,60}?)(?:\*\*|__)?:(?:\*\*|__)?(?=\s|$)"
)
_EMPHASIS = re.compile(r"\*\*[^*\n]{1,120}\*\*|__[^_\n]{1,120}__|(?P<code>`[^`\n]{1,300}`)")
_LETTERS = re.compile(r"[^\W\d_][\w'’-]*")
_LONGEST_HEADING, _MOST_LABEL_WORDS = 100, 6
_FEWEST_CAPITALS = 0.6
_LONG_WORD = 4  # letters from which a heading writes its words with capitals


class Area(Enum):
    """What sort of line or span a word stands in."""

    PROSE = "prose"
    HEADING = "heading"
    LABEL = "label"
    EMPHASIS = "emphasis"
    CELL = "cell"
    CODE = "code"
    BLOCK = "block"  # of code


Span = tuple[int, int, Area]


def areas_of(text: str) -> Iterator[Span]:
    """The spans of a text that are not prose, in order and without overlap."""
    start, is_fenced, has_lines = 0, False, "\n" in text
    for line in text.splitlines(keepends=True):
        whole = (start, start + len(line))
        is_fence = _FENCE.match(line) is not None
        if is_fence or is_fenced:
            yield (*whole, Area.BLOCK)
            is_fenced ^= is_fence
        elif _RULED.match(line):
            yield (*whole, Area.CELL)
        elif _MARKED_HEADING.match(line) or (has_lines and _is_title(line)):
            yield (*whole, Area.HEADING)
        else:
            yield from _areas_within(line, start)
        start = whole[1]


def _is_title(line: str) -> bool:
    """Whether a line by itself is written like a heading: nearly every long word has a capital."""
    bare = line.strip().lstrip("-*•+0123456789.) ")
    if len(bare) > _LONGEST_HEADING or bare.endswith((".", "!", "?", ",", ";")) or ":" in bare[:-1]:
        return False
    words = _LETTERS.findall(bare)
    long = [word for word in words if len(word) >= _LONG_WORD]
    capitals = sum(word[0].isupper() for word in long)
    return len(words) > 1 and bool(long) and capitals >= _FEWEST_CAPITALS * len(long)


def _areas_within(line: str, start: int) -> Iterator[Span]:
    free_from = 0
    label = _LABEL.match(line) if ":" in line else None
    if label and len(label["label"].split()) <= _MOST_LABEL_WORDS:
        is_plain = not line[: label.start("label")].strip()
        free_from = label.end()
        area = Area.LABEL if is_plain else Area.EMPHASIS
        yield start + label.start("label"), start + free_from, area
    for each in _EMPHASIS.finditer(line, free_from):
        yield start + each.start(), start + each.end(), Area.CODE if each["code"] else Area.EMPHASIS
