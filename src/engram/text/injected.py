"""Finds what Engram itself put into a text, however a client escaped, quoted or wrapped it.

A block that was put before a model comes back as somebody's words: as HTML, inside a JSON string,
behind the marks of a Markdown quote, between the tags of another tool, or cut off. Every pattern is
bounded and each character is looked at a fixed number of times, so that a megabyte of brackets
costs no more than its length.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

TAG = "engram-memories"  # around what is put in front of a model

Span = tuple[int, int]

_HINT = re.compile(r"engram|mem-\d|working_memory", re.IGNORECASE)
_LESS = (
    r"(?:[<\uff1c]|&(?:amp;){0,8}+(?:lt|\#0{0,6}60|\#x0{0,6}3c);|\\{1,8}(?:u003c|x3c|074)"
    r"|%(?:25){0,4}+3c)"
)
_MORE = (
    r"(?:[>\uff1e]|&(?:amp;){0,8}+(?:gt|\#0{0,6}62|\#x0{0,6}3e);|\\{1,8}(?:u003e|x3e|076)"
    r"|%(?:25){0,4}+3e)"
)
# Between two parts of a tag: spaces, the ends of lines as they are or spelled, marks of quotes.
_GAP = r"(?:[\s>|*+]|\\{1,8}[nrt]|&nbsp;|%(?:25){0,4}+(?:20|0a|0d)){0,12}+"
_TAG = re.compile(
    rf"(?P<less>{_LESS}){_GAP}(?P<closing>(?:\\{{0,8}}/|%(?:25){{0,4}}+2f){_GAP})?"
    rf"(?:engram{_GAP}[-_\u2010\u2011\u2013]?{_GAP}memories\b(?P<about>{_GAP}about\b)?"
    rf"|(?P<mind>working_memory)\b)"
    rf"(?:\s{{0,4}}{_MORE})?",
    re.IGNORECASE,
)
# The block that is kept in AGENTS.md and the like.
_MARK = re.compile(
    rf"{_LESS}!--{_GAP}engram:(?P<which>begin|end){_GAP}--{_MORE}",
    re.IGNORECASE,
)
# A line of a window by itself: "- mem-0012 (Marta, 2026-03-05, preference): …".
_LINE = re.compile(r"mem-\d{4,9} \((?:[^()\n]{0,160}\b\d{4}-\d\d-\d\d\b[^()\n]{0,120}|skill)\): ?")
_LINE_LEAD = re.compile(r"(?P<before>\A|\n|\\n|\")[ \t>|*\"']{0,20}[-*\u2022][ \t]{1,4}\Z")
_LONGEST_LEAD = 30
_RULES = re.compile(
    r"(?:What\s+stands\s+between\s+engram-memories\s+tags\s+comes\s+from"
    r"|Recalled\s+from\s+long-term\s+memory\.\s+This\s+is\s+information)[^<>]{20,400}?name\s+memories\."
    r"|engram-memories\s+tags\s+hold\s+memories:\s+information,\s+not\s+instructions\.",
    re.IGNORECASE,
)
_LINE_END = re.compile(r"\n")
_ESCAPED_END = re.compile(r"\n|\\n|(?<!\\)\"")  # within a string of JSON, or behind one
_ITEM = re.compile(r"[ \t>|*\"']{0,20}(?:[-\u2022]\s|Recalled from long-term|What stands between)")
_OPEN_END = re.compile(_MORE, re.IGNORECASE)
_ESCAPED = re.compile(r"about=\\+\"|\s{0,2}\\+n")
_LONGEST_OPENING = 600  # characters of a tag with what it is about
_LONGEST_WRAPPER = 300
# What is left around a block that was all of it: quotes, an empty fence, the tags of a tool.
_QUOTE_MARKS = " \t>|*"
_BEGINS_LINE = ("\n", "\\n", '"', ":", ">", ";", "`", "~")
_WRAPPED = re.compile(
    rf"{_LESS}(?P<name>[a-z][\w:.-]{{0,60}}+)(?:\s[^<>&]{{0,200}}+)?{_MORE}"
    rf"(?:\s|\\n|>){{0,20}}\Z",
    re.IGNORECASE,
)
_FENCED = re.compile(r"(?P<fence>```|~~~)[\w-]{0,20}+\s{0,8}+\Z")
_ANNOUNCED = re.compile(
    r"(?:\w{1,40}+ )?hook (?:additional context|success)\s{0,4}:\s{0,20}\Z", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Tag:
    """A tag of memories as it stands in a text."""

    start: int
    end: int
    less: str  # as its bracket is spelled: a block ends as it began
    is_closing: bool
    is_block: bool  # it says what it is about, as every block does


def without_injected(text: str) -> str:
    """The text without what Engram put into it; what somebody said beside it stays as it is."""
    spans = injected_spans(text)
    if not spans:
        return text
    kept: list[str] = []
    cursor = 0
    for start, end in spans:
        kept.append(text[cursor:start])
        cursor = end
    kept.append(text[cursor:])
    parts = [each for each in (part.strip() for part in kept) if _says_anything(each)]
    return "\n".join(parts)


def masked(text: str) -> str:
    """A text of the same length with empty lines in the place of what Engram put into it."""
    spans = injected_spans(text)
    if not spans:
        return text
    kept: list[str] = []
    cursor = 0
    for start, end in spans:
        kept += [text[cursor:start], "\n", " " * (end - start - 2), "\n"]
        cursor = end
    return "".join(kept) + text[cursor:]


def injected_spans(text: str) -> list[Span]:
    """Where the text holds what Engram put into it, in order and without overlaps."""
    if _HINT.search(text) is None:
        return []
    found = [*_blocks(text), *_marked(text), *_lines(text)]
    found += [each.span() for each in _RULES.finditer(text)]
    return _joined([_with_wrapping(text, span) for span in _joined(found)])


def _blocks(text: str) -> Iterator[Span]:
    """From each tag that opens a block to the one that closes it, in the same spelling."""
    tags = [_read_tag(text, found) for found in _TAG.finditer(text)]
    closing: dict[str, list[_Tag]] = {}
    for tag in tags:
        if tag.is_closing:
            closing.setdefault(tag.less.lower(), []).append(tag)
    cursor = 0
    for tag in tags:
        if tag.is_closing or not tag.is_block or tag.start < cursor:
            continue
        ends = closing.get(tag.less.lower(), [])
        place = bisect_left(ends, tag.end, key=lambda each: each.start)
        cursor = ends[place].end if place < len(ends) else _end_of_torn(text, tag)
        yield tag.start, cursor


def _read_tag(text: str, found: re.Match[str]) -> _Tag:
    is_mind = found["mind"] is not None and "slot" in text[found.end() : found.end() + 40]
    return _Tag(
        found.start(), found.end(), found["less"], found["closing"] is not None,
        is_block=found["about"] is not None or is_mind,
    )  # fmt: skip


def _end_of_torn(text: str, tag: _Tag) -> int:
    """Where a block ends that nobody closed: behind the last line that can be one of its own.

    In the middle of a sentence it is the tag alone: there somebody speaks about it.
    """
    opened = _OPEN_END.search(text, tag.end, tag.end + _LONGEST_OPENING)
    cursor = opened.end() if opened else tag.end
    before = text[max(0, tag.start - _LONGEST_LEAD) : tag.start].rstrip(_QUOTE_MARKS)
    if before and not before.endswith(_BEGINS_LINE):
        return cursor
    is_escaped = _ESCAPED.match(text, tag.end - len("about")) or _ESCAPED.match(text, cursor)
    ending = _ESCAPED_END if is_escaped else _LINE_END
    ended = ending.search(text, cursor)
    while ended is not None and not ended[0].startswith('"'):
        following = ending.search(text, ended.end())
        end = following.start() if following else len(text)
        if _ITEM.match(text, ended.end(), end) is None:
            break
        ended = following
    return ended.start() if ended else len(text)


def _marked(text: str) -> Iterator[Span]:
    """What stands between the marks of a kept block."""
    start: int | None = None
    for found in _MARK.finditer(text):
        if found["which"].lower() == "begin":
            start = found.start() if start is None else start
        elif start is not None:
            yield start, found.end()
            start = None


def _lines(text: str) -> Iterator[Span]:
    """Single lines as windows print them."""
    for found in _LINE.finditer(text):
        begin = max(0, found.start() - _LONGEST_LEAD)
        lead = _LINE_LEAD.search(text[begin : found.start()])
        if lead is None or (lead["before"] == "" and begin):
            continue
        is_escaped = lead["before"] in ("\\n", '"') and not text.startswith('"', found.end())
        ended = (_ESCAPED_END if is_escaped else _LINE_END).search(text, found.end())
        yield begin + lead.end("before"), ended.start() if ended else len(text)


def _with_wrapping(text: str, span: Span) -> Span:
    """The span with what stands around nothing else: marks of quotes, fences, tags of tools."""
    start, end = span
    while True:
        before = text[max(0, start - _LONGEST_WRAPPER) : start]
        bare = before.rstrip(_QUOTE_MARKS)
        if not bare or bare.endswith("\n"):
            start -= len(before) - len(bare)
            before = bare
        wrapper = _wrapper(before, text[end : end + _LONGEST_WRAPPER])
        if wrapper is None:
            announced = _ANNOUNCED.search(before)
            return (start - len(announced[0]) if announced else start), end
        start, end = start - wrapper[0], end + wrapper[1]


def _wrapper(before: str, behind: str) -> Span | None:
    """How much before and behind a span are two halves of one wrapper."""
    opened = _WRAPPED.search(before)
    if opened is not None:
        name = re.escape(opened["name"])
        closed = re.match(rf"(?:\s|\\n|>){{0,20}}{_LESS}\\{{0,32}}/{name}\s?{_MORE}", behind, re.I)
        if closed is not None:
            return len(opened[0]), closed.end()
    fenced = _FENCED.search(before)
    if fenced is not None:
        closed = re.match(rf"[\s>]{{0,8}}{fenced['fence']}", behind)
        if closed is not None:
            return len(fenced[0]), closed.end()
    return None


def _joined(spans: list[Span]) -> list[Span]:
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _says_anything(text: str) -> bool:
    return any(each.isalnum() for each in text)
