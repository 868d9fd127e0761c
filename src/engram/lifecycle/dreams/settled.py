"""Looks whether a question has been settled since the dream that found it."""

from engram.memory.dreams.gap_fields import Subject, is_known
from engram.memory.dreams.gap_index import Statements
from engram.memory.dreams.gap_templates import BY_NAME, field_of
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
    template, field = BY_NAME.get(gap.template), field_of(gap.template, gap.field)
    if template is None or field is None:
        return True
    named = see.entities.naming(gap.names, limit=_MOST) if template.type else []
    found = {each.number: each for each in (*named, *see.like(gap.subject, gap.scope, limit=_MOST))}
    about = tuple(each for each in found.values() if each.scope == gap.scope)
    statements = Statements(about, lambda: None)
    names = tuple(name for name in gap.names if "=" not in name)
    near = tuple(statements.naming(names)) or tuple(named)
    subject = Subject(template, "", gap.subject, gap.subject, names, near, ())
    return is_known(field, subject, statements)
