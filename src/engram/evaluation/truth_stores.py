"""What the rows of the truth table share: their material, and what became of statements in a store.

The small stores of the corpus are put in and asked about once, whichever rows look at them.
"""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from engram.engine import Engram
from engram.errors import EngramError
from engram.evaluation.conversations import Asked, Conversation, Turn
from engram.evaluation.corpus import LANGUAGES, Corpus, sample
from engram.evaluation.metrics import SHOWN
from engram.evaluation.put_in import observed
from engram.evaluation.task_report import Bar, TaskLine, TaskReport, verdicts
from engram.memory.links import Relation
from engram.memory.record import Memory
from engram.memory.vocabulary import Status

CONFIDENT, UNKNOWN = "confident", "unknown"
_TURN = "turn"
_PAGE = 2_000

Tick = Callable[[int, int], None]  # done, of how many
Replacement = tuple[frozenset[str], frozenset[str]]  # references of the old one, of the new one


@dataclass(frozen=True, slots=True)
class Replacements:
    """Which statements of a store were retired, or linked as perhaps replaced."""

    statements: int = 0
    retired: tuple[Replacement, ...] = ()
    linked: tuple[Replacement, ...] = ()
    kept: frozenset[str] = frozenset()  # references that have a statement at all


@dataclass(frozen=True, slots=True)
class Answered:
    """A question and what recall said to it."""

    asked: Asked
    hits: tuple[tuple[str, ...], ...]  # the references of each, best first
    confidence: float
    assessment: str

    @property
    def ranked(self) -> tuple[str, ...]:
        """The references in order."""
        return tuple(reference for hit in self.hits for reference in hit)


@dataclass(frozen=True, slots=True)
class StoreTrial:
    """One small store: what was retired in it, and how its questions were answered."""

    store: Conversation
    replacements: Replacements
    answers: tuple[Answered, ...]


@dataclass
class Truth:
    """What there is to measure on."""

    corpus: Corpus
    settings: Mapping[str, object] = field(default_factory=dict)
    limit: int | None = None  # rows of each kind, evenly spread
    is_full: bool = False  # with what takes an hour
    _alone: list[StoreTrial] | None = field(default=None, init=False, repr=False)

    @cached_property
    def stores(self) -> list[Conversation]:
        """The small stores of the test part."""
        return sample(self.corpus.stores(), self.limit)

    def alone(self, tick: Tick) -> list[StoreTrial]:
        """Each small store by itself; put in once for all rows."""
        if self._alone is None:
            self._alone = self._trials(self.stores, tick)
        return self._alone

    def languages(self, tick: Tick) -> list[StoreTrial]:
        """The stores in other languages, each by itself."""
        stores = self.corpus.stores(kind=LANGUAGES)
        return self._trials(sample(stores, self.limit), tick)

    @contextmanager
    def open(self, folder: Path | str = ":memory:") -> Iterator[Engram]:
        """A store with the settings that are measured."""
        with Engram.open(folder, settings=self.settings) as engram:
            yield engram

    @contextmanager
    def folder(self) -> Iterator[Path]:
        """A folder that is gone afterwards."""
        with tempfile.TemporaryDirectory(prefix="engram-eval-") as folder:
            yield Path(folder)

    def _trials(self, stores: Sequence[Conversation], tick: Tick) -> list[StoreTrial]:
        found = []
        tick(0, len(stores))
        for done, store in enumerate(stores, start=1):
            with self.open() as engram:
                hear(engram, store.turns)
                answers = ask_all(engram, store)
                found.append(StoreTrial(store, replacements_in(engram), answers))
            tick(done, len(stores))
        return found


def hear(engram: Engram, turns: Sequence[Turn]) -> None:
    """Take in turns by `observe`, read them, and wait for every verdict."""
    engram.observe_many([observed(turn) for turn in turns if turn.text.strip()])
    engram.flush()
    engram.settle()


def ask_all(engram: Engram, store: Conversation) -> tuple[Answered, ...]:
    """Every question about a store, asked when its last turn was said."""
    try:
        return tuple(ask(engram, each, store) for each in store.questions)
    except EngramError as error:
        error.hint = f"{store.name}: {error.hint}"
        raise


def ask(engram: Engram, asked: Asked, store: Conversation) -> Answered:
    """One question about a store."""
    result = engram.recall(asked.text, limit=SHOWN, now=store.ends_at)
    return Answered(
        asked, tuple(hit.references for hit in result), result.confidence, result.assessment
    )


def replacements_in(engram: Engram) -> Replacements:
    """Every statement that was retired or linked, by the references of both sides."""
    statements = list(statements_in(engram))
    references = {each.id: references_of(engram, each) for each in statements}
    retired, linked = [], []
    for each in statements:
        if each.status is Status.SUPERSEDED and each.superseded_by in references:
            retired.append((references[each.id], references[each.superseded_by]))
        linked += [
            (references[link.to_id], references[each.id])
            for link in engram.links(each.id)
            if link.relation == Relation.MAY_REPLACE
            and link.from_id == each.id
            and link.to_id in references
        ]
    kept = frozenset[str]().union(*references.values())
    return Replacements(len(statements), tuple(retired), tuple(linked), kept)


def statements_in(engram: Engram) -> Iterator[Memory]:
    """Every statement, in whatever state; turns are none."""
    before: str | None = None
    while page := engram.list(limit=_PAGE, status="any", before=before):
        yield from (memory for memory in page if memory.category != _TURN)
        before = page[-1].label


def references_of(engram: Engram, memory: Memory) -> frozenset[str]:
    """The references of a statement: its own, and those of the turns it was drawn from."""
    found = {source.turn.reference for source in engram.sources(memory.id)}
    return frozenset(each for each in (*found, memory.reference) if each is not None)


def report(
    task: str,
    material: str,
    lines: Sequence[TaskLine],
    bars: Mapping[str, Sequence[Bar]],
    examples: Sequence[str] = (),
) -> TaskReport:
    """A task whose parts have bars of their own; a part that was not measured has none."""
    held = [each for line in lines for each in verdicts(line, bars.get(line.part, ()))]
    return TaskReport(task, material, tuple(lines), tuple(held), examples=tuple(examples))


def share(part: int, whole: int) -> float:
    """A share; 0 of nothing."""
    return part / whole if whole else 0.0
