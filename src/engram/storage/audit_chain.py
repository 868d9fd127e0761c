"""The audit's chain of keyed hashes: one link per line, each over the one before."""

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from engram.errors import StoreCorrupt
from engram.memory.changes import AuditEntry, AuditHead, AuditVerdict
from engram.memory.ids import ChangeId, MemoryId
from engram.memory.times import FOREVER
from engram.storage.database import Row, Transaction, Value, stored_time

FIRST_HEAD = b""
_VERIFY_BATCH = 1_000
_CHECKPOINT = "audit_checkpoint"


def link_hash(key: bytes, previous: bytes, fields: Sequence[Value]) -> bytes:
    """One link of the chain: everything in this line, and the link before it."""
    # No field can contain this separator, so no two lists of fields give the same message.
    body = "\x1f".join([f.hex() if isinstance(f, bytes) else repr(f) for f in fields])
    return keyed_hash(key, previous + body.encode("utf-8", "backslashreplace"))


def keyed_hash(key: bytes, message: bytes) -> bytes:
    """BLAKE2b with a key: a message authentication code in one fast step."""
    return hashlib.blake2b(message, key=key, digest_size=32).digest()


def seal(key: bytes, count: int, head: bytes) -> bytes:
    """What a shortened chain lacks: nobody without the key can vouch for another length."""
    return keyed_hash(key, b"%d:%b" % (count, head))


def audit_key(transaction: Transaction) -> bytes:
    """The store's own key for the audit's hashes."""
    return key_from_text(the_row(transaction.rows("meta_value", {"key": "audit_key"}))[0])


def key_from_text(text: Value) -> bytes:
    """A stored key; one that cannot be read is damage."""
    try:
        return bytes.fromhex(cast(str, text))
    except (TypeError, ValueError):
        raise StoreCorrupt from None


def the_row(rows: list[Row]) -> Row:
    """The row that every store has; without it the store is damaged."""
    if not rows:
        raise StoreCorrupt
    return rows[0]


@dataclass(frozen=True, slots=True)
class AuditIdentity:
    """Whose audit it is, and the key of its hashes."""

    store: str
    key: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Where the chain begins: the last line that was let go, or before the first of all."""

    sequence: int
    head: bytes


def checkpoint_of(transaction: Transaction, key: bytes) -> Checkpoint | None:
    """From where the chain can be walked; None when somebody else wrote that down."""
    found = transaction.rows("meta_value", {"key": _CHECKPOINT})
    if not found:
        return Checkpoint(0, FIRST_HEAD)
    try:
        sequence, head, sealed = cast(str, found[0][0]).split(":")
        begin = Checkpoint(int(sequence), bytes.fromhex(head))
        is_ours = hmac.compare_digest(bytes.fromhex(sealed), _checkpoint_seal(key, begin))
    except (ValueError, AttributeError):
        return None
    return begin if is_ours and begin.sequence > 0 else None


def let_go(transaction: Transaction, until: int) -> int | None:
    """Let the lines up to a number go, and keep from where the chain goes on; how many they were.

    None, and nothing happened, when they are not whole: what shows a forgery must not be pruned.
    """
    key = audit_key(transaction)
    begin = checkpoint_of(transaction, key)
    last = the_row(transaction.rows("read_seal", {}))[0]
    if begin is None or not begin.sequence < until < cast(int, last):
        return None if begin is None else 0
    walk = _walked(transaction, key, begin, until=until)
    if walk.problem or walk.sequence != until:
        return None
    end = Checkpoint(until, walk.head)
    value = f"{end.sequence}:{end.head.hex()}:{_checkpoint_seal(key, end).hex()}"
    transaction.run("keep_checkpoint", {"key": _CHECKPOINT, "value": value})
    transaction.run("drop_audit_lines", {"until": until})
    return until - begin.sequence


def _checkpoint_seal(key: bytes, begin: Checkpoint) -> bytes:
    # Named, so that the seal of a length that the ledger once had cannot pass for this.
    return keyed_hash(key, b"checkpoint:%d:%b" % (begin.sequence, begin.head))


@dataclass(frozen=True, slots=True)
class _Walk:
    """How far the lines follow each other, and what is wrong with the next."""

    sequence: int
    head: bytes
    problem: str = ""


def _walked(
    transaction: Transaction, key: bytes, begin: Checkpoint, *, until: int = FOREVER
) -> _Walk:
    # From before all: a line that somebody slipped in ahead of the checkpoint breaks the chain too.
    head, after, last = begin.head, begin.sequence, -FOREVER
    while last < until:
        page: dict[str, Value] = {"after": last, "limit": _VERIFY_BATCH}
        rows = transaction.rows("audit_chain", page)
        for row in rows:
            if cast(int, row[0]) > until:
                return _Walk(after, head)
            following = link_hash(key, head, row[:9])
            if row[0] != after + 1 or row[9] != following:
                return _Walk(after, head, f"The chain breaks at entry {after + 1}.")
            head, after, last = following, after + 1, after + 1
        if len(rows) < _VERIFY_BATCH:
            break
    return _Walk(after, head)


def verify_chain(transaction: Transaction) -> AuditVerdict:
    """Walk the whole chain: an altered, dropped or added line breaks it."""
    key = audit_key(transaction)
    begin = checkpoint_of(transaction, key)
    if begin is None:
        return AuditVerdict(False, 0, "", "Where the chain begins was altered.")
    walk = _walked(transaction, key, begin)
    after, head = walk.sequence, walk.head
    if walk.problem:
        return AuditVerdict(False, after, "", walk.problem)
    count, last_head, sealed, has_changes = the_row(transaction.rows("read_seal", {}))
    wanted = seal(key, after, head) if after else b""
    if count != after or last_head != head or sealed != wanted or (has_changes and not after):
        return AuditVerdict(False, after, "", f"Entries after {after} are missing.")
    return AuditVerdict(True, after, head.hex(), pruned=begin.sequence)


def head_of(transaction: Transaction) -> AuditHead:
    """How long the audit is now, and what it ends with."""
    count, head, _, _ = the_row(transaction.rows("read_seal", {}))
    if not isinstance(count, int) or not isinstance(head, bytes):
        raise StoreCorrupt
    return AuditHead(count, head.hex())


def holds(transaction: Transaction, noted: AuditHead) -> bool | None:
    """Whether a head that was noted earlier is part of this chain; None: its line was let go."""
    begin = checkpoint_of(transaction, audit_key(transaction))
    if noted.entries == 0:
        return True
    if begin is not None and noted.entries <= begin.sequence:
        return begin.head.hex() == noted.head if noted.entries == begin.sequence else None
    found = transaction.rows("audit_hash", {"sequence": noted.entries})
    link = found[0][0] if found else None
    return isinstance(link, bytes) and link.hex() == noted.head


def audit_entry(row: Row) -> AuditEntry:
    """Read one line of the audit."""
    return AuditEntry(
        sequence=cast(int, row[0]),
        at=stored_time(row[1]),
        actor=cast(str, row[2]),
        action=cast(str, row[3]),
        memory_id=cast("MemoryId | None", row[4]),
        change_id=cast("ChangeId | None", row[5]),
        scope=cast(str, row[6]),
        count=cast(int, row[7]),
        digest=cast(bytes, row[8]).hex(),
        entry_hash=cast(bytes, row[9]).hex(),
    )
