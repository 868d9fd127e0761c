"""What can become of a statement that is handed in: stored, confirmed, held or refused."""

from collections.abc import Sequence
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
    replaced: tuple[str, ...] = ()  # labels of what it retired; empty while the verdict is pending
    may_replace: tuple[str, ...] = ()  # labels of what it may replace
    kind: ClassVar[Literal["stored"]] = "stored"


@dataclass(frozen=True, slots=True)
class Confirmed:
    """The same statement was known; this one counts as its confirmation."""

    memory: Memory
    reason: str
    change_id: ChangeId
    parts: tuple[Memory, ...] = ()
    replaced: tuple[str, ...] = ()
    may_replace: tuple[str, ...] = ()
    kind: ClassVar[Literal["confirmed"]] = "confirmed"


@dataclass(frozen=True, slots=True)
class Held:
    """Kept, but waiting for a person to approve it."""

    memory: Memory
    reason: str
    change_id: ChangeId
    parts: tuple[Memory, ...] = ()
    replaced: tuple[str, ...] = ()
    may_replace: tuple[str, ...] = ()
    kind: ClassVar[Literal["held"]] = "held"


@dataclass(frozen=True, slots=True)
class Refused:
    """Not kept: a person has rejected this statement before."""

    memory: Memory
    reason: str
    change_id: ChangeId | None = None
    parts: tuple[Memory, ...] = ()
    replaced: tuple[str, ...] = ()
    may_replace: tuple[str, ...] = ()
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


class TakenBack(list[Memory]):
    """The memories that an undo brought back or took away, and those it left as they are."""

    kept: tuple[Memory, ...] = ()  # changed by somebody since


def kept_of(undone: list[Memory]) -> tuple[Memory, ...]:
    """What an undo left as it is, because somebody has changed it since."""
    return undone.kept if isinstance(undone, TakenBack) else ()


@dataclass(frozen=True, slots=True)
class Extracted:
    """What reading some turns came to."""

    turns: int = 0
    outcomes: tuple[Outcome, ...] = ()
    problem: str = ""  # why a model could not read; the turns wait, or the rules have read them

    def __add__(self, other: "Extracted") -> "Extracted":
        return Extracted.joined((self, other))

    @classmethod
    def joined(cls, parts: "Sequence[Extracted]") -> "Extracted":
        """What several readings came to; of their problems the last."""
        return cls(
            sum(each.turns for each in parts),
            tuple(outcome for each in parts for outcome in each.outcomes),
            next((each.problem for each in reversed(parts) if each.problem), ""),
        )
