"""Turns that wait to be read, what was drawn from them, and what capture came to, counted."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from engram.memory.ids import ChangeId
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.memory.times import FOREVER, to_micros
from engram.storage.database import Row, Transaction, Value, stored_time
from engram.storage.rows import MEMORY_COLUMNS, memory_from_row, scope_at

_DAY = 86_400_000_000  # microseconds


@dataclass(frozen=True, slots=True)
class UnreadSession:
    """A session of which turns wait to be read."""

    scope: Scope
    session: str
    turns: int
    waiting_since: datetime
    is_urgent: bool


@dataclass(frozen=True, slots=True)
class Source:
    """A turn that a statement was drawn from, and where the statement's words stand in it."""

    turn: Memory
    place: tuple[int, int]

    @property
    def words(self) -> str:
        """The words themselves."""
        return self.turn.content[slice(*self.place)]


@dataclass(frozen=True, slots=True)
class CaptureCount:
    """How often something came of what was said, and for which reason."""

    outcome: str
    reason: str
    count: int


@dataclass(frozen=True, slots=True)
class HarvestMark:
    """How much of a transcript has been read, and a digest of that much."""

    read_bytes: int
    digest: bytes


class TurnReader:
    """Turns and what was drawn from them, seen through one caller's reach."""

    def __init__(self, transaction: Transaction, reach: Mapping[str, Value]) -> None:
        self._transaction = transaction
        self._reach = reach

    def unread_sessions(self, now: datetime) -> list[UnreadSession]:
        """The sessions with turns that wait and are due, the one that waits longest first."""
        return [
            UnreadSession(
                scope_at(cast(str, scope)), cast(str, session), cast(int, turns),
                stored_time(since), bool(urgent),
            )
            for scope, session, turns, since, urgent
            in self._rows("unread_sessions", {"now": to_micros(now)})
        ]  # fmt: skip

    def unread_of(self, session: UnreadSession, now: datetime, *, limit: int) -> list[int]:
        """The numbers of a session's turns that wait and are due, oldest first."""
        found = self._rows(
            "unread_of_session",
            {
                "scope": session.scope.path,
                "session": session.session,
                "now": to_micros(now),
                "limit": limit,
            },
        )
        return [cast(int, row[0]) for row in found]

    def count_unread(self) -> int:
        """How many turns wait to be read."""
        return cast(int, self._rows("count_unread", {})[0][0])

    def attempts_of(self, number: int) -> int:
        """How often reading a turn has failed."""
        found = self._transaction.rows("attempts_of_turn", {"number": number})
        return cast(int, found[0][0]) if found else 0

    def before(self, turn: Memory, *, limit: int) -> list[Memory]:
        """The turns before one in its session, in their order."""
        if turn.session is None:
            return []
        found = self._rows(
            "turns_before",
            {
                "session": turn.session,
                "scope": turn.scope.path,
                "number": turn.number,
                "limit": limit,
            },
        )
        return [memory_from_row(row) for row in reversed(found)]

    def latest(self, session: str, scope: Scope, *, limit: int) -> list[Memory]:
        """The last turns of a session, in their order."""
        place: dict[str, Value] = {"session": session, "scope": scope.path, "number": FOREVER}
        found = self._rows("turns_before", {**place, "limit": limit})
        return [memory_from_row(row) for row in reversed(found)]

    def handed_in_by(self, actor: str, session: str, scope: Scope, *, limit: int) -> list[Memory]:
        """The last turns of a session that this caller handed in, in their order."""
        place: dict[str, Value] = {"session": session, "scope": scope.path, "actor": actor}
        found = self._rows("turns_of_caller", {**place, "limit": limit})
        return [memory_from_row(row) for row in reversed(found)]

    def read_after(self, number: int, *, limit: int) -> list[Memory]:
        """Turns behind one that were read and are in force, in their order."""
        found = self._rows("read_turns_after", {"number": number, "limit": limit})
        return [memory_from_row(row) for row in found]

    def count_read(self, number: int) -> int:
        """How many turns behind one were read and are in force."""
        return cast(int, self._rows("count_read_turns", {"number": number})[0][0])

    def has_models(self) -> bool:
        """Whether a language model has ever answered about anything in sight."""
        return bool(self._rows("any_model_call", {}))

    def sources_of(self, numbers: Iterable[int]) -> dict[int, list[Source]]:
        """The turns that each of these statements was drawn from."""
        found: dict[int, list[Source]] = {}
        for row in self._rows("sources_of", {"numbers": _listed(numbers)}):
            number, start, end = (cast(int, each) for each in row[MEMORY_COLUMNS:])
            found.setdefault(number, []).append(Source(memory_from_row(row), (start, end)))
        return found

    def source_numbers(self, numbers: Iterable[int]) -> dict[int, list[int]]:
        """The numbers of the turns that each of these statements was drawn from."""
        return self._numbers_by("source_numbers", numbers)

    def drawn_numbers(self, numbers: Iterable[int]) -> dict[int, list[int]]:
        """The numbers of the statements drawn from each of these turns, retired or not."""
        return self._numbers_by("drawn_numbers", numbers)

    def replaced_parts(self, numbers: Iterable[int]) -> dict[int, int]:
        """How much was drawn from each turn of which nothing that was drawn holds any more."""
        rows = self._rows("replaced_parts", {"numbers": _listed(numbers)})
        return {cast(int, number): cast(int, length) for number, length in rows}

    def _numbers_by(self, query: str, numbers: Iterable[int]) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for number, other in self._transaction.rows(query, {"numbers": _listed(numbers)}):
            found.setdefault(cast(int, number), []).append(cast(int, other))
        return found

    def drawn_from(self, turn: Memory) -> list[Memory]:
        """The statements that were drawn from a turn and are still there."""
        rows = self._rows("drawn_from", {"number": turn.number})
        return [memory_from_row(row) for row in rows]

    def references(self, numbers: Iterable[int]) -> dict[int, list[str]]:
        """The references of the turns that each of these statements was drawn from."""
        found: dict[int, list[str]] = {}
        for number, reference in self._rows("source_references", {"numbers": _listed(numbers)}):
            found.setdefault(cast(int, number), []).append(cast(str, reference))
        return found

    def counts(self, since: datetime) -> list[CaptureCount]:
        """What became of what was said, by outcome and reason."""
        rows = self._rows("capture_counts", {"since": _day(since)})
        return [
            CaptureCount(cast(str, outcome), cast(str, reason), cast(int, count))
            for outcome, reason, count in rows
        ]

    def harvest_mark(self, scope: Scope, place: str) -> HarvestMark | None:
        """How far a transcript has been read into a scope."""
        found = self._rows("harvest_mark", {"scope": scope.path, "place": place})
        return HarvestMark(cast(int, found[0][0]), cast(bytes, found[0][1])) if found else None

    def _rows(self, query: str, parameters: Mapping[str, Value]) -> list[Row]:
        return self._transaction.rows(query, {**self._reach, **parameters})


def queue_turn(transaction: Transaction, turn: Memory, *, kept_at: datetime, urgency: str) -> None:
    """Note that a turn waits to be read."""
    transaction.run(
        "queue_turn",
        {
            "number": turn.number,
            "scope": turn.scope.path,
            "session": turn.session or "",
            "kept_at": to_micros(kept_at),
            "urgency": urgency,
        },
    )


def take_unread(transaction: Transaction, numbers: Collection[int]) -> bool:
    """Take turns off the queue; False when somebody else has read one of them since."""
    for number in numbers:
        transaction.run("take_unread", {"number": number})
        if transaction.changed() != 1:
            return False
    return True


def postpone_turns(transaction: Transaction, numbers: Iterable[int], until: datetime) -> None:
    """Let turns that could not be read wait."""
    for number in numbers:
        transaction.run("postpone_turn", {"number": number, "due_at": to_micros(until)})


def keep_source(
    transaction: Transaction,
    statement: Memory,
    turn: Memory,
    change_id: ChangeId,
    place: tuple[int, int],
) -> None:
    """Note which turn a statement was drawn from."""
    transaction.run(
        "keep_source",
        {
            "number": statement.number,
            "source_number": turn.number,
            "change_id": change_id,
            "starts_at": place[0],
            "ends_at": place[1],
        },
    )


def count_capture(
    transaction: Transaction, scope: Scope, now: datetime, counts: Mapping[tuple[str, str], int]
) -> None:
    """Add to what is known of how capture does: outcomes and reasons, never words."""
    for (outcome, reason), count in counts.items():
        transaction.run(
            "count_capture",
            {
                "scope": scope.path,
                "day": _day(now),
                "outcome": outcome,
                "reason": reason,
                "count": count,
            },
        )


def note_harvest(
    transaction: Transaction, scope: Scope, place: str, mark: HarvestMark, now: datetime
) -> None:
    """Note how far a transcript has been read."""
    transaction.run(
        "note_harvest",
        {
            "scope": scope.path,
            "place": place,
            "read_bytes": mark.read_bytes,
            "digest": mark.digest,
            "at": to_micros(now),
        },
    )


def _day(moment: datetime) -> int:
    return to_micros(moment) // _DAY


def _listed(numbers: Iterable[int]) -> str:
    return f"[{','.join(map(str, numbers))}]"
