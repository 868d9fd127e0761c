"""Splits a text that is too long for one memory at its natural seams, losing nothing."""

import re
from collections.abc import Iterator

# From the gentlest seam to the hardest: paragraphs, lines, sentences, words. The seams have no
# width: what stands on either side stays there.
_SEAMS = (
    re.compile(r"(?<=\n\n)(?!\n)"),
    re.compile(r"(?<=\n)"),
    re.compile(r"(?<=[.!?。！？])(?=\s)"),
    re.compile(r"(?<=\s)"),
    re.compile(r"(?=\s)"),  # a word that just fits is not cut for the space behind it
)


def split(text: str, max_bytes: int) -> list[str]:
    """Pieces of at most that many bytes; together they hold every word of the text."""
    if len(text.encode()) <= max_bytes:
        return [text]
    return [piece for piece in _packed(_pieces(text, max_bytes, 0), max_bytes) if piece.strip()]


def _pieces(text: str, max_bytes: int, seam: int) -> Iterator[str]:
    if len(text.encode()) <= max_bytes:
        yield text
    elif seam == len(_SEAMS):
        yield from _cut(text, max_bytes)
    else:
        for piece in _SEAMS[seam].split(text):
            yield from _pieces(piece, max_bytes, seam + 1)


def _cut(text: str, max_bytes: int) -> Iterator[str]:
    width = max(1, max_bytes // 4)  # a character takes at most four bytes
    for start in range(0, len(text), width):
        yield text[start : start + width]


def _packed(pieces: Iterator[str], max_bytes: int) -> Iterator[str]:
    """Join neighbours again as long as they fit."""
    held, size = "", 0
    for piece in pieces:
        more = len(piece.encode())
        if held and size + more > max_bytes:
            yield held.strip()
            held, size = "", 0
        held, size = held + piece, size + more
    yield held.strip()
