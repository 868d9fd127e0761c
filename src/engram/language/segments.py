"""Cuts a turn into sentences, each with its place; code, logs and quotations are set apart.

One pass over the lines; every pattern is anchored and without nested repetition, so that a hostile
text costs no more than its length.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engram.language.sentences import split_sentences
from engram.language.tables import pattern_of
from engram.text.injected import injected_spans, masked
from engram.text.markup import LIST_ITEM, LinePatterns, lines_of

MOST_CHARACTERS = 16_384  # a longer turn is a document; what is beyond is named as skipped
_FEWEST_LETTERS = 2


@dataclass(frozen=True, slots=True)
class Cut:
    """A part of the turn that is not the speaker's own prose."""

    start: int
    end: int
    reason: str


@dataclass(frozen=True, slots=True)
class Segments:
    """All of a turn in order: where sentences begin and end, and what is not read."""

    sentences: tuple[tuple[int, int], ...]
    cuts: tuple[Cut, ...]


_PATTERNS = LinePatterns(
    recalled_open=pattern_of("recalled_open"),
    recalled_heading=pattern_of("recalled_heading"),
    pasted=(pattern_of("log"), pattern_of("pasted")),
    code=pattern_of("code"),
)
# "[shares a picture: …]" and the like tell what was sent along, not what was said.
_ATTACHMENT = pattern_of("attachment")
_SPACE = re.compile(r"\s+")


def segment(text: str) -> Segments:
    """The sentences of a turn in order, and the parts that are not prose with the reason."""
    sentences: list[tuple[int, int]] = []
    read = text[:MOST_CHARACTERS]
    cuts = [Cut(start, end, "recalled") for start, end in injected_spans(read)]
    read = masked(read) if cuts else read
    for start, line, reason in lines_of(read, _PATTERNS):
        if reason is not None:
            cuts.append(Cut(start, start + len(line), reason))
            continue
        for begin, end in _prose_of(line, start, cuts):
            for found in split_sentences(read[begin:end].replace("\n", " ")):
                if sum(map(str.isalnum, found.text)) >= _FEWEST_LETTERS:
                    sentences.append((begin + found.start, begin + found.end))
    if len(text) > MOST_CHARACTERS:
        cuts.append(Cut(MOST_CHARACTERS, len(text), "too long"))
    return Segments(tuple(sentences), tuple(cuts))


def word_starts(text: str, spans: Sequence[tuple[int, int]]) -> list[int]:
    """Where words begin in sentences, but for the first of a line or list item."""
    found, last = [], 0
    for start, end in spans:
        gap = text[last:start]
        if last and gap and gap.isspace() and "\n" not in gap:
            found.append(start)
        found += [each.end() for each in _SPACE.finditer(text, start, end) if each.end() < end]
        last = end
    return found


def _prose_of(line: str, start: int, cuts: list[Cut]) -> Iterator[tuple[int, int]]:
    """The spans of prose in one line, without the mark of a list item and without attachments."""
    item = LIST_ITEM.match(line)
    begin = item.end() if item else 0
    for found in _ATTACHMENT.finditer(line, begin):
        cuts.append(Cut(start + found.start(), start + found.end(), "attachment"))
        if line[begin : found.start()].strip():
            yield start + begin, start + found.start()
        begin = found.end()
    if line[begin:].strip():
        yield start + begin, start + len(line)
