"""What can become of a statement that is handed in: stored, confirmed, held or refused."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from engram.memory.ids import ChangeId
from engram.memory.record import Memory


@dataclass(frozen=True, slots=True)
class Stored:
    """A new memory, durable before the caller hears of it."""

    memory: Memory
    reason: str
    change_id: ChangeId
    parts: tuple[Memory, ...] = ()  # all memories when a long text was split
    kind: ClassVar[Literal["stored"]] = "stored"


@dataclass(frozen=True, slots=True)
class Confirmed:
    """The same statement was known; this one counts as its confirmation."""

    memory: Memory
    reason: str
    change_id: ChangeId
    parts: tuple[Memory, ...] = ()
    kind: ClassVar[Literal["confirmed"]] = "confirmed"


@dataclass(frozen=True, slots=True)
class Held:
    """Kept, but waiting for a person to approve it."""

    memory: Memory
    reason: str
    change_id: ChangeId
    parts: tuple[Memory, ...] = ()
    kind: ClassVar[Literal["held"]] = "held"


@dataclass(frozen=True, slots=True)
class Refused:
    """Not kept: a person has rejected this statement before."""

    memory: Memory
    reason: str
    change_id: ChangeId | None = None
    parts: tuple[Memory, ...] = ()
    kind: ClassVar[Literal["refused"]] = "refused"


Outcome = Stored | Confirmed | Held | Refused


@dataclass(frozen=True, slots=True)
class Observed:
    """What became of a turn: kept word for word, and what was learnt from it so far."""

    memory: Memory  # the turn; for an echo, the memory that it repeats
    kind: Literal["kept", "known", "echo"]
    reason: str
    signal: str  # how much the turn seems to tell: "high", "medium", "low" or "none"
    change_id: ChangeId | None = None
    parts: tuple[Memory, ...] = ()  # all memories when a long turn was split
    learnt: tuple[Outcome, ...] = ()  # what was drawn from it at once


@dataclass(frozen=True, slots=True)
class Extracted:
    """What reading some turns came to."""

    turns: int = 0
    outcomes: tuple[Outcome, ...] = ()
    problem: str = ""  # why a model could not read; the turns wait, or the rules have read them

    def __add__(self, other: "Extracted") -> "Extracted":
        return Extracted(
            self.turns + other.turns,
            (*self.outcomes, *other.outcomes),
            other.problem or self.problem,
        )
