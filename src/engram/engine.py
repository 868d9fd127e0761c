"""What you can ask Engram to do: a thin facade over the pipelines underneath."""

import atexit
import builtins
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Self, Unpack
from weakref import WeakSet

from engram.capture.draft import Draft, DraftRules, read_draft, read_item
from engram.capture.remember import remember
from engram.errors import InvalidInput, MemoryNotFound
from engram.lifecycle.alter import move, revise, set_pinned, shift_layer, verify
from engram.lifecycle.undo import undo
from engram.memory.changes import (
    Action,
    AuditEntry,
    AuditVerdict,
    HistoryEntry,
    StatusMove,
    parse_action,
    status_moves,
)
from engram.memory.outcomes import Outcome
from engram.memory.record import Memory, Metadata
from engram.memory.scopes import Principal, Scope
from engram.memory.staleness import as_seen, holds_at
from engram.memory.status import parse_status
from engram.memory.texts import checked_text
from engram.memory.times import parse_time
from engram.memory.vocabulary import Layer, RetentionMode, Status
from engram.parts import EngramParts
from engram.recall.explain import explain
from engram.recall.question import (
    Conditions,
    Question,
    parse_label,
    read_filters,
    read_limit,
    read_moments,
    read_question,
)
from engram.recall.recall import recall
from engram.recall.result import Explanation, RecallResult
from engram.security.access_log import Access
from engram.settings import Settings
from engram.storage.place import Backup
from engram.storage.reader import StoreReader
from engram.storage.unit import UnitOfWork
from engram.storage.upkeep import DoctorReport, Health, Stats, stats
from engram.upkeep import Upkeep

Moment = datetime | str
Progress = Callable[[int, int], None]
_REASON_BYTES = 2_000
_OPEN: "WeakSet[Engram]" = WeakSet()


@atexit.register
def _close_what_is_open() -> None:
    """When the program ends without closing, it still leaves in order."""
    for engram in builtins.list(_OPEN):
        engram.close()


class Engram:
    """Long-term memory, seen by one caller. Safe to use from any number of threads."""

    def __init__(self, parts: EngramParts, principal: Principal) -> None:
        self._parts = parts
        self._store = parts.store
        self._clock = parts.clock
        self.principal = principal
        _OPEN.add(self)

    @classmethod
    def open(
        cls,
        path: str | Path | None = None,
        *,
        scope: Scope | None = None,
        settings: Mapping[str, object] | None = None,
        passphrase: str | None = None,
        read_only: bool = False,
        principal: Principal | None = None,
        clock: Callable[[], datetime] | None = None,
    ) -> "Engram":
        """Open a store: a folder, made when missing; None: the user's own; ":memory:": no trace.

        Who is calling follows from `scope`, or is said outright by `principal`; it cannot be
        changed afterwards, and no argument of a later call can widen it.
        """
        from engram.wiring import open_engram, system_clock

        return open_engram(
            path,
            principal=principal or Principal.of(scope),
            settings=settings,
            passphrase=passphrase,
            read_only=read_only,
            clock=clock or system_clock,
        )

    def close(self) -> None:
        """Write what waits, finish what runs, and let go of the store."""
        if self in _OPEN:
            _OPEN.discard(self)
            self._parts.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def settings(self) -> Settings:
        """The settings in force now."""
        return self._parts.settings.current

    def remember(
        self,
        text: str,
        *,
        category: str | None = None,
        layer: Layer | str | None = None,
        importance: float | None = None,
        confidence: float | None = None,
        at: Moment | None = None,
        valid_from: Moment | None = None,
        valid_until: Moment | None = None,
        speaker: str | None = None,
        subject: str | None = None,
        session: str | None = None,
        reference: str | None = None,
        source: str | None = None,
        metadata: Metadata | None = None,
        pinned: bool = False,
        scope: Scope | None = None,
        idempotency_key: str | None = None,
        wait: bool = False,  # noqa: ARG002  # nothing is embedded yet, so nothing is waited for
        memory_type: str | None = None,
        summary: str | None = None,
        replaces: str | None = None,
    ) -> Outcome:
        """Store one memory; durable when this returns."""
        arguments = {
            "category": category, "layer": layer, "importance": importance,
            "confidence": confidence, "at": at, "valid_from": valid_from,
            "valid_until": valid_until, "speaker": speaker, "subject": subject,
            "session": session, "reference": reference, "source": source, "metadata": metadata,
            "pinned": pinned, "scope": scope, "idempotency_key": idempotency_key,
            "memory_type": memory_type, "summary": summary, "replaces": replaces,
        }  # fmt: skip
        now = self._clock()
        return self._take_in([read_draft(text, arguments, self._draft_rules(now))], now)[0]

    def remember_many(
        self,
        items: Iterable[str | Mapping[str, object]],
        *,
        wait: bool = False,  # noqa: ARG002  # as above
        progress: Progress | None = None,
    ) -> builtins.list[Outcome]:
        """Store many in few transactions. All are checked before the first is written."""
        now = self._clock()
        rules = self._draft_rules(now)
        if isinstance(items, str | bytes | Mapping) or not isinstance(items, Iterable):
            raise InvalidInput(hint="`items` is a list of strings or of dictionaries with `text`.")
        drafts = [read_item(item, index, rules) for index, item in enumerate(items)]
        outcomes: builtins.list[Outcome] = []
        size = self.settings.storage.rows_per_commit
        for start in range(0, len(drafts), size):
            outcomes += self._take_in(drafts[start : start + size], now)
            if progress is not None:
                progress(len(outcomes), len(drafts))
        return outcomes

    def _draft_rules(self, now: datetime) -> DraftRules:
        settings = self.settings
        return DraftRules(settings.capture, settings.registry, self.principal, now)

    def _take_in(self, drafts: Sequence[Draft], now: datetime) -> builtins.list[Outcome]:
        options = self.settings.capture
        outcomes = []
        for scope, group in groupby(drafts, key=lambda draft: draft.scope):
            reach = self.principal.writing_reach(scope)
            with self._store.write(reach, actor=self.principal.actor, now=now) as unit:
                for draft in group:
                    outcomes.append(
                        remember(draft, unit, principal=self.principal, options=options)
                    )
        return outcomes

    def settle(self) -> None:
        """Wait until nothing is pending: here, until all reads are in the audit."""
        self._parts.access_log.flush()

    def revise(
        self, memory_id: str, text: str, *, reason: str = "", scope: Scope | None = None
    ) -> Memory:
        """Give a memory a new wording; the old one stays in its history."""
        size = self.settings.capture.max_content_bytes
        checked = checked_text(text, name="text", max_bytes=size)
        return self._alter(revise, memory_id, scope, reason, text=checked)

    def forget(self, memory_id: str, *, reason: str = "", scope: Scope | None = None) -> Memory:
        """Archive a memory: it is no longer recalled, and can be brought back."""
        return self._alter(
            move, memory_id, scope, reason, target=Status.ARCHIVED, action=Action.FORGET
        )

    def set_status(
        self, memory_id: str, status: Status | str, *, reason: str, scope: Scope | None = None
    ) -> Memory:
        """Move a memory to another status, where the table of legal moves allows it."""
        target = parse_status(status)
        return self._alter(move, memory_id, scope, reason, target=target, action=Action.SET_STATUS)

    def approve(self, memory_id: str, *, reason: str = "", scope: Scope | None = None) -> Memory:
        """Let a memory that was held for review be recalled."""
        return self._alter(
            move, memory_id, scope, reason,
            target=Status.ACTIVE, action=Action.APPROVE, only_from=Status.PENDING,
        )  # fmt: skip

    def reject(self, memory_id: str, *, reason: str = "", scope: Scope | None = None) -> Memory:
        """Turn a held memory away; the same statement is refused from then on."""
        return self._alter(
            move, memory_id, scope, reason, target=Status.REJECTED, action=Action.REJECT
        )

    def verify(self, memory_id: str, *, reason: str = "", scope: Scope | None = None) -> Memory:
        """Note that a memory still holds."""
        return self._alter(verify, memory_id, scope, reason)

    def pin(self, memory_id: str, *, reason: str = "", scope: Scope | None = None) -> Memory:
        """Keep a memory from fading."""
        return self._alter(set_pinned, memory_id, scope, reason, is_pinned=True)

    def unpin(self, memory_id: str, *, reason: str = "", scope: Scope | None = None) -> Memory:
        """Let a memory fade like any other again."""
        return self._alter(set_pinned, memory_id, scope, reason, is_pinned=False)

    def promote(self, memory_id: str, *, reason: str = "", scope: Scope | None = None) -> Memory:
        """Move a memory to the next more lasting layer."""
        return self._alter(shift_layer, memory_id, scope, reason, upward=True)

    def demote(self, memory_id: str, *, reason: str = "", scope: Scope | None = None) -> Memory:
        """Move a memory to the next less lasting layer."""
        return self._alter(shift_layer, memory_id, scope, reason, upward=False)

    def undo(
        self, change_id: str, *, reason: str = "", scope: Scope | None = None
    ) -> builtins.list[Memory]:
        """Take back any change, exactly; an undo can be undone too."""
        with self._unit(scope) as unit:
            return undo(unit, self.principal, change_id, reason=_reason(reason))

    def _alter(
        self,
        rule: Callable[..., Memory],
        memory_id: str,
        scope: Scope | None,
        reason: str,
        **details: object,
    ) -> Memory:
        with self._unit(scope) as unit:
            return rule(unit, self.principal, memory_id, reason=_reason(reason), **details)

    def _unit(self, scope: Scope | None) -> AbstractContextManager[UnitOfWork]:
        return self._store.write(
            self.principal.reach(scope), actor=self.principal.actor, now=self._clock()
        )

    def recall(
        self,
        query: str,
        *,
        limit: int | None = None,
        budget: int | None = None,
        mode: str = "full_context",
        now: Moment | None = None,
        as_of: Moment | None = None,
        known_at: Moment | None = None,
        filters: Mapping[str, object] | None = None,
        scope: Scope | None = None,
        session: str | None = None,  # noqa: ARG002  # what a session is about comes with context()
    ) -> RecallResult:
        """The memories that best answer a question, best first, each with its reasons."""
        question = self._question(
            query, limit=limit, budget=budget, mode=mode, now=now, as_of=as_of, known_at=known_at,
            filters=filters,
        )  # fmt: skip
        with self._view(scope) as see:
            result = recall(question, see, self.settings.recall, self._retention_mode)
        numbers = tuple(hit.memory.number for hit in result)
        self._note(Action.RECALL, count=len(result), numbers=numbers, question=query, scope=scope)
        return result

    def why(
        self,
        query: str,
        memory_id: str,
        *,
        scope: Scope | None = None,
        **conditions: Unpack[Conditions],
    ) -> Explanation:
        """Why a memory was or was not recalled, stage by stage; takes what `recall` takes."""
        question = self._question(query, **conditions)
        with self._view(scope) as see:
            memory = see.memory(memory_id, question.moments.known_at)
            if memory is None:
                raise MemoryNotFound
            found = explain(memory, question, see, self.settings.recall, self._retention_mode)
        self._note(Action.WHY, count=1, memory=memory, question=query)
        return found

    def _question(self, query: str, **conditions: Unpack[Conditions]) -> Question:
        return read_question(
            query, conditions, self._clock(), self.settings.recall, self.settings.registry
        )

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
        self._note(Action.LIST, count=len(found), scope=scope)
        return [as_seen(memory, moments.instant) for memory in found]

    def review(self, *, limit: int = 100, scope: Scope | None = None) -> builtins.list[Memory]:
        """What waits for a person's decision, oldest first; the owner sees every scope's queue."""
        reach = self.principal.review_reach(scope)
        with self._store.read(reach, timeout_seconds=self._patience) as see:
            found = see.waiting(limit=read_limit(limit))
        self._note(
            Action.LIST, count=0, scope=scope
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
        scope: Scope | None = None,
    ) -> builtins.list[AuditEntry]:
        """What happened in the scopes you see, newest first: ids and hashes, never text."""
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
            )
        self._note(Action.AUDIT, count=len(entries))
        return entries

    def verify_audit(self) -> AuditVerdict:
        """Whether the audit is whole: no entry altered, dropped or added."""
        self.principal.check_known()
        self._parts.access_log.flush()
        return self._store.verify_audit(timeout_seconds=600)

    def stats(self, *, scope: Scope | None = None) -> Stats:
        """How much there is, by status, category and layer."""
        reach = self.principal.reach(scope)
        return stats(self._store, reach, self._clock(), timeout_seconds=self._patience)

    def _view(self, scope: Scope | None) -> AbstractContextManager[StoreReader]:
        reach = self.principal.reach(scope)
        return self._store.read(reach, timeout_seconds=self._patience)

    def _note(
        self,
        action: Action,
        *,
        count: int,
        numbers: tuple[int, ...] = (),
        memory: Memory | None = None,
        question: str = "",
        scope: Scope | None = None,
    ) -> None:
        if self._parts.place is not None and self._parts.place.read_only:
            return
        # A read of one memory is told where that memory is: elsewhere its id is nobody's business.
        where = memory.scope if memory else scope or self.principal.scope or Scope()
        self._parts.access_log.note(
            Access(
                action,
                self.principal.actor,
                where.path,
                self._clock(),
                count,
                numbers=numbers,
                memory_id=memory.id if memory else None,
                question=question,
            )
        )

    @property
    def _patience(self) -> float:
        return self.settings.recall.timeout_seconds

    @property
    def _retention_mode(self) -> RetentionMode:
        return RetentionMode(self.settings.lifecycle.retention_mode)

    @property
    def upkeep(self) -> Upkeep:
        """Backups, health, repair and keys of the store as a whole."""
        return Upkeep(self._parts, self.principal)

    def backup(self, path: str | Path | None = None) -> Backup:
        """Make a verified backup, among the store's own or at a path."""
        return self.upkeep.backup(path)

    def restore(self, path: str | Path | None = None) -> int:
        """Put a backup (the newest without a path) in the store's place; needs the store alone."""
        return self.upkeep.restore(path)

    def health(self) -> Health:
        """Whether the store can be relied on right now, tried for real."""
        return self.upkeep.health()

    def doctor(self, *, repair: bool = False) -> DoctorReport:
        """Look everything over; mend only when told to."""
        return self.upkeep.doctor(repair=repair)


def _reason(reason: str) -> str:
    return checked_text(reason, name="reason", max_bytes=_REASON_BYTES) if reason else ""
