"""Memories for the tests of rules: any at all, and ones with chosen fields."""

from datetime import datetime, timedelta

from clock import START
from hypothesis import strategies as st

from engram.memory.ids import ChangeId, MemoryId
from engram.memory.record import Memory, Usage
from engram.memory.scopes import Scope
from engram.memory.vocabulary import Kind, Layer, LearnedBy, MemoryType, SourceClass, Status

SHARES = st.floats(0, 1)
AGES = st.timedeltas(timedelta(0), timedelta(days=4000))


def memory(**fields: object) -> Memory:
    values: dict[str, object] = {
        "id": MemoryId("0" * 26), "number": 1, "scope": Scope(), "content": "A fact.",
        "category": "fact", "memory_type": MemoryType.FACT, "layer": Layer.EPISODIC,
        "kind": Kind.NOTE, "status": Status.ACTIVE, "source": "manual",
        "source_class": SourceClass.PERSON, "learned_by": LearnedBy.MANUAL, "confidence": 1.0,
        "base_importance": 0.5, "trust": 1.0, "at": START, "learned_at": START,
        "recorded_at": START, "change_id": ChangeId("chg-1"),
    }  # fmt: skip
    return Memory(**{**values, **fields})


def _past(before: datetime) -> st.SearchStrategy[datetime]:
    return AGES.map(lambda age: before - age)


@st.composite
def usages(draw: st.DrawFn) -> Usage:
    accesses = draw(st.integers(0, 10_000))
    return Usage(
        accesses=accesses,
        spaced_accesses=draw(st.integers(0, accesses)),
        last_accessed_at=draw(_past(START)) if accesses else None,
        confirmations=draw(st.integers(0, 100)),
    )


@st.composite
def memories(draw: st.DrawFn, *, used: bool = True) -> Memory:
    learned = draw(_past(START))
    return memory(
        layer=draw(st.sampled_from(Layer)),
        status=draw(st.sampled_from(Status)),
        confidence=draw(SHARES),
        base_importance=draw(SHARES),
        trust=draw(SHARES),
        valence=draw(st.floats(-1, 1)),
        arousal=draw(SHARES),
        is_pinned=draw(st.booleans()),
        learned_at=learned,
        last_verified_at=draw(st.none() | _past(START)),
        horizon=draw(st.none() | st.sampled_from(["12h", "30d", "26w", "6m", "99999y"])),
        usage=draw(usages()) if used else Usage(),
    )
