"""No SQL but the named queries, and none of them forgets the scopes."""

import ast
import re
from pathlib import Path

import pytest

import engram
from engram.storage.queries import load_queries

SOURCE = Path(engram.__file__).parent
QUERIES = load_queries("sqlite")
_READS = re.compile(r"\b(?:FROM|JOIN)\s+(memories|audit)\b", re.IGNORECASE)
_VISIBLE = "m.scope IN (:scope_0"

# Each of these reads past the scopes, and says why that gives nothing away.
ALLOWED = {
    "names_given": "erasing asks whether a name is left; only yes or no leaves the caller",
    "belief_at_node": "erasing seals a name anew as another belief is sealed; no row is shown",
    "seals_of_listed": "erasing looks on whose keys erased rows hang; no row is shown",
    "seals_kept": "erasing looks which keys nothing hangs on any more; no row is shown",
    "evidence_given": "erasing finds a name in confirmations within its reach; no row is shown",
    "audit_hash": "tells a line of the audit from another; only a keyed hash leaves the caller",
    "first_recent_audit_line": "pruning finds where to begin; only a number",
    "drop_audit_lines": "pruning drops lines that a checkpoint stands for; no row is shown",
    "audit_chain": "verifies the chain; only a verdict and a hash leave the caller",
    "unindexed_states": "doctor counts rows that the index lacks; no row is shown",
    "orphaned_index_rows": "doctor counts index rows; no row is shown",
    "indexable_states": "rebuilds the index; no row is shown",
    "count_rows": "compares a backup with its source by size",
    "broken_links": "doctor counts missing links; no row is shown",
    "replace_lost_changes": "a salvage stands in for lost changes; no row is shown",
    "mend_ledger": "a salvage raises a counter; no row is shown",
    "highest_version": "numbers a wording of a memory whose scope was checked; no row is shown",
    "queue_present_wordings": "queues numbers to be embedded; no row is shown",
    "due_wordings": "text for the embedder alone; vectors are stored, no row is shown",
    "wordings_after": "fills recall's table in memory; each find goes through a scoped query",
    "state_position": "two counters",
    "states_closed_after": "numbers and times for recall's table in memory; no row is shown",
    "queue_all_traits": "queues numbers; no row is shown",
    "nameless_memories": "text from which names are made; no row is shown",
    "queue_missing_traits": "queues numbers; no row is shown",
    "due_traits": "text from which traits are made; no row is shown",
    "missing_traits": "doctor counts; no row is shown",
    "are_traits_lacking": "health asks whether; no row is shown",
    "missing_vectors": "doctor counts; no row is shown",
    "orphans": "doctor counts; no row is shown",
    "drop_orphaned_vectors": "removes derived rows; no row is shown",
    "drop_orphaned_pending": "removes derived rows; no row is shown",
    "drop_orphaned_traits": "removes derived rows; no row is shown",
    "tiers_moved_after": "asks whether, for recall's table in memory; no row is shown",
    "lying_open": "doctor counts; no row is shown",
    "drop_open_vectors": "removes derived rows; no row is shown",
    "drop_open_mentions": "removes derived rows; no row is shown",
    "node_details": "rewrites a node of a memory whose scope was checked; none is shown",
    "people_of_listed": "whose keys what was made of listed memories hangs on; no row is shown",
    "states_of_listed": "memories that a change of tier follows; their scopes were checked",
    "newest_sealed": "the vault reads which keys a record needs; no row is shown",
    "sealed_wording": "the vault reads which keys a record needs; no row is shown",
    "has_sealed": "asks whether; no row is shown",
    "sealed_records_after": "doctor counts those that cannot be opened; no row is shown",
    "newest_sealed_records": "health asks whether they can be opened; no row is shown",
    "count_access": "counts a use of what was shown, if it is still there; no row is shown",
    "doomed_places": "an erasure notes which ids go, having chosen what the caller may; none shown",
    "doomed_states": "what an erasure looks for afterwards; it stays in the process",
    "drawn_from_listed": "what was made of what is erased goes with it, wherever it is",
    "numbers_of_ids": "finds in an older copy what was erased; no row is shown",
    "kept_words": "which words are not of the erased alone; no row is shown",
    "kept_details": "which words are not of the erased alone; no row is shown",
    "rows_left": "an erasure counts what is left; no row is shown",
    "erase_index_lines": "an erasure deletes; no row is shown",
    "erase_successors": "an erasure rewrites; no row is shown",
    "erase_evidence_of_merged": "an erasure rewrites; no row is shown",
    "erase_states": "an erasure deletes; no row is shown",
    "erase_runs": "an erasure deletes; no row is shown",
    "states_to_reseal": "rewrites the states of a memory whose scope was checked; none is shown",
}
_SQL_VERB = re.compile(
    r"^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|REPLACE|ATTACH|VACUUM|PRAGMA|WITH)\b\s+\S"
)
# These go through tables and columns by their names, which are the schema's own.
_MAY_BUILD_SQL = {"storage/sqlite/repair.py", "storage/sqlite/rewrapping.py"}


@pytest.mark.failure("F22")
@pytest.mark.parametrize("name", sorted(QUERIES))
def test_a_query_that_reads_memories_or_audit_looks_at_the_scope(name):
    reads = _READS.search(QUERIES[name]) is not None

    if name in ALLOWED:
        assert reads, "take it off the list: it reads neither"
    elif reads:
        assert _VISIBLE in QUERIES[name], "add {visible}, or a reason to the list"


def test_the_list_of_exceptions_names_only_queries_there_are():
    assert set(ALLOWED) <= set(QUERIES)


def _texts(tree: ast.AST) -> list[tuple[int, str, bool]]:
    """Every string that is put together at run time, with its line."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = [v.value if isinstance(v, ast.Constant) else "{}" for v in node.values]
            found.append((node.lineno, "".join(map(str, parts)), True))
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mod):
            sides = [s.value for s in (node.left, node.right) if isinstance(s, ast.Constant)]
            found += [(node.lineno, side, True) for side in sides if isinstance(side, str)]
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("format", "join")
            and isinstance(node.func.value, ast.Constant)
        ):
            found.append((node.lineno, str(node.func.value.value), True))
    return found


def test_no_sql_is_put_together_from_strings():
    built = []
    for file in SOURCE.rglob("*.py"):
        name = file.relative_to(SOURCE).as_posix()
        if name in _MAY_BUILD_SQL:
            continue
        for line, text, _ in _texts(ast.parse(file.read_text(encoding="utf-8"))):
            if _SQL_VERB.match(text):
                built.append(f"{name}:{line}")

    assert built == []


def test_queries_take_values_by_name_only():
    for name, sql in QUERIES.items():
        assert "?" not in re.sub(r"'[^']*'", "", sql), name
        assert "{" not in sql, name
