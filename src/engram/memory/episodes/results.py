"""What becomes of what is told about episodes, and how it is taken back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from engram.memory.episodes.episode import Episode
from engram.memory.episodes.patterns import Consolidation
from engram.memory.ids import ChangeId, MemoryId
from engram.memory.record import Memory


@dataclass(frozen=True, slots=True)
class EventsAdded:
    """Some events were added to an episode."""

    episode_id: MemoryId
    count: int
    total: int  # how many it has now
    change_id: ChangeId  # takes them back, all of them


@dataclass(frozen=True, slots=True)
class EpisodeKept:
    """An episode was recorded whole, or has ended.

    `known` means that just this was recorded before; `held` that a person has to look at it first.
    """

    episode: Episode
    kind: Literal["recorded", "ended", "known", "held"]
    change_id: ChangeId  # takes it back
    similar: tuple[MemoryId, ...] = ()  # what it was linked to
    causes: tuple[MemoryId, ...] = ()
    labels: Mapping[MemoryId, str] = field(default_factory=dict)  # what people call those


@dataclass(frozen=True, slots=True)
class EpisodeHit:
    """An episode that was found, and how much it is like what was asked for, from 0 to 1."""

    episode: Episode
    score: float


@dataclass(frozen=True, slots=True)
class Consolidated:
    """What some episodes came to: a memory that states what they have in common."""

    proposal: Consolidation
    memory: Memory | None  # None: only proposed, or not kept
    change_id: ChangeId | None
    skill: str | None = None  # the name of the skill that was learnt from them
    problem: str = ""  # why it was not kept, or no skill learnt


@dataclass(frozen=True, slots=True)
class ConsolidationReport:
    """What one run came to."""

    looked_at: int
    found: tuple[Consolidated, ...]
    is_dry_run: bool
