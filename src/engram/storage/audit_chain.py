"""The audit's chain of keyed hashes: one link per line, each over the one before."""

import hashlib
from collections.abc import Sequence
from typing import cast

from engram.errors import StoreCorrupt
from engram.memory.changes import AuditEntry, AuditVerdict
from engram.memory.ids import ChangeId, MemoryId
from engram.memory.times import FOREVER
from engram.storage.database import Row, Transaction, Value, stored_time

FIRST_HEAD = b""
_VERIFY_BATCH = 1_000


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


def verify_chain(transaction: Transaction) -> AuditVerdict:
    """Walk the whole chain: an altered, dropped or added line breaks it."""
    key = audit_key(transaction)
    head, after, last = FIRST_HEAD, 0, -FOREVER
    while True:
        page: dict[str, Value] = {"after": last, "limit": _VERIFY_BATCH}
        rows = transaction.rows("audit_chain", page)
        for row in rows:
            after += 1
            head = link_hash(key, head, row[:9])
            if row[0] != after or row[9] != head:
                return AuditVerdict(False, after - 1, "", f"The chain breaks at entry {after}.")
            last = after
        if len(rows) < _VERIFY_BATCH:
            break
    count, last_head, sealed, has_changes = the_row(transaction.rows("read_seal", {}))
    wanted = seal(key, after, head) if after else b""
    if count != after or last_head != head or sealed != wanted or (has_changes and not after):
        return AuditVerdict(False, after, "", f"Entries after {after} are missing.")
    return AuditVerdict(True, after, head.hex())


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
