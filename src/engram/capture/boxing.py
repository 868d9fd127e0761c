"""Lays statements into boxes as they come, and ties boxes whose topics recur by a trace."""

import dataclasses
from datetime import datetime

from engram.memory.box_options import BoxOptions
from engram.memory.boxes import (
    BoxDecision,
    box_topics,
    matching_trace,
    next_box,
    topics_of,
)
from engram.memory.record import Memory
from engram.memory.secrecy import highest, is_protected
from engram.storage.boxes import Box, BoxReader, keep_box, known_by, put_in_box
from engram.storage.unit import UnitOfWork

_LOOKED_AT = 30  # boxes among which a topic that comes back is looked for


def lay_in_box(
    memory: Memory,
    turn: Memory,
    unit: UnitOfWork,
    options: BoxOptions,
    topics: frozenset[str] | None = None,
) -> None:
    """Put a new statement into the open box of its session, or into one that is opened for it.

    What is talked about shows in the whole turn better than in one statement of it; whoever keeps
    many statements of one turn hands its `topics` in. What is protected lies in no box: a box is
    known by words of what it holds.
    """
    if is_protected(highest((memory.secrecy, turn.secrecy))):
        return
    see = unit.see.boxes
    present = see.open_box(memory.scope, memory.session or "")
    if topics is None:
        topics = topics_of(turn.content)
    decision = next_box(present.as_open if present else None, topics, memory.at, options)
    if present is not None and decision.is_append:
        box = _grown(present, decision)
    else:
        if present is not None:
            reason = decision.sealed_for.value if decision.sealed_for else ""
            keep_box(unit.transaction, _sealed(present, reason, unit.now))
        box = _opened(memory, decision, unit, see, options)
    keep_box(unit.transaction, box)
    put_in_box(unit.transaction, memory.number, box.id)


def _grown(box: Box, decision: BoxDecision) -> Box:
    grown = decision.box
    return dataclasses.replace(
        box, topics=grown.topics, last_at=grown.last_at, members=grown.members
    )


def _sealed(box: Box, reason: str, now: datetime) -> Box:
    """The box as it stays: known by the topics that came up most often."""
    kept = box_topics(box.as_open)
    topics = {topic: count for topic, count in box.topics.items() if topic in kept}
    return dataclasses.replace(box, sealed_at=now, sealed_for=reason, topics=topics)


def _opened(
    memory: Memory, decision: BoxDecision, unit: UnitOfWork, see: BoxReader, options: BoxOptions
) -> Box:
    opened = decision.box
    traces = known_by(see.recent(memory.scope, limit=_LOOKED_AT))
    trace = matching_trace(opened.topics, traces, least_overlap=options.least_overlap)
    id_ = f"box-{unit.mint_memory_id()}"
    return Box(
        id=id_,
        scope=memory.scope,
        session=memory.session or "",
        trace=trace or f"trace-{id_.removeprefix('box-')}",
        opened_at=memory.at,
        last_at=opened.last_at,
        sealed_at=None,
        sealed_for="",
        topics=opened.topics,
        members=opened.members,
    )
