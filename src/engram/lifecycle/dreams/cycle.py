"""One dream: its passes in order over every scope, each decision in a transaction of its own."""

import dataclasses
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from engram.errors import Cancelled, DreamRunning, EngramError
from engram.failpoints import failpoint
from engram.lifecycle.dreams.known import Known
from engram.lifecycle.dreams.night import Decision, Night, Planned
from engram.lifecycle.dreams.passes import pass_of
from engram.memory.changes import Action
from engram.memory.dreams.report import (
    DREAM_PREFIX,
    SUMMING_UP,
    Decided,
    DreamId,
    DreamReport,
    PassReport,
    Step,
)
from engram.memory.scopes import Principal, Reach, Scope
from engram.storage.alone import working_alone
from engram.storage.dreams import (
    DreamBegun,
    Place,
    begin_dream,
    finish_dream,
    finish_pass,
    note_decision,
)
from engram.storage.place import DREAM_LOCK
from engram.storage.reader import StoreReader
from engram.storage.store import Store
from engram.storage.unit import UnitOfWork

_GOES_ON_WITHIN = timedelta(days=1)  # what was interrupted longer ago begins anew
_ENDS_TOGETHER = 25
_READING_SECONDS = 600.0  # a pass has bounds of its own
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sleeper:
    """Who dreams, in which store, by which rules."""

    store: Store
    principal: Principal
    clock: Callable[[], datetime]
    night_in: Callable[[Scope, datetime], Night]  # the rules, but for what the cycle fills in
    make_way: Callable[[], None]
    log: Callable[[str, str], None]  # that a pass failed: its name, and the error's
    folder: Path | None  # None: nothing on disk, and so no other process


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be dreamt."""

    steps: tuple[Step, ...]
    scope: Scope  # where it begins: what lies below is dreamt too, as far as the caller may decide
    is_dry: bool = False
    is_rebuild: bool = False


def dream(sleeper: Sleeper, wanted: Wanted, progress: Progress | None = None) -> DreamReport:
    """Dream once. An unfinished dream of the same kind goes on where it stopped."""
    if wanted.is_dry:
        begun = DreamBegun(DreamId(""), sleeper.clock())
        return _report(begun, wanted, tuple(_dream_on(sleeper, wanted, begun, progress)))
    with _alone(sleeper):
        begun, is_resumed = _begun(sleeper, wanted)
        for _ in _dream_on(sleeper, wanted, begun, progress):
            pass
        with _writing(sleeper, begun.at) as unit:
            finish_dream(unit.transaction, begun.id, sleeper.clock())
        with sleeper.store.read(_everywhere(sleeper), timeout_seconds=_READING_SECONDS) as see:
            passes = tuple(see.dreams.passes(begun.id))
        return _report(begun, wanted, passes, is_resumed=is_resumed)


def _report(
    begun: DreamBegun, wanted: Wanted, passes: tuple[PassReport, ...], *, is_resumed: bool = False
) -> DreamReport:
    return DreamReport(
        id=begun.id, at=begun.at, is_dry=wanted.is_dry, is_resumed=is_resumed, passes=passes
    )


@contextmanager
def _alone(sleeper: Sleeper) -> Iterator[None]:
    """One dream at a time, also across processes."""
    lock = DREAM_LOCK if sleeper.folder is not None else f"{DREAM_LOCK} {id(sleeper.store)}"
    with working_alone(sleeper.folder, lock) as is_alone:
        if not is_alone:
            raise DreamRunning
        yield


def _begun(sleeper: Sleeper, wanted: Wanted) -> tuple[DreamBegun, bool]:
    """The dream to go on with, or one that begins now."""
    now, actor = sleeper.clock(), sleeper.principal.actor
    with _writing(sleeper, now) as unit:
        since = now - _GOES_ON_WITHIN
        known = unit.see.dreams.unfinished(wanted.scope, actor, wanted.steps, since)
        if known is not None and not wanted.is_rebuild:
            return known, True
        begun = DreamBegun(DreamId(f"{DREAM_PREFIX}{unit.mint_memory_id()}"), now)
        begin_dream(
            unit.transaction, begun, actor=actor, scope=wanted.scope, steps=wanted.steps, now=now
        )
        unit.audit(Action.DREAM, wanted.scope.path)
    return begun, False


def _dream_on(
    sleeper: Sleeper, wanted: Wanted, begun: DreamBegun, progress: Progress | None
) -> Iterator[PassReport]:
    """Do what is left of a dream; each pass is told when it is done."""
    with sleeper.store.read(_everywhere(sleeper), timeout_seconds=_READING_SECONDS) as see:
        done = set() if wanted.is_dry else _done(see.dreams.passes(begun.id))
        scopes = _scopes(sleeper, wanted, see.dreams.scopes())
    ends = _Ends(sleeper, begun)
    total = len(scopes) * len(wanted.steps)
    for number, scope in enumerate(scopes):
        known = Known(scope, begun.at, limit=_rows(sleeper, scope, begun))
        for place, step in enumerate(wanted.steps):
            if (step, scope.path) not in done:
                runner = _Runner(sleeper, wanted, begun, Place(begun.id, step, scope), known)
                report, mark = runner.run()
                if not wanted.is_dry:
                    ends.note(report, mark)
                yield report
            if progress is not None:
                progress(number * len(wanted.steps) + place + 1, total)
    ends.write()


def _scopes(sleeper: Sleeper, wanted: Wanted, held: list[Scope]) -> list[Scope]:
    """Where to dream: in each scope that the caller may decide about, the widest first.

    The owner's whole store is looked after even when nothing is kept at its top.
    """
    found = [
        scope
        for scope in held
        if wanted.scope.contains(scope) and sleeper.principal.may_change_in(scope)
    ]
    if sleeper.principal.is_owner and wanted.scope == Scope() and Scope() not in found:
        found.insert(0, Scope())
    return found


class _Ends:
    """The ends of passes, written down at once where something was decided, else some together.

    A pass that decided nothing comes to the same when it is done again after a crash.
    """

    def __init__(self, sleeper: Sleeper, begun: DreamBegun) -> None:
        self._sleeper = sleeper
        self._begun = begun
        self._waiting: list[tuple[PassReport, str | None]] = []

    def note(self, report: PassReport, mark: str | None) -> None:
        """A pass is done."""
        failpoint("dream_before_mark")
        self._waiting.append((report, mark))
        if report.decided or len(self._waiting) >= _ENDS_TOGETHER:
            self.write()

    def write(self) -> None:
        """Write down what waits."""
        if self._waiting:
            with _writing(self._sleeper, self._begun.at) as unit:
                for report, mark in self._waiting:
                    finish_pass(unit.transaction, self._begun.id, report, mark)
            self._waiting.clear()


def _done(passes: Sequence[PassReport]) -> set[tuple[Step, str]]:
    return {(each.step, each.scope) for each in passes if each.is_finished}


def _rows(sleeper: Sleeper, scope: Scope, begun: DreamBegun) -> int:
    return sleeper.night_in(scope, begun.at).options.rows_per_pass


@dataclass(frozen=True, slots=True)
class _Runner:
    """One pass in one scope."""

    sleeper: Sleeper
    wanted: Wanted
    begun: DreamBegun
    place: Place
    known: Known

    def run(self) -> tuple[PassReport, str | None]:
        """Plan the pass and carry its decisions out; what it did, and how far it got."""
        started = time.perf_counter()
        planned, problem = self._planned()
        decided, is_cut = self._carried_out(planned, started)
        report = PassReport(
            step=self.place.step,
            scope=self.place.scope.path,
            looked_at=planned.looked_at,
            decided=tuple(decided),
            findings=planned.findings,
            skipped=problem or planned.skipped,
            seconds=time.perf_counter() - started,
            is_whole=planned.is_whole and not is_cut and not problem,
        )
        return report, None if is_cut or problem else planned.mark

    def _planned(self) -> tuple[Planned, str]:
        """What the pass wants done; what goes wrong in one pass is no reason to wake up."""
        try:
            with self._reading() as see:
                night = self._night(see.dreams.mark(self.place.step, self.place.scope))
                planned = pass_of(self.place.step)(night, see)
                undone = self._undone(see, planned)
        except Cancelled:
            raise  # somebody needs the store: the dream goes on another time
        except EngramError as error:
            return Planned(), f"{error.code}: {error.message}"
        except Exception as error:  # noqa: BLE001  # the runner of passes: others are to be done
            self.sleeper.log(self.place.step.value, type(error).__name__)
            return Planned(), f"it failed: {type(error).__name__}"
        left = tuple(each for each in planned.decisions if each.key not in undone)
        return dataclasses.replace(planned, decisions=left), ""

    def _undone(self, see: StoreReader, planned: Planned) -> set[str]:
        """The decisions that somebody took back before; who asks for a rebuild wants them again,
        as far as they only sum up."""
        if self.wanted.is_rebuild and self.place.step in SUMMING_UP:
            return set()
        keys = (each.key for each in planned.decisions)
        return see.dreams.undone(keys, self.place.step, self.place.scope)

    def _night(self, mark: str | None) -> Night:
        night = self.sleeper.night_in(self.place.scope, self.begun.at)
        return dataclasses.replace(
            night,
            statements=self.known.statements,
            vectors=self.known.vectors,
            mark=None if self.wanted.is_rebuild else mark,
            is_rebuild=self.wanted.is_rebuild,
            breathe=self.sleeper.make_way,
        )

    def _carried_out(self, planned: Planned, started: float) -> tuple[list[Decided], bool]:
        """Do what was decided, one by one; whether a bound was reached before the end."""
        options = self.sleeper.night_in(self.place.scope, self.begun.at).options
        decided: list[Decided] = []
        for number, each in enumerate(planned.decisions):
            is_late = number > 0 and time.perf_counter() - started > options.seconds_per_pass
            if is_late or number >= options.decisions_per_pass:
                return decided, True
            if self.wanted.is_dry:
                decided.append(Decided(each.why, each.numbers, ()))
                continue
            self.sleeper.make_way()
            done = self._do(each)
            if done is not None:
                decided.append(done)
            failpoint("dream_after_decision")
        return decided, False

    def _do(self, decision: Decision) -> Decided | None:
        """Carry one decision out; None when somebody else was faster."""
        with _writing(self.sleeper, self.begun.at, self._reach) as unit:
            if not decision.carry_out(unit):
                return None
            decided = Decided(decision.why, decision.numbers, unit.decisions)
            note_decision(unit.transaction, self.place, decision.key, decided)
            failpoint("dream_before_commit")
        return decided

    @property
    def _reach(self) -> Reach:
        return Reach(chain=(self.place.scope.path,))

    def _reading(self) -> AbstractContextManager[StoreReader]:
        return self.sleeper.store.read(self._reach, timeout_seconds=_READING_SECONDS)


def _everywhere(sleeper: Sleeper) -> Reach:
    return sleeper.principal.review_reach()


@contextmanager
def _writing(sleeper: Sleeper, now: datetime, reach: Reach | None = None) -> Iterator[UnitOfWork]:
    actor = sleeper.principal.actor
    with sleeper.store.write(reach or _everywhere(sleeper), actor=actor, now=now) as unit:
        yield unit
