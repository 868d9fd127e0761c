"""Lives through the days: listens, asks, dreams at night, and looks at what is left."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from benchmarks.ninety_days.figures import DayFigures, StaleFigures
from benchmarks.ninety_days.generator import BEGINNING, Generator
from benchmarks.ninety_days.spoken import Changing, Day, Planted, Said, scope_of
from engram import Engram, Scope
from engram.memory.scopes import Principal

HITS = 5
_SAMPLE = 60  # planted facts asked for each night
_WHOLE = 15  # days after which all of them are
_NIGHT = timedelta(days=1, hours=2)
_PATIENCE_SECONDS = 120.0
_PATIENT = {"recall": {"timeout_seconds": _PATIENCE_SECONDS}}
_EVERYWHERE = Principal.orchestrator(Scope())
_RECALLABLE = ("active", "challenged")


@dataclass(slots=True)
class Clock:
    """The time of the simulation, which passes when it is told to."""

    now: datetime = BEGINNING

    def __call__(self) -> datetime:
        return self.now


@dataclass(slots=True)
class Lived:
    """What a simulation came to."""

    days: list[DayFigures] = field(default_factory=list)
    stale: StaleFigures | None = None
    lost: list[str] = field(default_factory=list)  # questions that were not answered in the end
    passes: dict[str, float] = field(default_factory=dict)  # seconds of each pass, in all
    skipped: dict[str, str] = field(default_factory=dict)  # passes that did not run, and why


Told = Callable[[DayFigures], None]


@dataclass(frozen=True, slots=True)
class World:
    """The store as the person uses it, and as somebody looks on who leaves no trace."""

    engram: Engram
    onlooker: Engram
    clock: Clock
    path: Path
    is_split: bool  # each project in a scope of its own


@contextmanager
def world(
    path: Path, settings: dict[str, object] | None = None, *, is_split: bool = False
) -> Iterator[World]:
    """Open a store for a simulation. Who measures only reads: nothing counts as used by that."""
    clock = Clock()
    chosen = {**_PATIENT, **(settings or {})}
    with Engram.open(path, settings=chosen, clock=clock) as engram:
        engram._parts.reading = _Asleep()  # read at set times, so that each run reads the same
        with Engram.open(
            path, settings=chosen, clock=clock, read_only=True, principal=_EVERYWHERE
        ) as onlooker:
            yield World(engram, onlooker, clock, path, is_split)


class _Asleep:
    """A background reader that does not read."""

    def wake(self) -> None:
        """Stay asleep."""

    def close(self) -> None:
        """Nothing runs."""


def live(generator: Generator, there: World, *, dreams: bool, told: Told | None = None) -> Lived:
    """Live through all days, one after the other."""
    lived = Lived()
    for day in generator:
        started = time.perf_counter()
        _listen(day, there)
        _ask(day, there)
        there.clock.now = BEGINNING + timedelta(days=day.number) + _NIGHT
        there.engram.settle()
        awake = time.perf_counter() - started
        seconds, decisions = _dream(there, lived) if dreams else (0.0, 0)
        figures = _figures(day, generator, there, (awake, seconds, decisions), lived)
        lived.days.append(figures)
        if told is not None:
            told(figures)
    lived.stale = stale_figures(generator, there, generator.days - 1)
    return lived


def _listen(day: Day, there: World) -> None:
    for session in day.sessions:
        there.clock.now = session[-1].at + timedelta(minutes=1)
        for run in _runs(session):
            items = [said.as_item(is_split=there.is_split) for said in run]
            if run[0].told:
                there.engram.remember_many(items)
            else:
                there.engram.observe_many(items)
        there.engram.flush()


def _runs(session: tuple[Said, ...]) -> list[list[Said]]:
    """What is heard and what is handed in, in the order in which it is said."""
    runs: list[list[Said]] = []
    for said in session:
        if runs and runs[-1][0].told == said.told:
            runs[-1].append(said)
        else:
            runs.append([said])
    return runs


def _ask(day: Day, there: World) -> None:
    for project, question in day.asked:
        there.clock.now += timedelta(minutes=3)
        scope = scope_of(project, is_split=there.is_split)
        there.engram.recall(question, limit=HITS, scope=scope)


def _dream(there: World, lived: Lived) -> tuple[float, int]:
    """Dream once. Processor time is taken, so that others on the machine do not count."""
    started = time.process_time()
    report = there.engram.dream()
    seconds = time.process_time() - started
    there.engram.settle()
    for each in report.passes:
        lived.passes[each.step] = lived.passes.get(each.step, 0.0) + each.seconds
        if each.skipped:
            lived.skipped[each.step] = each.skipped
    return seconds, report.decisions


def _figures(
    day: Day,
    generator: Generator,
    there: World,
    measured: tuple[float, float, int],
    lived: Lived,
) -> DayFigures:
    awake, seconds, decisions = measured
    counts = _counts(there)
    is_last = day.number == generator.days - 1
    known = generator.planted_until(day.number)
    is_whole = is_last or day.number % _WHOLE == _WHOLE - 1
    asked = known if is_whole else _sample(known, day.number)
    lost = [fact.question for fact in asked if not is_found(fact, there.onlooker)]
    lived.lost = lost if is_last else lived.lost
    return DayFigures(
        day=day.number,
        decisions=decisions,
        dream_seconds=seconds,
        day_seconds=awake,
        kilobytes=sum(file.stat().st_size for file in there.path.glob("*.db*")) // 1024,
        asked=len(asked),
        found=len(asked) - len(lost),
        **counts,
    )


def _counts(there: World) -> dict[str, int]:
    reach = there.onlooker.principal.reach(None)
    with there.onlooker._store.read(reach, timeout_seconds=_PATIENCE_SECONDS) as see:
        rows = list(see.counts(there.clock.now))
    of = {
        status: sum(count for found, _, _, count in rows if found == status)
        for status in {row[0] for row in rows}
    }
    turns = sum(
        count for status, category, _, count in rows
        if status in _RECALLABLE and category == "turn"
    )  # fmt: skip
    return {
        "stored": sum(of.values()),
        "active": sum(of.get(status, 0) for status in _RECALLABLE),
        "turns": turns,
        "archived": of.get("archived", 0),
        "merged": of.get("merged", 0),
        "superseded": of.get("superseded", 0),
        "stale": of.get("stale", 0),
    }


def _sample(known: tuple[Planted, ...], day: int) -> tuple[Planted, ...]:
    """Some of them, others each night, the old ones as likely as those of today."""
    if len(known) <= _SAMPLE:
        return known
    step = len(known) / _SAMPLE
    return tuple(known[int(day + place * step) % len(known)] for place in range(_SAMPLE))


def is_found(fact: Planted, onlooker: Engram) -> bool:
    """Whether a fact is among the first five hits for its question."""
    hits = onlooker.recall(fact.question, limit=HITS)
    return any(fact.is_answered_by(hit.memory.content) for hit in hits)


def stale_figures(generator: Generator, there: World, day: int) -> StaleFigures:
    """How everything that changes is answered at the end of a day."""
    things = [each for each in generator.changing if each.stale_on(day)]
    found, first, as_current = 0, [], []
    for thing in things:
        ranks = _ranks(thing, there.onlooker, day)
        found += ranks.current is not None
        if ranks.stale is not None and (ranks.current is None or ranks.stale < ranks.current):
            first.append(thing.question)
        if ranks.is_stale_statement:
            as_current.append(thing.question)
    return StaleFigures(len(things), found, tuple(first), tuple(as_current))


@dataclass(frozen=True, slots=True)
class _Ranks:
    current: int | None
    stale: int | None
    is_stale_statement: bool


def _ranks(thing: Changing, onlooker: Engram, day: int) -> _Ranks:
    value, stale = thing.value_on(day) or "", thing.stale_on(day)
    current_rank = stale_rank = None
    is_stale_statement = False
    for rank, hit in enumerate(onlooker.recall(thing.question, limit=HITS)):
        text = hit.memory.content
        if thing.names(text, value):
            current_rank = rank if current_rank is None else current_rank
        elif any(thing.names(text, each) for each in stale):
            stale_rank = rank if stale_rank is None else stale_rank
            is_stale_statement |= hit.memory.category != "turn"
    return _Ranks(current_rank, stale_rank, is_stale_statement)
