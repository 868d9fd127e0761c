"""One unit of work: rows, what is derived, changes and audit, committed together or not at all."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import cast

from engram.errors import SchemaTooNew, StatementTaken, StoreCorrupt, WriteFailed
from engram.failpoints import failpoint
from engram.memory.changes import Action
from engram.memory.dreams.artefact import Artefact
from engram.memory.feedback import Feedback
from engram.memory.figures import RecallFigures
from engram.memory.ids import ChangeId, IdMint, MemoryId
from engram.memory.links import is_by_the_way
from engram.memory.people import Person, each_once, person_of
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.memory.times import to_micros
from engram.memory.traits import traits_of
from engram.memory.vocabulary import Secrecy
from engram.storage.artefacts import end_artefact, keep_artefact
from engram.storage.audit_chain import key_from_text, keyed_hash, link_hash, seal, the_row
from engram.storage.beside import keeping, kept
from engram.storage.database import Transaction, Value
from engram.storage.entities import keep_mentions
from engram.storage.links import StoredLink
from engram.storage.reader import StoreReader
from engram.storage.rows import row_from_figures, row_from_memory
from engram.storage.sealed_memories import people_behind, sealed_parts
from engram.storage.security_events import count_flagged
from engram.text.terms import index_text

_TICK = timedelta(microseconds=1)
_SALT_BYTES = 16


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where one more statement of a known fact came from."""

    happened_at: datetime
    source: str
    session: str | None
    reference: str | None
    content: str | None  # only when worded differently


@dataclass(slots=True)
class _OpenChange:
    id: ChangeId
    action: Action
    scope: str
    reason: str
    undoes: ChangeId | None
    numbers: list[int]
    is_kept: bool = False  # also without a memory that it touched


class UnitOfWork:
    """Collects what one call changes; `see` reads within the same transaction."""

    def __init__(
        self,
        transaction: Transaction,
        see: StoreReader,
        *,
        actor: str,
        now: datetime,
        mint: IdMint,
        schema: int,
    ) -> None:
        self.see = see
        self.now = now
        self.transaction = transaction  # also for what others keep beside memories
        self._actor = actor
        self._mint = mint
        self._changes: list[_OpenChange] = []
        self._milliseconds = int(now.timestamp() * 1000)
        last_number, count, head, version, key = the_row(transaction.rows("read_ledger", {}))
        is_sound = all(isinstance(each, int) for each in (last_number, count, version))
        if not is_sound or not isinstance(head, bytes):
            raise StoreCorrupt
        if cast(int, version) > schema:
            raise SchemaTooNew(hint="Another process has upgraded this store; restart this one.")
        self._last_number = cast(int, last_number)
        self._audit_count = cast(int, count)
        self._audit_head = head
        self._audit_key = key_from_text(key)

    @property
    def audit_entries(self) -> int:
        """How many lines the audit has with what was written here."""
        return self._audit_count

    def mint_memory_id(self) -> MemoryId:
        """A fresh id."""
        return MemoryId(self._mint.mint(self._milliseconds))

    def next_number(self) -> int:
        """The number of the next memory; never handed out twice."""
        self._last_number += 1
        return self._last_number

    def return_number(self) -> None:
        """Give back the number of a memory that was not stored."""
        self._last_number -= 1

    def next_version(self, number: int) -> int:
        """The version of a memory's next wording; never that of another, also not of one undone.

        What is derived from a wording is kept by number and version, so these must name one.
        """
        found = the_row(self.transaction.rows("highest_version", {"number": number}))
        return cast(int, found[0] or 0) + 1

    def begin_change(
        self, action: Action, scope: Scope, reason: str, undoes: ChangeId | None = None
    ) -> ChangeId:
        """Open a change; what is altered from now on belongs to it."""
        change_id = ChangeId("chg-" + self._mint.mint(self._milliseconds))
        self._changes.append(_OpenChange(change_id, action, scope.path, reason, undoes, []))
        return change_id

    def insert(self, memory: Memory, people: Sequence[Person] = ()) -> bool:
        """Add a memory's first state; False when its scope holds the same statement already.

        A protected memory hangs on its own person's key and on those of the people given, from
        whose memories it was made.
        """
        if not self._write_state(memory, people):
            return False
        self._derive(memory)
        self._touch(memory, self._digest_of(memory))
        count_flagged(self.transaction, memory, actor=self._actor, at=self.now)
        return True

    def replace(self, old: Memory, **changes: object) -> Memory:
        """Close a memory's present state and add the next one."""
        recorded_at = self._end(old)
        new = old.replaced(
            **changes,
            recorded_at=recorded_at,
            recorded_until=None,
            change_id=self._changes[-1].id,
        )
        self._write_next_state(new)
        is_reworded = new.content != old.content
        if is_reworded or new.version != old.version:
            self._derive(new)
        self._touch(new, self._digest_of(new) if is_reworded else b"")
        return new

    def withdraw(self, memory: Memory) -> Memory:
        """Close a memory's present state and add none: it is as if it had not been made."""
        ended = memory.replaced(recorded_until=self._end(memory))
        self._touch(ended, b"")
        return ended

    def restore(self, past: Memory, *, after: datetime) -> Memory:
        """Make a past state the present one again."""
        again = past.replaced(
            recorded_at=max(self.now, after),
            recorded_until=None,
            change_id=self._changes[-1].id,
        )
        self._write_next_state(again)
        self._derive(again)
        self._touch(again, self._digest_of(again))
        return again

    def _end(self, memory: Memory) -> datetime:
        # A clock that went back must not turn the order of states around.
        moment = max(self.now, memory.recorded_at + _TICK)
        self.transaction.run(
            "close_state",
            {
                "recorded_until": to_micros(moment),
                "ended_by": self._changes[-1].id,
                "number": memory.number,
            },
        )
        if self.transaction.changed() != 1:
            raise WriteFailed(hint="The memory changed under this call; nothing was stored.")
        return moment

    def _write_next_state(self, memory: Memory) -> None:
        people = () if memory.is_indexable else people_behind(self.transaction, memory.number)
        if not self._write_state(memory, people):
            raise StatementTaken

    def _write_state(self, memory: Memory, people: Sequence[Person] = ()) -> bool:
        row = row_from_memory(memory, sealed_parts(self.transaction, memory, people))
        state = self.transaction.insert("insert_state", row)
        if self.transaction.changed() == 0:
            return False
        failpoint("after_row_before_index")
        if memory.index_words is not None:
            text = index_text(memory.index_words)
            self.transaction.run("index_state", (state, text.words, text.fragments))
        return True

    def _derive(self, memory: Memory) -> None:
        """Write what a wording's traits are, and that it waits to be embedded."""
        if memory.index_words is not None:
            traits = traits_of(memory.index_words)
            self.transaction.run(
                "keep_traits", (memory.number, memory.version, traits.tokens, traits.flags)
            )
        if memory.is_indexable:
            keep_mentions(self.transaction, memory)
        self.transaction.run("queue_wording", (memory.number, memory.version))

    def confirm(self, memory: Memory, evidence: Evidence) -> None:
        """Count a confirmation and keep its evidence."""
        change = self._changes[-1]
        content = evidence.content
        if content is not None and not memory.is_indexable:
            content = self.transaction.seal(content, self.people_of(memory))
        self.transaction.run(
            "insert_confirmation",
            {
                "number": memory.number,
                "change_id": change.id,
                "happened_at": to_micros(evidence.happened_at),
                "source": evidence.source,
                "session": evidence.session,
                "reference": evidence.reference,
                "content": content,
            },
        )
        self._add_confirmations(memory.number, 1)
        self._touch(memory, b"")

    def set_confirmation(
        self, memory: Memory, change_id: ChangeId, withdrawn_by: ChangeId | None
    ) -> None:
        """Take back what a change confirmed, or give it again."""
        self.transaction.run(
            "withdraw_confirmation",
            {"withdrawn_by": withdrawn_by, "number": memory.number, "change_id": change_id},
        )
        self._add_confirmations(memory.number, -1 if withdrawn_by else 1)
        self._touch(memory, b"")

    def _add_confirmations(self, number: int, added: int) -> None:
        self.transaction.run("add_confirmations", {"number": number, "added": added})

    def touch(self, memory: Memory, scope: Scope | None = None) -> None:
        """Note that the change that is open now concerns a memory, which stays as it is.

        The audit tells of it in the scope that is given, else in the memory's own.
        """
        self._touch(memory, b"", scope=scope.path if scope else "")

    def explain_change(self, reason: str) -> None:
        """Say why the change that is open now is made."""
        self._changes[-1].reason = reason

    def add_feedback(
        self,
        memory: Memory,
        feedback: Feedback,
        scope: Scope,
        secrecy: Secrecy = Secrecy.CLEARTEXT,
    ) -> None:
        """Keep what a caller thought of a memory, where that caller is at home.

        `secrecy` is what the question calls for by itself.
        """
        self.transaction.run(
            "insert_feedback",
            {
                "number": feedback.number,
                "change_id": feedback.change_id,
                "scope": scope.path,
                "is_helpful": int(feedback.is_helpful),
                "query": self._question(memory, feedback.query, secrecy),
                "at": to_micros(feedback.at),
                "actor": feedback.actor,
            },
        )
        self._touch(memory, b"", action=Action.FEEDBACK, scope=scope.path)

    def _question(self, memory: Memory, query: str | None, secrecy: Secrecy) -> str | None:
        keep = keeping(self.transaction, memory, secrecy) if query else None
        return query if query is None else kept(keep, query)

    def set_feedback(
        self, memory: Memory, change_id: ChangeId, withdrawn_by: ChangeId | None
    ) -> None:
        """Take back what a change said about a memory, or give it again."""
        self.transaction.run(
            "withdraw_feedback",
            {"withdrawn_by": withdrawn_by, "number": memory.number, "change_id": change_id},
        )
        self._touch(memory, b"", scope=self._changes[-1].scope)

    def add_link(self, link: StoredLink, places: Sequence[tuple[Memory, Scope]]) -> None:
        """Relate two memories; the audit tells of each end in the place that is given with it."""
        row = (link.change_id, link.from_number, link.to_number, link.relation)
        self.transaction.run("insert_link", row)
        for memory, scope in places:
            self._touch(memory, b"", scope=scope.path)

    def set_link(
        self,
        made_by: ChangeId,
        withdrawn_by: ChangeId | None,
        places: Sequence[tuple[Memory, Scope]],
    ) -> None:
        """Take back the link that a change made, or make it again."""
        self.transaction.run("withdraw_link", {"withdrawn_by": withdrawn_by, "change_id": made_by})
        for memory, scope in places:
            self._touch(memory, b"", scope=scope.path)

    def keep_artefact(self, artefact: Artefact) -> None:
        """Put what was made of memories in its predecessor's place."""
        change = self._changes[-1]
        end_artefact(self.transaction, artefact, change.id)
        keep_artefact(self.transaction, artefact, change.id)
        self.keep_change(artefact.scope)

    def end_artefact(self, artefact: Artefact) -> None:
        """Let something that was made of memories go; undoing the change brings it back."""
        end_artefact(self.transaction, artefact, self._changes[-1].id)
        self.keep_change(artefact.scope)

    def keep_change(self, scope: Scope, *, count: int = 1) -> None:
        """Keep the change that is open now, though it touches no memory; the audit tells of it."""
        change = self._changes[-1]
        change.is_kept = True
        self.audit(change.action, scope.path, change_id=change.id, count=count)

    def rehearse(self, memory: Memory) -> None:
        """Go through a memory again: it counts as used, as far as fading goes."""
        change = self._changes[-1]
        row: dict[str, Value] = {
            "number": memory.number, "change_id": change.id, "at": self._micros(),
        }  # fmt: skip
        self.transaction.run("insert_rehearsal", row)
        self.transaction.run("count_rehearsal", {"number": memory.number})
        self._touch(memory, b"")

    @property
    def decisions(self) -> tuple[ChangeId, ...]:
        """The changes begun so far that something came of, but for links found by the way."""
        return tuple(
            change.id
            for change in self._changes
            if (change.numbers or change.is_kept) and not is_by_the_way(change.reason)
        )

    def journal(self, recalls: Sequence[tuple[str, RecallFigures]], *, kept: int) -> None:
        """Write recalls down, each with the scope it was made in; only the newest are kept."""
        for scope, figures in recalls:
            self.transaction.run("insert_recall", row_from_figures(scope, figures))
        self.transaction.run("prune_recalls", {"kept": kept})

    def mark_undone(self, change_id: ChangeId, undone_by: ChangeId | None) -> None:
        """Note on a change that another took it back."""
        self.transaction.run("mark_undone", {"id": change_id, "undone_by": undone_by})

    def idempotent_request(self, scope: Scope, key: str) -> tuple[Value, ...] | None:
        """What this caller's earlier request under the same key came to."""
        key_parameters: dict[str, Value] = {"scope": scope.path, "actor": self._actor, "key": key}
        found = self.transaction.rows("idempotent_request", key_parameters)
        return tuple(found[0]) if found else None

    def note_request(self, scope: Scope, key: str, outcome: dict[str, Value]) -> None:
        """Remember what a request under a key came to."""
        self.transaction.run(
            "insert_idempotent_request",
            {
                "scope": scope.path,
                "actor": self._actor,
                "key": key,
                "at": self._micros(),
                **outcome,
            },
        )

    def count_access(self, number: int, *, accesses: int, at: datetime, gap: timedelta) -> None:
        """Count uses of a memory."""
        self.transaction.run(
            "count_access",
            {
                "number": number,
                "accesses": accesses,
                "at": to_micros(at),
                "gap": gap // _TICK,
            },
        )

    def audit(
        self,
        action: Action,
        scope: str,
        *,
        actor: str | None = None,
        at: datetime | None = None,
        count: int = 1,
        memory_id: MemoryId | None = None,
        change_id: ChangeId | None = None,
        digest: bytes = b"",
    ) -> None:
        """Add a line to the audit."""
        self._audit_count += 1
        fields: list[Value] = [
            self._audit_count,
            to_micros(at or self.now),
            actor or self._actor,
            action.value,
            memory_id,
            change_id,
            scope,
            count,
            digest,
        ]
        self._audit_head = link_hash(self._audit_key, self._audit_head, fields)
        self.transaction.run("insert_audit", [*fields, self._audit_head])

    def _touch(
        self, memory: Memory, digest: bytes, *, action: Action | None = None, scope: str = ""
    ) -> None:
        change = self._changes[-1]
        if memory.number not in change.numbers:
            change.numbers.append(memory.number)
        self.audit(
            action or change.action,
            scope or memory.scope.path,
            memory_id=memory.id,
            change_id=change.id,
            digest=digest,
        )

    def finish(self) -> None:
        """Write what belongs to the unit as a whole, just before it commits."""
        for change in self._changes:
            if not change.numbers and not change.is_kept:
                continue  # nothing came of it, as when a statement was refused
            numbers = f"[{','.join(map(str, change.numbers))}]"
            self.transaction.run(
                "insert_change",
                (change.id, change.action.value, self._micros(), self._actor, change.scope,
                 change.reason, numbers, change.undoes),
            )  # fmt: skip
        self.transaction.run(
            "write_ledger",
            (
                self._last_number,
                self._audit_count,
                self._audit_head,
                seal(self._audit_key, self._audit_count, self._audit_head),
            ),
        )

    def digest(self, text: str) -> bytes:
        """A keyed hash; a plain one of a short text could be guessed."""
        return keyed_hash(self._audit_key, text.encode("utf-8", "replace"))

    def _digest_of(self, memory: Memory) -> bytes:
        """The digest of a memory's text; of a protected one under its person's own key."""
        if memory.is_indexable:
            salted = self._salt_of(memory.number) + memory.content.encode("utf-8", "replace")
            return keyed_hash(self._audit_key, salted)
        text = memory.content.encode("utf-8", "replace")
        return self.transaction.vault().tag(text, person_of(memory))

    def tagged(self, identity: bytes, person: Person) -> bytes:
        """The identity of a protected statement: a plain hash of a short text could be guessed."""
        return self.transaction.vault().tag(identity, person)

    def people_of(self, memory: Memory) -> tuple[Person, ...]:
        """Everybody on whose key a memory hangs: its own person, and those it was made from."""
        behind = people_behind(self.transaction, memory.number)
        return each_once((person_of(memory), *behind))

    def _salt_of(self, number: int) -> bytes:
        """What a memory's digests are made with: erased with it, they are noise."""
        found = self.transaction.rows("digest_salt", (number,))
        if found:
            return cast(bytes, found[0][0])
        salt = self._mint.salt(_SALT_BYTES)
        self.transaction.run("keep_digest_salt", (number, salt))
        return salt

    def _micros(self) -> int:
        return to_micros(self.now)
