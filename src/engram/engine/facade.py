"""The one object that people hold: it opens a store, and is put together from its parts."""

import atexit
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self
from weakref import WeakSet

from engram.engine.admitting import Admitting
from engram.engine.asking import Asking
from engram.engine.carrying import Carrying
from engram.engine.changing import Changing
from engram.engine.contexts import Composing
from engram.engine.core import BeforeChange
from engram.engine.dreaming import Dreaming
from engram.engine.erasing import Erasing
from engram.engine.guarding import Guarding
from engram.engine.harvesting import Harvesting
from engram.engine.overseeing import Overseeing
from engram.engine.picturing import Picturing
from engram.engine.profiling import Profiling
from engram.engine.reading import Reading
from engram.engine.reasoning import Concluding
from engram.engine.relating import Relating
from engram.engine.sending import Sending
from engram.engine.sizing import Sizing
from engram.engine.tool_context import Briefing
from engram.engine.tracing import Tracing
from engram.errors import AccessDenied
from engram.memory.scopes import Principal, Scope
from engram.parts import EngramParts
from engram.storage.place import Backup
from engram.storage.upkeep import DoctorReport, Health
from engram.upkeep import Upkeep

if TYPE_CHECKING:
    from engram.engine.episodes import Episodes
    from engram.engine.knowledge import Knowledge
    from engram.engine.skills import Skills
    from engram.engine.turns import Turn
    from engram.engine.working import Working

_OPEN: "WeakSet[Engram]" = WeakSet()


@atexit.register
def _close_what_is_open() -> None:
    """When the program ends without closing, it still leaves in order."""
    for engram in list(_OPEN):
        engram.close()


@dataclass(frozen=True, slots=True)
class TakenAway:
    """Who was let in once and is no more."""

    keys: tuple[str, ...] = ()
    webhooks: tuple[str, ...] = ()


class Engram(
    Admitting, Erasing, Composing, Asking, Dreaming, Sending, Harvesting, Tracing, Profiling,
    Changing, Carrying, Relating, Briefing, Concluding, Overseeing, Picturing, Sizing,
    Guarding, Reading,
):  # fmt: skip
    """Long-term memory, seen by one caller. Safe to use from any number of threads."""

    def __init__(self, parts: EngramParts, principal: Principal) -> None:
        super().__init__(parts, principal)
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

    def seen_by(
        self, principal: Principal, *, before_change: BeforeChange | None = None
    ) -> "Engram":
        """The same open store as another caller sees it; only its owner can hand it out.

        What is returned lives as long as this, and closing it closes nothing. `before_change` looks
        at the store inside the transaction of each change, so that nothing comes between what it
        sees and what is done; raising, it keeps the change from happening.
        """
        if not self.principal.is_owner:
            raise AccessDenied(hint="Only the owner of a store can open it for others.")
        view = Engram(self._parts, principal)
        view._before_change = before_change
        _OPEN.discard(view)
        return view

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
    def episodes(self) -> "Episodes":
        """What happened: recorded as it goes, recalled by likeness, time, outcome and people."""
        from engram.engine.episodes import Episodes

        return Episodes(self)

    @property
    def knowledge(self) -> "Knowledge":
        """What is believed of whom and what: learnt, reconciled, followed from one to the next."""
        from engram.engine.knowledge import Knowledge

        return Knowledge(self)

    @property
    def skills(self) -> "Skills":
        """How tasks are done: kept, learnt from episodes, matched to a situation, refined."""
        from engram.engine.skills import Skills

        return Skills(self)

    @property
    def working(self) -> "Working":
        """What should be in mind: drawn from all of these for a situation."""
        from engram.engine.working import Working

        return Working(self)

    def turn(
        self,
        session: str,
        *,
        model: str,
        runner: str = "chat",
        system: str | None = None,
        scope: Scope | None = None,
    ) -> "Turn":
        """One agent's turn, with all that memory does around it: use it with `with`.

        `runner` says who runs it: chat, task, cron, flow, orchestrator or swarm. Only one turn of
        a session is at work at a time.
        """
        from engram.engine.turns import Turn

        return Turn(self, session, model=model, runner=runner, system=system, scope=scope)

    @property
    def upkeep(self) -> Upkeep:
        """Backups, health, repair and keys of the store as a whole."""
        return Upkeep(self._parts, self.principal)

    def backup(self, path: str | Path | None = None, *, with_keys: bool = False) -> Backup:
        """Make a verified backup, among the store's own or at a path.

        `with_keys` takes the keys along that protected memories are sealed with.
        """
        return self.upkeep.backup(path, with_keys=with_keys)

    def restore(self, path: str | Path | None = None) -> int:
        """Put a backup (the newest without a path) in the store's place; needs the store alone."""
        taken_away = self.access_taken_away()
        states = self.upkeep.restore(path)
        self._settle_erasures()  # what was erased since the backup does not come back with it
        self.take_access_away(taken_away)
        return states

    def access_taken_away(self) -> TakenAway:
        """The keys that were revoked and the webhooks that were ended; no restore undoes that."""
        keys = (key.id for key in self.keys(every=True) if key.revoked_at is not None)
        webhooks = (hook.id for hook in self.webhooks(every=True) if hook.ended_at is not None)
        return TakenAway(tuple(keys), tuple(webhooks))

    def take_access_away(self, taken_away: TakenAway) -> None:
        """Revoke and end again what a backup from before then had brought back."""
        for key in self.keys():
            if key.id in taken_away.keys:
                self.revoke_key(key.id, "Revoked before the restore.")
        for hook in self.webhooks():
            if hook.id in taken_away.webhooks:
                self.end_webhook(hook.id)

    def health(self) -> Health:
        """Whether the store can be relied on right now, tried for real."""
        return self.upkeep.health()

    def doctor(self, *, repair: bool = False) -> DoctorReport:
        """Look everything over; mend only when told to."""
        return self.upkeep.doctor(repair=repair)
