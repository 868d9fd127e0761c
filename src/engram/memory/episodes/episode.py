"""One episode as it is read: the memory that tells it, and what belongs to it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from engram.memory.episodes.events import Event
from engram.memory.episodes.outcomes import EpisodeOutcome, Ongoing
from engram.memory.ids import MemoryId
from engram.memory.record import Memory
from engram.memory.situation import Situation
from engram.memory.texts import checked_name


class Role(StrEnum):
    """As what somebody takes part."""

    SELF = "self"  # the agent itself
    USER = "user"
    OTHER_AGENT = "other_agent"
    SYSTEM = "system"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Participant:
    """Somebody or something that takes part in an episode."""

    identifier: str
    role: Role = Role.USER

    def __post_init__(self) -> None:
        checked_name(self.identifier, name="identifier")


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """What happened from a beginning to an end. The values are fixed when it ends."""

    memory: Memory
    situation: Situation
    participants: tuple[Participant, ...]
    started_at: datetime
    ended_at: datetime | None
    outcome: EpisodeOutcome
    significance: float
    surprise: float
    valence: float
    event_count: int
    strength: float  # as of the moment it was read

    @property
    def id(self) -> MemoryId:
        """The id of the memory that tells it."""
        return self.memory.id

    @property
    def label(self) -> str:
        """The short name people use."""
        return self.memory.label

    @property
    def is_ongoing(self) -> bool:
        """Whether it has not ended yet."""
        return isinstance(self.outcome, Ongoing)


@dataclass(frozen=True, slots=True)
class WholeEpisode:
    """An episode with everything that happened in it, in order."""

    episode: Episode
    events: tuple[Event, ...]
