"""Everything that can be read from the store, always through one caller's reach."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import cast

from engram.language.lexicon import query_terms
from engram.memory.changes import AuditEntry, Change, HistoryEntry
from engram.memory.feedback import Feedback
from engram.memory.figures import RecallFigures
from engram.memory.ids import ChangeId, MemoryId, checked_id, number_of
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.memory.times import FOREVER, to_micros
from engram.memory.vocabulary import MemoryType, Status
from engram.storage.audit_chain import audit_entry, the_row
from engram.storage.conditions import Filters, Moments, record_time
from engram.storage.database import Value, stored_time
from engram.storage.erasing import erasure_count, was_erased
from engram.storage.part_readers import PartReaders
from engram.storage.rows import (
    MEMORY_COLUMNS,
    change_from_row,
    feedback_from_row,
    figures_from_row,
    memory_from_row,
    numbers_from_text,
)
from engram.text.terms import Term

WORD_WEIGHT = 1.0
FRAGMENT_WEIGHT = 2.0  # an identifier found whole says more than its parts
_TELLING = 8  # words by which memories about the same things are looked for
_MOST_FEEDBACK = 2_000  # of all memories of one recall; more would not change what follows


@dataclass(frozen=True, slots=True)
class TextMatch:
    """A memory the text index found; the lower the rank, the better the match."""

    memory: Memory
    rank: float


@dataclass(frozen=True, slots=True)
class StoredChange:
    """A change together with the numbers of the memories it touched."""

    change: Change
    numbers: tuple[int, ...]


class StoreReader(PartReaders):
    """Everything that can be read, seen through one caller's reach."""

    def made_from(self, numbers: Iterable[int]) -> dict[int, str]:
        """What memories that were shown tell, where it is more than a text: episode, belief …"""
        listed = f"[{','.join(map(str, numbers))}]"
        found = self._rows("made_from", {"numbers": listed})
        return {cast(int, number): cast(str, what) for number, what in found}

    def memory(self, id_or_label: str, known_at: datetime | None = None) -> Memory | None:
        """One memory by id or label, as it is or as it was known at a moment."""
        moment: dict[str, Value] = {"known_at": record_time(known_at)}
        number = number_of(checked_id(id_or_label))
        if number is None:
            found = self._rows("memory_by_id", moment, {"id": id_or_label})
        else:
            found = self._rows("memory_by_number", moment, {"number": number})
        return memory_from_row(found[0]) if found else None

    def history(self, id_or_label: str) -> list[HistoryEntry]:
        """All states of one memory, oldest first."""
        key = _key(id_or_label)
        return [
            HistoryEntry(memory_from_row(row), change_from_row(row[MEMORY_COLUMNS:]))
            for row in self._rows("states_by_id", key)
        ]

    def ending(self, id_or_label: str) -> Change | None:
        """The change that ended a memory's last state, if nothing followed it."""
        found = self._rows("ending_of", _key(id_or_label))
        return change_from_row(found[0]) if found else None

    def listing(
        self,
        moments: Moments,
        filters: Filters,
        *,
        status: Status | None,
        limit: int,
        before: int | None = None,
    ) -> list[Memory]:
        """Memories newest first; `before` continues after the last number seen."""
        paging: dict[str, Value] = {
            "status": status.value if status else None,
            "limit": limit,
            "before": FOREVER if before is None else before,
            "is_past": int(moments.as_of is not None),  # what was replaced since held then
        }
        # A list is an inventory: what no longer holds is left out only when a date is asked for.
        anytime: dict[str, Value] = {} if moments.as_of else {"valid_after": -FOREVER}
        found = self._rows(
            "list_memories", moments.parameters(), anytime, filters.parameters(), paging
        )
        return [memory_from_row(row) for row in found]

    def waiting(self, *, limit: int) -> list[Memory]:
        """Memories that wait for a decision, longest waiting first."""
        found = self._rows("waiting_memories", {"limit": limit})
        return [memory_from_row(row) for row in found]

    def search_text(
        self,
        terms: Sequence[Term],
        moments: Moments,
        filters: Filters,
        *,
        types: Sequence[MemoryType],
        limit: int,
    ) -> list[TextMatch]:
        """The memories whose text matches best; every filter comes before the cut."""
        if not terms:
            return []
        parameters: dict[str, Value] = {
            "match": self._match(terms),
            "word_weight": WORD_WEIGHT,
            "fragment_weight": FRAGMENT_WEIGHT,
            "limit": limit,
            **_recallable(moments, types),
        }
        found = self._rows("search_text", moments.parameters(), filters.parameters(), parameters)
        return [TextMatch(memory_from_row(row), cast(float, row[-1])) for row in found]

    def selectable_states(
        self, moments: Moments, filters: Filters, types: Sequence[MemoryType]
    ) -> list[int]:
        """The states that all conditions of a question allow; none is compared before."""
        found = self._rows(
            "selectable_states", moments.parameters(), filters.parameters(),
            _recallable(moments, types),
        )  # fmt: skip
        return [cast(int, row[0]) for row in found]

    def confirmed(
        self,
        states: Iterable[int],
        moments: Moments,
        filters: Filters,
        types: Sequence[MemoryType],
    ) -> dict[int, Memory]:
        """Those of some states that may be shown under all conditions, as memories."""
        listed: dict[str, Value] = {"numbers": f"[{','.join(map(str, states))}]"}
        found = self._rows(
            "confirmed_states", moments.parameters(), filters.parameters(),
            _recallable(moments, types), listed,
        )  # fmt: skip
        return {cast(int, row[-1]): memory_from_row(row) for row in found}

    def match_rank(
        self, terms: Sequence[Term], number: int, known_at: datetime | None = None
    ) -> float | None:
        """How well one memory's text matches, or None when it does not."""
        if not terms:
            return None
        parameters: dict[str, Value] = {
            "match": self._match(terms),
            "word_weight": WORD_WEIGHT,
            "fragment_weight": FRAGMENT_WEIGHT,
            "number": number,
            "known_at": record_time(known_at),
        }
        found = self._rows("match_state", parameters)
        return cast(float, found[0][0]) if found else None

    def _match(self, terms: Sequence[Term]) -> str:
        return self._database.match_expression([term.tokens for term in terms])

    def references_of(self, memory: Memory) -> tuple[str, ...]:
        """Where a memory came from: its own reference, those of the turns it was drawn from, and
        those of what confirmed it."""
        own = (memory.reference,) if memory.reference else ()
        drawn = self.turns.references([memory.number]) if memory.is_drawn else {}
        confirmed = self.references(memory.number) if memory.usage.confirmations else []
        return tuple(dict.fromkeys((*own, *drawn.get(memory.number, ()), *confirmed)))

    def references(self, number: int) -> list[str]:
        """The references of the evidence that confirmed a memory."""
        return [cast(str, row[0]) for row in self._rows("references_of", {"number": number})]

    def same_statement(self, identity: bytes, scope: Scope) -> Memory | None:
        """The memory that already says this in this scope."""
        found = self._rows("same_statement", {"identity": identity, "scope": scope.path})
        return memory_from_row(found[0]) if found else None

    def like(self, text: str, scope: Scope, *, limit: int) -> list[Memory]:
        """The newest statements of a scope that share telling words with a text."""
        return self._sharing_words("similar_statements", text, scope, limit)

    def closest(self, text: str, scope: Scope, *, limit: int) -> list[Memory]:
        """The statements of a scope that share most of the telling words of a text."""
        return self._sharing_words("closest_statements", text, scope, limit)

    def _sharing_words(self, query: str, text: str, scope: Scope, limit: int) -> list[Memory]:
        terms = sorted(query_terms(text), key=lambda term: (-len(term.text), term.text))[:_TELLING]
        weights: dict[str, Value] = {"word_weight": WORD_WEIGHT, "fragment_weight": FRAGMENT_WEIGHT}
        match: dict[str, Value] = {
            "match": self._match(terms), "scope": scope.path, "limit": limit
        }  # fmt: skip
        return [memory_from_row(row) for row in self._rows(query, match, weights)] if terms else []

    def current_statements(self, scope: Scope) -> list[int]:
        """The numbers of a scope's present statements: no turns, nothing retired."""
        return [
            cast(int, row[0]) for row in self._rows("current_statements", {"scope": scope.path})
        ]

    def has_rival(self, memory: Memory) -> bool:
        """Whether the same scope holds another statement of this category about this subject."""
        key: dict[str, Value] = {
            "scope": memory.scope.path,
            "category": memory.category,
            "subject": memory.subject,
            "identity": memory.identity,
        }
        return bool(self._rows("rival_statement", key))

    def replaced_by(self, memory_id: MemoryId) -> set[int]:
        """The numbers of the memories that were retired in favour of this one."""
        return {cast(int, row[0]) for row in self._rows("replaced_by", {"id": memory_id})}

    def current(self, number: int) -> Memory | None:
        """The present state of a memory by its number."""
        found = self._rows("current_by_number", {"number": number})
        return memory_from_row(found[0]) if found else None

    def last_state(self, number: int) -> tuple[Memory, ChangeId | None] | None:
        """The newest state of a memory, present or past, and the change that ended it."""
        found = self._rows("last_state", {"number": number})
        if not found:
            return None
        return memory_from_row(found[0]), cast("ChangeId | None", found[0][MEMORY_COLUMNS])

    def state_ended_by(self, number: int, change_id: ChangeId) -> Memory | None:
        """The state of a memory that a change closed."""
        found = self._rows("state_ended_by", {"number": number, "change_id": change_id})
        return memory_from_row(found[0]) if found else None

    def confirmation(self, number: int, change_id: ChangeId) -> str | None:
        """'counted' or 'withdrawn' when the change confirmed this memory, else None."""
        parameters: dict[str, Value] = {"number": number, "change_id": change_id}
        found = self._transaction.rows("confirmation_of", parameters)
        if not found:
            return None
        return "counted" if found[0][0] is None else "withdrawn"

    def feedback_for(self, numbers: Iterable[int]) -> list[Feedback]:
        """What was said about these memories by those whose scope the caller sees, newest first."""
        listed: dict[str, Value] = {
            "numbers": f"[{','.join(map(str, numbers))}]",
            "limit": _MOST_FEEDBACK,
        }
        return [feedback_from_row(row) for row in self._rows("feedback_for", listed)]

    def same_feedback(
        self, number: int, *, actor: str, is_helpful: bool, query: str | None, on: datetime
    ) -> Feedback | None:
        """What the same caller said of the same memory and question that day, if it stands."""
        day = on.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        parameters: dict[str, Value] = {
            "number": number,
            "actor": actor,
            "is_helpful": int(is_helpful),
            "day_begins": to_micros(day),
            "day_ends": to_micros(day + timedelta(days=1)),
        }
        found = map(feedback_from_row, self._transaction.rows("same_feedback", parameters))
        return next((each for each in found if (each.query or None) == (query or None)), None)

    def feedback_of(self, number: int, change_id: ChangeId) -> str | None:
        """'counted' or 'withdrawn' when the change said something of this memory, else None."""
        parameters: dict[str, Value] = {"number": number, "change_id": change_id}
        found = self._transaction.rows("feedback_of", parameters)
        if not found:
            return None
        return "counted" if found[0][0] is None else "withdrawn"

    def recalls(self, since: datetime | None = None) -> list[RecallFigures]:
        """The figures of the recalls made in the scopes the caller sees, oldest first."""
        start: dict[str, Value] = {"since": to_micros(since) if since else -FOREVER}
        return [figures_from_row(row) for row in self._rows("recall_figures", start)]

    def change(self, change_id: str) -> StoredChange | None:
        """A change, whoever made it: the caller's reach is checked on the memories it touched."""
        found = self._transaction.rows("change_by_id", {"id": checked_id(change_id)})
        if not found:
            return None
        return StoredChange(change_from_row(found[0]), numbers_from_text(found[0][8]))

    def erasure_count(self) -> int:
        """How many erasures there were: when it grows, what is held in memory is forgotten."""
        return erasure_count(self._transaction)

    def was_erased(self, numbers: Collection[int]) -> bool:
        """Whether one of some memories was erased."""
        return was_erased(self._transaction, numbers)

    def counts(self, now: datetime) -> list[tuple[str, str, str, int]]:
        """How many memories there are per status, category and layer."""
        rows = self._rows("count_by_status", {"instant": to_micros(now)})
        return [cast("tuple[str, str, str, int]", tuple(row)) for row in rows]

    def count_by_scope(self) -> dict[str, int]:
        """How many memories each scope holds."""
        rows = self._rows("count_by_scope")
        return {cast(str, scope): cast(int, count) for scope, count in rows}

    def span(self) -> tuple[datetime | None, datetime | None, datetime | None]:
        """The first and last event, and when the last change was recorded."""
        row = self._rows("oldest_and_newest")[0]
        first, last, recorded = (None if value is None else stored_time(value) for value in row)
        return first, last, recorded

    def audit(
        self,
        *,
        limit: int,
        memory_id: MemoryId | None = None,
        action: str | None = None,
        since: datetime | None = None,
        before: int | None = None,
    ) -> list[AuditEntry]:
        """What happened in the scopes the caller sees, newest first."""
        parameters: dict[str, Value] = {
            "limit": limit,
            "memory_id": memory_id,
            "action": action,
            "since": to_micros(since) if since else None,
            "before": before,
        }
        return [audit_entry(row) for row in self._rows("audit_lines", parameters)]

    def store_id(self) -> str:
        """What tells this store from any other."""
        return cast(str, the_row(self._transaction.rows("meta_value", {"key": "store_id"}))[0])


def _key(id_or_label: str) -> dict[str, Value]:
    return {"id": checked_id(id_or_label), "number": number_of(id_or_label)}


def _recallable(moments: Moments, types: Sequence[MemoryType]) -> dict[str, Value]:
    """The statuses and types that a question of these moments may find."""
    statuses = [Status.ACTIVE, Status.CHALLENGED]
    if moments.as_of is not None:
        statuses.append(Status.SUPERSEDED)  # it held at that time
    return {
        **_padded("status", [status.value for status in statuses], 3),
        **_padded("type", [kind.value for kind in types], 3),
    }


def _padded(name: str, values: Sequence[str], length: int) -> dict[str, Value]:
    return {
        f"{name}_{index}": values[index] if index < len(values) else None for index in range(length)
    }
