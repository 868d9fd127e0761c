"""What was made of memories: one of a kind, scope and key stands, and makes way for the next."""

import dataclasses
import json
from collections.abc import Iterable, Mapping
from typing import cast

from engram.errors import StoreCorrupt, UndoConflict
from engram.memory.dreams.artefact import Artefact, ArtefactKind
from engram.memory.ids import ChangeId
from engram.memory.people import Person, each_once, person_named
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.memory.secrecy import highest, is_protected
from engram.memory.times import to_micros
from engram.memory.vocabulary import Secrecy
from engram.storage.beside import keeping_for, kept
from engram.storage.database import Row, Transaction, Value, stored_time
from engram.storage.record_cipher import MOST_KEYS
from engram.storage.rows import numbers_from_text, scope_at
from engram.storage.sealed_memories import people_behind

_MOST = 100_000
_PLACE = ("kind", "scope", "key")
_BODY = 4  # its place in a row: never empty, as JSON


class ArtefactReader:
    """Artefacts seen through one caller's reach."""

    def __init__(self, transaction: Transaction, reach: Mapping[str, Value]) -> None:
        self._transaction = transaction
        self._reach = reach

    def find(self, kind: ArtefactKind, scope: Scope, key: str) -> Artefact | None:
        """The one of a kind, scope and key."""
        wanted: dict[str, Value] = {
            "kind": kind.value, "scope": scope.path, "key": key,
            "tagged": _known_tag(self._transaction, scope, key),
        }  # fmt: skip
        return next(iter(_readable(self._rows("artefact", wanted))), None)

    def all(
        self, kind: ArtefactKind, *, scope: Scope | None = None, limit: int = _MOST
    ) -> list[Artefact]:
        """Those of a kind, in one scope or in all in sight, by scope and key."""
        wanted: dict[str, Value] = {
            "kind": kind.value, "scope": scope.path if scope else None, "limit": limit,
        }  # fmt: skip
        return _readable(self._rows("artefacts", wanted))

    def about(self, kind: ArtefactKind, keys: Iterable[str]) -> list[Artefact]:
        """Those of a kind in sight under one of these keys, by scope and key."""
        named = list(keys)
        wanted: dict[str, Value] = {"kind": kind.value, "keys": json.dumps(named)}
        found = _readable(self._rows("artefacts_about", wanted))
        sealed = _readable(self._rows("sealed_artefacts", {"kind": kind.value}))
        found += [each for each in sealed if each.key in named]
        return sorted(found, key=lambda each: (each.scope.path, each.key))

    def signature(self, kind: ArtefactKind) -> tuple[int, int]:
        """How many of a kind stand in sight and the last of them: equal as long as all do."""
        count, last = self._rows("artefacts_signature", {"kind": kind.value})[0]
        return cast(int, count), cast(int, last)

    def _rows(self, query: str, parameters: Mapping[str, Value]) -> list[Row]:
        return self._transaction.rows(query, {**self._reach, **parameters})


def keep_artefact(transaction: Transaction, artefact: Artefact, change_id: ChangeId) -> None:
    """Write an artefact, sealed for all it was made of; what stood there has been ended before."""
    transaction.run(
        "insert_artefact",
        {
            "kind": artefact.kind.value,
            "scope": artefact.scope.path,
            **_words(transaction, artefact),
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
        "change_id": change_id, "tagged": _known_tag(transaction, artefact.scope, artefact.key),
    }  # fmt: skip
    transaction.run("end_artefact", named)


def rewrite_artefacts(transaction: Transaction, memory: Memory) -> None:
    """Protect all that was made of a memory, also what was replaced, at least like the memory."""
    for number, *row in transaction.rows("artefacts_made_of", {"number": memory.number}):
        artefact = _artefact(row) if row[_BODY] else None
        if artefact is None:
            continue
        secrecy = highest((artefact.secrecy, memory.secrecy))
        protected = dataclasses.replace(artefact, secrecy=secrecy)
        transaction.run(
            "rewrite_artefact",
            {"artefact": number, "secrecy": secrecy.value, **_words(transaction, protected)},
        )


def _words(transaction: Transaction, artefact: Artefact) -> dict[str, Value]:
    """The columns that tell what an artefact says: in the open, or sealed for all its sources."""
    keep, key = None, artefact.key
    if is_protected(artefact.secrecy):
        keep = keeping_for(transaction, people_of_sources(transaction, artefact))
        key = _tag(transaction, artefact.scope, artefact.key)
    body = json.dumps(artefact.body, ensure_ascii=False, sort_keys=True)
    return {
        "key": key, "sealed_key": None if keep is None else keep(artefact.key),
        "text": kept(keep, artefact.text), "body": kept(keep, body),
    }  # fmt: skip


def people_of_sources(transaction: Transaction, artefact: Artefact) -> tuple[Person, ...]:
    """Everybody on whose keys the sources of an artefact hang, and of whom they tell."""
    numbers = json.dumps(list(artefact.sources))
    told = [
        person_named(cast(str, scope), cast("str | None", name))
        for scope, name in transaction.rows("people_of_listed", {"numbers": numbers})
    ]
    behind = [each for number in artefact.sources for each in people_behind(transaction, number)]
    everybody = each_once((*told, *behind)) or (person_named(artefact.scope.path, None),)
    # What is in the open of the others can be read in every old copy anyway.
    return everybody if len(everybody) <= MOST_KEYS else each_once(behind)


def _tag(transaction: Transaction, scope: Scope, key: str) -> str:
    """What stands for the key of a protected artefact: it is found by it, and not read from it."""
    return transaction.vault().tag(key.encode(), person_named(scope.path, None)).hex()


def _known_tag(transaction: Transaction, scope: Scope, key: str) -> str | None:
    """The same, if anything protected can be there; reading makes nobody a key."""
    has_key = transaction.vault().has_key(person_named(scope.path, None))
    return _tag(transaction, scope, key) if has_key else None


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


def _readable(rows: Iterable[Row]) -> list[Artefact]:
    """Those that can be read: of others a key is gone, or they are not for this caller."""
    return [_artefact(row) for row in rows if row[_BODY]]


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
