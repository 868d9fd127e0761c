"""Carries memories out into a file, page by page, so that the size of a store does not matter."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO, Protocol

from engram.errors import InvalidInput
from engram.failpoints import failpoint
from engram.memory.scopes import Reach
from engram.memory.vocabulary import Secrecy
from engram.sharing.age import AgeWriter
from engram.sharing.exporting.records import (
    end_line,
    header_line,
    line,
    markdown,
    markdown_head,
    padding,
    state_record,
)
from engram.sharing.exporting.target import target_at
from engram.storage.carrying import KINDS, ExportedState, Kind
from engram.storage.store import Store

Progress = Callable[[int, int], None]
_READ_SECONDS = 30.0
_PAGE = 200  # states that are in memory at once


class ExportFormat(StrEnum):
    """In which form memories are carried out."""

    AGE = "age"  # JSON lines, sealed with a passphrase
    JSONL = "jsonl"
    MARKDOWN = "markdown"


def parse_format(value: object) -> ExportFormat:
    """The format of that name, or a refusal that lists them."""
    try:
        return ExportFormat(str(value))
    except ValueError:
        raise InvalidInput(hint=f"`format` is one of: {', '.join(ExportFormat)}.") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportReport:
    """What an export came to: how much of what, never what it says."""

    path: Path
    format: ExportFormat
    counts: Mapping[str, int]
    unsealed: int  # states of protected memories
    bytes: int

    @property
    def is_encrypted(self) -> bool:
        """Whether it takes a passphrase to read it."""
        return self.format is ExportFormat.AGE


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRules:
    """What is carried out, how, and who is told before the file is there."""

    store: Store
    reach: Reach
    made_at: datetime
    format: ExportFormat
    passphrase: str = field(repr=False, default="")
    work: int = 0
    scope: str | None = None
    subject: str | None = None
    # Writes the export into the audit; called when the file is whole and not there yet, with how
    # many states of which scope are in it, and how many of these were protected.
    before_it_appears: Callable[[Mapping[str, int], Mapping[str, int]], None]


class _Sink(Protocol):
    """Where the bytes of an export go."""

    def write(self, plain: bytes) -> None:
        """Take some more."""
        ...

    def finish(self) -> None:
        """Take the end."""
        ...


class _Plain:
    """A sink that leaves everything as it is."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, plain: bytes) -> None:
        self._file.write(plain)

    def finish(self) -> None:
        self._file.flush()


def export(path: Path, rules: ExportRules, *, progress: Progress | None = None) -> ExportReport:
    """Carry out what is in reach; the file is whole and written down in the audit, or not there."""
    with target_at(path) as target:
        sink: _Sink = (
            AgeWriter(target.file, rules.passphrase, work=rules.work)
            if rules.format is ExportFormat.AGE
            else _Plain(target.file)
        )
        failpoint("export_begun")
        writing = _Export(rules, sink, progress)
        writing.run()
        size = target.settle()
        failpoint("export_written")
        rules.before_it_appears(writing.by_scope, writing.unsealed)
        failpoint("export_audited")
        target.appear()
    return ExportReport(
        path=path,
        format=rules.format,
        counts=dict(writing.counts),
        unsealed=writing.unsealed.total(),
        bytes=size,
    )


class _Export:
    """One export under way."""

    def __init__(self, rules: ExportRules, sink: _Sink, progress: Progress | None) -> None:
        self._rules = rules
        self._sink = sink
        self._progress = progress
        self._size = 0
        self._until = 0
        self._wanted: set[int] | None = None  # the numbers of one person's memories; None: all
        self.counts: Counter[str] = Counter()
        self.by_scope: Counter[str] = Counter()
        self.unsealed: Counter[str] = Counter()

    def run(self) -> None:
        rules = self._rules
        is_markdown = rules.format is ExportFormat.MARKDOWN
        head = markdown_head if is_markdown else header_line
        self._write(head(rules.made_at, scope=rules.scope, subject=rules.subject))
        with rules.store.read(rules.reach, timeout_seconds=_READ_SECONDS) as see:
            self._until = see.carrying.newest_state()
            if rules.subject:
                self._wanted = see.carrying.of_person(rules.subject)
        self._write_states(is_markdown=is_markdown)
        if not is_markdown:
            for kind in KINDS:
                for record in self._beside(kind):
                    self._write_record(kind.name, record)
            self._write(end_line(self.counts))
        if rules.format is ExportFormat.AGE:
            for filler in padding(self._size):
                self._sink.write(filler)
        self._sink.finish()

    def _write_states(self, *, is_markdown: bool) -> None:
        for state in self._states():
            if self._wanted is not None and state.memory.number not in self._wanted:
                continue
            # What was recorded after the export began is not in it.
            is_current = state.is_current(self._until)
            told = (
                markdown(state, is_current=is_current)
                if is_markdown
                else line(state_record(state, is_current=is_current))
            )
            if told:
                self._write(told)
                self.counts["memory"] += 1
                where = state.memory.scope.path
                self.by_scope[where] += 1
                self.unsealed[where] += state.memory.secrecy is not Secrecy.CLEARTEXT

    def _write_record(self, kind: str, record: Mapping[str, object]) -> None:
        # The kind stands first and cannot be taken for a column of the same name.
        self._write(line({"kind": kind, **record}))
        self.counts[kind] += 1

    def _write(self, text: bytes) -> None:
        self._sink.write(text)
        self._size += len(text)

    def _states(self) -> Iterator[ExportedState]:
        """All states up to where the export began; no view of the store is held between pages."""
        for after in range(0, self._until, _PAGE):
            until = min(after + _PAGE, self._until)
            with self._rules.store.read(self._rules.reach, timeout_seconds=_READ_SECONDS) as see:
                page = see.carrying.states(after=after, until=until)
            yield from page
            failpoint("export_page")
            if self._progress is not None:
                self._progress(until, self._until)

    def _beside(self, kind: Kind) -> Iterator[dict[str, object]]:
        """What of one sort lies beside memories, of those that are wanted."""
        after = kind.first
        while True:
            with self._rules.store.read(self._rules.reach, timeout_seconds=_READ_SECONDS) as see:
                page = see.carrying.beside(kind, after, limit=_PAGE)
            yield from (record for _, record in page if self._is_wanted(kind, record))
            if len(page) < _PAGE:
                return
            after = page[-1][0]

    def _is_wanted(self, kind: Kind, record: Mapping[str, object]) -> bool:
        if self._wanted is None:
            return True
        if kind.name == "artefact":
            sources = record["sources"]
            return isinstance(sources, list) and any(each in self._wanted for each in sources)
        return bool(kind.memories) and all(record[name] in self._wanted for name in kind.memories)
