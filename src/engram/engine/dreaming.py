"""What happens while nobody asks: the part of the facade that dreams, and tells what it did."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from engram.engine.naming import Naming
from engram.errors import Cancelled, ChangeNotFound
from engram.memory.changes import Action
from engram.memory.dreams.report import (
    DreamId,
    DreamRecord,
    DreamReport,
    Step,
    read_steps,
)
from engram.memory.scopes import Scope
from engram.recall.question import read_limit

if TYPE_CHECKING:
    from engram.lifecycle.dreams.cycle import Sleeper
    from engram.lifecycle.dreams.night import Night

_MAKES_WAY_SECONDS = 0.25  # before each decision, at most


class Dreaming(Naming):
    """Memories fade, merge and are made sense of; nothing is destroyed."""

    def dream(
        self,
        *,
        steps: Iterable[Step | str] | None = None,
        dry_run: bool = False,
        rebuild: bool = False,
        scope: Scope | None = None,
        progress: Callable[[int, int], None] | None = None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> DreamReport:
        """Go through what is kept once: all passes, or the steps that are named.

        A dry run only tells what would be decided, each pass as if it were the first. `rebuild`
        makes everything that was made of memories anew. One dream at a time works on a store; one
        that was interrupted goes on. `undo` takes back a decision, a pass or the whole dream.
        Once `is_stopped` it ends with `Cancelled` as soon as it can.
        """
        # Imported here: who never dreams never loads what it takes.
        from engram.lifecycle.dreams.cycle import Wanted, dream

        self.principal.check_known()
        if not dry_run:
            self.principal.check_may_curate()
        chosen = read_steps(None if steps is None else _listed(steps))
        start = self.principal.write_scope(scope)
        self._parts.access_log.flush()
        self._make_names()
        wanted = Wanted(chosen, start, is_dry=dry_run, is_rebuild=rebuild)
        report = dream(self._sleeper(is_stopped), wanted, progress)
        self._parts.wake_embedding()
        return report

    def dreams(self, *, limit: int = 20, scope: Scope | None = None) -> list[DreamRecord]:
        """The last dreams, newest first, and how much of each still stands."""
        with self._store.read(
            self.principal.review_reach(scope), timeout_seconds=self._patience
        ) as see:
            found = see.dreams.all(limit=read_limit(limit))
        self._note(Action.AUDIT, count=len(found), scope=scope)
        return found

    def dream_report(self, dream_id: str, *, scope: Scope | None = None) -> DreamReport:
        """What a dream did, as far as you see the scopes it did it in."""
        with self._store.read(
            self.principal.review_reach(scope), timeout_seconds=self._patience
        ) as see:
            found = see.dreams.all(limit=1, id_=dream_id)
            if not found:
                raise ChangeNotFound(hint="No dream of that name is in sight.")
            passes = tuple(see.dreams.passes(DreamId(dream_id)))
        self._note(Action.AUDIT, count=1, scope=scope)
        return DreamReport(
            id=DreamId(dream_id), at=found[0].at, is_dry=False, is_resumed=False, passes=passes
        )

    def _sleeper(self, is_stopped: Callable[[], bool]) -> "Sleeper":
        from engram.lifecycle.dreams.cycle import Sleeper

        place = self._parts.place

        def make_way() -> None:
            if is_stopped():
                raise Cancelled(hint="The dream goes on with the next one.")
            self._parts.foreground.make_way(_MAKES_WAY_SECONDS)

        return Sleeper(
            store=self._store,
            principal=self.principal,
            clock=self._clock,
            night_in=self._night,
            make_way=make_way,
            log=lambda step, error: self._parts.log.write(
                "dream_pass_failed", self._clock(), step=step, error=error
            ),
            folder=place.root if place else None,
        )

    def _night(self, scope: Scope, now: datetime) -> "Night":
        from engram.lifecycle.dreams.host import ThisHost
        from engram.lifecycle.dreams.night import Night

        settings, model = self.settings, self._parts.model
        return Night(
            scope=scope,
            now=now,
            options=settings.dreams,
            registry=settings.registry,
            retention_mode=self._retention_mode,
            expiry=settings.expiry,
            boxes=settings.boxes,
            episode_decay_per_hour=settings.lifecycle.episode_decay_per_hour,
            host=ThisHost(),
            is_owners=self.principal.is_owner,
            judge=self._parts.pair_reader,
            model=model(scope) if model is not None and settings.dreams.model_helps else None,
        )


def _listed(steps: Iterable[Step | str]) -> object:
    return list(steps) if isinstance(steps, Iterable) and not isinstance(steps, str) else steps
