"""Makes the names of memories that were written before these were kept."""

from typing import cast

from engram.storage.database import Transaction
from engram.storage.entities import keep_mentions
from engram.storage.rows import memory_from_row
from engram.storage.store import Store

_BATCH = 500  # memories of one transaction: a kill loses one batch of derived rows at most
_READ_SECONDS = 30.0


def make_names(store: Store) -> int:
    """Make what is missing, batch by batch; returns for how many memories."""
    with store.database.reading(_READ_SECONDS) as transaction:
        if not _to_make(transaction):
            return 0
    made = 0
    while True:
        with store.derive() as transaction:
            some = _make_some(transaction)
        if not some:
            return made
        made += some


def _to_make(transaction: Transaction) -> int:
    found = transaction.rows("meta_value", {"key": "names_to_make"})
    return int(cast(str, found[0][0])) if found else 0


def _make_some(transaction: Transaction) -> int:
    upto = _to_make(transaction)
    page = transaction.rows("nameless_memories", {"number": upto, "limit": _BATCH}) if upto else []
    memories = [memory_from_row(row) for row in page]
    for memory in memories:
        keep_mentions(transaction, memory)
    rest = memories[-1].number - 1 if memories else 0
    if upto:
        transaction.run("note_names_to_make", {"number": str(rest)})
    return len(memories)
