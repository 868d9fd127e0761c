"""Cleans every file of what was erased, then searches them all; only that makes it proven."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from engram.errors import BackupFailed, EngramError, SchemaTooNew, StoreLocked, StorePathInvalid
from engram.failpoints import failpoint
from engram.lifecycle.erase import Traces
from engram.lifecycle.stray_files import (
    forget_searched,
    keep_searched,
    search_files,
    searched_before,
    what_is_still_there,
    what_was_found,
)
from engram.memory.erasure import Remains
from engram.memory.people import Person
from engram.storage.byte_search import VECTOR, Needles, find, needles_of, short_texts, vocabulary_of
from engram.storage.database import Transaction
from engram.storage.doomed import places_by_id
from engram.storage.erasing import erase_rows, erased_by
from engram.storage.graves import Grave, TaggedNames, TaggedTexts
from engram.storage.named_rows import is_name_left
from engram.storage.place import DATABASE, Scrubber
from engram.storage.still_there import has_rows, is_in_a_vector, kept_texts
from engram.storage.store import Store
from engram.storage.vault import Vault

_VAULT = "vault.db"
_LOG = f"{DATABASE}-wal"
_TRIES = 3
_PAUSE_SECONDS = 0.2
_READ_SECONDS = 600.0
_UNREADABLE = (BackupFailed, StoreLocked, StorePathInvalid)


@dataclass(frozen=True, slots=True)
class Scrubbing:
    """What cleaning needs: the store, its files, and the keys of its backups."""

    store: Store
    scrubber: Scrubber
    key_of: Callable[[Path], bytes | None]
    tell: Callable[[str], None] = lambda _step: None  # hears which step begins


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """What cleaning came to."""

    remains: tuple[Remains, ...]
    backups: int = 0  # that were cleaned
    removed: int = 0  # backups that nobody could open


def scrub(parts: Scrubbing, grave: Grave, traces: Traces | None) -> Scrubbed:
    """Clean the files, then look for what must be gone; without traces all is written anew.

    Whoever resumes after a kill does not know any more what to look for: then the files are made
    of the rows that are left, which cannot hold anything else.
    """
    parts.tell("index")
    parts.scrubber.write_index_anew()
    failpoint("erase_after_index")
    if traces is None:
        parts.scrubber.rewrite()
    is_folded = _folded(parts.scrubber)
    failpoint("erase_after_log")
    parts.tell("backups")
    copies = _Copies(parts, grave)
    copies.scrub()
    failpoint("erase_after_copies")
    parts.tell("search")
    remains = [*copies.remains]
    if not is_folded:
        remains.append(Remains(_LOG, "log in use"))
    remains += _rows_left(parts.store, grave)
    remains += _found_in_database(parts, traces)
    remains += _found_elsewhere(parts, grave, traces, copies.cleaned)
    if not remains:
        forget_searched(_vault(parts), grave.erasure)
    return Scrubbed(tuple(dict.fromkeys(remains)), len(copies.cleaned), copies.removed)


def _vault(parts: Scrubbing) -> Vault:
    with parts.store.database.reading(_READ_SECONDS) as transaction:
        return transaction.vault()


def _folded(scrubber: Scrubber) -> bool:
    for tries in range(_TRIES):
        if tries:
            time.sleep(_PAUSE_SECONDS)
        if scrubber.fold_away():
            return True
    return False


class _Copies:
    """The store's own backups: the same rows go there."""

    def __init__(self, parts: Scrubbing, grave: Grave) -> None:
        self._parts = parts
        self._grave = grave
        self.cleaned: dict[Path, bytes | None] = {}
        self.remains: list[Remains] = []
        self.removed = 0

    def scrub(self) -> None:
        for path in self._parts.scrubber.copies():
            try:
                key = self._parts.key_of(path)
                self._parts.scrubber.scrub_copy(path, key, self._erase)
                self.cleaned[path] = key
            except SchemaTooNew:
                self.remains.append(Remains(path.name, "backup of a newer version"))
            except _UNREADABLE:
                self._parts.scrubber.remove_copy(path)
                self.removed += 1

    def _erase(self, transaction: Transaction) -> None:
        places = places_by_id(transaction, self._grave.ids)
        erase_rows(
            transaction,
            [each.number for each in places],
            {each.scope for each in places},
            ids=self._grave.ids,
            is_named=TaggedNames(transaction.vault(), self._grave),
            holds_name=TaggedTexts(transaction.vault(), self._grave),
        )


def _rows_left(store: Store, grave: Grave) -> list[Remains]:
    with store.database.reading(_READ_SECONDS) as transaction:
        numbers, _ids = erased_by(transaction, grave.erasure)
        is_left = has_rows(transaction, numbers) or places_by_id(transaction, grave.ids)
        is_named = is_name_left(transaction, TaggedTexts(transaction.vault(), grave))
        has_key = any(map(_is_of(grave, transaction.vault()), transaction.vault().people()))
    found = {(DATABASE, "rows"): is_left, (DATABASE, "name"): is_named, (_VAULT, "name"): has_key}
    return [Remains(*each) for each, is_there in found.items() if is_there]


def _is_of(grave: Grave, vault: Vault) -> Callable[[Person], bool]:
    is_theirs = TaggedNames(vault, grave)
    return lambda person: grave.has_keys and is_theirs(person.name, person.scope)


def _needles(store: Store, traces: Traces) -> Needles:
    """What to look for now: others may have said some of the words again meanwhile."""
    kept, is_said = _what_is_said(store)
    return needles_of(traces.texts, traces.vectors, vocabulary_of(kept), is_said)


def _what_is_said(store: Store) -> tuple[list[str], Callable[[str], bool]]:
    with store.database.reading(_READ_SECONDS) as transaction:
        kept = list(kept_texts(transaction))
    everything = "\n".join(kept).lower()
    return kept, lambda text: text.lower() in everything


def _found_in_database(parts: Scrubbing, traces: Traces | None) -> list[Remains]:
    if traces is None:
        return []
    found = Needles({})
    for tries in range(_TRIES):
        if tries:  # left over where cells were moved about: pages that are written anew have none
            parts.scrubber.rewrite()
            _folded(parts.scrubber)
        found = find(parts.scrubber.image(), _needles(parts.store, traces))
        found = _without_others_vectors(parts.store, found)
        if not found:
            return []
    return [Remains(DATABASE, kind) for kind in found.told()]


def _without_others_vectors(store: Store, found: Needles) -> Needles:
    """Vectors of texts that are much alike may begin alike: those of others are no trace."""
    if VECTOR not in found.told():
        return found
    with store.database.reading(_READ_SECONDS) as transaction:
        return Needles(
            {
                needle: kind
                for needle, kind in found.kinds.items()
                if kind != VECTOR or not is_in_a_vector(transaction, needle)
            }
        )


def _found_elsewhere(
    parts: Scrubbing, grave: Grave, traces: Traces | None, cleaned: dict[Path, bytes | None]
) -> list[Remains]:
    remains = []
    if traces is not None:
        # Copies were written anew from their rows, and those are gone; a vector of theirs that
        # begins like an erased one could not be told from it.
        kept, is_said = _what_is_said(parts.store)
        needles = needles_of(traces.texts, (), vocabulary_of(kept), is_said)
        for path, key in cleaned.items():
            found = find(parts.scrubber.image_of_copy(path, key), needles)
            remains += [Remains(path.name, kind) for kind in found.told()]
        searched = search_files(parts.scrubber, needles, short_texts(traces.texts, is_said))
        remains += what_was_found(searched)
        keep_searched(_vault(parts), grave.erasure, searched)
    else:
        before = searched_before(_vault(parts), grave.erasure)
        remains += what_is_still_there(parts.scrubber, before)
    # Set aside by a repair, or in the making by somebody else: nobody knows what is in them.
    remains += [Remains(path.name, "file set aside") for path in parts.scrubber.set_aside()]
    return remains


def is_in_the_way(error: EngramError) -> Remains:
    """What an error in the middle of cleaning leaves: all of it is tried again."""
    return Remains(DATABASE, f"could not be cleaned ({error.code})")
