"""The values that `lessons.py` writes and `train.py` reads. Needs nothing of Engram."""

import random
from dataclasses import dataclass
from typing import Any

NO_CHANGE = -1  # whichever of the relations that change nothing
NEAR_SHARE = 0.4


@dataclass(frozen=True)
class LabelledClause:
    """A part of a turn, with the label of the piece it lies in."""

    start: int
    end: int
    is_kept: bool
    category: int  # -1: not kept
    modality: int


@dataclass(frozen=True)
class Turn:
    """A labelled turn; places are those of tokens. One without labels has no clauses."""

    ids: list[int]
    places: list[tuple[int, int]]
    clauses: list[LabelledClause]
    addressee: int
    starts: list[tuple[int, bool]]  # a token, and whether a piece begins there


@dataclass(frozen=True)
class Lessons:
    """Pairs of texts: those that people labelled, and near ones that follow from their labels."""

    told: list[tuple[list[int], list[int], int]]
    near: list[tuple[list[int], list[int], int]]

    def some(self, dice: random.Random) -> list[tuple[list[int], list[int], int]]:
        """All that was told, with a share of the near ones: another one in every epoch."""
        return self.told + dice.sample(self.near, int(NEAR_SHARE * len(self.near)))


@dataclass(frozen=True)
class Asked:
    """A question and places of texts: of those that answer, are told not to, are near, are far."""

    ids: list[int]
    right: list[int]
    wrong: list[int]
    near: list[int]  # nobody says whether they answer
    far: list[int]


@dataclass(frozen=True)
class Material:
    """Everything there is to learn, and what the figures are of."""

    turns: list[Turn]
    untold: list[Turn]
    relations: Lessons
    texts: list[list[int]]
    asked: list[Asked]
    stores: list[dict[str, Any]]
    facts: list[dict[str, Any]]


@dataclass(frozen=True)
class Example:
    """A question, the texts that answer it, and texts of its own store or topic that may not."""

    place: str  # store or topic: its texts are not held against each other's questions
    question: str
    right: tuple[str, ...]
    others: tuple[str, ...]
    is_labelled: bool  # that the others do not answer is told and not guessed
