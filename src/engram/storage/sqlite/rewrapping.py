"""Puts every sealed record under the newest keys of its persons, some at a time.

Looks at every column of every table, so that no list of what may be sealed can fall behind. The
names of tables and columns come from the schema, never from a user.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import cast

import apsw

from engram.failpoints import failpoint
from engram.storage.database import Value
from engram.storage.record_cipher import MAGIC
from engram.storage.vault import Vault, as_text, blob_in
from engram.text.strings import SEALED_MARK

_BATCH = 200
Run = Callable[[Callable[[apsw.Connection], object]], object]


@dataclass(frozen=True, slots=True)
class _Column:
    """A column that may hold sealed records, and what the rows of its table are found by."""

    table: str
    name: str
    is_text: bool
    keys: tuple[str, ...]

    @property
    def row(self) -> str:
        return ", ".join(_quoted(key) for key in self.keys)

    def select(self, *, is_first: bool) -> str:
        """The next sealed values behind a row."""
        places = ", ".join("?" for _ in self.keys)
        behind = "" if is_first else f"AND ({self.row}) > ({places})"
        name, table = _quoted(self.name), _quoted(self.table)
        return (
            f"SELECT {name}, {self.row} FROM {table} WHERE substr({name}, 1, ?) = ? {behind} "  # noqa: S608  # names of the schema
            f"ORDER BY {self.row} LIMIT {_BATCH}"
        )

    def update(self) -> str:
        """One value in one row."""
        places = ", ".join("?" for _ in self.keys)
        table, name = _quoted(self.table), _quoted(self.name)
        return f"UPDATE {table} SET {name} = ? WHERE ({self.row}) = ({places})"  # noqa: S608  # names of the schema


def rewrap_records(run: Run, vault: Vault) -> int:
    """Rewrap what is not yet under the newest keys; return how many records that were.

    Each batch is a transaction of its own: begun again, it goes on with what is left.
    """
    columns: list[_Column] = []
    run(lambda connection: columns.extend(_columns(connection)))
    return sum(_rewrap_column(run, vault, column) for column in columns)


def _rewrap_column(run: Run, vault: Vault, column: _Column) -> int:
    done = 0
    batch = _Batch(None, 0)
    while batch.is_more:
        batch = cast("_Batch", run(partial(_rewrap_some, vault, column, batch.last)))
        done += batch.changed
        if batch.changed:
            failpoint("records_rewrapped")
    return done


@dataclass(frozen=True, slots=True)
class _Batch:
    """How many records were changed, and up to which row."""

    last: tuple[Value, ...] | None
    changed: int
    is_more: bool = True


def _rewrap_some(
    vault: Vault,
    column: _Column,
    behind: tuple[Value, ...] | None,
    connection: apsw.Connection,
) -> _Batch:
    start = SEALED_MARK if column.is_text else MAGIC
    values = (len(start), start, *(behind or ()))
    changed = 0
    connection.execute("BEGIN IMMEDIATE")
    try:
        vault.refresh()
        found = connection.execute(column.select(is_first=behind is None), values).fetchall()
        for value, *row in found:
            blob = vault.rewrap(blob_in(value) or b"")
            if blob is not None:
                changed += 1
                written = as_text(blob) if column.is_text else blob
                connection.execute(column.update(), (written, *row))
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    last = tuple(found[-1][1:]) if found else None
    return _Batch(last, changed, len(found) == _BATCH)


def _columns(connection: apsw.Connection) -> Iterator[_Column]:
    tables = connection.execute("PRAGMA main.table_list").fetchall()
    for _schema, table, kind, _count, has_no_rowid, _strict in cast(
        "list[tuple[str, str, str, int, int, int]]", tables
    ):
        if kind != "table" or table.startswith("sqlite_"):
            continue
        found = cast(
            "list[tuple[int, str, str, int, object, int]]",
            connection.execute(f"PRAGMA table_info({_quoted(table)})").fetchall(),
        )
        primary = sorted((place, name) for _, name, _, _, _, place in found if place)
        keys = tuple(name for _, name in primary) if has_no_rowid else ("rowid",)
        for _, name, kind, _, _, _ in found:
            if kind in ("TEXT", "BLOB"):
                yield _Column(table, name, kind == "TEXT", keys)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
