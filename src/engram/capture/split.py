"""Splits a text that is too long for one memory at its natural seams, losing nothing."""

import re
from collections.abc import Iterator

# From the gentlest seam to the hardest: paragraphs, lines, sentences, words, characters.
_SEAMS = (
    re.compile(r"(?<=\n)\s*\n+"),
    re.compile(r"(?<=\n)"),
    re.compile(r"(?<=[.!?。！？])\s+"),
    re.compile(r"(?<=\s)"),
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
    held = ""
    for piece in pieces:
        joined = _joined(held, piece)
        if held and len(joined.encode()) > max_bytes:
            yield held.strip()
            held = piece
        else:
            held = joined
    if held:
        yield held.strip()


def _joined(first: str, second: str) -> str:
    if not first or first[-1].isspace():
        return first + second
    return f"{first} {second}"
