"""What reading costs, and how much English stands in the program.

Processor time is that of the whole process, so that a busy machine does not change it. The part of
the encoder is taken by timing the calls of the reader's model.
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import apsw

import engram
from engram.engine import Engram
from engram.evaluation.conversations import Turn
from engram.evaluation.corpus import sample
from engram.evaluation.put_in import observed, role_of
from engram.evaluation.task_report import ENGRAM, Bar, Figure, TaskLine, TaskReport, Unit, counted
from engram.evaluation.truth_stores import Tick, Truth, hear, report
from engram.memory.figures import percentile
from engram.providers.choose import choose_embedder
from engram.providers.options import EmbedderOptions
from engram.providers.text_reader import TextReader, packaged_reader

_MOST_TURNS = 400
_ONE_BY_ONE = 200
_WITHOUT_EMBEDDER = {"embedder": {"kind": "none"}}
_OBSERVE_MILLISECONDS = 10.0
_PACKAGE = Path(engram.__file__).parent
# Where the program knows English: the package of language, and what reads sentences beside it.
ENGLISH = (
    "language", "capture/reading", "memory/traits.py", "recall/intent.py",
)  # fmt: skip
RULE_BARS = (
    Bar("lines of Python", 4_000, is_least=False),
    Bar("entries in data files", 6_000, is_least=False),
)


class SpentTime:
    """Adds up the processor seconds of the calls that go through it."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def around(self, function: Callable[..., object]) -> Callable[..., object]:
        """The function, with its time added."""

        def timed(*arguments: object, **named: object) -> object:
            started = time.process_time()
            try:
                return function(*arguments, **named)
            finally:
                self.seconds += time.process_time() - started

        return timed


@contextmanager
def timed_calls(reader: TextReader, *names: str) -> Iterator[SpentTime]:
    """The processor time of some methods of the reader while this lasts."""
    clock = SpentTime()
    for name in names:
        setattr(reader, name, clock.around(getattr(reader, name)))
    try:
        yield clock
    finally:
        for name in names:
            delattr(reader, name)


def measure_reading(truth: Truth, tick: Tick) -> TaskReport:
    """How fast turns are read without the model, what the model adds, and how fast one is kept."""
    most = min(truth.limit or _MOST_TURNS, _MOST_TURNS)
    turns = [each.turn for each in sample(truth.corpus.turns(), most)]
    tick(0, 4)
    rules, encoder = _read_all(truth, turns)
    tick(1, 4)
    embedding = _embed_all(turns)
    tick(2, 4)
    everything = _take_in(truth, turns)
    tick(3, 4)
    kept, bare = _keep_one_by_one(truth, turns[:_ONE_BY_ONE])
    tick(4, 4)
    slowest = percentile(kept, 0.95)
    figures = (
        Figure("read", len(turns) / rules if rules else 0.0, Unit.PER_SECOND),
        Figure("encoder work", encoder / embedding if embedding else 0.0, Unit.TIMES),
        Figure("with verdicts", everything / embedding if embedding else 0.0, Unit.TIMES),
        Figure("observe p95", slowest, Unit.MILLISECONDS),
        Figure("bare p95", percentile(bare, 0.95), Unit.MILLISECONDS),
    )
    bars = (
        Bar("read", 150.0),
        Bar("encoder work", 1.3, is_least=False),
        Bar("observe p95", max(2 * percentile(bare, 0.95), _OBSERVE_MILLISECONDS), is_least=False),
    )
    line = TaskLine(ENGRAM, "all", len(turns), figures)
    material = f"{counted(len(turns), 'turn')}, {len(kept):,} of them one by one"
    return report("reading", material, [line], {"all": bars})


def _read_all(truth: Truth, turns: Sequence[Turn]) -> tuple[float, float]:
    """Processor seconds of reading all turns: without the model, and in it."""
    with truth.open() as store:
        store.read("The first one loads what reading takes.")
        started = time.process_time()
        with timed_calls(packaged_reader(), "read_turn") as model:
            for turn in turns:
                store.read(turn.text, speaker=turn.speaker, role=role_of(turn), at=turn.at)
        return time.process_time() - started - model.seconds, model.seconds


def _embed_all(turns: Sequence[Turn]) -> float:
    embedder = choose_embedder(EmbedderOptions())
    if embedder is None:
        return 0.0
    try:
        embedder.embed(["The first one loads what embedding takes."])
        started = time.process_time()
        for turn in turns:
            embedder.embed([turn.text])
        return time.process_time() - started
    finally:
        embedder.close()


def _take_in(truth: Truth, turns: Sequence[Turn]) -> float:
    """Processor seconds in the reader's model when all turns go in, with the verdicts on them."""
    with truth.open() as store, timed_calls(packaged_reader(), "read_turn", "compare") as model:
        hear(store, turns)
        return model.seconds


def _keep_one_by_one(truth: Truth, turns: Sequence[Turn]) -> tuple[list[float], list[float]]:
    """Milliseconds of each `observe`, and of a bare durable commit of the same text beside it."""
    kept, plain = [], []
    settings = {**truth.settings, **_WITHOUT_EMBEDDER}
    with truth.folder() as folder, Engram.open(folder / "store", settings=settings) as store:
        bare = _bare_database(folder / "bare.db")
        store.observe("The first one loads what reading takes.")
        # In turns, so that a busy disk slows both alike.
        for turn in turns:
            plain.append(_milliseconds(partial(_insert, bare, turn.text)))
            kept.append(_milliseconds(partial(store.observe_many, [observed(turn)])))
        bare.close()
    return kept, plain


def _bare_database(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path))
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "full")
    connection.execute("CREATE TABLE rows (number INTEGER PRIMARY KEY, text TEXT)")
    return connection


def _insert(connection: apsw.Connection, text: str) -> None:
    connection.execute("INSERT INTO rows (text) VALUES (?)", (text,))


def _milliseconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def measure_rules(truth: Truth, tick: Tick) -> TaskReport:  # noqa: ARG001  # as every row is called
    """How many lines of Python and how many entries of word lists know English."""
    tick(0, 1)
    paths = [_PACKAGE / each for each in ENGLISH]
    files = [file for path in paths for file in ([path] if path.is_file() else path.rglob("*.py"))]
    lines = sum(len(file.read_text("utf-8").splitlines()) for file in files)
    lists = list((_PACKAGE / "language").rglob("*.json"))
    entries = sum(count_entries(json.loads(file.read_text("utf-8"))) for file in lists)
    tick(1, 1)
    figures = (
        Figure("lines of Python", lines, Unit.COUNT),
        Figure("entries in data files", entries, Unit.COUNT),
    )
    line = TaskLine(ENGRAM, "all", len(files), figures)
    material = f"{counted(len(files), 'module')}, {counted(len(lists), 'data file')}"
    return report("rules", material, [line], {"all": RULE_BARS})


def count_entries(value: object) -> int:
    """How many words, patterns or numbers a data file lists."""
    if isinstance(value, dict):
        return sum(map(count_entries, value.values()))
    if isinstance(value, list):
        return sum(map(count_entries, value))
    return 1
