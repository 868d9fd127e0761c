"""Insertions into a text, which can be taken out again without a trace."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Splice:
    """A text that is put in at a place (counted in the text before)."""

    place: int
    text: str


def spliced(text: str, splices: Sequence[Splice]) -> str:
    """The text with all of them put in."""
    pieces, done = [], 0
    for splice in sorted(splices, key=lambda each: each.place):
        pieces += [text[done : splice.place], splice.text]
        done = splice.place
    return "".join([*pieces, text[done:]])


def unspliced(text: str, splices: Sequence[Splice]) -> str | None:
    """The text as it was before; None when something else stands in their place."""
    pieces, done, shift = [], 0, 0
    for splice in sorted(splices, key=lambda each: each.place):
        start = splice.place + shift
        end = start + len(splice.text)
        if text[start:end] != splice.text:
            return None
        pieces.append(text[done:start])
        done, shift = end, shift + len(splice.text)
    return "".join([*pieces, text[done:]])


def newline_of(text: str) -> str:
    """How the lines of a text end."""
    return "\r\n" if "\r\n" in text else "\n"
