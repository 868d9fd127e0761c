"""What may be over, faded, earned or doubted in one scope: candidates; rules decide."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from engram.memory.ids import MemoryId
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.memory.times import to_micros
from engram.memory.vocabulary import Layer
from engram.storage.database import Row, Transaction, Value, stored_time
from engram.storage.rows import memory_from_row

_PAGE = 200  # rows read at once: a few milliseconds
_LAYERS = 3


@dataclass(frozen=True, slots=True)
class IdleTurn:
    """A turn by its number, and when it was last touched."""

    number: int
    touched_at: datetime


@dataclass(frozen=True, slots=True)
class Walk:
    """How a pass goes through rows: from which number, at most how many, pausing in between."""

    after: int
    most: int
    pause: Callable[[], None]


class AgingReader:
    """Candidates of the passes that retire and move memories, through one caller's reach."""

    def __init__(self, transaction: Transaction, reach: Mapping[str, Value]) -> None:
        self._transaction = transaction
        self._reach = reach

    def perhaps_over(
        self, scope: Scope, now: datetime, walk: Walk, *, speculative: float, commitment: str
    ) -> Iterator[Memory]:
        """Guesses, promises and what is past its horizon, oldest first; none that is pinned."""
        wanted: dict[str, Value] = {
            "instant": to_micros(now), "speculative": speculative, "commitment": commitment,
        }  # fmt: skip
        return self._walked("perhaps_over", scope, walk, wanted)

    def last_confirmed(self, numbers: Iterable[int]) -> dict[int, datetime]:
        """When memories were last said again."""
        rows = self._rows("last_confirmed", {"numbers": _listed(numbers)})
        return {cast(int, number): stored_time(moment) for number, moment in rows}

    def perhaps_faded(
        self,
        scope: Scope,
        walk: Walk,
        *,
        layers: Sequence[Layer],
        learned_before: datetime,
        accesses: int,
    ) -> Iterator[Memory]:
        """Active statements that are old and hardly used, oldest first; none that is pinned."""
        named = [layer.value for layer in layers] + [None] * (_LAYERS - len(layers))
        wanted: dict[str, Value] = {
            **{f"layer_{place}": name for place, name in enumerate(named)},
            "learned_before": to_micros(learned_before),
            "accesses": accesses,
        }
        return self._walked("perhaps_faded", scope, walk, wanted)

    def places_taken(self, scope: Scope) -> set[MemoryId]:
        """The ids of the memories that took the place of others."""
        return {MemoryId(str(row[0])) for row in self._rows("places_taken", {"scope": scope.path})}

    def count_recalled(self, scope: Scope) -> tuple[int, int]:
        """How many turns, and how many statements, of a scope are recalled."""
        turns, statements = self._rows("count_recalled", {"scope": scope.path})[0]
        return cast(int, turns), cast(int, statements)

    def turns_since(self, scope: Scope, since: datetime) -> int:
        """How many turns of a scope were taken in since a moment, whatever became of them."""
        wanted: dict[str, Value] = {"scope": scope.path, "since": to_micros(since)}
        return cast(int, self._rows("turns_since", wanted)[0][0])

    def idle_turns(
        self, scope: Scope, *, since: IdleTurn | None, until: datetime, limit: int
    ) -> list[IdleTurn]:
        """Turns that have been read and were last touched after one, until a moment."""
        wanted: dict[str, Value] = {
            "scope": scope.path,
            "since": to_micros(since.touched_at) if since else -1,
            "after": since.number if since else -1,
            "until": to_micros(until),
            "limit": limit,
        }
        rows = self._rows("idle_turns", wanted)
        return [IdleTurn(cast(int, number), stored_time(touched)) for number, touched in rows]

    def listed(self, numbers: Iterable[int]) -> list[Memory]:
        """Some memories as they are now, by number."""
        rows = self._rows("listed_memories", {"numbers": _listed(numbers)})
        return [memory_from_row(row) for row in rows]

    def told_of(self, turns: Iterable[int]) -> dict[int, list[str]]:
        """What was drawn from turns and is still a word on the matter, by the turn's number.

        A turn of which nothing was ever drawn is not named.
        """
        found: dict[int, list[str]] = {}
        for turn, content, is_standing in self._rows("told_of_turns", {"numbers": _listed(turns)}):
            told = found.setdefault(cast(int, turn), [])
            if is_standing and content is not None:
                told.append(cast(str, content))
        return found

    def turns_behind(self, number: int) -> dict[int, bool]:
        """The turns that a statement was drawn from, and whether each is still recalled."""
        rows = self._rows("turns_behind", {"numbers": _listed([number])})
        return {cast(int, turn): bool(is_recalled) for _, turn, is_recalled in rows}

    def perhaps_moved(self, scope: Scope, walk: Walk, *, accesses: int) -> Iterator[Memory]:
        """Working memory, episodes used so often, and doubted work of dreams, oldest first."""
        return self._walked("perhaps_moved", scope, walk, {"accesses": accesses})

    def _walked(
        self, query: str, scope: Scope, walk: Walk, wanted: Mapping[str, Value]
    ) -> Iterator[Memory]:
        """The memories of a query page by page, in the order of their numbers."""
        after, left = walk.after, walk.most
        while left > 0:
            page = self._rows(
                query,
                {"scope": scope.path, "after": after, "limit": min(left, _PAGE), **wanted},
            )
            memories = [memory_from_row(row) for row in page]
            yield from memories
            walk.pause()
            if len(page) < min(left, _PAGE):
                return
            after, left = memories[-1].number, left - len(page)

    def _rows(self, query: str, parameters: Mapping[str, Value]) -> list[Row]:
        return self._transaction.rows(query, {**self._reach, **parameters})


def _listed(numbers: Iterable[int]) -> str:
    return f"[{','.join(map(str, numbers))}]"
