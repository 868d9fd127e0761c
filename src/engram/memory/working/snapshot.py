"""What is kept of a mind while nobody uses it, and what of it comes back after how long.

Of a thing that a memory is behind only the reference and the length are kept: it is read again when
it comes back, so that what was forgotten or withdrawn meanwhile does not. What was just said, the
sensory ring, is no part of a snapshot.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import cast

from engram.memory.ids import MemoryId
from engram.memory.jsons import Json, JsonObject
from engram.memory.times import parse_time
from engram.memory.working.options import WorkingOptions
from engram.memory.working.room import Foci
from engram.memory.working.slots import (
    Focus,
    Slot,
    SlotId,
    SlotSource,
    SlotTier,
    activation,
    matters,
    strongest_first,
)

WHOLE_FOR = timedelta(hours=4)
DECAYED_FOR = timedelta(hours=24)
KEPT_FOR = timedelta(days=30)  # nobody comes back after that long: it goes with the next suspension
_MOST_DECAY = 0.8
_DECAY_MINUTES = 240.0
_LEAST_RESTORED = 0.1
_VERSION = 1


class Return(StrEnum):
    """In which way a session came back."""

    WHOLE = "whole"  # as it was left
    DECAYED = "decayed"  # paler, and without what had been weak
    FRESH = "fresh"  # primed with what matters, because there was nothing to come back to


@dataclass(frozen=True, slots=True)
class Resumed:
    """How a session was taken up again, and what is in mind in it now."""

    kind: Return
    slots: tuple[Slot, ...]
    away_seconds: float | None = None  # since it was suspended; None: it never was
    dropped: int = 0  # memories behind slots that no longer stand, or that faded meanwhile


@dataclass(frozen=True, slots=True)
class Suspended:
    """That a session was put away: how much of it."""

    slots: int
    saved_at: datetime


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A mind as it was when it was put away."""

    foci: Foci  # strengths are those of `saved_at`
    saved_at: datetime
    momentum: JsonObject | None = None
    line: int = 0  # of the audit: what was taken back up to there is gone from it


def snapshot_of(
    foci: Foci, now: datetime, rate: float, momentum: JsonObject | None = None, line: int = 0
) -> Snapshot:
    """What is to be kept of a mind; activation stands still from now on."""
    held = strongest_first(foci, now, rate)
    still = (replace(each, strength=activation(each, now, rate), refreshed_at=now) for each in held)
    return Snapshot(tuple(still), now, momentum, line)


def way_back(snapshot: Snapshot | None, now: datetime) -> Return:
    """How a session comes back after so long."""
    if snapshot is None:
        return Return.FRESH
    away = now - snapshot.saved_at
    if away < WHOLE_FOR:
        return Return.WHOLE
    return Return.DECAYED if away < DECAYED_FOR else Return.FRESH


def restored(snapshot: Snapshot, now: datetime) -> Foci:
    """What comes back to mind, as active as it may still be; time away fades nothing twice."""
    match way_back(snapshot, now):
        case Return.WHOLE:
            return tuple(replace(each, refreshed_at=now) for each in snapshot.foci)
        case Return.DECAYED:
            kept = 1.0 - _decay(now - snapshot.saved_at)
            paler = (
                replace(each, strength=each.strength * kept, refreshed_at=now)
                for each in snapshot.foci
            )
            return tuple(each for each in paler if each.strength > _LEAST_RESTORED)
        case Return.FRESH:
            return ()


def _decay(away: timedelta) -> float:
    return min(away.total_seconds() / 60 / _DECAY_MINUTES, _MOST_DECAY)


def left_behind(snapshot: Snapshot, options: WorkingOptions) -> Foci:
    """What mattered in a mind that is too old to come back."""
    return tuple(each for each in snapshot.foci if matters(each, snapshot.saved_at, options))


def as_document(snapshot: Snapshot) -> JsonObject:
    """A snapshot as it is written down."""
    return {
        "version": _VERSION,
        "slots": [_slot_document(each) for each in snapshot.foci],
        "momentum": snapshot.momentum,
        "line": snapshot.line,
    }


def _slot_document(focus: Focus) -> JsonObject:
    told: dict[str, Json] = {
        "id": focus.id,
        "source": focus.source.value,
        "tier": focus.tier.value,
        "strength": focus.strength,
        "attended_at": focus.attended_at.isoformat(),
        "references": focus.references,
        "pinned": focus.is_pinned,
        "flagged": focus.is_flagged,
    }
    if focus.memory_id is not None:
        return {**told, "memory": focus.memory_id}
    return {**told, "text": focus.text, "tokens": focus.tokens}


def from_document(document: Mapping[str, object], saved_at: datetime) -> Snapshot:
    """A snapshot that was written down; ValueError or TypeError when it is none."""
    if document.get("version") != _VERSION:
        raise ValueError("another version of snapshots")
    slots, momentum = document.get("slots"), document.get("momentum")
    if not isinstance(slots, list) or not (momentum is None or isinstance(momentum, Mapping)):
        raise TypeError("no snapshot")
    foci = tuple(_focus(each, saved_at) for each in slots)
    line = document.get("line", 0)
    if not isinstance(line, int):
        raise TypeError("no line of the audit")
    return Snapshot(foci, saved_at, cast("JsonObject | None", momentum), line)


def _focus(document: object, saved_at: datetime) -> Focus:
    if not isinstance(document, Mapping):
        raise TypeError("no slot")
    memory = document.get("memory")
    return Focus(
        id=SlotId(_text(document, "id")),
        text="" if memory is not None else _text(document, "text"),
        tokens=0 if memory is not None else int(document["tokens"]),
        source=SlotSource(document["source"]),
        tier=SlotTier(document["tier"]),
        strength=min(max(float(document["strength"]), 0.0), 1.0),
        attended_at=parse_time(_text(document, "attended_at"), name="attended_at"),
        refreshed_at=saved_at,
        references=int(document["references"]),
        memory_id=None if memory is None else MemoryId(_text(document, "memory")),
        is_pinned=document["pinned"] is True,
        is_flagged=document["flagged"] is True,
    )


def _text(document: Mapping[str, object], name: str) -> str:
    value = document.get(name)
    if not isinstance(value, str):
        raise TypeError(f"`{name}` is no text")
    return value
