"""Cuts a turn into clauses, each with its place; code, logs and quotations are set apart.

Every clause is a span of the text as it was written: `text[clause.start:clause.end]`. One pass over
the lines; every pattern is anchored and without nested repetition, so that a hostile text costs no
more than its length.
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

    @property
    def sentences(self) -> tuple[tuple[int, int], ...]:
        """Where the sentences stand; a reader may cut or join them."""
        found: dict[int, tuple[int, int]] = {}
        for each in self.clauses:
            begin, _ = found.get(each.sentence, (each.start, each.end))
            found[each.sentence] = (begin, each.end)
        return tuple(found.values())


_PATTERNS = LinePatterns(
    recalled_open=pattern_of("recalled_open"),
    recalled_heading=pattern_of("recalled_heading"),
    pasted=(pattern_of("log"), pattern_of("pasted")),
    code=pattern_of("code"),
)
# "[shares a picture: …]" and the like tell what was sent along, not what was said.
_ATTACHMENT = pattern_of("attachment")
# Where a sentence may be cut: before what asks, after what only opens it, between two clauses
# that each have a subject.
_SEAM = pattern_of("seam")
_OPENING = pattern_of("opening")
_SPACE = re.compile(r"\s+")


def segment(text: str) -> Segments:
    """The clauses of a turn in order, and the parts that are not prose with the reason."""
    clauses: list[Clause] = []
    read = text[:MOST_CHARACTERS]
    cuts = [Cut(start, end, "recalled") for start, end in injected_spans(read)]
    read = masked(read) if cuts else read
    sentence = 0
    for start, line, reason in lines_of(read, _PATTERNS):
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


def _clauses_of(sentence: str, start: int, number: int) -> Iterator[Clause]:
    """One sentence at its seams; what has no letters joins what stands before it."""
    opening = _OPENING.match(sentence)
    seams = [opening.end()] if opening is not None and opening.end() < len(sentence) else []
    seams += [each.end() for each in _SEAM.finditer(sentence) if each.end() < len(sentence)]
    begin = 0
    for seam in (*seams, len(sentence)):
        piece = sentence[begin:seam].rstrip()
        if _letters(piece) >= _FEWEST_LETTERS:
            yield Clause(start + begin, start + begin + len(piece), number)
            begin = seam


def _letters(text: str) -> int:
    return sum(1 for letter in text[:200] if letter.isalnum())


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
