"""The corpus in `data/` as training reads it: rows with their part, and labels of clauses."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clauses import clauses
from material import LabelledClause

from engram.evaluation.corpus import (
    ADDRESSEES,
    CATEGORIES,
    KINDS,
    MODALITIES,
    PARTS,
    RELATIONS,
    Corpus,
)
from engram.language.segments import segment, word_starts

__all__ = [
    "ADDRESSEES", "CATEGORIES", "DATA", "KINDS", "MODALITIES", "PARTS", "RELATIONS",
    "Labelled", "LabelledClause", "gold_spans", "labelled", "rows", "said", "spoken",
]  # fmt: skip

DATA = Path(__file__).parents[2] / "data"


def rows(kind: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each row of one kind with the part of the corpus it belongs to."""
    yield from Corpus(DATA).rows(kind)


@dataclass(frozen=True)
class Labelled:
    """The text of a turn, its parts with labels, and at which words a new piece begins."""

    text: str
    clauses: list[LabelledClause]
    starts: list[tuple[int, bool]]


def labelled(row: dict[str, Any]) -> Labelled:
    """The pieces of a turn, and its clauses by rule, each with the label of what covers it most."""
    text, pieces = "", []
    for piece, label in row["p"]:
        lead = len(piece) - len(piece.lstrip())
        if piece.strip():
            begin = len(text) + lead
            pieces.append((begin, len(text) + len(piece.rstrip()), label.split(":")))
        text += piece
    found = [_labelled(begin, end, label) for begin, end, label in pieces]
    for start, end in clauses(text):
        covering = max(pieces, key=lambda each: min(each[1], end) - max(each[0], start))
        if end - start < covering[1] - covering[0]:
            found.append(_labelled(start, end, covering[2]))
    begins = {begin for begin, _, _ in pieces}
    starts = [(at, at in begins) for at in word_starts(text, segment(text).sentences)]
    return Labelled(text, found, starts)


def _labelled(start: int, end: int, label: list[str]) -> LabelledClause:
    kind, *rest = label
    category = CATEGORIES.index(rest[0]) if kind == "K" else -1
    return LabelledClause(start, end, kind == "K", category, MODALITIES.index(rest[-1]))


def gold_spans(row: dict[str, Any]) -> list[tuple[int, int]]:
    """Where the pieces to keep stand, without the space around them."""
    place, spans = 0, []
    for piece, label in row["p"]:
        if label.startswith("K"):
            lead = len(piece) - len(piece.lstrip())
            spans.append((place + lead, place + len(piece.rstrip())))
        place += len(piece)
    return spans


def spoken(speaker: str | None, text: str) -> str:
    """A statement as the model reads it: who said it, then the words."""
    return f"{speaker}: {text}" if speaker else text


def said(row: dict[str, Any], name: str = "fact") -> str:
    """A statement of a row as the model reads it."""
    return spoken(row.get("speaker"), row[name])
