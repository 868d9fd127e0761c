"""What is read in one turn: the quotes worth keeping, and why the rest is not kept."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Modality(StrEnum):
    """In what way a clause says something."""

    ASSERTED = "asserted"
    NEGATED = "negated"
    PLANNED = "planned"
    HYPOTHETICAL = "hypothetical"
    REPORTED = "reported"
    ASKED = "asked"
    REQUESTED = "requested"
    IRONIC = "ironic"
    UNKNOWN = "unknown"  # the speaker says that they do not know


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadStatement:
    """A quote worth keeping: `content` is the turn's text from `start` to `end`."""

    content: str
    start: int
    end: int
    subject: tuple[str, ...]
    category: str
    modality: Modality
    confidence: float

    def __repr__(self) -> str:
        # Without the text: a repr ends up in logs and tracebacks.
        return f"ReadStatement({self.category}, {self.modality}, {self.start}:{self.end})"


@dataclass(frozen=True, slots=True)
class SkippedQuote:
    """A quote that is not kept, and the reason."""

    quote: str
    reason: str
    start: int
    end: int

    def __repr__(self) -> str:
        return f"SkippedQuote({self.reason}, {self.start}:{self.end})"


@dataclass(frozen=True, slots=True)
class NamedTime:
    """Words that name a time, and the range they mean."""

    text: str
    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """A name in the turn and what kind of thing it names."""

    name: str
    type: str

    def __repr__(self) -> str:
        return f"NamedEntity({self.type})"


@dataclass(frozen=True, slots=True)
class PrivateSpan:
    """Where something private stands, of which kind it is and how it is protected."""

    kind: str
    start: int
    end: int
    protection: str


@dataclass(frozen=True, slots=True)
class RereadTurn:
    """What reading one turn again came to: quotes, and labels of what they are instead of."""

    turn: str
    learnt: tuple[str, ...]
    retired: tuple[str, ...]
    kept: tuple[str, ...]  # what a person decided on

    def __repr__(self) -> str:
        return f"RereadTurn({self.turn}, {len(self.learnt)} learnt, {len(self.retired)} retired)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reread:
    """What reading all kept turns again came to, or would come to."""

    id: str | None  # what `undo` takes all of it back by; None for a dry run
    is_dry_run: bool
    turns: int
    learnt: int
    retired: int
    kept: int
    changed: tuple[RereadTurn, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """All that is read in a turn."""

    statements: tuple[ReadStatement, ...] = ()
    skipped: tuple[SkippedQuote, ...] = ()
    times: tuple[NamedTime, ...] = ()
    entities: tuple[NamedEntity, ...] = ()
    private: tuple[PrivateSpan, ...] = ()
