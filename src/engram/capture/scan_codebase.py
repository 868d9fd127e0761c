"""Keeps what a repository holds as memories, and brings them up to date with each scan.

A file that is different gives its memory another wording, one that is gone takes its memory out of
recall; both can be undone. What is as it was is not touched.
"""

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engram.capture.codebase.outline import (
    Gone,
    Outlined,
    Progress,
    Scanned,
    Unchanged,
    outline_repository,
)
from engram.capture.draft import Draft, DraftRules, read_draft
from engram.capture.remember import remember
from engram.capture.screened import looked_over
from engram.capture.transcripts.project import find_repository, project_name
from engram.capture.transcripts.turns import clean_name
from engram.errors import EngramError
from engram.memory.changes import Action
from engram.memory.identity import reworded_identity
from engram.memory.record import Memory, MetadataValue
from engram.memory.scopes import Scope
from engram.memory.status import check_rewording
from engram.memory.vocabulary import Layer, Status
from engram.storage.conditions import Filters, Moments
from engram.storage.store import Store
from engram.storage.unit import UnitOfWork
from engram.text.strings import NAME_LENGTH

CATEGORY = "technical"
ADDED, CHANGED, SAME, GONE, UNREAD, LEFT = "added", "changed", "same", "gone", "unread", "left"

_READ_SECONDS = 30.0
_AT_A_TIME = 1_000
_LIVE = frozenset({Status.PENDING, Status.ACTIVE, Status.CHALLENGED, Status.STALE})
_REST = "\n…"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanEntry:
    """What became of one part of a repository."""

    what: str  # added, changed, same (another file, the same outline), gone, unread or left
    kind: str  # tree, module, entry_points or commands; empty for what was not read
    path: str
    reason: str = ""
    memory: Memory | None = None  # None in a dry run


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanReport:
    """What a scan came to; what is unchanged is only counted."""

    project: str
    is_dry_run: bool
    entries: tuple[ScanEntry, ...] = ()
    unchanged: int = 0

    @property
    def counts(self) -> Counter[str]:
        """How many parts were added, changed, gone and so on."""
        found = Counter(entry.what for entry in self.entries)
        found["unchanged"] = self.unchanged
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanRules:
    """Where the outline goes, and by what it is checked."""

    store: Store
    scope: Scope
    rules: Callable[[], DraftRules]
    rows_per_commit: int
    is_dry_run: bool = False


@dataclass(frozen=True, slots=True)
class _Codebase:
    """Which codebase is scanned; two folders of one name are two."""

    project: str
    root: str

    @classmethod
    def at(cls, folder: Path) -> "_Codebase":
        resolved = folder.resolve()
        repository = find_repository(resolved)
        # Within a repository its own path tells, so that another clone of it is the same.
        root = resolved if repository is None else resolved.relative_to(repository.top)
        return cls(project_name(resolved), clean_name(root.as_posix(), NAME_LENGTH))

    @property
    def source(self) -> str:
        return f"result:scan:{self.project}"


def scan_codebase(
    folder: Path, rules: ScanRules, *, progress: Progress | None = None
) -> ScanReport:
    """Compare a folder with what is known of it and keep the difference."""
    codebase = _Codebase.at(folder)
    known = _known(codebase, rules)
    digests = {key: str(memory.metadata.get("digest")) for key, memory in known.items()}
    entries: list[ScanEntry] = []
    unchanged = 0
    waiting: list[Scanned] = []
    for found in outline_repository(folder, known=digests, progress=progress):
        if isinstance(found, Unchanged):
            unchanged += 1
            continue
        waiting.append(found)
        if len(waiting) >= rules.rows_per_commit:
            entries += _apply(waiting, codebase, known, rules)
            waiting = []
    entries += _apply(waiting, codebase, known, rules)
    return ScanReport(
        project=codebase.project,
        is_dry_run=rules.is_dry_run,
        entries=tuple(entries),
        unchanged=unchanged,
    )


def _known(codebase: _Codebase, rules: ScanRules) -> dict[str, Memory]:
    """The memories of earlier scans by their keys, the newest of each; what went is forgotten."""
    draft_rules = rules.rules()
    reach = draft_rules.principal.writing_reach(rules.scope)
    wanted = Filters(
        layer=Layer.CODEBASE.value,
        source=codebase.source,
        metadata={"project": codebase.project, "root": codebase.root},
    )
    found: dict[str, Memory] = {}
    with rules.store.read(reach, timeout_seconds=_READ_SECONDS) as see:
        before = None
        while True:
            page = see.listing(
                Moments(now=draft_rules.now), wanted, status=None, limit=_AT_A_TIME, before=before
            )
            for memory in page:
                if memory.scope == rules.scope and memory.status is not Status.INVALIDATED:
                    found.setdefault(_key(memory), memory)
            if len(page) < _AT_A_TIME:
                return found
            before = page[-1].number


def _key(memory: Memory) -> str:
    return f"{memory.metadata.get('part')}:{memory.metadata.get('path')}"


def _apply(
    found: Sequence[Scanned], codebase: _Codebase, known: Mapping[str, Memory], rules: ScanRules
) -> list[ScanEntry]:
    """Write down some of what was found, in one transaction."""
    if not found or rules.is_dry_run:
        return [_foreseen(each, known) for each in found]
    draft_rules = rules.rules()
    principal = draft_rules.principal
    reach = principal.writing_reach(rules.scope)
    with rules.store.write(reach, actor=principal.actor, now=draft_rules.now) as unit:
        keeping = _Keeping(unit, codebase, known, draft_rules, rules.scope)
        kept = [keeping.keep(each) for each in found]
    return [entry for entry in kept if entry is not None]


def _foreseen(found: Scanned, known: Mapping[str, Memory]) -> ScanEntry:
    if isinstance(found, Outlined):
        what = CHANGED if found.key in known else ADDED
        return ScanEntry(what=what, kind=found.kind, path=found.path)
    if isinstance(found, Gone):
        kind, _, path = found.key.partition(":")
        return ScanEntry(what=GONE, kind=kind, path=path)
    return _not_read(found)


def _not_read(found: Scanned) -> ScanEntry:
    path, reason = getattr(found, "path", ""), getattr(found, "reason", "")
    return ScanEntry(what=UNREAD, kind="", path=path, reason=reason)


class _Keeping:
    """Writes what a scan found within one unit of work."""

    def __init__(
        self,
        unit: UnitOfWork,
        codebase: _Codebase,
        known: Mapping[str, Memory],
        rules: DraftRules,
        scope: Scope,
    ) -> None:
        self._unit = unit
        self._codebase = codebase
        self._known = known
        self._rules = rules
        self._scope = scope

    def keep(self, found: Scanned) -> ScanEntry | None:
        """One part of the repository; one that cannot be kept is told and stops no other."""
        if isinstance(found, Outlined):
            known = self._present(found.key)
            if known is None and found.key not in self._known:
                return self._add(found)
            return self._change(found, known)
        if isinstance(found, Gone):
            return self._retire(found.key)
        return _not_read(found)

    def _present(self, key: str) -> Memory | None:
        """The memory as it is now, if it is one that a scan may alter."""
        known = self._known.get(key)
        current = self._unit.see.current(known.number) if known is not None else None
        return current if current is not None and current.status in _LIVE else None

    def _add(self, found: Outlined) -> ScanEntry:
        try:
            draft = self._draft(found)
        except EngramError as error:
            return _entry(LEFT, found, reason=error.message)
        options = self._rules.options
        outcome = remember(draft, self._unit, principal=self._rules.principal, options=options)
        what = {"stored": ADDED, "held": ADDED, "confirmed": SAME}.get(outcome.kind, LEFT)
        return _entry(what, found, reason=outcome.reason, memory=outcome.memory)

    def _change(self, found: Outlined, known: Memory | None) -> ScanEntry:
        if known is None:
            return _entry(LEFT, found, reason="its memory was taken out of recall by hand")
        try:
            check_rewording(self._rules.principal, known)
            draft = self._draft(found)
        except EngramError as error:
            return _entry(LEFT, found, reason=error.hint or error.message, memory=known)
        if draft.text == known.content:
            self._unit.begin_change(Action.VERIFY, known.scope, "its file is different")
            memory = self._unit.replace(known, metadata=draft.metadata)
            return _entry(SAME, found, memory=memory)
        identity = reworded_identity(known, draft.text)
        taken = self._unit.see.same_statement(identity, known.scope)
        if taken is not None and taken.number != known.number:
            return _entry(LEFT, found, reason=f"{taken.label} says the same", memory=known)
        self._unit.begin_change(Action.REVISE, known.scope, "its file is different")
        memory = self._unit.replace(
            known,
            content=draft.text,
            identity=identity,
            version=self._unit.next_version(known.number),
            metadata=draft.metadata,
            summary=None,
        )
        return _entry(CHANGED, found, memory=memory)

    def _retire(self, key: str) -> ScanEntry | None:
        kind, _, path = key.partition(":")
        entry = ScanEntry(what=GONE, kind=kind, path=path, reason="file gone")
        known = self._present(key)
        if known is None:
            return None  # out of recall already, by someone's hand
        try:
            check_rewording(self._rules.principal, known)
        except EngramError as error:
            return dataclasses.replace(entry, what=LEFT, reason=error.hint, memory=known)
        self._unit.begin_change(Action.SET_STATUS, known.scope, "file gone")
        # What was never approved has nothing to be refuted.
        is_held = known.status is Status.PENDING
        target = Status.ARCHIVED if is_held else Status.INVALIDATED
        memory = self._unit.replace(known, status=target)
        return dataclasses.replace(entry, memory=memory)

    def _draft(self, found: Outlined) -> Draft:
        metadata: dict[str, MetadataValue] = {
            "project": self._codebase.project,
            "root": self._codebase.root,
            "path": found.path,
            "part": found.kind,
            "digest": found.digest,
        }
        arguments: dict[str, object] = {
            "category": CATEGORY,
            "layer": Layer.CODEBASE.value,
            "source": self._codebase.source,
            # Beside the words it tells one project's memory from another's of the same words.
            "subject": self._codebase.project,
            "reference": _reference(self._codebase.project, found),
            "metadata": metadata,
            "scope": self._scope,
        }
        most = self._rules.options.max_content_bytes
        draft = read_draft(_fitting(found.text, most), arguments, self._rules)
        # The next scan tells whether it still holds, not the time that has passed.
        lasting = dataclasses.replace(draft.category, horizon=None)
        seen, _ = looked_over(dataclasses.replace(draft, category=lasting), self._rules)
        return seen


def _entry(
    what: str, found: Outlined, *, reason: str = "", memory: Memory | None = None
) -> ScanEntry:
    return ScanEntry(what=what, kind=found.kind, path=found.path, reason=reason, memory=memory)


def _reference(project: str, found: Outlined) -> str:
    return clean_name(f"{project}:{found.path}#{found.kind}", NAME_LENGTH)


def _fitting(text: str, most_bytes: int) -> str:
    """As many whole lines as one memory may hold, so that a part stays one memory."""
    if len(text.encode()) <= most_bytes:
        return text
    return "\n".join(_lines_within(text, most_bytes - len(_REST.encode()))) + _REST


def _lines_within(text: str, most_bytes: int) -> Iterator[str]:
    size = 0
    for line in _lines(text, most_bytes):
        size += len(line.encode()) + 1
        if size > most_bytes:
            return
        yield line


def _lines(text: str, most_bytes: int) -> Iterable[str]:
    """The lines; one that alone is too long is cut."""
    for line in text.split("\n"):
        yield line.encode()[: most_bytes // 2].decode("utf-8", "ignore")
