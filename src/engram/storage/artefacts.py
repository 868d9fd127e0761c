"""What was made of memories: one of a kind, scope and key stands, and makes way for the next."""

import json
from collections.abc import Iterable, Mapping
from typing import cast

from engram.errors import StoreCorrupt, UndoConflict
from engram.memory.dreams.artefact import Artefact, ArtefactKind
from engram.memory.ids import ChangeId
from engram.memory.scopes import Scope
from engram.memory.times import to_micros
from engram.memory.vocabulary import Secrecy
from engram.storage.database import Row, Transaction, Value, stored_time
from engram.storage.rows import numbers_from_text, scope_at

_MOST = 100_000
_PLACE = ("kind", "scope", "key")


class ArtefactReader:
    """Artefacts seen through one caller's reach."""

    def __init__(self, transaction: Transaction, reach: Mapping[str, Value]) -> None:
        self._transaction = transaction
        self._reach = reach

    def find(self, kind: ArtefactKind, scope: Scope, key: str) -> Artefact | None:
        """The one of a kind, scope and key."""
        wanted: dict[str, Value] = {"kind": kind.value, "scope": scope.path, "key": key}
        found = self._rows("artefact", wanted)
        return _artefact(found[0]) if found else None

    def all(
        self, kind: ArtefactKind, *, scope: Scope | None = None, limit: int = _MOST
    ) -> list[Artefact]:
        """Those of a kind, in one scope or in all in sight, by scope and key."""
        wanted: dict[str, Value] = {
            "kind": kind.value, "scope": scope.path if scope else None, "limit": limit,
        }  # fmt: skip
        return [_artefact(row) for row in self._rows("artefacts", wanted)]

    def about(self, kind: ArtefactKind, keys: Iterable[str]) -> list[Artefact]:
        """Those of a kind in sight under one of these keys, by scope and key."""
        wanted: dict[str, Value] = {"kind": kind.value, "keys": json.dumps(list(keys))}
        return [_artefact(row) for row in self._rows("artefacts_about", wanted)]

    def signature(self, kind: ArtefactKind) -> tuple[int, int]:
        """How many of a kind stand in sight and the last of them: equal as long as all do."""
        count, last = self._rows("artefacts_signature", {"kind": kind.value})[0]
        return cast(int, count), cast(int, last)

    def _rows(self, query: str, parameters: Mapping[str, Value]) -> list[Row]:
        return self._transaction.rows(query, {**self._reach, **parameters})


def keep_artefact(transaction: Transaction, artefact: Artefact, change_id: ChangeId) -> None:
    """Write an artefact; what stood in its place has been ended before."""
    transaction.run(
        "insert_artefact",
        {
            "kind": artefact.kind.value,
            "scope": artefact.scope.path,
            "key": artefact.key,
            "text": artefact.text,
            "body": json.dumps(artefact.body, ensure_ascii=False, sort_keys=True),
            "sources": json.dumps(list(artefact.sources)),
            "trust": artefact.trust,
            "secrecy": artefact.secrecy.value,
            "made_at": to_micros(artefact.made_at),
            "change_id": change_id,
        },
    )


def end_artefact(transaction: Transaction, artefact: Artefact, change_id: ChangeId) -> None:
    """Let what stands under this kind, scope and key go."""
    named: dict[str, Value] = {
        "kind": artefact.kind.value, "scope": artefact.scope.path, "key": artefact.key,
        "change_id": change_id,
    }  # fmt: skip
    transaction.run("end_artefact", named)


def take_back_artefacts(
    transaction: Transaction, change_id: ChangeId, undoing: ChangeId
) -> list[str] | None:
    """End what a change made and bring back what it ended; the scopes in which that happened.

    Bringing back writes anew, so that undoing the undoing is the very same. None, and nothing
    happened, when what it made has been replaced since.
    """
    touched = transaction.rows("artefacts_touched_by", {"change_id": change_id})
    made = [_standing(transaction, row) for row in touched if row[4] == change_id]
    ended = [row for row in touched if row[4] != change_id]
    if None in made:
        return None
    for artefact in made:
        transaction.run("set_artefact_end", {"artefact": artefact, "ended_by": undoing})
    for row in ended:
        if transaction.rows("artefact_stands", dict(zip(_PLACE, row[1:4], strict=True))):
            raise UndoConflict(hint="Something else was made in its place since.")
        transaction.run("artefact_again", {"artefact": row[0], "change_id": undoing})
    return [cast(str, row[2]) for row in touched]


def _standing(transaction: Transaction, row: Row) -> Value:
    """What stands of an artefact: itself, or what an undo brought back of it; None: nothing."""
    found = transaction.rows("artefact_stands", dict(zip(_PLACE, row[1:4], strict=True)))
    if not found:
        return None
    artefact, copy_of = found[0]
    original = row[6] if row[6] is not None else row[0]
    return artefact if original in (artefact, copy_of) else None


def _artefact(row: Row) -> Artefact:
    kind, scope, key, text, body, sources, trust, secrecy, made_at, change_id = row
    try:
        return Artefact(
            kind=ArtefactKind(cast(str, kind)),
            scope=scope_at(cast(str, scope)),
            key=cast(str, key),
            text=cast(str, text),
            body=json.loads(cast(str, body)),
            sources=numbers_from_text(sources),
            trust=cast(float, trust),
            secrecy=Secrecy(cast(str, secrecy)),
            made_at=stored_time(made_at),
            change_id=cast(ChangeId, change_id),
        )
    except (ValueError, TypeError):
        raise StoreCorrupt from None
