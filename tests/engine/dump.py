"""Everything a store holds, read past every scope, to see that a call changed nothing."""

from engram import Engram

TABLES = (
    "memories", "usage", "confirmations", "feedback", "links", "changes", "audit", "idempotency",
    "ledger", "meta",
)  # fmt: skip


def dump(engram: Engram) -> dict[str, list[tuple[object, ...]]]:
    engram.settle()
    with engram._store.database.reading(5) as view:
        rows = {
            table: view._connection.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES
        }
        rows["text_index"] = view._connection.execute(
            "SELECT id, sz FROM text_index_docsize"
        ).fetchall()
    return rows
