"""Cuts a turn into clauses, each with its place; code, logs and quotations are set apart.

Every clause is a span of the text as it was written: `text[clause.start:clause.end]`. One pass over
the lines; every pattern is anchored and without nested repetition, so that a hostile text costs no
more than its length.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from engram.language.sentences import split_sentences
from engram.language.tables import pattern_of
from engram.text.injected import injected_spans, masked

MOST_CHARACTERS = 16_384  # a longer turn is a document; what is beyond is named as skipped
_FEWEST_LETTERS = 2


@dataclass(frozen=True, slots=True)
class Clause:
    """A sentence, or a part of one that says something by itself."""

    start: int
    end: int
    sentence: int  # which sentence of the turn it belongs to


@dataclass(frozen=True, slots=True)
class Cut:
    """A part of the turn that is not the speaker's own prose."""

    start: int
    end: int
    reason: str


@dataclass(frozen=True, slots=True)
class Segments:
    """All of a turn in order: what is said, and what is not read."""

    clauses: tuple[Clause, ...]
    cuts: tuple[Cut, ...]


_FENCE = re.compile(r"\s*(?:```|~~~)")
_ITEM = re.compile(r"\s{0,12}(?:[-*•‣–]|\d{1,3}[.)]|[a-z]\))\s+(?=\S)(?:\[[ xX]\]\s+)?")
_RECALLED_OPEN = pattern_of("recalled_open")
_RECALLED_HEADING = pattern_of("recalled_heading")
_LOG = pattern_of("log")
_CODE = pattern_of("code")
_CODE_END = re.compile(r"[{};]\s*$|\)\s*=>\s*$|^\s*[}\])]+[;,]?\s*$")
_CODE_MARK = re.compile(r"[=(){}<>]|::|->")
_PASTED = pattern_of("pasted")
_HEADING = re.compile(r"\s*#{1,6}\s+\S")
# "[shares a picture: …]" and the like tell what was sent along, not what was said.
_ATTACHMENT = pattern_of("attachment")
# Where a sentence may be cut: before what asks, after what only opens it, between two clauses
# that each have a subject.
_SEAM = pattern_of("seam")
_OPENING = pattern_of("opening")


def segment(text: str) -> Segments:
    """The clauses of a turn in order, and the parts that are not prose with the reason."""
    clauses: list[Clause] = []
    read = text[:MOST_CHARACTERS]
    cuts = [Cut(start, end, "recalled") for start, end in injected_spans(read)]
    read = masked(read) if cuts else read
    sentence = 0
    for start, line, reason in _join_wrapped(_lines(read)):
        if reason is not None:
            cuts.append(Cut(start, start + len(line), reason))
            continue
        for begin, end in _prose_of(line, start, cuts):
            for found in split_sentences(read[begin:end]):
                at = begin + found.start
                clauses.extend(_clauses_of(found.text, at, sentence))
                sentence += 1
    if len(text) > MOST_CHARACTERS:
        cuts.append(Cut(MOST_CHARACTERS, len(text), "too long"))
    return Segments(tuple(clauses), tuple(cuts))


def _clauses_of(sentence: str, start: int, number: int) -> Iterator[Clause]:
    """One sentence at its seams; what has no letters joins what stands before it."""
    opening = _OPENING.match(sentence)
    seams = [opening.end()] if opening is not None and opening.end() < len(sentence) else []
    seams += [each.end() for each in _SEAM.finditer(sentence) if each.end() < len(sentence)]
    begin = 0
    for seam in (*seams, len(sentence)):
        piece = sentence[begin:seam]
        is_last = seam == len(sentence)
        if not is_last and (_letters(piece) < _FEWEST_LETTERS or seam <= begin):
            continue
        if is_last and _letters(piece) < _FEWEST_LETTERS:
            break
        trimmed = piece.rstrip()
        yield Clause(start + begin, start + begin + len(trimmed), number)
        begin = seam


def _letters(text: str) -> int:
    return sum(1 for letter in text[:200] if letter.isalnum())


def _prose_of(line: str, start: int, cuts: list[Cut]) -> Iterator[tuple[int, int]]:
    """The spans of prose in one line, without the mark of a list item and without attachments."""
    item = _ITEM.match(line)
    begin = item.end() if item else 0
    for found in _ATTACHMENT.finditer(line, begin):
        cuts.append(Cut(start + found.start(), start + found.end(), "attachment"))
        if line[begin : found.start()].strip():
            yield start + begin, start + found.start()
        begin = found.end()
    if line[begin:].strip():
        yield start + begin, start + len(line)


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
    if _HEADING.match(head):
        return "heading"
    if _LOG.match(head) or _PASTED.match(head):
        return "pasted"
    is_code = _CODE.match(head) or (_CODE_END.search(line[-40:]) and _CODE_MARK.search(head))
    return "code" if is_code else None


_ENDS = (".", "!", "?", "…", ":", ";", '"', "”", ")")
_WRAPPED = 60  # a line shorter than this was ended by its writer


def _join_wrapped(
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
