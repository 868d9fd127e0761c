"""What was erased, remembered outside the database, so that no older copy of it brings it back.

A grave holds ids and keyed tags of names, never a word. They lie in the vault beside the database,
of which no backup holds a copy.
"""

import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Protocol

from engram.errors import StoreCorrupt
from engram.memory.erasure import spellings_of
from engram.memory.name_search import in_words, runs_of_words
from engram.memory.scopes import Reach
from engram.storage.doomed import NOWHERE, is_within

_GRAVE = "grave"
_KEY = "grave_key"
_TAG_BYTES = 16


class Notes(Protocol):
    """The part of a vault in which something can be noted."""

    def note(self, kind: str, key: str, content: bytes) -> None:
        """Keep something outside the database."""
        ...

    def noted(self, kind: str) -> dict[str, bytes]:
        """What is kept of one kind."""
        ...


@dataclass(frozen=True, slots=True)
class Grave:
    """One erasure: what it took, and whom, if it was a person."""

    erasure: str
    kind: str
    ids: tuple[str, ...]
    tags: tuple[str, ...] = ()
    reach: Reach = NOWHERE  # where the names mean that person
    has_keys: bool = False  # the person's keys are still to be ended

    def __repr__(self) -> str:
        return f"Grave({self.erasure})"


def bury(
    notes: Notes, erasure: str, kind: str, ids: Iterable[str], names: Iterable[str], reach: Reach
) -> Grave:
    """Remember an erasure; doing so again changes nothing."""
    key = _tag_key(notes)
    forms = {form for name in names for form in (name, in_words(name)) if form}
    tags = tuple(sorted(_tag(key, form) for form in forms))
    grave = Grave(erasure, kind, tuple(sorted(ids)), tags, reach, has_keys=bool(tags))
    _keep(notes, grave)
    return grave


def without_keys(notes: Notes, grave: Grave) -> Grave:
    """Remember that the person's keys are gone: a key made since is that of what came after."""
    done = replace(grave, has_keys=False)
    _keep(notes, done)
    return done


def _keep(notes: Notes, grave: Grave) -> None:
    reach = grave.reach
    body = {
        "kind": grave.kind, "ids": grave.ids, "tags": grave.tags, "has_keys": grave.has_keys,
        "where": [list(reach.chain), reach.below_start, reach.below_end],
    }  # fmt: skip
    notes.note(_GRAVE, grave.erasure, json.dumps(body).encode())


def graves(notes: Notes) -> list[Grave]:
    """Every erasure that is remembered."""
    return [_grave(erasure, body) for erasure, body in sorted(notes.noted(_GRAVE).items())]


def _grave(erasure: str, body: bytes) -> Grave:
    try:
        found = json.loads(body)
        chain, start, end = found["where"]
        reach = Reach(tuple(chain), start, end)
        tags, has_keys = tuple(found["tags"]), bool(found["has_keys"])
        return Grave(erasure, found["kind"], tuple(found["ids"]), tags, reach, has_keys)
    except (ValueError, KeyError, TypeError):
        raise StoreCorrupt(hint="What was erased cannot be read in the vault.") from None


class TaggedNames:
    """Tells whether a name is that of somebody who was erased, without knowing any."""

    def __init__(self, notes: Notes, grave: Grave) -> None:
        self._key = _tag_key(notes) if grave.tags else b""
        self._tags = frozenset(grave.tags)
        self._reach = grave.reach

    def __call__(self, name: str, scope: str) -> bool:
        """Whether the name is one of theirs, in that scope."""
        return (
            bool(self._tags)
            and is_within(self._reach, scope)
            and any(_tag(self._key, form) in self._tags for form in spellings_of(name))
        )


class TaggedTexts:
    """Tells whether the name of somebody who was erased stands in a text, without knowing any."""

    def __init__(self, notes: Notes, grave: Grave) -> None:
        self._key = _tag_key(notes) if grave.tags else b""
        self._tags = frozenset(grave.tags)
        self._reach = grave.reach

    def __call__(self, text: str, scope: str) -> bool:
        """Whether one of the names is in a text, in that scope."""
        return (
            bool(self._tags)
            and is_within(self._reach, scope)
            and any(_tag(self._key, run) in self._tags for run in runs_of_words(text))
        )


def _tag(key: bytes, name: str) -> str:
    return blake2b(name.encode("utf-8", "replace"), key=key, digest_size=_TAG_BYTES).hexdigest()


def _tag_key(notes: Notes) -> bytes:
    found = notes.noted(_KEY).get("1")
    if found is None:
        notes.note(_KEY, "1", secrets.token_bytes(32))
        found = notes.noted(_KEY)["1"]
    return found
