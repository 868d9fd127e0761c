"""What of a turn is the speaker's own prose: code, logs, quotations and recalled memories are cut.

One pass over the lines; every pattern is anchored and without nested repetition, so that a hostile
text costs no more than its length.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

MOST_CHARACTERS = 16_384  # a longer turn is a document; the rest is named as skipped
_CUT_SHOWN = 200  # how much of a skipped block is kept as its source


@dataclass(frozen=True, slots=True)
class Stretch:
    """A run of prose and where it begins; `heading` is the line that a list stands under."""

    text: str
    start: int
    heading: str | None = None


@dataclass(frozen=True, slots=True)
class Cut:
    """A part of the turn that is not the speaker's own words."""

    text: str
    reason: str


_FENCE = re.compile(r"\s*(?:```|~~~)")
_ITEM = re.compile(r"\s{0,12}(?:[-*•‣–]|\d{1,3}[.)]|[a-z]\))\s+(?=\S)")
_TASK_BOX = re.compile(r"\[[ xX]\]\s+")
_RECALLED_OPEN = re.compile(
    r"\s*<(memory|memories|recalled|recalled_memories|relevant_memories|context)\b[^>\n]{0,200}>",
    re.IGNORECASE,
)
_RECALLED_HEADING = re.compile(
    r"\s*(?:#{1,6}\s*)?(?:recalled|relevant|retrieved|remembered) "
    r"(?:memories|memory|context|facts)\b[^\n:]{0,40}:",
    re.IGNORECASE,
)
_LOG = re.compile(
    r"\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d[^\n]{0,30}?"
    r"\b(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|TRACE)\b"
    r"|\[?(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|TRACE)\]?[:\s]\s*\S"
    r"|Traceback \(most recent call last\)|File \"[^\"\n]+\", line \d|at [\w.$<>]+\([^)\n]*\)\s*$"
    r"|[\w.]+(?:Error|Exception): |npm ERR!|\d{1,3}(?:\.\d{1,3}){3} - - \[)"
)
_CODE = re.compile(
    r"\s*(?:\$ \S|>>> |\.\.\. |#include\b|#!/|@\w+\s*$|(?:def|class) \w+.*:\s*$"
    r"|(?:from [\w.]+ )?import [\w.{*]+|(?:const|let|var) \w+ ?=|function \w*\(|public \w+ "
    r"|SELECT .{1,200} FROM |(?:INSERT INTO|CREATE TABLE|ALTER TABLE) |</?\w+[^>]{0,200}>\s*$"
    r"|return [\w(\[{\"']+.*;$|if \(.*\{\s*$)"
)
_CODE_END = re.compile(r"[{};]\s*$|\)\s*=>\s*$|^\s*[}\])]+[;,]?\s*$")
_CODE_MARK = re.compile(r"[=(){}<>]|::|->")
_PASTED = re.compile(
    r"\s*(?:[{\[]\s*[\"{\[]|\"[\w.-]+\"\s*:|\||[+-]{3} [ab]/|diff --git|@@ -\d"
    r"|(?:From|To|Subject|Date|Cc): \S.*$|-----BEGIN )"
)
# "[shares a picture: …]" and the like tell what was sent along, not what was said.
_ATTACHMENT = re.compile(
    r"\[(?:[^\[\]\n]{0,40}\b)?(?:image|picture|photo|pic|video|file|attachment|link|gif|sticker)"
    r"\b[^\[\]\n]{0,400}\]",
    re.IGNORECASE,
)


def prose_of(text: str) -> tuple[list[Stretch], list[Cut]]:
    """The speaker's own prose in order, and what was cut with the reason."""
    stretches: list[Stretch] = []
    cuts: list[Cut] = []
    heading: str | None = None
    for start, line, reason in _joined(_lines(text[:MOST_CHARACTERS])):
        if reason:
            cuts.append(Cut(line.strip()[:_CUT_SHOWN], reason))
            continue
        item = _ITEM.match(line)
        if not line.strip():
            heading = heading if stretches and stretches[-1].text.rstrip().endswith(":") else None
            continue
        if item is None and line.rstrip().endswith(":"):
            heading = line.strip()
        elif item is None:
            heading = None
        stretches.extend(_without_attachments(line, start, item, heading, cuts))
    if len(text) > MOST_CHARACTERS:
        cuts.append(Cut(text[MOST_CHARACTERS : MOST_CHARACTERS + _CUT_SHOWN].strip(), "too long"))
    return stretches, cuts


def _without_attachments(
    line: str, start: int, item: re.Match[str] | None, heading: str | None, cuts: list[Cut]
) -> Iterator[Stretch]:
    """One line as stretches of prose, each at its place, with the marks of a list left out."""
    begin = item.end() if item else 0
    box = _TASK_BOX.match(line, begin) if item else None
    begin = box.end() if box else begin
    for found in _ATTACHMENT.finditer(line, begin):
        cuts.append(Cut(found[0][:_CUT_SHOWN], "attachment"))
        yield from _stretch(line, begin, found.start(), start, heading if item else None)
        begin = found.end()
    yield from _stretch(line, begin, len(line), start, heading if item else None)


def _stretch(line: str, begin: int, end: int, start: int, heading: str | None) -> Iterator[Stretch]:
    if line[begin:end].strip():
        yield Stretch(line[begin:end], start + begin, heading)


def _lines(text: str) -> Iterator[tuple[int, str, str | None]]:
    """Each line with its place and the reason it is not read, if there is one."""
    place = 0
    inside: str | None = None  # the reason of the block we stand in
    until = ""
    for line in text.split("\n"):
        opened = _opening(line) if inside is None else None
        if opened is not None:
            inside, until = opened
        reason = inside if inside is not None else _line_reason(line)
        yield place, line, reason
        place += len(line) + 1
        if inside is not None and _is_closed(line, until, is_first=opened is not None):
            inside = None


def _opening(line: str) -> tuple[str, str] | None:
    """The block that a line opens: its reason and what ends it."""
    if _FENCE.match(line):
        return "code", line.strip()[:3]
    recalled = _RECALLED_OPEN.match(line)
    if recalled is not None:
        return "recalled", f"</{recalled[1].lower()}"
    return ("recalled", "") if _RECALLED_HEADING.match(line) else None


def _is_closed(line: str, until: str, *, is_first: bool) -> bool:
    if not until:
        return not line.strip()
    if until in ("```", "~~~"):
        return line.count(until) >= 2 if is_first else line.strip().startswith(until)
    return until in line.lower()


def _line_reason(line: str) -> str | None:
    head = line[:400]  # the start of a line tells what it is
    if head.lstrip().startswith(">") and not head.lstrip().startswith(">>>"):
        return "quoted"
    if _LOG.match(head) or _PASTED.match(head):
        return "pasted"
    is_code = _CODE.match(head) or (_CODE_END.search(line[-40:]) and _CODE_MARK.search(head))
    return "code" if is_code else None


_ENDS = (".", "!", "?", "…", ":", ";", '"', "”", ")")
_WRAPPED = 60  # a line shorter than this was ended by its writer


def _joined(
    lines: Iterator[tuple[int, str, str | None]],
) -> Iterator[tuple[int, str, str | None]]:
    """Prose that was wrapped at the margin is one line again."""
    held: tuple[int, list[str], str | None] | None = None
    for start, line, reason in lines:
        if held is not None and _goes_on(held, line, reason):
            held[1].append(line)
            continue
        if held is not None:
            yield held[0], "\n".join(held[1]), held[2]
        held = (start, [line], reason)
    if held is not None:
        yield held[0], "\n".join(held[1]), held[2]


def _goes_on(held: tuple[int, list[str], str | None], line: str, reason: str | None) -> bool:
    if reason is not None or held[2] is not None:
        return reason is not None and reason == held[2]
    last = held[1][-1]
    return (
        len(last) >= _WRAPPED
        and not last.rstrip().endswith(_ENDS)
        and line.lstrip()[:1].islower()
        and _ITEM.match(line) is None
    )
