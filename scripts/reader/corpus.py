"""The corpus in `data/` as training reads it: rows with their part, and labels of clauses."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engram.evaluation.corpus import (
    ADDRESSEES,
    CATEGORIES,
    KINDS,
    MODALITIES,
    PARTS,
    RELATIONS,
    Corpus,
)
from engram.language.segments import segment

__all__ = [
    "ADDRESSEES", "CATEGORIES", "DATA", "KINDS", "MODALITIES", "PARTS", "RELATIONS",
    "LabelledClause", "gold_spans", "labelled_clauses", "rows", "spoken",
]  # fmt: skip

DATA = Path(__file__).parents[2] / "data"


def rows(kind: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each row of one kind with the part of the corpus it belongs to."""
    yield from Corpus(DATA).rows(kind)


@dataclass(frozen=True)
class LabelledClause:
    """A clause as the segmenter cuts it, with the label of the piece it lies in."""

    start: int
    end: int
    is_kept: bool
    category: int  # -1: not kept
    modality: int


def labelled_clauses(row: dict[str, Any]) -> tuple[str, list[LabelledClause]]:
    """The text of a turn and its clauses, each labelled by the piece that covers most of it."""
    text, pieces = "", []
    for piece, label in row["p"]:
        pieces.append((len(text), len(text) + len(piece), label.split(":")))
        text += piece
    found = []
    for clause in segment(text).clauses:
        covering = max(
            pieces, key=lambda each: min(each[1], clause.end) - max(each[0], clause.start)
        )
        kind, *rest = covering[2]
        category = CATEGORIES.index(rest[0]) if kind == "K" else -1
        found.append(
            LabelledClause(
                clause.start, clause.end, kind == "K", category, MODALITIES.index(rest[-1])
            )
        )
    return text, found


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
