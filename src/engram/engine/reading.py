"""Looking things up: the part of the facade that reads memories, their past and the audit."""

import builtins
from typing import TYPE_CHECKING

from engram.engine.core import Core, Moment
from engram.errors import MemoryNotFound
from engram.memory.changes import (
    Action,
    AuditEntry,
    HistoryEntry,
    StatusMove,
    parse_action,
    status_moves,
)
from engram.memory.figures import RecallStatistics
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.memory.staleness import as_seen, holds_at
from engram.memory.status import parse_status
from engram.memory.times import parse_time
from engram.memory.vocabulary import Status
from engram.recall.journal import recall_statistics
from engram.recall.question import (
    parse_label,
    read_filters,
    read_limit,
    read_moments,
    read_sequence,
)
from engram.storage.upkeep import Stats, stats

if TYPE_CHECKING:
    from engram.memory.importance_report import ImportanceReport


class Reading(Core):
    """What is there, and what happened to it."""

    def get(
        self,
        memory_id: str,
        *,
        as_of: Moment | None = None,
        known_at: Moment | None = None,
        scope: Scope | None = None,
    ) -> Memory | None:
        """One memory by id or label; None when it is unknown or not yours to see."""
        moments = read_moments(self._clock(), as_of=as_of, known_at=known_at)
        with self._view(scope) as see:
            memory = see.memory(memory_id, moments.known_at)
        if memory is not None and moments.as_of is not None and not holds_at(memory, moments.as_of):
            memory = None
        self._note(Action.GET, count=0 if memory is None else 1, memory=memory)
        return memory and as_seen(memory, moments.instant)

    def list(
        self,
        *,
        limit: int = 100,
        status: Status | str = "active",
        as_of: Moment | None = None,
        known_at: Moment | None = None,
        before: str | None = None,
        scope: Scope | None = None,
        **filters: object,
    ) -> builtins.list[Memory]:
        """Memories newest first, by any condition; `before` (a label) continues a listing."""
        moments = read_moments(self._clock(), as_of=as_of, known_at=known_at)
        conditions = read_filters(filters, self.settings.registry)
        with self._view(scope) as see:
            found = see.listing(
                moments, conditions, limit=read_limit(limit),
                status=None if status == "any" else parse_status(status),
                before=None if before is None else parse_label(before),
            )  # fmt: skip
        self._note(Action.LIST, count=len(found), shown=found, scope=scope)
        self._parts.expect_recall()
        return [as_seen(memory, moments.instant) for memory in found]

    def review(self, *, limit: int = 100, scope: Scope | None = None) -> builtins.list[Memory]:
        """What waits for a person's decision, oldest first; the owner sees every scope's queue."""
        reach = self.principal.review_reach(scope)
        with self._store.read(reach, timeout_seconds=self._patience) as see:
            found = see.waiting(limit=read_limit(limit))
        self._note(
            Action.LIST, count=0, shown=found, scope=scope
        )  # how many wait elsewhere is nobody's business
        return found

    def history(self, memory_id: str, *, scope: Scope | None = None) -> builtins.list[HistoryEntry]:
        """Every state a memory has had, oldest first, with who changed it and why."""
        with self._view(scope) as see:
            entries = see.history(memory_id)
        if not entries:
            raise MemoryNotFound
        self._note(Action.HISTORY, count=len(entries), memory=entries[-1].memory)
        return entries

    def importance(self, memory_id: str, *, scope: Scope | None = None) -> "ImportanceReport":
        """How much a memory matters, factor by factor, and when it would leave if never used."""
        # Imported here: who never asks never loads the rules of dreams.
        from engram.lifecycle.weigh import weigh

        settings = self.settings
        with self._view(scope) as see:
            memory = see.memory(memory_id)
            if memory is None:
                raise MemoryNotFound
            report = weigh(
                memory, see, self._clock(),
                options=settings.dreams, mode=self._retention_mode, registry=settings.registry,
            )  # fmt: skip
        self._note(Action.GET, count=1, memory=memory)
        return report

    def status_history(
        self, memory_id: str, *, scope: Scope | None = None
    ) -> builtins.list[StatusMove]:
        """The statuses a memory went through, oldest first."""
        entries = self.history(memory_id, scope=scope)
        with self._view(scope) as see:
            return status_moves(entries, see.ending(memory_id))

    def audit(
        self,
        *,
        limit: int = 100,
        memory_id: str | None = None,
        action: str | None = None,
        since: Moment | None = None,
        before: int | None = None,
        scope: Scope | None = None,
    ) -> builtins.list[AuditEntry]:
        """What happened in the scopes you see, newest first: ids and hashes, never text.

        `before` is the sequence of the last entry of a page: the next page begins after it.
        """
        self._parts.access_log.flush()
        moment = None if since is None else parse_time(since, name="since")
        with self._view(scope) as see:
            wanted = None if memory_id is None else see.memory(memory_id)
            if memory_id is not None and wanted is None:
                raise MemoryNotFound
            entries = see.audit(
                limit=read_limit(limit),
                memory_id=wanted.id if wanted else None,
                action=None if action is None else parse_action(action),
                since=moment,
                before=read_sequence(before),
            )
        self._note(Action.AUDIT, count=len(entries))
        return entries

    def stats(self, *, scope: Scope | None = None) -> Stats:
        """How much there is, by status, category and layer."""
        reach = self.principal.reach(scope)
        return stats(self._store, reach, self._clock(), timeout_seconds=self._patience)

    def recall_statistics(
        self, since: Moment | None = None, *, scope: Scope | None = None
    ) -> RecallStatistics:
        """How recalls went in the scopes you see: figures over time, and what got worse."""
        start = None if since is None else parse_time(since, name="since")
        self._parts.access_log.flush()
        with self._view(scope) as see:
            return recall_statistics(see.recalls(start), self._clock())
