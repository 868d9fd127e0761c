"""Whether what somebody names as replaced may be retired by them, or a person decides."""

import dataclasses

from engram.capture.draft import Draft
from engram.capture.remember import STRANGERS
from engram.memory.record import Memory
from engram.memory.scopes import Principal
from engram.memory.staleness import status_at
from engram.memory.status import LEGAL_MOVES
from engram.memory.trust import UNTRUSTED, is_untrusted
from engram.memory.vocabulary import SourceClass, Status
from engram.storage.unit import UnitOfWork


def reconciled(draft: Draft, unit: UnitOfWork, principal: Principal) -> Draft:
    """The draft with what it takes the place of, or with the reason why a person should decide."""
    if draft.replaces is None:
        return draft
    return _with_authority(draft, unit.see.memory(draft.replaces), unit, principal)


def _with_authority(
    draft: Draft, old: Memory | None, unit: UnitOfWork, principal: Principal
) -> Draft:
    """What a person stands behind is retired by a person's words alone."""
    if old is None or old.scope != draft.scope or not principal.may_change_in(old.scope):
        return dataclasses.replace(draft, replaces=None)
    is_persons = draft.provenance.source_class is SourceClass.PERSON and principal.is_person
    if old.is_vouched_for and not is_persons:
        reason = f"would replace {old.label}, which a person stands behind"
        return dataclasses.replace(draft, replaces=None, reason_to_hold=reason)
    if draft.provenance.trust <= UNTRUSTED and not is_untrusted(old):
        return dataclasses.replace(draft, replaces=None, reason_to_hold=STRANGERS)
    if Status.SUPERSEDED not in LEGAL_MOVES[status_at(old, unit.now)]:
        return dataclasses.replace(draft, replaces=None)
    return dataclasses.replace(draft, replaces=old.id)
