"""From a checked statement to a memory: stored, confirmed, held or refused, with the reason."""

import dataclasses
from typing import assert_never

from engram.capture.draft import NEVER, Draft, Sort
from engram.capture.occurrences import handed_in_before, occurrence_identity
from engram.capture.once import Done, done_before, drafted_request, note_done
from engram.capture.options import CaptureOptions
from engram.capture.seal_kept import summary_of
from engram.capture.split import split
from engram.errors import MemoryNotFound, WriteFailed
from engram.memory.categories import CURATED, REGISTRY_CHECK
from engram.memory.changes import Action
from engram.memory.identity import statement_identity
from engram.memory.ids import ChangeId
from engram.memory.outcomes import Confirmed, Held, Outcome, Refused, Stored
from engram.memory.people import person_of
from engram.memory.record import Memory, Usage
from engram.memory.scopes import Principal
from engram.memory.secrecy import highest, is_lower, is_protected
from engram.memory.staleness import ceases_at, is_refreshed, status_at
from engram.memory.status import RECALLABLE, check_authority, check_move
from engram.memory.trust import is_untrusted
from engram.memory.vocabulary import Layer, MemoryType, SourceClass, Status
from engram.storage.sameness import kept_identity
from engram.storage.unit import Evidence, UnitOfWork
from engram.storage.verdicts import queue_verdict
from engram.text.strings import identity_hash

STRANGERS = "would replace what somebody known has said"
_PRECEDENCE = ("held", "stored", "confirmed", "refused")  # what a caller must hear of first
_ACTIONS = {
    Sort.STATEMENT: Action.REMEMBER,
    Sort.TURN: Action.OBSERVE,
    Sort.DRAWN: Action.LEARN,
}
_VOUCHED_FOR = {
    Status.STALE: "known already; verified by saying it again",
    Status.PENDING: "proposed before; approved by saying it",
}


def remember(
    draft: Draft, unit: UnitOfWork, *, principal: Principal, options: CaptureOptions
) -> Outcome:
    """Take in one statement within a unit of work."""
    earlier = _same_request(draft, unit)
    if earlier is not None:
        return as_seen_by(principal, draft, earlier)
    pieces = _pieces(draft, principal, options)
    action = draft.action or (Action.SUPERSEDE if draft.replaces else _ACTIONS[draft.sort])
    change = unit.begin_change(action, draft.scope, "")
    outcomes = [
        _take_in(draft, piece, identity, unit, change, principal=principal, options=options)
        for identity, piece in pieces.items()
    ]
    outcome = outcomes[0] if len(outcomes) == 1 else _joined(outcomes)
    if outcome.kind == "held":
        unit.explain_change(outcome.reason)  # a reviewer is told why it waits
    # What waits for review, or was refused, retires nothing.
    if draft.replaces and outcome.memory.status in RECALLABLE:
        replaced = _supersede(draft, outcome.memory, unit, principal)
        if replaced is not None and outcome.kind == "stored":
            outcome = dataclasses.replace(
                outcome, reason=f"replaces {replaced.label}", replaced=(replaced.label,)
            )
    if outcome.kind == "stored" and options.reconcile and _is_judged(draft):
        for memory in outcome.parts or (outcome.memory,):
            queue_verdict(unit.transaction, memory, principal.actor)
    _note_request(draft, outcome, unit)
    return as_seen_by(principal, draft, outcome)


def _is_judged(draft: Draft) -> bool:
    """Whether a statement is compared with older ones: no turn, no record with rules of its own."""
    is_record = draft.identity is not None or draft.action is not None
    return draft.sort is not Sort.TURN and not is_record and draft.replaces is None


def as_seen_by(principal: Principal, draft: Draft, outcome: Outcome) -> Outcome:
    """The outcome as its caller may see it: who cannot read a scope hears its own words only."""
    if principal.can_see(draft.scope):
        return outcome
    memory = outcome.memory
    said = memory.replaced(
        content=draft.text,
        status=Status.PENDING if outcome.kind == "held" else Status.ACTIVE,
        category=draft.category.name,
        source_class=draft.provenance.source_class,
        trust=draft.provenance.trust,
        confidence=draft.confidence,
        is_pinned=draft.is_pinned,
        metadata=draft.metadata,
        summary=draft.summary,
        version=1,
        last_verified_at=None,
        superseded_by=None,
        usage=Usage(),
        at=draft.at,
        recorded_at=memory.learned_at,
    )
    return dataclasses.replace(outcome, memory=said, parts=(), replaced=(), may_replace=())


def _pieces(draft: Draft, principal: Principal, options: CaptureOptions) -> dict[bytes, str]:
    """What is to be stored, by what tells it apart; a record made from details is never split."""
    if draft.identity is not None:
        return {draft.identity: draft.text}
    return _distinct(draft, split(draft.text, options.max_content_bytes), principal)


def _distinct(draft: Draft, pieces: list[str], principal: Principal) -> dict[bytes, str]:
    """The pieces of a text by what they say; one that repeats another is not said twice."""
    found: dict[bytes, str] = {}
    for piece in pieces:
        identity = statement_identity(
            piece,
            speaker=draft.speaker,
            subject=draft.subject,
            valid_from=draft.valid_from,
            valid_until=draft.valid_until,
            writer="" if principal.can_see(draft.scope) else principal.actor,
            sort=f"turn {draft.session or ''}" if draft.sort is Sort.TURN else "",
        )
        found.setdefault(identity, piece)
    return found


def _take_in(
    draft: Draft,
    text: str,
    identity: bytes,
    unit: UnitOfWork,
    change: ChangeId,
    *,
    principal: Principal,
    options: CaptureOptions,
) -> Outcome:
    memory = _memory(draft, text, identity, unit, change)
    reason = _reason_to_hold(draft, memory, unit, principal, options)
    if reason:
        memory = memory.replaced(status=Status.PENDING, superseded_by=None)
    known = None if principal.is_veiled else _known_otherwise(memory, unit)
    if known is None:
        told_apart = identity_hash(identity.hex(), principal.actor)
        is_blind = principal.is_veiled and is_protected(memory.secrecy)  # "known" would tell it
        own = told_apart if is_blind else identity
        memory = memory.replaced(identity=kept_identity(unit, own, memory))
        # Most statements are new, so the attempt comes before the question whether it is known.
        if unit.insert(memory, draft.made_of):
            return Held(memory, reason, change) if reason else Stored(memory, "new", change)
        known = unit.see.same_statement(memory.identity, draft.scope)
    if known is None:
        raise WriteFailed
    if status_at(known, unit.now) is not Status.REJECTED:
        before = handed_in_before(draft, text, known, unit, principal)
        if before is None:
            return _say_again(draft, memory, unit, change, principal)
        known = before
    unit.return_number()
    return _meet_known(draft, text, known, unit, change)


def _known_otherwise(memory: Memory, unit: UnitOfWork) -> Memory | None:
    """The same statement where it is protected more or less than this would be."""
    if is_protected(memory.secrecy):
        return unit.see.same_statement(memory.identity, memory.scope)
    person = person_of(memory)
    if not unit.transaction.vault().has_key(person):
        return None
    return unit.see.same_statement(unit.tagged(memory.identity, person), memory.scope)


def _say_again(
    draft: Draft, memory: Memory, unit: UnitOfWork, change: ChangeId, principal: Principal
) -> Outcome:
    """Keep a turn of its own, of words that stand in the session already."""
    identity = kept_identity(unit, occurrence_identity(draft, memory, principal), memory)
    if unit.insert(memory.replaced(identity=identity), draft.made_of):
        return Stored(memory.replaced(identity=identity), "said again", change)
    unit.return_number()
    known = unit.see.same_statement(identity, draft.scope)
    if known is None:
        raise WriteFailed
    return _meet_known(draft, memory.content, known, unit, change)


def _meet_known(
    draft: Draft, text: str, known: Memory, unit: UnitOfWork, change: ChangeId
) -> Outcome:
    status = status_at(known, unit.now)
    if status is Status.REJECTED:
        unit.audit(Action.REMEMBER, known.scope.path, count=0, memory_id=known.id)
        return Refused(known, "rejected before")
    known = _protected_as_much(draft, known, unit)
    evidence = Evidence(
        happened_at=draft.at,
        source=draft.provenance.source,
        session=draft.session,
        reference=draft.reference,
        content=text if text != known.content else None,
    )
    unit.confirm(known, evidence)
    reason = "known already"
    # A person who says it vouches for it from now on; an agent that does only adds its voice.
    is_person = draft.provenance.source_class is SourceClass.PERSON
    is_due = status in _VOUCHED_FOR or not known.is_vouched_for or is_refreshed(known, unit.now)
    if is_person and is_due:
        standing = Status.ACTIVE if status in _VOUCHED_FOR else known.status
        known = unit.replace(known, status=standing, last_verified_at=unit.now)
        reason = _VOUCHED_FOR.get(status, reason)
    return Confirmed(unit.see.current(known.number) or known, reason, change)


def _protected_as_much(draft: Draft, known: Memory, unit: UnitOfWork) -> Memory:
    """What is said again under a higher tier is protected by it from now on."""
    if not is_lower(known.secrecy, draft.secrecy):
        return known
    # Imported here: few statements come again under a higher tier.
    from engram.storage.tiers import protect

    return protect(
        unit, known, draft.secrecy, lambda state: summary_of(draft, state.content), draft.made_of
    )


def _memory(draft: Draft, text: str, identity: bytes, unit: UnitOfWork, change: ChangeId) -> Memory:
    return Memory(
        id=unit.mint_memory_id(),
        number=unit.next_number(),
        scope=draft.scope,
        content=text,
        category=draft.category.name,
        memory_type=draft.memory_type,
        layer=draft.layer,
        kind=draft.kind,
        status=draft.status,
        superseded_by=draft.superseded_by,
        source=draft.provenance.source,
        source_class=draft.provenance.source_class,
        learned_by=draft.provenance.learned_by,
        speaker=draft.speaker,
        subject=draft.subject,
        session=draft.session,
        reference=draft.reference,
        confidence=draft.confidence,
        base_importance=draft.importance,
        trust=draft.provenance.trust,
        valence=draft.valence,
        arousal=draft.arousal,
        surprise=draft.surprise,
        is_pinned=draft.is_pinned,
        at=draft.at,
        # What replaces something holds from then on, and did not before.
        valid_from=draft.valid_from or (draft.at if draft.replaces else None),
        valid_until=draft.valid_until,
        learned_at=unit.now,
        horizon=_horizon(draft),
        recorded_at=unit.now,
        change_id=change,
        summary=summary_of(draft, text),
        metadata=draft.metadata,
        secrecy=draft.secrecy,
        identity=identity,
    )


def _horizon(draft: Draft) -> str | None:
    if draft.horizon == NEVER:
        return None
    return draft.horizon or draft.category.horizon


def _reason_to_hold(
    draft: Draft,
    memory: Memory,
    unit: UnitOfWork,
    principal: Principal,
    options: CaptureOptions,
) -> str:
    """Why a person should look at it first; empty when nobody needs to."""
    if memory.source_class is SourceClass.PERSON:
        return ""
    if draft.reason_to_hold:
        return draft.reason_to_hold
    if is_untrusted(memory) and _gives_orders(memory):
        return f"a {draft.category.name} of a source nobody vouches for"
    # A person who names what is replaced has decided it.
    is_agents = bool(draft.replaces) and not principal.is_person
    if is_agents and is_untrusted(memory) and _is_trusted(unit.see.memory(draft.replaces or "")):
        return STRANGERS
    if draft.category.risk_tier == CURATED and options.hold_curated:
        return f"{draft.category.name} needs a person's approval"
    if draft.category.risk_tier == REGISTRY_CHECK and not principal.can_see(memory.scope):
        return "written into a scope that the writer cannot read"  # whatever is there
    if draft.category.risk_tier == REGISTRY_CHECK and unit.see.has_rival(memory):
        return f"another {draft.category.name} about the same subject is known"
    return ""


def _gives_orders(memory: Memory) -> bool:
    """Whether it says what to do, and not what is."""
    return MemoryType.PROCEDURE is memory.memory_type or Layer.PROCEDURAL is memory.layer


def _is_trusted(memory: Memory | None) -> bool:
    return memory is not None and not is_untrusted(memory)


def _joined(outcomes: list[Outcome]) -> Outcome:
    """One answer for a text that was split: the first piece's, with all the others."""
    first = min(outcomes, key=lambda each: _PRECEDENCE.index(each.kind))
    parts = tuple(each.memory for each in outcomes)
    reason = f"split into {len(parts)} memories"
    match first:
        case Stored(memory, _, change):
            return Stored(memory, reason, change, parts)
        case Held(memory, why, change):
            return Held(memory, why, change, parts)
        case Confirmed(memory, _, change):
            return Confirmed(memory, reason, change, parts)
        case Refused(memory, why, refused_change):
            return Refused(memory, why, refused_change, parts)
        case _:
            assert_never(first)


def _supersede(draft: Draft, new: Memory, unit: UnitOfWork, principal: Principal) -> Memory | None:
    """Retire the memory that this one replaces, in the same change."""
    old = unit.see.memory(draft.replaces or "")
    if old is None or not principal.can_see(old.scope):
        raise MemoryNotFound
    if old.number == new.number:
        return None
    principal.check_may_change(old.scope)
    check_authority(principal, old, Status.SUPERSEDED)
    check_move(status_at(old, unit.now), Status.SUPERSEDED)
    ends = ceases_at(old, draft.valid_from or draft.at)
    return unit.replace(old, status=Status.SUPERSEDED, superseded_by=new.id, valid_until=ends)


def _same_request(draft: Draft, unit: UnitOfWork) -> Outcome | None:
    """The outcome of an earlier request under the same key, when this is a retry of it."""
    done = done_before(unit, draft.scope, drafted_request(draft))
    found = unit.see.last_state(done.number) if done else None
    if done is None or found is None or not found[0].is_current:
        return None  # nothing was, or it was taken back since: the same request stands anew
    if done.change_id is None:
        return Refused(found[0], done.reason)
    kinds = {each.kind: each for each in (Stored, Confirmed, Held)}
    parts = _parts_of(unit, done.change_id)
    return kinds[done.kind](found[0], done.reason, done.change_id, parts)  # type: ignore[index]  # one of the three


def _parts_of(unit: UnitOfWork, change: ChangeId) -> tuple[Memory, ...]:
    """The memories of one request, when there were several."""
    stored = unit.see.change(change)
    numbers = stored.numbers if stored and stored.change.action is Action.REMEMBER else ()
    states = [unit.see.last_state(number) for number in numbers]
    return tuple(state[0] for state in states if state) if len(states) > 1 else ()


def _note_request(draft: Draft, outcome: Outcome, unit: UnitOfWork) -> None:
    done = Done(outcome.memory.number, outcome.change_id, outcome.kind, outcome.reason)
    secrecy = highest((draft.secrecy, outcome.memory.secrecy))
    note_done(unit, draft.scope, drafted_request(draft), done, secrecy)
