"""The graph in short: strands to follow."""

import json
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, cast

from engram.memory.knowledge.belief import corroborated
from engram.memory.knowledge.graph import Direction, Leg, Strand
from engram.storage.conditions import Moments
from engram.storage.database import Row, Transaction, Value

if TYPE_CHECKING:
    from engram.storage.knowledge import KnowledgeReader

MOST_STRANDS = 5_000  # of one step; further from the start nobody looks at so many


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

    def _rows(self, query: str, parameters: Mapping[str, Value]) -> list[Row]:
        return self._transaction.rows(query, {**self._reach, **parameters})


def _strand(row: Row) -> Strand:
    support, weight = cast(int, row[8]), cast(float, row[9])
    strand = Strand(*row[:8])  # type: ignore[arg-type]  # in the order of the query
    if support < 2 and weight == 1.0:
        return strand
    # A weak tie is followed like a doubtful one: ways along strong and sure ones come first.
    return strand._replace(confidence=corroborated(strand.confidence, support) * weight)
