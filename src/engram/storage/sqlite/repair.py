"""Mends a store, only when told to, and never without a copy of what was there."""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, cast

import apsw

from engram.errors import BackupFailed, StoreCorrupt
from engram.memory.times import to_micros
from engram.storage.database import Value
from engram.storage.queries import load_queries
from engram.storage.sqlite.backup import make_private, verify_backup
from engram.storage.sqlite.connection import unlock
from engram.storage.sqlite.database import SqliteTransaction
from engram.storage.sqlite.folder import TEMPORARY, sync_folder
from engram.storage.sqlite.inspect import unreadable_states
from engram.storage.sqlite.schema import build_schema
from engram.storage.vault import Vault
from engram.storage.vault_tie import give_up
from engram.storage.vectors.mend import mend_derived
from engram.storage.vectors.traits import make_some
from engram.text.terms import index_text

if TYPE_CHECKING:
    from engram.storage.sqlite.embedded import EmbeddedStore

# Each table with the number its rows are found by; None: it has none.
_TABLES: dict[str, str | None] = {
    "meta": None,
    "ledger": None,
    "memories": "state",
    "usage": "number",
    "confirmations": None,
    "feedback": None,
    "links": None,
    "recall_journal": None,
    "changes": None,
    "audit": "sequence",
    "idempotency": None,
    "sources": None,
    "unread_turns": "number",
    "aliases": None,
    "boxes": None,
    "box_members": "number",
    "capture_counts": None,
    "harvested": None,
    "model_calls": "id",
    "access_keys": None,
    "webhooks": None,
    "dreams": None,
    "dream_steps": None,
    "dream_decisions": "sequence",
    "dream_marks": None,
    "imports": None,
    "import_changes": None,
    "artefacts": "artefact",
    "rehearsals": None,
    "questions_asked": None,
    "webhook_deliveries": None,
    "episodes": None,
    "episode_events": None,
    "nodes": None,
    "edges": None,
    "edge_sayings": None,
    "skills": None,
    "skill_runs": None,
    "working_snapshots": None,
    "erasures": "sequence",
    "erased": "number",
    "digest_salts": "number",
    "tier_moves": None,
    "sealed_identities": None,
    "security_events": None,
}
_SMALLEST_ROW_BYTES = 100
_UNREADABLE = (apsw.Error, UnicodeDecodeError)
_BATCH = 500
_STAMP = "%Y%m%dT%H%M%S%fZ"


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What could be read of a damaged database, table by table."""

    rows: dict[str, int]
    unreadable: dict[str, int]
    kept_as: Path


def rebuild_text_index(connection: apsw.Connection) -> int:
    """Make the derived index anew from the rows, in one transaction."""
    queries = load_queries("sqlite")
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute(queries["clear_text_index"])
        count = _index_all(connection, queries)
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    return count


def _index_all(connection: apsw.Connection, queries: dict[str, str]) -> int:
    after, count = 0, 0
    while True:
        page = connection.execute(
            queries["indexable_states"], {"after": after, "limit": _BATCH}
        ).fetchall()
        for state, content in cast("list[tuple[int, str]]", page):
            text = index_text(content)
            connection.execute(
                queries["index_state"],
                {"state": state, "words": text.words, "fragments": text.fragments},
            )
            after, count = state, count + 1
        if len(page) < _BATCH:
            return count


def repair_derived(connection: apsw.Connection, vault: Vault) -> dict[str, int]:
    """Put vectors, their queue and traits right, in one transaction; traits are made at once."""
    transaction = SqliteTransaction(connection, vault)
    connection.execute("BEGIN IMMEDIATE")
    try:
        done = mend_derived(transaction)
        while make_some(transaction):
            pass
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    return done


def give_up_vault(connection: apsw.Connection, place: "EmbeddedStore") -> int:
    """Let the vault that is here, or a new one, take a lost one's place; every row stays.

    Return how many protected states nobody can read without the lost one; so many are noted.
    """
    place.vault.make()
    lost = unreadable_states(connection, place).unreadable
    connection.execute("BEGIN IMMEDIATE")
    try:
        give_up(SqliteTransaction(connection, place.vault), place.vault, lost)
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    return lost


def tighten_permissions(place: "EmbeddedStore") -> int:
    """Make every file and folder of the store private."""
    loose = place.folder.loose_permissions()
    for path in loose:
        path.chmod(0o700 if path.is_dir() else 0o600)
    return len(loose)


def salvage(place: "EmbeddedStore", now: datetime, *, at_least: int) -> Salvaged:
    """Read a damaged database row by row into a new one, verify that, and keep the damaged file.

    The caller has shut everybody out. The new file takes the old one's place only when it is
    sound and holds no less than a backup does; the old one is renamed, never removed.
    """
    target = place.folder.path / f"{TEMPORARY}{secrets.token_hex(8)}.db"
    source = apsw.Connection(str(place.folder.database), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        unlock(source, place.key)
        rows, unreadable = _copy_rows(source, target, place, now)
    except apsw.Error as error:
        raise StoreCorrupt(hint="Not even its tables can be read; restore a backup.") from error
    finally:
        source.close(True)
    if rows["memories"] < at_least // 2:  # a backup that is a little behind is no reason
        target.unlink()
        raise StoreCorrupt(
            hint=f"Only {rows['memories']} states can be read, and a backup holds {at_least}: "
            "`engram restore` brings it back. The damaged file was left alone."
        )
    try:
        verify_backup(target, key=place.key, migrations=place.migrations)
    except BackupFailed:
        target.unlink(missing_ok=True)
        raise
    kept_as = _swap(place, target, now)
    return Salvaged(rows, unreadable, kept_as)


def _copy_rows(
    source: apsw.Connection, target: Path, place: "EmbeddedStore", now: datetime
) -> tuple[dict[str, int], dict[str, int]]:
    make_private(target)
    fresh = apsw.Connection(str(target))
    rows: dict[str, int] = {}
    unreadable: dict[str, int] = {}
    try:
        build_schema(fresh, key=place.key, migrations=place.migrations, now=now)
        fresh.execute("BEGIN IMMEDIATE")
        for table, key in _TABLES.items():
            rows[table], unreadable[table] = _copy_table(source, fresh, table, key)
        queries = load_queries("sqlite")
        fresh.execute(queries["replace_lost_changes"], {"at": to_micros(now)})
        fresh.execute(queries["mend_ledger"])
        _index_all(fresh, queries)
        fresh.execute(queries["queue_all_names"])
        fresh.execute(queries["queue_all_traits"])  # vectors are made anew when it is opened next
        fresh.execute("COMMIT")
    finally:
        fresh.close(True)
    return rows, unreadable


def _copy_table(
    source: apsw.Connection, fresh: apsw.Connection, table: str, key: str | None
) -> tuple[int, int]:
    """Copy what can be read of one table; count the places that cannot."""
    columns = [str(row[1]) for row in fresh.execute(f"PRAGMA table_info({table})")]
    marks = ", ".join("?" for _ in columns)
    # Table and column names are our own; no text of anybody enters these statements.
    insert = f"INSERT OR REPLACE INTO {table} VALUES ({marks})"  # noqa: S608  # our own names
    select = f"SELECT {', '.join(columns)} FROM {table}"  # noqa: S608  # our own names
    copied, failures = 0, 0
    for row in _readable(source, select, key) if key else _from_both_ends(source, select):
        if row is None or not _is_inserted(fresh, insert, row):
            failures += 1
        else:
            copied += 1
    return copied, failures


def _is_inserted(fresh: apsw.Connection, insert: str, row: tuple[Value, ...]) -> bool:
    try:
        fresh.execute(insert, row)
    except apsw.ConstraintError:
        return False  # what was read is not what could have been written
    return True


def _readable(source: apsw.Connection, select: str, key: str) -> Iterator[tuple[Value, ...] | None]:
    """Every row that can be read, by halving the range around each place that cannot."""
    ranges = [(0, _last_key(source, select, key) + 1)]
    while ranges:
        low, high = ranges.pop()
        try:
            page = source.execute(
                f"{select} WHERE {key} >= ? AND {key} < ? ORDER BY {key}", (low, high)
            ).fetchall()
        except _UNREADABLE:
            if high - low <= 1:
                yield None
            else:
                middle = (low + high) // 2
                ranges += [(middle, high), (low, middle)]
            continue
        yield from cast("list[tuple[Value, ...]]", page)


def _last_key(source: apsw.Connection, select: str, key: str) -> int:
    """The highest key; where even that cannot be read, as many as the file could hold."""
    try:
        found = source.execute(f"{select} ORDER BY {key} DESC LIMIT 1").fetchone()
    except _UNREADABLE:
        size = int(str(source.pragma("page_count"))) * int(str(source.pragma("page_size")))
        return size // _SMALLEST_ROW_BYTES
    return int(str(found[0])) if found else 0


def _from_both_ends(source: apsw.Connection, select: str) -> Iterator[tuple[Value, ...] | None]:
    """Rows without a number to halve by: up to the damage from either side."""
    for order in ("", " ORDER BY 1 DESC"):
        try:
            yield from cast("Iterator[tuple[Value, ...]]", source.execute(select + order))
        except _UNREADABLE:
            yield None
        else:
            return


def _swap(place: "EmbeddedStore", target: Path, now: datetime) -> Path:
    stamp = now.strftime(_STAMP)
    database = place.folder.database
    kept_as = database.with_name(f"damaged-{stamp}-{database.name}")
    for suffix in ("-wal", "-shm"):
        part = database.with_name(database.name + suffix)
        if part.exists():
            part.rename(part.with_name(f"damaged-{stamp}-{part.name}"))
    database.rename(kept_as)
    target.rename(database)
    sync_folder(place.folder.path)
    return kept_as
