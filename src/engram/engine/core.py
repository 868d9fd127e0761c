"""What every part of the facade works with: the store, the clock, and who is calling."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime

from engram.capture.draft import DraftRules
from engram.errors import AccessDenied
from engram.memory.changes import Action
from engram.memory.figures import RecallFigures
from engram.memory.record import Memory
from engram.memory.scopes import Principal, Reach, Scope
from engram.memory.secrecy import is_veiled
from engram.memory.security_events import SecurityKind
from engram.memory.shown import protected_in
from engram.memory.vocabulary import RetentionMode
from engram.parts import EngramParts
from engram.security.access_log import Access
from engram.settings import Settings
from engram.storage.reader import StoreReader
from engram.storage.unit import UnitOfWork
from engram.text.strings import checked_text

Moment = datetime | str
FindMemory = Callable[[str], Memory | None]
BeforeChange = Callable[[FindMemory], None]  # raises when a change is not wanted
_REASON_BYTES = 2_000
_AND_BELOW = "*"  # no scope's path ends so: every level is written as level=name/


class Core(ABC):
    """The ground that the parts of the facade share.

    `Engram` is one class in several files. Its parts are abstract, because none means anything
    without the others: only `Engram` can be made, and every public method is found on it.
    """

    def __init__(self, parts: EngramParts, principal: Principal) -> None:
        self._parts = parts
        self._store = parts.store
        self._clock = parts.clock
        self.principal = principal
        self._before_change: BeforeChange | None = None

    @abstractmethod
    def close(self) -> None:
        """Write what waits, finish what runs, and let go of the store."""

    @property
    def settings(self) -> Settings:
        """The settings in force now."""
        return self._parts.settings.current

    @contextmanager
    def _view(self, scope: Scope | None) -> Iterator[StoreReader]:
        reach = self.principal.reach(scope)
        with (
            self._parts.foreground.at_work(),
            self._store.read(reach, timeout_seconds=self._patience) as see,
        ):
            self._parts.heed_erasures(see.erasure_count())
            yield see

    def _unit(self, scope: Scope | None) -> AbstractContextManager[UnitOfWork]:
        return self._unit_in(self.principal.reach(scope))

    def _unit_everywhere(self, scope: Scope | None) -> AbstractContextManager[UnitOfWork]:
        """A unit of work that sees as far down as the caller may decide: the owner, everything."""
        return self._unit_in(self.principal.review_reach(scope))

    @contextmanager
    def _unit_in(self, reach: Reach) -> Iterator[UnitOfWork]:
        with (
            self._parts.foreground.at_work(),
            self._store.write(reach, actor=self.principal.actor, now=self._clock()) as unit,
        ):
            if self._before_change is not None:
                self._before_change(unit.see.memory)
            yield unit

    @contextmanager
    def _writing(self, scope: Scope, now: datetime | None = None) -> Iterator[UnitOfWork]:
        """A unit of work that sees what is where something is added; nothing there is changed for
        which a caller could have set a condition."""
        reach, moment = self.principal.writing_reach(scope), now or self._clock()
        with (
            self._parts.foreground.at_work(),
            self._store.write(reach, actor=self.principal.actor, now=moment) as unit,
        ):
            yield unit

    def _note(
        self,
        action: Action,
        *,
        count: int,
        numbers: tuple[int, ...] = (),
        memory: Memory | None = None,
        question: str = "",
        scope: Scope | None = None,
        figures: RecallFigures | None = None,
        shown: object = None,
    ) -> None:
        """Take a read down; `shown` is what the caller gets, which may hold protected memories."""
        if self._parts.place is not None and self._parts.place.read_only:
            return
        self._note_unsealed((memory, shown))
        # A read of one memory is told where that memory is: elsewhere its id is nobody's business.
        where = memory.scope.path if memory else self._place_of_reading(scope)
        self._parts.access_log.note(
            Access(
                action,
                self.principal.actor,
                where,
                self._clock(),
                count,
                numbers=numbers,
                memory_id=memory.id if memory else None,
                question=question,
                figures=figures,
            )
        )

    def _note_unsealed(self, shown: object) -> None:
        """Tell of each protected memory whose text somebody is shown; never of the text."""
        protected = [] if is_veiled(self.principal) else list(protected_in(shown))
        self._parts.events.unsealed(self.principal.actor, len(protected))
        for memory in protected:
            self._parts.access_log.note(
                Access(
                    Action.UNSEAL,
                    self.principal.actor,
                    memory.scope.path,
                    self._clock(),
                    1,
                    memory_id=memory.id,
                )
            )

    def _security(
        self, kind: SecurityKind, *, scope: Scope | None = None, code: str = "", count: int = 1
    ) -> None:
        """Take a security event down, as this caller's."""
        place = scope or self.principal.scope
        self._parts.events.note(
            kind, actor=self.principal.actor, scope=place.path if place else "", code=code,
            count=count,
        )  # fmt: skip

    def _place_of_reading(self, scope: Scope | None) -> str:
        """Where the audit tells of a read of many; how many there are is told to no one else.

        A read that looks down counts what is not for the eyes of all who see the scope it begins
        at, so it is told in a place of its own that only those see who look down as far.
        """
        where = (scope or self.principal.scope or Scope()).path
        return where + _AND_BELOW if self.principal.reach(scope).below_end else where

    def _draft_rules(self, now: datetime) -> DraftRules:
        settings = self.settings
        return DraftRules(
            settings.capture, settings.registry, self.principal, now, settings.boxes,
            is_sealed=self._parts.place is not None and self._parts.place.is_encrypted,
            templates=settings.templates,
            tiers=settings.security.tiers,
        )  # fmt: skip

    def _check_owner(self) -> None:
        if not self.principal.is_owner:
            raise AccessDenied(hint="Only the owner, who opens the store without a scope, may.")

    @property
    def _patience(self) -> float:
        return self.settings.recall.timeout_seconds

    @property
    def _retention_mode(self) -> RetentionMode:
        return RetentionMode(self.settings.lifecycle.retention_mode)


def checked_reason(reason: str) -> str:
    """A reason for a change, small enough to be kept; it may be left out."""
    return checked_text(reason, name="reason", max_bytes=_REASON_BYTES) if reason else ""
