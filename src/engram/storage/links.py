"""Links between memories as one caller may see them: none whose other end is out of sight."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import cast

from engram.memory.activation import MOST_AT_NODE
from engram.memory.ids import ChangeId, MemoryId
from engram.memory.links import WITHOUT_CIRCLES, Ends, Link, Replacement
from engram.storage.database import Row, Transaction, Value
from engram.storage.rows import change_from_row

MOST_LINKS = 1_000  # of all memories of one recall; a hub must not make a recall slow
TIED = "shares_node"  # what is between two beliefs about the same
_MOST_TIES = 200  # of one recall
_MOST_FOLLOWED = 20  # memories whose ties are followed on, for each hop
_CHANGE = 5  # where the columns of the change begin


@dataclass(frozen=True, slots=True)
class StoredLink:
    """A link as its row has it, also one that was taken back."""

    change_id: ChangeId
    from_number: int
    to_number: int
    relation: str
    withdrawn_by: ChangeId | None


class LinkReader:
    """Links seen through one caller's reach, in the view of the reader that handed this out."""

    def __init__(self, transaction: Transaction, reach: Mapping[str, Value]) -> None:
        self._transaction = transaction
        self._reach = reach

    def around(self, numbers: Iterable[int], *, limit: int = MOST_LINKS) -> list[Ends]:
        """The links that begin or end at these memories, both ends present and in sight.

        Beside those that were made come those the record tells of: `superseded_by` (corrections
        too), and `continues` between neighbouring parts of one split text. One query; newest
        memories first when there are more than the limit.
        """
        found = self._rows("links_around", _listed(numbers, limit))
        return [cast(Ends, tuple(row)) for row in found]

    def neighbourhood(
        self, numbers: Iterable[int], *, hops: int, limit: int = MOST_LINKS
    ) -> list[Ends]:
        """The links on all ways of at most so many hops from these memories: a query for each."""
        known: dict[Ends, None] = {}
        seen: set[int] = set()
        latest = set(numbers)
        for _ in range(hops):
            if not latest or len(known) >= limit:
                break
            seen |= latest
            known.update(dict.fromkeys(self.around(sorted(latest), limit=limit - len(known))))
            latest = {number for start, end, _ in known for number in (start, end)} - seen
        return list(known)

    def ties(self, numbers: Iterable[int], *, hops: int) -> list[Ends]:
        """Memories that tell of the same node, on ways of at most so many hops from these.

        What is known as beliefs is tied by whom and what it is about. A store without beliefs is
        asked one cheap question; of very many ties the newest memories' are followed.
        """
        if not self._transaction.rows("has_edges", {})[0][0]:
            return []
        known: dict[Ends, None] = {}
        seen: set[int] = set()
        latest = set(numbers)
        for _ in range(hops):
            followed = sorted(latest, reverse=True)[:_MOST_FOLLOWED]
            if not followed or len(known) >= _MOST_TIES:
                break
            seen |= latest
            limits = _listed(followed, _MOST_TIES - len(known))
            rows = self._rows("ties_around", {**limits, "most": MOST_AT_NODE})
            ties = [(cast(int, one), cast(int, other), TIED) for one, other in rows]
            known.update(dict.fromkeys(ties))
            latest = {other for _, other, _ in ties} - seen
        return list(known)

    def of(self, number: int, *, limit: int) -> list[Link]:
        """The links of one memory with the ids of both ends, and who made each, when and why."""
        found = self._rows("links_in_full", _listed([number], limit))
        return [_link_from_row(row) for row in found]

    def made_by(self, change_id: ChangeId) -> StoredLink | None:
        """The link that a change made; the caller's reach is checked on its ends elsewhere."""
        found = self._transaction.rows("link_by_change", {"change_id": change_id})
        return _stored(found)

    def between(self, from_number: int, to_number: int, relation: str) -> StoredLink | None:
        """The link between two memories in sight, or the last one that was taken back."""
        ends: dict[str, Value] = {
            "from_number": from_number,
            "to_number": to_number,
            "relation": relation,
        }
        return _stored(self._transaction.rows("link_by_ends", ends))

    def may_be_replaced_by(self, number: int) -> list[int]:
        """The memories that one may replace, where nobody has decided yet."""
        return [cast(int, row[0]) for row in self._rows("may_replace_links", {"number": number})]

    def replacements_of(self, numbers: Iterable[int]) -> list[Replacement]:
        """What replaced some memories in sight, or may have: old, new, and how sure that is."""
        listed: dict[str, Value] = {"numbers": f"[{','.join(map(str, numbers))}]"}
        rows = self._rows("replacements_of", listed)
        return [Replacement(cast(int, old), cast(int, new), str(how)) for old, new, how in rows]

    def changes_among(self, numbers: Iterable[int]) -> list[tuple[int, int]]:
        """Earlier and later memories, of which the later one changed the earlier one or may have.

        Only numbers are given: each one goes through a scoped query before it is seen.
        """
        listed = f"[{','.join(map(str, numbers))}]"
        rows = self._rows("changes_among", {"numbers": listed})
        return [(cast(int, old), cast(int, new)) for old, new in rows]

    def leads_to(self, from_number: int, to_number: int) -> bool:
        """Whether relations that must not run in a circle lead from one memory to another.

        Only over memories in sight: a refusal must not tell what lies elsewhere.
        """
        named = {f"relation_{index}": each.value for index, each in enumerate(WITHOUT_CIRCLES)}
        ends: dict[str, Value] = {"from_number": from_number, "to_number": to_number}
        return bool(self._rows("leads_to", {**ends, **named}))

    def _rows(self, query: str, parameters: Mapping[str, Value]) -> list[Row]:
        return self._transaction.rows(query, {**self._reach, **parameters})


def _listed(numbers: Iterable[int], limit: int) -> dict[str, Value]:
    return {"numbers": f"[{','.join(map(str, numbers))}]", "limit": limit}


def _stored(rows: list[Row]) -> StoredLink | None:
    if not rows:
        return None
    change_id, from_number, to_number, relation, withdrawn_by = rows[0]
    return StoredLink(
        ChangeId(cast(str, change_id)),
        cast(int, from_number),
        cast(int, to_number),
        cast(str, relation),
        cast("ChangeId | None", withdrawn_by),
    )


def _link_from_row(row: Row) -> Link:
    from_number, to_number, from_id, to_id, relation = row[:_CHANGE]
    return Link(
        from_number=cast(int, from_number),
        to_number=cast(int, to_number),
        from_id=MemoryId(cast(str, from_id)),
        to_id=MemoryId(cast(str, to_id)),
        relation=cast(str, relation),
        change=None if row[_CHANGE] is None else change_from_row(row[_CHANGE:]),
    )
