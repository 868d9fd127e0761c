"""What is carried out of a store, page by page, and what is known of files that were carried in."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from engram.errors import StoreCorrupt
from engram.memory.changes import Action, Change
from engram.memory.erasure import ErasedKind, Selection
from engram.memory.ids import ChangeId
from engram.memory.record import Memory
from engram.memory.scopes import Reach, Scope
from engram.memory.times import to_micros
from engram.storage.database import Row, Transaction, Value, stored_time
from engram.storage.doomed import find_doomed
from engram.storage.part_readers import reach_parameters
from engram.storage.rows import MEMORY_COLUMNS, memory_from_row, scope_at

IMPORT_PREFIX = "imp-"
REREAD_PREFIX = "rrd-"  # turns that were read again are noted as imports are
_UNDOING = ":undo"  # behind the id of an import: its undoing

Plain = object  # whatever JSON can hold


@dataclass(frozen=True, slots=True)
class ExportedState:
    """One state of a memory, and the change that made it."""

    place: int  # in the order of recording
    followed_by: int | None  # the place of the next state of the same memory
    memory: Memory
    change: Change | None  # None: it was lost when the store was repaired

    def is_current(self, until: int) -> bool:
        """Whether this was a memory's present state when the newest one had a given place."""
        if self.memory.is_current:
            return True
        return self.followed_by is not None and self.followed_by > until


@dataclass(frozen=True, slots=True)
class Kind:
    """One sort of thing that lies beside memories: how it is read, and how its columns are told."""

    name: str
    query: str
    columns: tuple[tuple[str, Callable[[Value], Plain] | None], ...]
    first: tuple[Value, ...]  # below the keys of all rows
    memories: tuple[str, ...] = ("number",)  # the columns that name memories


def _time(value: Value) -> Plain:
    return None if value is None else stored_time(value).isoformat()


def _json(value: Value) -> Plain:
    # A sealed text whose key is gone reads as nothing.
    return json.loads(value) if isinstance(value, str) and value else None


_NUMBERED: tuple[Value, ...] = (-1, -1)
# Each row's keys come first, in the order of the pages.
KINDS = (
    Kind("episode", "export_episodes", (
        ("number", None), ("version", None), ("started_at", _time), ("ended_at", _time),
        ("situation", _json), ("participants", _json), ("outcome", _json),
        ("significance", None), ("surprise", None), ("valence", None),
    ), _NUMBERED),
    Kind("event", "export_events", (
        ("number", None), ("sequence", None), ("event", _json),
    ), _NUMBERED),
    Kind("belief", "export_beliefs", (
        ("number", None), ("version", None), ("relation", None), ("property", None),
        ("value", _json), ("source_type", None), ("target_type", None), ("weight", None),
        ("epistemic", _json), ("is_functional", bool), ("source", None), ("target", None),
    ), _NUMBERED),
    Kind("skill", "export_skills", (
        ("number", None), ("version", None), ("name", None), ("skill", _json),
    ), _NUMBERED),
    Kind("run", "export_runs", (
        ("number", None), ("sequence", None), ("at", _time), ("outcome", None),
        ("seconds", None), ("tool", None), ("run", _json),
    ), _NUMBERED),
    Kind("drawn_from", "export_sources", (
        ("number", None), ("source", None), ("starts_at", None), ("ends_at", None),
    ), _NUMBERED, ("number", "source")),
    Kind("link", "export_links", (
        ("change", None), ("from", None), ("to", None), ("relation", None),
    ), ("",), ("from", "to")),
    Kind("confirmation", "export_confirmations", (
        ("number", None), ("change", None), ("at", _time), ("source", None), ("session", None),
        ("reference", None), ("text", None),
    ), (-1, "")),
    Kind("feedback", "export_feedback", (
        ("number", None), ("change", None), ("is_helpful", bool), ("query", None), ("at", _time),
        ("actor", None),
    ), (-1, "")),
    Kind("alias", "export_aliases", (
        ("change", None), ("name", None), ("entity", None), ("how", None), ("scope", None),
    ), ("", ""), ()),
    Kind("artefact", "export_artefacts", (
        ("artefact", None), ("sort", None), ("scope", None), ("key", None), ("text", None),
        ("body", _json), ("sources", _json), ("trust", None), ("secrecy", None),
        ("made_at", _time),
    ), (-1,), ()),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredImport:
    """One file that was taken in, or is about to be."""

    id: str
    scope: Scope
    actor: str
    name: str
    items: int  # lines, or items of a list, that are done
    began_at: datetime
    finished_at: datetime | None
    undone_at: datetime | None
    changes: int


class CarryingReader:
    """What is carried out and in, seen through one caller's reach."""

    def __init__(self, transaction: Transaction, reach: Reach) -> None:
        self._transaction = transaction
        self._reach = reach

    def newest_state(self) -> int:
        """The place of the newest state in sight."""
        return cast(int, self._rows("newest_state", {})[0][0])

    def states(self, *, after: int, until: int) -> list[ExportedState]:
        """States in the order of recording, after a place and up to another.

        Those whose key is gone are not there, so how many come tells nothing of where it ends.
        """
        window: dict[str, Value] = {"after": after, "until": until}
        return [_state(row) for row in self._rows("export_states", window)]

    def beside(
        self, kind: Kind, after: tuple[Value, ...], *, limit: int
    ) -> list[tuple[tuple[Value, ...], dict[str, Plain]]]:
        """What of one sort lies beside memories, after some keys; each with its own."""
        keys = {f"after_{place}": value for place, value in enumerate(after, start=1)}
        rows = self._rows(kind.query, {**keys, "limit": limit})
        return [(tuple(row[: len(kind.first)]), _told(kind, row)) for row in rows]

    def of_person(self, name: str) -> set[int]:
        """The memories that concern one person: the same that an erasure of them would take."""
        selection = Selection(ErasedKind.SUBJECT, name)
        return set(find_doomed(self._transaction, self._reach, selection).numbers)

    def import_of(self, digest: bytes, scope: Scope) -> tuple[str, int, bool] | None:
        """The import of the same file: its id, how far it came, whether it is done."""
        found = self._transaction.rows("import_of_file", {"scope": scope.path, "digest": digest})
        if not found:
            return None
        id_, items, finished_at = found[0]
        return cast(str, id_), cast(int, items), finished_at is not None

    def imports(self, *, limit: int, id_: str | None = None) -> list[StoredImport]:
        """Files that were taken in, the last first."""
        return [_import(row) for row in self._rows("imports", {"limit": limit, "id": id_})]

    def changes_of(self, import_id: str) -> list[tuple[ChangeId, ChangeId | None]]:
        """The changes of an import, the last first, each with what undid it."""
        rows = self._transaction.rows("changes_of_import", {"id": import_id})
        return [(cast(ChangeId, change), cast("ChangeId | None", by)) for change, by in rows]

    def _rows(self, query: str, parameters: Mapping[str, Value]) -> list[Row]:
        return self._transaction.rows(query, {**reach_parameters(self._reach), **parameters})


def is_import(id_: object) -> bool:
    """Whether an id names an import, or the undoing of one, and not a single change."""
    return isinstance(id_, str) and id_.startswith(IMPORT_PREFIX)


def is_reread(id_: object) -> bool:
    """Whether an id names a going through all turns."""
    return isinstance(id_, str) and id_.startswith(REREAD_PREFIX)


def import_named(id_: str) -> tuple[str, bool]:
    """The import that is meant, and whether its undoing is."""
    return id_.removesuffix(_UNDOING), id_.endswith(_UNDOING)


def begin_import(transaction: Transaction, stored: StoredImport, digest: bytes) -> None:
    """Note that a file begins to be taken in."""
    transaction.run(
        "insert_import",
        {
            "id": stored.id,
            "scope": stored.scope.path,
            "actor": stored.actor,
            "name": stored.name,
            "digest": digest,
            "began_at": to_micros(stored.began_at),
        },
    )


def note_import(
    transaction: Transaction,
    import_id: str,
    *,
    items: int,
    changes: Iterable[ChangeId],
    finished_at: datetime | None,
) -> None:
    """Note how far an import has come, and which changes belong to it."""
    for change_id in changes:
        transaction.run("insert_import_change", {"import_id": import_id, "change_id": change_id})
    finished = None if finished_at is None else to_micros(finished_at)
    transaction.run("note_import", {"id": import_id, "items": items, "finished_at": finished})


def mark_import(transaction: Transaction, import_id: str, undone_at: datetime | None) -> None:
    """Note that an import was taken back, or stands again."""
    moment = None if undone_at is None else to_micros(undone_at)
    transaction.run("mark_import_undone", {"id": import_id, "undone_at": moment})


def _state(row: Row) -> ExportedState:
    place, following, change_id, action, at, actor, reason = row[MEMORY_COLUMNS:]
    change = None
    if change_id is not None:
        try:
            done = Action(cast(str, action))
        except ValueError:
            raise StoreCorrupt from None
        change = Change(
            cast(ChangeId, change_id), done, stored_time(at), cast(str, actor), "",
            cast(str, reason),
        )  # fmt: skip
    followed_by = cast("int | None", following)
    return ExportedState(cast(int, place), followed_by, memory_from_row(row), change)


def _told(kind: Kind, row: Row) -> dict[str, Plain]:
    try:
        return {
            name: value if read is None or value is None else read(value)
            for (name, read), value in zip(kind.columns, row, strict=True)
        }
    except ValueError:
        raise StoreCorrupt from None  # the cause would show what stood there


def _import(row: Row) -> StoredImport:
    id_, scope, actor, name, items, began_at, finished_at, undone_at, changes = row
    return StoredImport(
        id=cast(str, id_),
        scope=scope_at(cast(str, scope)),
        actor=cast(str, actor),
        name=cast(str, name),
        items=cast(int, items),
        began_at=stored_time(began_at),
        finished_at=None if finished_at is None else stored_time(finished_at),
        undone_at=None if undone_at is None else stored_time(undone_at),
        changes=cast(int, changes),
    )
