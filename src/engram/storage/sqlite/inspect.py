"""Looks a store over, changing nothing: what a doctor would check, finding by finding."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, cast

import apsw

from engram.errors import EngramError, StoreLocked
from engram.storage.audit_chain import verify_chain
from engram.storage.place import Finding
from engram.storage.queries import load_queries
from engram.storage.sqlite.backup import list_backups, verify_backup
from engram.storage.sqlite.connection import check_library
from engram.storage.sqlite.database import SqliteTransaction
from engram.storage.sqlite.schema import schema_version
from engram.storage.vault_tie import VaultProblem, given_up, vault_problem
from engram.storage.vectors.spaces import SpaceState, read_spaces

if TYPE_CHECKING:
    from engram.storage.sqlite.embedded import EmbeddedStore

_PAGE = 1_000
_SEALED_SINCE = 13  # the schema that first had protected memories
_DERIVED_SINCE = 2  # the schema that first had vectors and traits


def inspect(place: "EmbeddedStore", minimum_free_megabytes: int) -> list[Finding]:
    """Every check of a store, in the order in which trouble would spread."""
    findings = [
        _guarded("library", _library),
        _guarded("disk", lambda: _disk(place, minimum_free_megabytes)),
        _guarded("permissions", lambda: _permissions(place)),
        _guarded("lock", lambda: _lock(place)),
        _guarded("leftovers", lambda: _leftovers(place)),
        _guarded("backups", lambda: _backups(place)),
        # Before the snapshot: the first writer puts a database that was just made into log mode.
        _guarded("text index", lambda: _text_index(place), repair="text_index"),
    ]
    try:
        return findings + place.with_snapshot(lambda each: _database_findings(each, place))
    except EngramError as error:
        return [*findings, Finding("database", False, f"cannot be opened: {error.code}", "salvage")]


def _database_findings(connection: apsw.Connection, place: "EmbeddedStore") -> list[Finding]:
    return [
        _guarded("integrity", lambda: _integrity(connection), repair="salvage"),
        _guarded("schema", lambda: _schema(connection, place)),
        _guarded("index and rows", lambda: _index_and_rows(connection), repair="text_index"),
        _guarded("traits", lambda: _traits(connection), repair="derived"),
        _guarded("vectors", lambda: _vectors(connection, place), repair="derived"),
        _guarded("vault", lambda: _vault(connection, place)),
        _guarded("protected", lambda: _protected(connection), repair="derived"),
        _guarded("links", lambda: _links(connection)),
        _guarded("audit", lambda: _audit(connection)),
    ]


def _guarded(name: str, check: Callable[[], Finding], repair: str = "") -> Finding:
    try:
        return check()
    except (apsw.Error, EngramError, OSError, RuntimeError, ValueError, TypeError) as error:
        return Finding(name, False, f"the check itself failed: {type(error).__name__}", repair)


def _library() -> Finding:
    check_library()
    return Finding("library", True, f"SQLite {apsw.sqlite_lib_version()}")


def _disk(place: "EmbeddedStore", minimum_megabytes: int) -> Finding:
    free = place.free_megabytes()
    return Finding("disk", free >= minimum_megabytes, f"{free} MB free")


def _permissions(place: "EmbeddedStore") -> Finding:
    loose = place.folder.loose_permissions()
    detail = f"{len(loose)} entries can be read by others" if loose else "private"
    return Finding("permissions", not loose, detail, "permissions")


def _lock(place: "EmbeddedStore") -> Finding:
    """The kernel holds the lock, so none can be left behind; this tells who else is in."""
    others = "others have the store open" if place.has_company() else "nobody else is in"
    return Finding("lock", True, others)


def _leftovers(place: "EmbeddedStore") -> Finding:
    left = place.folder.leftovers()
    detail = f"{len(left)} temporary files" if left else "none"
    return Finding("leftovers", not left, detail, "leftovers")


def _backups(place: "EmbeddedStore") -> Finding:
    made = list_backups(place.folder)
    if not made:
        return Finding("backups", True, "none yet")
    try:
        key = place.key_of_backup(made[-1])
    except StoreLocked:
        if place.key is not None:
            raise
        # A store that is plain now was opened without what once locked it.
        return Finding("backups", True, f"{len(made)} kept, the newest is locked")
    memories = verify_backup(made[-1], key=key, migrations=place.migrations)
    return Finding("backups", True, f"{len(made)} kept, the newest verified: {memories} states")


def _integrity(connection: apsw.Connection) -> Finding:
    problems = connection.execute("PRAGMA integrity_check(10)").fetchall()
    is_fine = problems == [("ok",)]
    return Finding(
        "integrity", is_fine, "ok" if is_fine else f"{len(problems)} problems", "salvage"
    )


def _schema(connection: apsw.Connection, place: "EmbeddedStore") -> Finding:
    version = schema_version(connection)
    return Finding("schema", version == place.migrations[-1].version, f"version {version}")


def _text_index(place: "EmbeddedStore") -> Finding:
    # FTS5 checks itself by a statement that writes: it takes its turn as a writer.
    check = load_queries("sqlite")["check_text_index"]
    place.database.run_exclusively(lambda each: each.execute(check))
    return Finding("text index", True, "ok")


def _index_and_rows(connection: apsw.Connection) -> Finding:
    queries = load_queries("sqlite")
    missing = len(connection.execute(queries["unindexed_states"]).fetchall())
    (orphans,) = cast("tuple[int]", connection.execute(queries["orphaned_index_rows"]).fetchone())
    detail = f"{missing} missing, {orphans} orphaned"
    return Finding("index and rows", not missing and not orphans, detail, "text_index")


def _traits(connection: apsw.Connection) -> Finding:
    if schema_version(connection) < _DERIVED_SINCE:
        return Finding("traits", True, "none in this schema")
    queries = load_queries("sqlite")
    counts = {
        "missing": _count(connection, queries["missing_traits"]),
        "damaged": _count(connection, queries["damaged_traits"]),
        "orphaned": _orphans(connection)[2],
    }
    detail = ", ".join(f"{count} {name}" for name, count in counts.items())
    return Finding("traits", not any(counts.values()), detail, "derived")


def _vectors(connection: apsw.Connection, place: "EmbeddedStore") -> Finding:
    if schema_version(connection) < _DERIVED_SINCE:
        return Finding("vectors", True, "none in this schema")
    from engram.storage.vectors.mend import right_dimension, unsound_wordings

    queries = load_queries("sqlite")
    transaction = SqliteTransaction(connection, place.vault)
    spaces = [each for each in read_spaces(transaction) if each.state is not SpaceState.RETIRED]
    unreadable = unreadable_states(connection, place).present  # nobody can embed these
    lost = sum(
        max(0, _count(connection, queries["missing_vectors"], {"space": each.space}) - unreadable)
        for each in spaces
    )
    orphaned, waiting_for_nothing, _ = _orphans(connection)
    unsound = sum(len(unsound_wordings(transaction, each)) for each in spaces)
    miscounted = _count(connection, queries["miscounted_spaces"])
    counts = {
        "missing": lost,
        "orphaned": orphaned + waiting_for_nothing,
        "unsound": unsound,
        "spaces miscounted": miscounted,
        "spaces of another dimension": sum(
            right_dimension(transaction, each) != each.dimension for each in spaces
        ),
    }
    detail = ", ".join(f"{count} {name}" for name, count in counts.items())
    return Finding("vectors", not any(counts.values()), detail, "derived")


class _Protected(NamedTuple):
    """How many protected states there are, how many cannot be read, and of those present ones."""

    states: int
    unreadable: int
    present: int


def unreadable_states(connection: apsw.Connection, place: "EmbeddedStore") -> _Protected:
    """Look at every protected state, and count those that cannot be read."""
    if schema_version(connection) < _SEALED_SINCE:
        return _Protected(0, 0, 0)
    query = load_queries("sqlite")["sealed_records_after"]
    place.vault.refresh()
    states, unreadable, present, after = 0, 0, 0, 0
    while True:
        page = connection.execute(query, {"after": after, "limit": _PAGE}).fetchall()
        for state, blob, is_present in cast("list[tuple[int, bytes, int]]", page):
            after, states = state, states + 1
            if place.vault.unseal(blob) is None:
                unreadable, present = unreadable + 1, present + is_present
        if len(page) < _PAGE:
            return _Protected(states, unreadable, present)


def _vault(connection: apsw.Connection, place: "EmbeddedStore") -> Finding:
    """Whether the keys of all protected memories are there. What was erased has no row to ask."""
    found = unreadable_states(connection, place)
    if not found.states:
        return Finding("vault", True, "no protected memories")
    transaction = SqliteTransaction(connection, place.vault)
    problem = vault_problem(transaction, place.vault)
    lost = f"{found.unreadable} of {found.states} protected states cannot be read"
    if problem is not None:
        repair = "" if problem is VaultProblem.UNREADABLE else "vault"
        detail = f"{lost}, and none can be made: {problem}; put the right one back if you have it"
        return Finding("vault", False, detail, repair)
    if not found.unreadable:
        return Finding("vault", True, f"{found.states} protected states, all can be read")
    if found.unreadable <= given_up(transaction):
        return Finding("vault", True, f"{lost}: their vault was lost and given up")
    return Finding("vault", False, f"{lost}: their keys are gone")


def _protected(connection: apsw.Connection) -> Finding:
    """Whether all that is derived from protected memories is protected like them."""
    if schema_version(connection) < _SEALED_SINCE:
        return Finding("protected", True, "none in this schema")
    row = connection.execute(load_queries("sqlite")["lying_open"]).fetchone()
    counts = dict(zip(("vectors", "names", "confirmations"), row or (), strict=True))
    detail = ", ".join(f"{count} {name}" for name, count in counts.items())
    return Finding("protected", not any(counts.values()), f"lying open: {detail}", "derived")


def _count(connection: apsw.Connection, query: str, named: dict[str, int] | None = None) -> int:
    return int(str(connection.execute(query, named or {}).fetchall()[0][0]))


def _orphans(connection: apsw.Connection) -> tuple[int, int, int]:
    row = connection.execute(load_queries("sqlite")["orphans"]).fetchone()
    return cast("tuple[int, int, int]", row)


def _links(connection: apsw.Connection) -> Finding:
    row = connection.execute(load_queries("sqlite")["broken_links"]).fetchone()
    changes, successors = cast("tuple[int, int]", row)
    detail = f"{changes} states without their change, {successors} without their successor"
    return Finding("links", not changes and not successors, detail)


def _audit(connection: apsw.Connection) -> Finding:
    verdict = verify_chain(SqliteTransaction(connection))
    return Finding(
        "audit", verdict.is_intact, verdict.problem or f"{verdict.entries} entries whole"
    )
