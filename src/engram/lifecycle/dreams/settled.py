"""Looks whether a question has been settled since the dream that found it."""

from engram.memory.dreams.gap_fields import is_told_by
from engram.memory.dreams.gaps import Gap, GapKind
from engram.memory.record import Memory
from engram.memory.vocabulary import Status
from engram.storage.reader import StoreReader

_MOST = 200  # statements about one subject that are looked at


def is_settled(gap: Gap, see: StoreReader) -> bool:
    """Whether the memories that a question comes from no longer leave it open."""
    found = [see.current(number) for number in gap.numbers]
    memories = [each for each in found if each is not None]
    if len(memories) < len(gap.numbers):
        return True
    if gap.kind is GapKind.MISSING_FIELD:
        return _is_told(gap, see)
    in_force = (Status.ACTIVE, Status.CHALLENGED, Status.STALE)
    if any(each.status not in in_force for each in memories):
        return True
    if gap.kind is GapKind.STALE:
        return any(_was_verified(each, gap) for each in memories)
    return all(each.status is not Status.CHALLENGED for each in memories)


def _was_verified(memory: Memory, gap: Gap) -> bool:
    return memory.last_verified_at is not None and memory.last_verified_at >= gap.made_at


def _is_told(gap: Gap, see: StoreReader) -> bool:
    named = see.entities.naming(gap.names, limit=_MOST)
    answers = see.like(gap.question, gap.scope, limit=_MOST)
    found = {each.number: each for each in (*named, *answers) if _is_of(each, gap)}
    return is_told_by(gap, list(found.values()))


def _is_of(memory: Memory, gap: Gap) -> bool:
    plain = memory.content.casefold()
    is_named = any(name.casefold() in plain for name in (gap.subject, *gap.names))
    return memory.scope == gap.scope and (is_named or memory.subject == gap.subject)
