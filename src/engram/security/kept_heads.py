"""Keeps the head of the audit outside the database, so that an older copy of it is told apart.

The audit's chain shows every line that was altered or dropped, but a database that was replaced by
an older copy of itself is whole. So what the audit ended with is kept in a file beside it and, if
the settings name one, in a file elsewhere: in batches, after the commit, and never going back. What
is kept may lag behind; a database that does not hold what was kept is not the one that it was.
"""

import hmac
import json
import os
import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from engram.errors import EngramError
from engram.failpoints import failpoint
from engram.memory.changes import AuditHead, AuditVerdict
from engram.memory.times import from_micros, to_micros
from engram.storage.audit_chain import audit_key, head_of, holds, keyed_hash, the_row
from engram.storage.database import Transaction
from engram.storage.store import Store

HEAD = "audit.head"  # in the store's own folder
_EVERY_LINES = 500
_EVERY_SECONDS = 30.0
_READ_SECONDS = 5.0
_MOST_BYTES = 4_096


def head_files(folder: Path, named: str) -> tuple[Path, ...]:
    """Where the head is kept: beside the database, and where the settings say."""
    return (folder / HEAD, *([Path(named).expanduser().absolute()] if named else []))


@dataclass(frozen=True, slots=True)
class KeptHead:
    """What the audit ended with when it was last kept."""

    store: str
    head: AuditHead
    restored_at: datetime | None = None
    restoring_at: datetime | None = None  # a restore was begun: another database may lie there

    def sealed(self, key: bytes) -> str:
        """What nobody can write who has not the audit's key."""
        restored = to_micros(self.restored_at) if self.restored_at else 0
        said = f"kept:{self.store}:{self.head.text}:{restored}"
        return keyed_hash(key, said.encode()).hex()


@dataclass
class HeadKeeper:
    """Keeps the head of one store's audit in one or two files."""

    store: Store
    files: tuple[Path, ...]
    clock: Callable[[], datetime]
    is_writable: bool = True
    problem: str = ""  # health shows it
    _seen: int = 0
    _kept: int = -1
    _kept_at: float = 0.0
    _kept_once: bool = False

    def saw(self, entries: int) -> bool:
        """A commit made the audit so long; whether it is time to keep its head again."""
        if self._kept < 0:  # the first of this process
            self._kept, self._kept_at = entries, time.monotonic()
        self._seen = max(self._seen, entries)
        is_late = time.monotonic() - self._kept_at >= _EVERY_SECONDS
        return self._seen - self._kept >= _EVERY_LINES or is_late

    @property
    def is_behind(self) -> bool:
        """Whether this process wrote lines since it last kept the head."""
        return self._seen > 0 and (self._kept_once is False or self._seen > self._kept)

    def keep_when_due(self) -> None:
        """Keep the head if enough was written since, or long enough ago."""
        if self._seen and self.saw(self._seen):
            self.keep()

    def keep(self, *, is_restored: bool = False) -> None:
        """Keep what the audit ends with now, unless it lacks what was kept before.

        After a restore it lacks that by right.
        """
        if not self.is_writable:
            return
        self._kept, self._kept_at, self._kept_once = self._seen, time.monotonic(), True
        try:
            with self.store.database.reading(_READ_SECONDS) as transaction:
                key, name = audit_key(transaction), _store_id(transaction)
                moment = self.clock() if is_restored else None
                now = KeptHead(name, head_of(transaction), moment)
                self.problem = self._kept_in_all(transaction, key, now)
        except EngramError as error:
            self.problem = f"the head of the audit was not kept: {error.code}"

    def _kept_in_all(self, transaction: Transaction, key: bytes, now: KeptHead) -> str:
        problem = ""
        for file in self.files:
            known = _read(file)
            is_restored = now.restored_at is not None
            told = "" if known is None or is_restored else _objection(transaction, key, known, now)
            if told:
                problem = problem or told  # what shows a forgery is not written over
                continue
            if known is not None and not is_restored:
                now = replace(now, restored_at=_restored_at(transaction, known.kept))
            problem = _write(file, now, now.sealed(key)) or problem
        return problem

    def look(self) -> str:
        """What is wrong with the database as it is opened, if it lacks what was kept of it."""
        found = [each for each in map(_read, self.files) if each is not None]
        told: list[str] = []
        # A store that is damaged is opened too; whoever asks something of it is told.
        with suppress(EngramError), self.store.database.reading(_READ_SECONDS) as transaction:
            key, here = audit_key(transaction), KeptHead(_store_id(transaction), AuditHead(0, ""))
            told = [_objection(transaction, key, each, here) for each in found]
        self.problem = next((each for each in told if each), "")
        return self.problem

    def verified(self, verdict: AuditVerdict) -> AuditVerdict:
        """The verdict on the chain, held against what was kept outside."""
        with self.store.database.reading(_READ_SECONDS) as transaction:
            key, name = audit_key(transaction), _store_id(transaction)
            found = [each for each in map(_read, self.files) if each is not None]
            here = KeptHead(name, head_of(transaction))
            told = [_objection(transaction, key, each, here) for each in found]
            moments = [_restored_at(transaction, each.kept) for each in found]
        with_kept = replace(
            verdict,
            kept=max((each.kept.head.entries for each in found), default=0),
            restored_at=max((each for each in moments if each), default=None),
        )
        problem = next((each for each in told if each), "")
        if not verdict.is_intact or not problem:
            return with_kept
        return replace(with_kept, is_intact=False, problem=problem)


def held_against(transaction: Transaction, noted: AuditHead) -> str:
    """What is wrong if the audit should hold a head that somebody noted down."""
    now = head_of(transaction)
    if noted.entries > now.entries:
        return f"The audit ends before what was kept: {now.entries} entries, {noted.entries} then."
    if holds(transaction, noted) is False:
        return f"The audit is another than the one that was kept: entry {noted.entries} differs."
    return ""


@dataclass(frozen=True, slots=True)
class _Found:
    """What a file says, and the seal that should prove it."""

    kept: KeptHead
    seal: str


def begin_restore(files: Sequence[Path], now: datetime) -> None:
    """Another database is about to take the place of the one that was kept: say so before it does.

    The old one may be damaged, so this asks it nothing.
    """
    for file in files:
        known = _read(file)
        if known is not None:
            _write(file, replace(known.kept, restoring_at=now), known.seal)
    failpoint("head_before_restore")


def _restored_at(transaction: Transaction, kept: KeptHead) -> datetime | None:
    """When a backup last took the database's place; one that was begun may have come to nothing."""
    if kept.restoring_at is not None and held_against(transaction, kept.head):
        return kept.restoring_at
    return kept.restored_at


def _objection(transaction: Transaction, key: bytes, found: _Found, now: KeptHead) -> str:
    """Why the database is not the one that was kept; nothing when it is, only longer."""
    if found.kept.restoring_at is not None:
        return ""  # it may be another by right, and is told as restored
    if found.kept.store != now.store:
        return "What was kept of the audit is of another store."
    if not hmac.compare_digest(found.kept.sealed(key), found.seal):
        # An older copy of the database has the same key, so this is a file that was tampered with.
        return "What was kept of the audit was altered."
    return held_against(transaction, found.kept.head)


def _store_id(transaction: Transaction) -> str:
    return str(the_row(transaction.rows("meta_value", {"key": "store_id"}))[0])


def _read(file: Path) -> _Found | None:
    """What a file holds; none when it is missing or no head of ours."""
    try:
        handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as opened:
            told = json.loads(opened.read(_MOST_BYTES))
        return _Found(
            KeptHead(
                store=str(told["store"]),
                head=AuditHead(int(told["entries"]), str(told["head"])),
                restored_at=_moment(told["restored_at"]),
                restoring_at=_moment(told["restoring_at"]),
            ),
            str(told["seal"]),
        )
    except (OSError, ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return None


def _moment(noted: object) -> datetime | None:
    return None if noted is None else from_micros(int(str(noted)))


def _write(file: Path, kept: KeptHead, seal: str) -> str:
    """Put it in the place of what was kept before; what is wrong if that cannot be done.

    Without a sync: what is lost with the power is the last batch, and a lag is allowed.
    """
    told = {
        "store": kept.store,
        "entries": kept.head.entries,
        "head": kept.head.head,
        "restored_at": to_micros(kept.restored_at) if kept.restored_at else None,
        "restoring_at": to_micros(kept.restoring_at) if kept.restoring_at else None,
        "seal": seal,
    }
    temporary = file.with_name(f".tmp-{secrets.token_hex(8)}.head")
    try:
        handle = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as opened:
            opened.write(json.dumps(told) + "\n")
        temporary.replace(file)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        return f"the head of the audit cannot be kept: {type(error).__name__}"
    return ""
