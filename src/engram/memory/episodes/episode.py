"""One episode as it is read: the memory that tells it, and what belongs to it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from engram.errors import InvalidInput
from engram.memory.episodes.events import Event
from engram.memory.episodes.outcomes import EpisodeOutcome, Ongoing, outcome_kind
from engram.memory.ids import ChangeId, MemoryId
from engram.memory.record import Memory
from engram.memory.situation import Situation
from engram.memory.tagged import read_as
from engram.text.strings import checked_name

_MOST_PARTICIPANTS = 200


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
    def kind(self) -> str:
        """How it ended, in a word: success, failure, partial, abandoned or ongoing."""
        return outcome_kind(self.outcome)

    @property
    def is_ongoing(self) -> bool:
        """Whether it has not ended yet."""
        return isinstance(self.outcome, Ongoing)


@dataclass(frozen=True, slots=True)
class NumberedEvent:
    """An event with its place in the episode, and the change that added it."""

    sequence: int
    event: Event
    change_id: ChangeId


@dataclass(frozen=True, slots=True)
class EventPage:
    """Some events of an episode in their order."""

    events: tuple[NumberedEvent, ...]
    next_after: int | None  # where the next page begins; None: this was the last


@dataclass(frozen=True, slots=True)
class WholeEpisode:
    """An episode with everything that happened in it, in order."""

    episode: Episode
    events: tuple[Event, ...]


def read_participants(values: object, *, name: str = "participants") -> tuple[Participant, ...]:
    """Who takes part, as callers hand it in: names of users, these, or their JSON; each once."""
    if isinstance(values, str) or not isinstance(values, list | tuple):
        raise InvalidInput(hint=f"`{name}` is a list of names or participants.")
    if len(values) > _MOST_PARTICIPANTS:
        raise InvalidInput(hint=f"At most {_MOST_PARTICIPANTS} participants are listed.")
    read = (
        Participant(each)
        if isinstance(each, str)
        else read_as(Participant, each, name=f"{name}[{place}]")
        for place, each in enumerate(values)
    )
    return tuple(dict.fromkeys(read))
