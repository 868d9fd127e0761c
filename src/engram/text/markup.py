"""Which parts of a text are no running sentences: headings, labels, emphasis, tables and code.

Two scanners go over the lines: `areas_of` marks spans of a text, `lines_of` tells which lines are
read. Where words tell it, the patterns are passed in.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

_FENCE = re.compile(r"\s*(?:```|~~~)")
_MARKED_HEADING = re.compile(
    r"\s*#{1,6}\s|\s*+(?:[-*•+]|\d{1,3}[.)])?\s*\*\*[^*\n]{1,120}\*\*:?\s*$"
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


# Lines, and why they are not read

LIST_ITEM = re.compile(r"\s{0,12}(?:[-*•‣–]|\d{1,3}[.)]|[a-z]\))\s+(?=\S)(?:\[[ xX]\]\s+)?")
_HEADING = re.compile(r"\s*#{1,6}\s+\S")
_CODE_END = re.compile(r"[{};]\s*$|\)\s*=>\s*$|^\s*[}\])]+[;,]?\s*$")
_CODE_MARK = re.compile(r"[=(){}<>]|::|->")
_ENDS = (".", "!", "?", "…", ":", ";", '"', "”", ")")
_WRAPPED = 60  # a line shorter than this was ended by its writer


class Line(NamedTuple):
    """A line of a text, or several that were wrapped at the margin."""

    start: int
    text: str
    reason: str | None  # why it is not read


@dataclass(frozen=True, slots=True)
class LinePatterns:
    """How lines begin that are not what the writer says, as far as words tell it."""

    recalled_open: re.Pattern[str]  # with the name of the element
    recalled_heading: re.Pattern[str]
    pasted: tuple[re.Pattern[str], ...]
    code: re.Pattern[str]


def lines_of(text: str, patterns: LinePatterns) -> Iterator[Line]:
    """The lines of a text in order; prose that was wrapped at the margin is one line again."""
    held: list[Line] = []
    for line in _single_lines(text, patterns):
        if held and not _goes_on(held[-1], line):
            yield _joined(held)
            held = []
        held.append(line)
    yield _joined(held)


def _joined(lines: list[Line]) -> Line:
    return lines[0]._replace(text="\n".join(line.text for line in lines))


def _goes_on(last: Line, line: Line) -> bool:
    if line.reason is not None or last.reason is not None:
        return line.reason == last.reason
    return (
        len(last.text) >= _WRAPPED
        and not last.text.rstrip().endswith(_ENDS)
        and line.text.lstrip()[:1].islower()
        and LIST_ITEM.match(line.text) is None
        and _LABEL.match(line.text) is None
    )


def _single_lines(text: str, patterns: LinePatterns) -> Iterator[Line]:
    place = 0
    inside: str | None = None  # the reason of the block we stand in
    until = ""
    for line in text.split("\n"):
        opened = _opening(line, patterns) if inside is None else None
        if opened is not None:
            inside, until = opened
        yield Line(place, line, inside or _line_reason(line, patterns))
        place += len(line) + 1
        if inside is not None and _is_closed(line, until, is_first=opened is not None):
            inside = None


def _opening(line: str, patterns: LinePatterns) -> tuple[str, str] | None:
    """The block that a line opens: its reason and what ends it."""
    if _FENCE.match(line):
        return "code", line.strip()[:3]
    recalled = patterns.recalled_open.match(line)
    if recalled is not None:
        return "recalled", f"</{recalled[1].lower()}"
    return ("recalled", "") if patterns.recalled_heading.match(line) else None


def _is_closed(line: str, until: str, *, is_first: bool) -> bool:
    if not until:
        return not line.strip()
    if until in ("```", "~~~"):
        return line.count(until) >= 2 if is_first else line.strip().startswith(until)
    return until in line.lower()


def _line_reason(line: str, patterns: LinePatterns) -> str | None:
    head = line[:400]  # the start of a line tells what it is
    if head.lstrip().startswith(">") and not head.lstrip().startswith(">>>"):
        return "quoted"
    if _HEADING.match(head):
        return "heading"
    if any(each.match(head) for each in patterns.pasted):
        return "pasted"
    is_code = patterns.code.match(head) or (
        _CODE_END.search(line[-40:]) and _CODE_MARK.search(head)
    )
    return "code" if is_code else None
