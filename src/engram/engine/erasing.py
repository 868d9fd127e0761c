"""Erasing: the part of the facade that makes memories be gone, and proves it."""

import dataclasses
from collections.abc import Callable, Mapping
from typing import cast

from engram.engine.core import Core, checked_reason
from engram.errors import EngramError, StoreReadOnly
from engram.failpoints import failpoint
from engram.lifecycle.erase import (
    Taken,
    Traces,
    check_may_erase,
    erase,
    erase_again,
    erasing_reach,
    open_graves,
    preview,
    unfinished,
)
from engram.memory.changes import Action
from engram.memory.erasure import (
    CertificateVerdict,
    Erasure,
    ErasureState,
    Remains,
    read_selection,
)
from engram.memory.ids import label_of
from engram.memory.scopes import Principal, Reach, Scope
from engram.memory.security_events import SecurityKind
from engram.security.certificates import AuditPlace, certify, check_certificate
from engram.security.locking import backup_keys
from engram.storage.audit_chain import the_row
from engram.storage.database import Row
from engram.storage.erasing import erasure_count, erasures, note_end
from engram.storage.graves import Grave
from engram.storage.names import make_names

Tell = Callable[[str], None]
_READ_SECONDS = 30.0
_OURSELVES = "engram"  # who erases what an older copy brought back: nobody asked for it again


class Erasing(Core):
    """What is erased is gone from rows, files and backups; no undo brings it back."""

    def erase(
        self,
        memory_id: str | None = None,
        *,
        subject: str | None = None,
        source: str | None = None,
        session: str | None = None,
        with_sources: bool = False,
        reason: str = "",
        dry_run: bool = False,
        scope: Scope | None = None,
        progress: Tell | None = None,
    ) -> Erasure:
        """Erase a memory, a person, a source or a session with everything that was made of it.

        Only a person may. `proven` says that every file was searched and nothing was found;
        `pending` says what is in the way. Nothing brings it back; `forget` can be undone.
        """
        selection = read_selection(
            memory_id, subject=subject, source=source, session=session, with_sources=with_sources
        )
        check_may_erase(self.principal)
        reach = erasing_reach(self.principal, selection, scope)
        why = checked_reason(reason)
        make_names(self._store)
        if dry_run:
            with self._store.database.reading(_READ_SECONDS) as transaction:
                doomed = preview(transaction, self.principal, reach, selection)
            return Erasure(
                id="", at=self._clock(), kind=selection.kind, state=ErasureState.PREVIEW,
                counts={"memories": len(doomed.places)},
                also_told_by=tuple(map(label_of, doomed.also_told_by)),
            )  # fmt: skip
        self._parts.access_log.flush()
        with self._unit_in(reach) as unit:
            taken = erase(unit, self.principal, selection, reach, reason=why)
            failpoint("erase_before_commit")
        failpoint("erase_after_commit")
        return self._finished(taken.erasure, taken.grave, taken.traces, progress)

    def erasures(self) -> list[Erasure]:
        """The erasures of this store, oldest first; only the owner sees them."""
        self._check_owner()
        with self._store.database.reading(_READ_SECONDS) as transaction:
            found = [each.erasure for each in erasures(transaction)]
        self._note(Action.AUDIT, count=len(found))
        return found

    def finish_erasures(self, *, progress: Tell | None = None) -> list[Erasure]:
        """Finish what is pending, and erase again what an older copy brought back."""
        self._check_owner()
        check_may_erase(self.principal)
        done = self._erase_again(progress)
        with self._store.database.reading(_READ_SECONDS) as transaction:
            waiting = unfinished(transaction)
        return [*done, *(self._finished(each, grave, None, progress) for each, grave in waiting)]

    def check_certificate(self, document: Mapping[str, object]) -> CertificateVerdict:
        """Whether a certificate of an erasure is unaltered, and whether this store signed it."""
        self.principal.check_known()
        with self._store.database.reading(_READ_SECONDS) as transaction:
            return check_certificate(transaction.vault(), document)

    def _erase_again(self, progress: Tell | None = None) -> list[Erasure]:
        with self._store.database.reading(_READ_SECONDS) as transaction:
            waiting = open_graves(transaction)
        return [self._from_grave(each, progress) for each in waiting]

    def _from_grave(self, grave: Grave, progress: Tell | None) -> Erasure:
        with self._store.write(_EVERYWHERE, actor=_OURSELVES, now=self._clock()) as unit:
            if not any(each.erasure == grave.erasure for each in open_graves(unit.transaction)):
                taken: Taken | None = None  # another process was quicker
            else:
                taken = erase_again(unit, grave)
        if taken is None:
            with self._store.database.reading(_READ_SECONDS) as transaction:
                found = [each.erasure for each in erasures(transaction)]
            return next(each for each in found if each.id == grave.erasure)
        return self._finished(taken.erasure, grave, taken.traces, progress)

    def _settle_erasures(self) -> None:
        """At opening: erase again what an older copy holds, and finish what was killed half-way.

        What is pending because something is in the way waits for `finish_erasures`.
        """
        self._erase_again()
        with self._store.database.reading(_READ_SECONDS) as transaction:
            waiting = unfinished(transaction)
        for erasure, grave in waiting:
            if erasure.state is ErasureState.BEGUN:
                self._finished(erasure, grave, None, None)

    def _finished(
        self, erasure: Erasure, grave: Grave, traces: Traces | None, progress: Tell | None
    ) -> Erasure:
        """Clean the files, search them, and write down and sign what that came to."""
        self._parts.forget_erased()
        remains, counts = self._scrubbed(grave, traces, progress)
        state = ErasureState.PENDING if remains else ErasureState.PROVEN
        done = dataclasses.replace(
            erasure, state=state, remains=remains, counts={**erasure.counts, **counts}
        )
        failpoint("erase_before_certificate")
        now = self._clock()
        with self._store.derive() as transaction:
            place = _audit_place(transaction.rows("audit_place", {}))
            certificate = certify(transaction.vault(), done, place, now)
            note_end(transaction, done.id, remains, now, certificate)
        failpoint("erase_after_certificate")
        self._parts.forget_erased()
        self._parts.log.write("erased", now, count=done.memories)
        if remains:
            self._security(SecurityKind.ERASE_PENDING, count=len(remains))
        return dataclasses.replace(done, certificate=certificate)

    def _scrubbed(
        self, grave: Grave, traces: Traces | None, progress: Tell | None
    ) -> tuple[tuple[Remains, ...], dict[str, int]]:
        # Imported here: who erases nothing never loads what searching takes.
        from engram.lifecycle.scrub import Scrubbing, is_in_the_way, scrub

        place = self._parts.place
        self._parts.drop_vector_cache()
        database = self._store.database
        scrubbing = Scrubbing(
            self._store,
            place.scrubber() if place is not None else database.scrubber(),
            lambda path: (
                backup_keys(place, path, self._parts.credentials).database if place else None
            ),
            progress or (lambda _step: None),
        )
        try:
            found = scrub(scrubbing, grave, traces)
        except EngramError as error:
            return (is_in_the_way(error),), {}
        counts = {"backups": found.backups, "backups_removed": found.removed}
        return found.remains, {name: each for name, each in counts.items() if each}


def settle_erasures(engram: Erasing, *, is_read_only: bool) -> None:
    """At opening: let nobody read what was erased, whichever copy of the database lies here."""
    parts = engram._parts
    with parts.store.database.reading(_READ_SECONDS) as transaction:
        parts.erasures_seen = erasure_count(transaction)
        is_older = bool(open_graves(transaction))
    if not is_read_only:
        engram._settle_erasures()
    elif is_older:
        raise StoreReadOnly(hint="It holds what was erased since: open it once for writing.")


_EVERYWHERE: Reach = Principal.of(None).review_reach()


def _audit_place(rows: list[Row]) -> AuditPlace:
    store, entries, head = the_row(rows)
    return AuditPlace(cast(str, store), cast(int, entries), cast(bytes, head).hex())
