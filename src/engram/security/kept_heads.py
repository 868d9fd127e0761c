"""Keeps the head of the audit outside the database, so that an older copy of it is told apart.

The audit's chain shows every line that was altered or dropped, but a database that was replaced by
an older copy of itself is whole. So what the audit ended with is kept in a file beside it and, if
the settings name one, in a file elsewhere: in batches, after the commit, and never going back. What
is kept may lag behind; a database that does not hold what was kept is not the one that it was.
The database notes that heads are kept, so that a file that is gone or unreadable is told as well.
"""

import hashlib
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
from engram.storage.audit_chain import (
    AuditIdentity,
    audit_key,
    head_of,
    holds,
    keyed_hash,
    the_row,
)
from engram.storage.database import Transaction
from engram.storage.store import Store

HEAD = "audit.head"  # in the store's own folder
_NOTED = "audit_heads_kept"  # where the database notes which files hold its head
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

    def sealed(self, key: bytes) -> str:
        """What nobody can write who has not the audit's key."""
        restored = to_micros(self.restored_at) if self.restored_at else 0
        said = f"kept:{self.store}:{self.head.text}:{restored}"
        return keyed_hash(key, said.encode()).hex()


@dataclass(frozen=True, slots=True)
class _Found:
    """What a file says, and the seals that should prove it."""

    kept: KeptHead
    seal: str
    restoring_at: datetime | None = None  # a restore was begun: another database may lie there
    restoring_seal: str = ""

    def restoring_sealed(self, key: bytes) -> str:
        """The seal of a restore that was begun, over all else that the file says."""
        at = to_micros(self.restoring_at) if self.restoring_at else 0
        said = f"restoring:{at}:{self.kept.sealed(key)}:{self.seal}"
        return keyed_hash(key, said.encode()).hex()

    def claims_restore(self, key: bytes) -> bool:
        """Whether a restore was begun of a backup with this key; who cannot prove it claims none.

        It is sealed with the key of the backup: that is the database which lies there afterwards.
        """
        wanted = self.restoring_sealed(key)
        return self.restoring_at is not None and _is_same(wanted, self.restoring_seal)


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
    _written: frozenset[str] = frozenset()

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
                here = AuditIdentity(_store_id(transaction), audit_key(transaction))
                moment = self.clock() if is_restored else None
                now = KeptHead(here.store, head_of(transaction), moment)
                self.problem = self._kept_in_all(transaction, here, now)
                unnoted = self._written - _noted(transaction)
            if unnoted:
                self._note_kept(unnoted)
        except EngramError as error:
            self.problem = f"the head of the audit was not kept: {error.code}"

    def _kept_in_all(self, transaction: Transaction, here: AuditIdentity, now: KeptHead) -> str:
        problem = ""
        for file in self.files:
            is_restored = now.restored_at is not None
            known = _read(file)
            told = "" if is_restored else self._told_of(transaction, here, file, known)
            if told:
                problem = problem or told  # what shows a forgery is not written over
                continue
            moment = now.restored_at
            if known is not None and not is_restored:
                moment = _restored_at(transaction, here.key, known)
            kept = replace(now, restored_at=moment)
            failed = _write(file, _Found(kept, kept.sealed(here.key)))
            if not failed:
                self._written |= {self._name_of(file)}
            problem = failed or problem
        return problem

    def _note_kept(self, names: frozenset[str]) -> None:
        """Note in the database that these heads are kept: once for each, after the file is safe."""
        for file in self.files:
            _sync_folder(file.parent)
        with self.store.database.writing() as transaction:
            value = " ".join(sorted(_noted(transaction) | names))
            transaction.run("keep_meta", {"key": _NOTED, "value": value})

    def _name_of(self, file: Path) -> str:
        """How the database names a file: that beside it may move with it."""
        if file == self.files[0]:
            return HEAD
        return hashlib.blake2b(os.fsencode(file), digest_size=8).hexdigest()

    def _told_of(
        self, transaction: Transaction, here: AuditIdentity, file: Path, known: _Found | None
    ) -> str:
        """What one file, or that it is not there, shows to be wrong."""
        if known is not None:
            return _objection(transaction, here, known)
        if self._name_of(file) not in _noted(transaction):
            return ""  # none was ever kept there
        which = HEAD if file == self.files[0] else "the file that security.audit_head_file names"
        return f"What was kept of the audit is missing or cannot be read: {which}."

    def look(self) -> str:
        """What is wrong with the database as it is opened, if it lacks what was kept of it."""
        told: list[str] = []
        # A store that is damaged is opened too; whoever asks something of it is told.
        with suppress(EngramError), self.store.database.reading(_READ_SECONDS) as transaction:
            here = AuditIdentity(_store_id(transaction), audit_key(transaction))
            told = [self._told_of(transaction, here, each, _read(each)) for each in self.files]
        self.problem = next((each for each in told if each), "")
        return self.problem

    def verified(self, verdict: AuditVerdict) -> AuditVerdict:
        """The verdict on the chain, held against what was kept outside."""
        with self.store.database.reading(_READ_SECONDS) as transaction:
            here = AuditIdentity(_store_id(transaction), audit_key(transaction))
            read = [(file, _read(file)) for file in self.files]
            told = [self._told_of(transaction, here, *each) for each in read]
            found = [each for _, each in read if each is not None]
            moments = [_restored_at(transaction, here.key, each) for each in found]
            held = [
                each.kept.head for each in found if not held_against(transaction, each.kept.head)
            ]
        problem = next((each for each in told if each), "")
        with_kept = replace(
            verdict,
            kept=max((each.entries for each in held), default=0),
            restored_at=None if problem else max((each for each in moments if each), default=None),
        )
        self.problem = problem or self.problem
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


def begin_restore(files: Sequence[Path], coming: AuditIdentity | None, now: datetime) -> None:
    """Another database is about to take the place of the one that was kept: say so before it does.

    The old one may be damaged, so this asks it nothing. A backup that cannot be read takes no
    place, so nothing is said of it.
    """
    if coming is None:
        return
    for file in files:
        known = _read(file)
        if known is not None:
            claim = replace(known, restoring_at=now)
            _write(file, replace(claim, restoring_seal=claim.restoring_sealed(coming.key)))
    failpoint("head_before_restore")


def end_restore(files: Sequence[Path], here: AuditIdentity | None, now: datetime) -> None:
    """A backup lies there now: say so where nothing was kept, as in a folder that was empty."""
    for file in files:
        if here is not None and _read(file) is None:
            restored = KeptHead(here.store, AuditHead(0, ""), now)
            _write(file, _Found(restored, restored.sealed(here.key)))


def _restored_at(transaction: Transaction, key: bytes, found: _Found) -> datetime | None:
    """When a backup last took the database's place; one that was begun may have come to nothing."""
    if found.claims_restore(key) and held_against(transaction, found.kept.head):
        return found.restoring_at
    return found.kept.restored_at


def _objection(transaction: Transaction, here: AuditIdentity, found: _Found) -> str:
    """Why the database is not the one that was kept; nothing when it is, only longer."""
    if found.claims_restore(here.key):
        return ""  # it may be another by right, and is told as restored
    if found.kept.store != here.store:
        return "What was kept of the audit is of another store."
    if not _is_same(found.kept.sealed(here.key), found.seal):
        # An older copy of the database has the same key, so this is a file that was tampered with.
        return "What was kept of the audit was altered."
    return held_against(transaction, found.kept.head)


def _is_same(wanted: str, shown: str) -> bool:
    return hmac.compare_digest(wanted.encode(), shown.encode("utf-8", "surrogatepass"))


def _noted(transaction: Transaction) -> frozenset[str]:
    """Which files the database knows to hold its head."""
    found = transaction.rows("meta_value", {"key": _NOTED})
    return frozenset(str(found[0][0]).split()) if found else frozenset()


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
            ),
            seal=str(told["seal"]),
            restoring_at=_moment(told["restoring_at"]),
            restoring_seal=str(told["restoring_seal"]),
        )
    except (OSError, ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return None


def _moment(noted: object) -> datetime | None:
    return None if noted is None else from_micros(int(str(noted)))


def _write(file: Path, found: _Found) -> str:
    """Put it in the place of what was kept before; what is wrong if that cannot be done.

    The file is synced before it has its name: one that the power left empty would look forged.
    """
    kept, restoring = found.kept, found.restoring_at
    told = {
        "store": kept.store,
        "entries": kept.head.entries,
        "head": kept.head.head,
        "restored_at": to_micros(kept.restored_at) if kept.restored_at else None,
        "seal": found.seal,
        "restoring_at": to_micros(restoring) if restoring else None,
        "restoring_seal": found.restoring_seal,
    }
    temporary = file.with_name(f".tmp-{secrets.token_hex(8)}.head")
    try:
        handle = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as opened:
            opened.write(json.dumps(told) + "\n")
            opened.flush()
            os.fsync(handle)
        temporary.replace(file)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        return f"the head of the audit cannot be kept: {type(error).__name__}"
    return ""


def _sync_folder(folder: Path) -> None:
    with suppress(OSError):  # not every system can
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
