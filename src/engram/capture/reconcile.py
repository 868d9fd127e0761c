"""When a statement changes what is believed: it takes the old one's place, or a person decides.

Only claims of one subject and one property that has one value at a time are held against each
other, never texts that are merely alike.
"""

import dataclasses

from engram.capture.draft import Draft
from engram.capture.remember import STRANGERS
from engram.memory.claims import claim_of
from engram.memory.claims.updates import tells_change, what_changed
from engram.memory.contradiction import Relation, Statement, relation
from engram.memory.record import Memory
from engram.memory.scopes import Principal
from engram.memory.staleness import status_at
from engram.memory.status import LEGAL_MOVES
from engram.memory.trust import SOURCE_TRUST, UNTRUSTED, is_untrusted
from engram.memory.vocabulary import SourceClass, Status
from engram.storage.unit import UnitOfWork

_MOST_RIVALS = 5
_MOST_LIKE = 12  # statements in other words, of which one may be over now
_MOST_OF_SEVERAL = 50  # among which the one may be that was given up


def reconciled(draft: Draft, unit: UnitOfWork, principal: Principal) -> Draft:
    """The draft with what it takes the place of, or with the reason why a person should decide."""
    if draft.replaces is not None:
        return _with_authority(draft, unit.see.memory(draft.replaces), unit, principal)
    for rival in _rivals(draft, unit):
        standing = relation(_told(rival), _told_by(draft))
        if standing is Relation.REPLACES:
            return _with_authority(draft, rival, unit, principal)
        if standing is Relation.CONTRADICTS:
            return dataclasses.replace(draft, reason_to_hold=f"contradicts {rival.label}")
    return draft


def _rivals(draft: Draft, unit: UnitOfWork) -> list[Memory]:
    """What it may take the place of: claims about the same, and what it says is otherwise now."""
    claim = claim_of(draft.text, speaker=draft.speaker)
    found: list[Memory] = []
    if claim is not None and (claim.is_functional or claim.instead_of):
        most = _MOST_RIVALS if claim.is_functional else _MOST_OF_SEVERAL
        found = list(unit.see.claims.about_the_same(claim, draft.scope, limit=most))
    if tells_change(draft.text):
        known = {each.number for each in found}
        words = what_changed(draft.text, speaker=draft.speaker)
        like = unit.see.closest(words, draft.scope, limit=_MOST_LIKE)
        found += sorted(
            (each for each in like if each.number not in known and each.at <= draft.at),
            key=lambda each: each.at,
            reverse=True,
        )
    return found


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


def _told(memory: Memory) -> Statement:
    trust = SOURCE_TRUST[
        memory.source_class
    ]  # that of the source: drawing a statement lowers no one
    return Statement(memory.content, memory.speaker, memory.at, trust, memory.confidence)


def _told_by(draft: Draft) -> Statement:
    trust = SOURCE_TRUST[draft.provenance.source_class]
    return Statement(draft.text, draft.speaker, draft.at, trust, draft.confidence)
