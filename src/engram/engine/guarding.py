"""Guarding: whether the audit is whole, and what happened that concerns the store's safety."""

from dataclasses import replace

from engram.engine.core import Core, Moment
from engram.errors import EngramError
from engram.memory.changes import Action, AuditHead, AuditVerdict, parse_head
from engram.memory.security_events import SecurityEvent, SecurityKind, parse_kind
from engram.memory.times import parse_time
from engram.recall.question import read_limit
from engram.security.kept_heads import held_against
from engram.storage.audit_chain import head_of
from engram.storage.security_events import SecurityEventTable

_WALK_SECONDS = 600.0


class Guarding(Core):
    """What tells whether somebody tampered, or tried to."""

    def verify_audit(self, against: str | None = None) -> AuditVerdict:
        """Whether the audit is whole: no entry altered, dropped or added, none taken back.

        It is held against what is kept outside the database, and `against` a head that you noted.
        """
        self.principal.check_known()
        noted = None if against is None else parse_head(against)
        self._parts.access_log.flush()
        verdict = self._store.verify_audit(timeout_seconds=_WALK_SECONDS)
        if self._parts.heads is not None:
            verdict = self._parts.heads.verified(verdict)
        if noted is not None and verdict.is_intact:
            with self._store.database.reading(self._patience) as transaction:
                problem = held_against(transaction, noted)
            verdict = replace(verdict, is_intact=not problem, problem=problem)
        if not verdict.is_intact:
            self._security(SecurityKind.AUDIT_BROKEN)
        return verdict

    def audit_head(self) -> AuditHead:
        """How long the audit is and what it ends with, to be noted down elsewhere."""
        self.principal.check_known()
        self._parts.access_log.flush()
        with self._store.database.reading(self._patience) as transaction:
            return head_of(transaction)

    def security_events(
        self, *, limit: int = 100, kind: str | None = None, since: Moment | None = None
    ) -> list[SecurityEvent]:
        """What happened that concerns safety, newest first, counted by the minute; the owner's."""
        self._check_owner()
        wanted = None if kind is None else parse_kind(kind)
        moment = None if since is None else parse_time(since, name="since")
        self._parts.events.flush()
        with self._store.database.reading(self._patience) as transaction:
            table = SecurityEventTable(transaction)
            found = table.newest(limit=read_limit(limit), kind=wanted, since=moment)
        self._note(Action.SECURITY, count=len(found))
        return found

    def note_refusal(self, error: EngramError, *, caller: str | None = None) -> None:
        """Take down that somebody was refused, as a surface does that told them so.

        `caller` names who it was where the one who serves is the owner; nobody else can name one.
        """
        is_other = caller is not None and self.principal.is_owner
        actor = caller if is_other and caller is not None else self.principal.actor
        scope = "" if is_other else (self.principal.scope.path if self.principal.scope else "")
        self._parts.events.refused(error, actor=actor, scope=scope)
