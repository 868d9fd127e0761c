"""What erased memories said, what stays, and whether a row of what was erased is still there."""

from collections.abc import Collection, Iterator
from typing import cast

from engram.memory.record import Memory
from engram.storage.audit_chain import the_row
from engram.storage.database import Transaction, Value
from engram.storage.rows import memory_from_row

_DETAILS = (
    "doomed_confirmations", "doomed_questions", "doomed_episodes", "doomed_events",
    "doomed_skills", "doomed_runs", "doomed_edges",
)  # fmt: skip
_PAGE = 1_000


def doomed_texts(transaction: Transaction, numbers: Collection[int]) -> Iterator[str]:
    """Every text that memories have, in all their states and in their details."""
    listed = _listed(numbers)
    for row in transaction.rows("doomed_states", listed):
        yield from _texts_of(memory_from_row(row))
    for query in _DETAILS:
        for details in transaction.rows(query, listed):
            yield from (each for each in details if isinstance(each, str) and each)


def _texts_of(memory: Memory) -> Iterator[str]:
    for each in (memory.content, memory.summary, memory.subject, memory.speaker):
        if each:
            yield each
    for value in memory.metadata.values():
        if isinstance(value, str):
            yield value


def doomed_vectors(transaction: Transaction, numbers: Collection[int]) -> Iterator[bytes]:
    """The bytes of memories' vectors as they are stored."""
    for row in transaction.rows("doomed_vectors", _listed(numbers)):
        yield cast(bytes, row[0])


def kept_texts(transaction: Transaction) -> Iterator[str]:
    """Whatever text stands in rows that stay: its words were not left behind by anybody."""
    after = 0
    while True:
        rows = transaction.rows("kept_words", {"after": after, "limit": _PAGE})
        for state, *texts in rows:
            after = cast(int, state)
            yield from (each for each in texts if isinstance(each, str))
        if len(rows) < _PAGE:
            break
    for row in transaction.rows("kept_details", {}):
        if isinstance(row[0], str):
            yield row[0]


def is_in_a_vector(transaction: Transaction, part: bytes) -> bool:
    """Whether a vector that stays has these bytes in it."""
    return bool(transaction.rows("vector_with", {"part": part}))


def has_rows(transaction: Transaction, numbers: Collection[int]) -> bool:
    """Whether anything of erased memories is still in a table."""
    return bool(the_row(transaction.rows("rows_left", _listed(numbers)))[0])


def _listed(numbers: Collection[int]) -> dict[str, Value]:
    return {"numbers": f"[{','.join(map(str, sorted(numbers)))}]"}
