"""Where in a text something was found, and how finds that overlap are settled."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """One find: from `start` up to `end`, of a kind; certain when shape or checksum prove it."""

    start: int
    end: int
    kind: str
    is_certain: bool


def settled(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans in order of place; of those that overlap, the one that was named first."""
    ranked = [(span.start, order, span) for order, span in enumerate(spans)]
    kept: list[tuple[int, Span]] = []
    for _, order, span in sorted(ranked, key=lambda entry: entry[:2]):
        while kept and kept[-1][1].end > span.start and order < kept[-1][0]:
            kept.pop()
        if not kept or kept[-1][1].end <= span.start:
            kept.append((order, span))
    return tuple(span for _, span in kept)


def masked(text: str, spans: Iterable[Span]) -> str:
    """The text with `[kind]` in place of each span, so that the words around stay readable."""
    pieces: list[str] = []
    place = 0
    for span in sorted(spans, key=lambda each: (each.start, each.end)):
        if span.start >= place:
            pieces += [text[place : span.start], f"[{span.kind.replace('_', ' ')}]"]
        place = max(place, span.end)
    return "".join([*pieces, text[place:]])
