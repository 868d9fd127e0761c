"""A sentence as clauses: what stands before a word and what behind it.

A shallow reading of English by its small words. Whatever it cannot read it reads as something that
compares with nothing, which is safe for those who look for contradictions only.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engram.language.sentences import split_sentences
from engram.memory.clauses.order import completed, in_order, parts_of, says_something
from engram.memory.clauses.pieces import Kind, Piece, Pieces, Unit, pieces_of

_MOST_CHARACTERS = 4_000  # of one account that are looked at; a model is shown less
_MOST_UNITS = 40  # of one clause; more is a list or a table


@dataclass(frozen=True, slots=True)
class Account:
    """What was told, and by whom it was told in the first person."""

    text: str
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Clause:
    """What stands before one word and what behind it."""

    left: tuple[Unit, ...]
    pivot: str
    right: tuple[Unit, ...]
    words: frozenset[str]  # of the whole part, in their plain forms

    @property
    def units(self) -> tuple[Unit, ...]:
        """Everything but the pivot."""
        return (*self.left, *self.right)

    @property
    def head(self) -> Unit | None:
        """Who or what does it: the last before the pivot that belongs to nothing else."""
        bare = [unit for unit in self.left if not unit.is_owner and not unit.place]
        return bare[-1] if bare else None

    @property
    def first(self) -> Unit | None:
        """What it is done to, or where: the first behind the pivot."""
        return self.right[0] if self.right else None


def clauses_of(account: Account) -> tuple[Clause, ...]:
    """The clauses of a text, one for each word that may say what somebody does."""
    found: list[Clause] = []
    for sentence in split_sentences(account.text[:_MOST_CHARACTERS]):
        before: Pieces = []
        for part in parts_of(pieces_of(sentence.text, account.speaker)):
            whole = in_order(completed(part, before))
            found += _clauses(whole)
            if part and part[0].kind == Kind.RELATIVE:
                before = before or part[1:2]  # who goes on is whom the aside is about
            elif says_something(whole):
                before = whole
    return tuple(found)


def _clauses(part: Pieces) -> Iterator[Clause]:
    """One clause for each word that may be the one that matters."""
    units = [each for each in part if each.unit is not None or each.kind == Kind.BE][:_MOST_UNITS]
    words = frozenset(
        form for each in units if each.unit and not each.unit.is_name for form in each.unit.forms
    )
    for place, piece in enumerate(units):
        pivot = _pivot(piece)
        if pivot and place:
            left = _units(units[:place])
            yield Clause(left, pivot, _units(units[place + 1 :]), words)


def _pivot(piece: Piece) -> str:
    if piece.kind == Kind.BE:
        return "be"
    unit = piece.unit
    is_word = unit is not None and not (unit.is_name or unit.is_number or unit.is_owner)
    return next(iter(unit.forms)) if unit is not None and is_word else ""


def _units(pieces: Sequence[Piece]) -> tuple[Unit, ...]:
    return tuple(each.unit for each in pieces if each.unit is not None)
