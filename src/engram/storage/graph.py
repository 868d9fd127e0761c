"""The graph in short: strands to follow, and what texts claim.

What is learned and what is read off texts is one graph here; a claim has no row of its own beside
the memory, so nothing is kept twice.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple, cast

from engram.memory.knowledge.belief import corroborated
from engram.memory.knowledge.graph import Direction, Leg, Strand
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.storage.conditions import Moments
from engram.storage.database import Row, Transaction, Value
from engram.storage.rows import MEMORY_COLUMNS, memory_from_row, scope_at

if TYPE_CHECKING:
    from engram.storage.knowledge import KnowledgeReader

MOST_STRANDS = 5_000  # of one step; further from the start nobody looks at so many
_MOST_MENTIONS = 2_000  # of names in texts, for one step


class ToldClaim(NamedTuple):
    """What a text claims, in short."""

    number: int
    subject: str
    label: str  # the subject as it is written
    predicate: str
    object: str
    confidence: float
    trust: float
    source: str
    valid_from: int | None
    valid_until: int | None
    subject_sort: str | None  # what sort of name the subject is
    place: str  # the path of the memory's scope

    @property
    def scope(self) -> Scope:
        """Where it is told."""
        return scope_at(self.place)


class ClaimedSubject(NamedTuple):
    """Somebody or something of whom texts claim something."""

    name: str
    label: str
    number: int  # of the newest memory that does
    sort: str | None
    place: str

    @property
    def scope(self) -> Scope:
        """Where it is told."""
        return scope_at(self.place)


class GraphReader:
    """The graph seen through one caller's reach."""

    def __init__(
        self, transaction: Transaction, reach: Mapping[str, Value], knowledge: "KnowledgeReader"
    ) -> None:
        self._transaction = transaction
        self._reach = reach
        self._knowledge = knowledge

    def strands_at(
        self,
        ids: Collection[str],
        leg: Leg,
        moments: Moments,
        *,
        limit: int = MOST_STRANDS,
    ) -> list[Strand]:
        """The learned beliefs that a leg can take from these nodes, newest first."""
        names = self._knowledge.same_names
        asked: dict[str, Value] = {
            "ids": json.dumps(names.with_twins(ids)),
            "relations": None if leg.relations is None else json.dumps(leg.relations),
            "outward": int(leg.direction is not Direction.IN),
            "inward": int(leg.direction is not Direction.OUT),
            "most": leg.most,
            "limit": limit,
            **moments.parameters(),
        }
        # One that lies between two of the nodes is found from both.
        rows = {row[0]: row for row in self._rows("strands_at", asked)}
        found = [_strand(row) for row in rows.values()]
        if not names.is_any:
            return found
        meant = names.canonical
        one = (each._replace(source=meant(each.source), target=meant(each.target))
               for each in found)  # fmt: skip
        return [each for each in one if each.source != each.target]

    # What texts claim

    def has_claims(self) -> bool:
        """Whether any text claims anything at all."""
        return bool(self._transaction.rows("has_claims", {})[0][0])

    def claims_from(
        self, names: Collection[str], ids: Collection[str], moments: Moments
    ) -> list[ToldClaim]:
        """What texts claim of these names, and of the nodes of these ids."""
        asked = {**_asked(names, ids), **moments.parameters()}
        return [_claim(row) for row in self._rows("claims_from", asked)]

    def claims_to(
        self, names: Collection[str], ids: Collection[str], moments: Moments
    ) -> list[ToldClaim]:
        """What texts claim with these names, or those of these nodes, as its value."""
        asked = {**_asked(names, ids), **moments.parameters(), "most": _MOST_MENTIONS}
        return [_claim(row) for row in self._rows("claims_to", asked)]

    def claims_told_by(
        self, numbers: Iterable[int], moments: Moments
    ) -> list[tuple[Memory, ToldClaim]]:
        """What these memories claim."""
        asked = {"numbers": json.dumps(list(numbers)), **moments.parameters()}
        return [
            (memory_from_row(row), _claim(row[MEMORY_COLUMNS:]))
            for row in self._rows("claims_told_by", asked)
        ]

    def claimed_subjects(self, moments: Moments, *, limit: int) -> list[ClaimedSubject]:
        """Of whom and what texts claim something, those that were spoken of last first."""
        rows = self._rows("claimed_subjects", {"limit": limit, **moments.parameters()})
        # In the order of the query.
        return [ClaimedSubject(*row) for row in rows]  # type: ignore[arg-type]

    def _rows(self, query: str, parameters: Mapping[str, Value]) -> list[Row]:
        return self._transaction.rows(query, {**self._reach, **parameters})


def _strand(row: Row) -> Strand:
    support, weight = cast(int, row[8]), cast(float, row[9])
    strand = Strand(*row[:8])  # type: ignore[arg-type]  # in the order of the query
    if support < 2 and weight == 1.0:
        return strand
    # A weak tie is followed like a doubtful one: ways along strong and sure ones come first.
    return strand._replace(confidence=corroborated(strand.confidence, support) * weight)


def _claim(row: Row) -> ToldClaim:
    return ToldClaim(*row[: len(ToldClaim._fields)])  # type: ignore[arg-type]  # as it is asked


def _asked(names: Collection[str], ids: Collection[str]) -> dict[str, Value]:
    return {
        "names": json.dumps(list(names)),
        "ids": json.dumps(list(ids)),
        "limit": MOST_STRANDS,
    }
