"""Says whether a store is sound: what a doctor would look at, and every row that must be there."""

from pathlib import Path

import apsw

from engram.storage.audit_chain import verify_chain
from engram.storage.options import StorageOptions
from engram.storage.queries import load_queries
from engram.storage.sqlite.connection import open_connection
from engram.storage.sqlite.database import SqliteTransaction

Contents = tuple[tuple[object, ...], ...]

_CANONICAL = (
    "SELECT * FROM memories ORDER BY state",
    "SELECT * FROM usage ORDER BY number",
    "SELECT * FROM confirmations ORDER BY number, change_id",
    "SELECT * FROM feedback ORDER BY number, change_id",
    "SELECT * FROM links ORDER BY change_id",
    "SELECT * FROM changes ORDER BY id",
    "SELECT * FROM audit ORDER BY sequence",
    "SELECT * FROM idempotency ORDER BY scope, actor, key",
    "SELECT one, last_number, audit_count, audit_head FROM ledger",
    "SELECT * FROM meta ORDER BY key",
    "SELECT id FROM text_index_docsize ORDER BY id",
)
AUDIT = next(place for place, query in enumerate(_CANONICAL) if "FROM audit" in query)
_MISCOUNTED = """
SELECT count(*) FROM usage AS u WHERE u.confirmations <> (
    SELECT count(*) FROM confirmations AS c WHERE c.number = u.number AND c.withdrawn_by IS NULL)
"""
_LEDGER = """
SELECT audit_count = (SELECT count(*) FROM audit)
   AND last_number >= (SELECT coalesce(max(number), 0) FROM memories) FROM ledger
"""


def contents(connection: apsw.Connection) -> Contents:
    """Every row of every canonical table, and which states are indexed."""
    return tuple(tuple(connection.execute(query).fetchall()) for query in _CANONICAL)


def check_sound(connection: apsw.Connection) -> None:
    """Nothing is damaged, nothing dangles, every count is right, the audit is whole."""
    queries = load_queries("sqlite")
    assert connection.execute("PRAGMA quick_check").fetchall() == [("ok",)]
    connection.execute(queries["check_text_index"])  # raises when it finds damage
    assert connection.execute(queries["unindexed_states"]).fetchall() == []
    assert connection.execute(queries["orphaned_index_rows"]).fetchone() == (0,)
    assert connection.execute(queries["broken_links"]).fetchone() == (0, 0)
    assert connection.execute(_MISCOUNTED).fetchone() == (0,)
    assert connection.execute(_LEDGER).fetchone() == (1,)
    verdict = verify_chain(SqliteTransaction(connection))
    assert verdict.is_intact, verdict.problem


def sound_contents(database: Path, *, key: bytes | None = None) -> Contents:
    """Open a database on a disk that works, check it whole, and read it."""
    connection = open_connection(str(database), key=key, options=StorageOptions())
    try:
        check_sound(connection)
        return contents(connection)
    finally:
        connection.close(True)


def stored_texts(found: Contents) -> set[str]:
    """The wordings of all states."""
    return {str(row[-3]) for row in found[0]}


def current_texts(found: Contents) -> set[str]:
    """The wordings Engram holds now."""
    return {str(row[-3]) for row in found[0] if row[18] is None}
