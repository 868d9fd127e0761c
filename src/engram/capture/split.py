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
    return [text[start:end] for start, end in split_places(text, max_bytes)]


def split_places(text: str, max_bytes: int) -> list[tuple[int, int]]:
    """Where these pieces begin and end in the text."""
    if len(text.encode()) <= max_bytes:
        return [(0, len(text))]
    packed = _packed(_pieces(text, max_bytes, 0), max_bytes)
    trimmed = (_trimmed(text, start, end) for start, end in packed)
    return [(start, end) for start, end in trimmed if start < end]


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


def _packed(pieces: Iterator[str], max_bytes: int) -> Iterator[tuple[int, int]]:
    """Where each row of neighbours begins and ends that fits together."""
    start = place = size = 0
    for piece in pieces:
        more = len(piece.encode())
        if place > start and size + more > max_bytes:
            yield start, place
            start, size = place, 0
        place, size = place + len(piece), size + more
    yield start, place


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end].rstrip()
    return start + len(piece) - len(piece.lstrip()), start + len(piece)
