"""Tells what is said again in a conversation from what is handed in again.

"Yes." and "Yes." an hour later are two answers to two questions: kept as one, the second question
would stand there without an answer. A turn that is handed in twice is one all the same: known by
its time or its reference where it has them, and else by standing last in its session. Of a whole
conversation that is handed in anew with some turns more, what it begins with is what is kept.
"""

from collections.abc import Iterator, Sequence

from engram.capture.draft import Draft, Sort
from engram.capture.split import split
from engram.memory.identity import statement_identity
from engram.memory.record import Memory
from engram.memory.scopes import Principal
from engram.storage.unit import UnitOfWork

_MOST_PIECES = 64  # of one long turn that are compared


def known_beginning(drafts: Sequence[Draft], kept: Sequence[Memory], max_bytes: int) -> int:
    """How many turns, from the first on, are those that their session ends with."""
    pieces = [list(_pieces(draft, max_bytes)) for draft in drafts]
    said = [piece for each in pieces for piece in each]
    ending = [(each.metadata.get("role"), each.content) for each in kept]
    longest = range(min(len(said), len(ending)), 0, -1)
    known = next((length for length in longest if ending[-length:] == said[:length]), 0)
    count = 0
    for each in pieces:
        known -= len(each)
        if known < 0:
            break
        count += 1
    return count


def _pieces(draft: Draft, max_bytes: int) -> Iterator[tuple[object, str]]:
    return ((draft.metadata.get("role"), piece) for piece in split(draft.text, max_bytes))


def handed_in_before(
    draft: Draft, text: str, known: Memory, unit: UnitOfWork, principal: Principal
) -> Memory | None:
    """The turn that this one is, when it was kept already; of one said again there is none."""
    if draft.sort is not Sort.TURN or draft.session is None:
        return known
    if draft.is_again and not draft.is_timed:
        return known
    if draft.is_timed or draft.reference is not None:
        return known if _is_same_moment(draft, known) else None
    last = unit.see.turns.latest(draft.session, draft.scope, limit=_MOST_PIECES)
    ending = [each for each in last if each.change_id == last[-1].change_id]
    for each in ending:
        if each.content == text and _has_role(draft, each) and _is_own(each, unit, principal):
            return each
    return None


def occurrence_identity(draft: Draft, memory: Memory, principal: Principal) -> bytes:
    """What tells a turn apart from the same words said at another time or by somebody else."""
    moment = memory.at.isoformat() if draft.is_timed else draft.reference or memory.id
    return statement_identity(
        memory.content,
        speaker=memory.speaker,
        subject=memory.subject,
        valid_from=draft.valid_from,
        valid_until=draft.valid_until,
        writer=principal.actor,
        sort=f"turn {draft.session} {draft.metadata.get('role')} {moment}",
    )


def _is_same_moment(draft: Draft, known: Memory) -> bool:
    is_then = known.at == draft.at if draft.is_timed else known.reference == draft.reference
    return is_then and _has_role(draft, known)


def _has_role(draft: Draft, known: Memory) -> bool:
    return known.metadata.get("role") == draft.metadata.get("role")


def _is_own(turn: Memory, unit: UnitOfWork, principal: Principal) -> bool:
    """Whether this caller handed it in; a change that is not written yet is of this very call."""
    stored = unit.see.change(turn.change_id)
    return stored is None or stored.change.actor == principal.actor
