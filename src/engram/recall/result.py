"""What a recall gives back: hits with their reasons, and how good the answer is."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engram.memory.record import Memory
from engram.memory.trust import TrustScore

if TYPE_CHECKING:
    from engram.memory.dreams.domains import DomainAssessment


@dataclass(frozen=True, slots=True)
class Signal:
    """One reason why a memory was found: who found it, at which rank, by what."""

    name: str
    rank: int  # 0: a later correction, which ranks nothing
    score: float
    detail: str


@dataclass(frozen=True, slots=True)
class Why:
    """The reasons behind one hit."""

    signals: tuple[Signal, ...]
    path: tuple[str, ...] = ()

    def __str__(self) -> str:
        told = (
            each.name
            + (f" #{each.rank}" if each.rank else "")
            + (f": {each.detail}" if each.detail else "")
            for each in self.signals
        )
        return "; ".join(told)


@dataclass(frozen=True, slots=True)
class Hit:
    """One recalled memory."""

    memory: Memory
    score: float  # the probability below, adjusted by trust, freshness, feedback and the like
    trust: TrustScore
    references: tuple[str, ...]
    why: Why
    probability: float = 0.0  # that this memory answers the question, by its signals alone


@dataclass(frozen=True, slots=True)
class Quality:
    """Figures about one recall."""

    candidates: int
    returned: int
    average_relevance: float
    tokens: int
    milliseconds: float


@dataclass(frozen=True, slots=True)
class RecallResult:
    """The answer to one question, best first."""

    hits: tuple[Hit, ...]
    quality: Quality
    confidence: float
    assessment: str  # confident, uncertain, unknown
    level: str  # which means of search were at work
    degraded: tuple[str, ...]  # what was not, and why
    trace: "tuple[StageTrace, ...]" = ()
    domain: "DomainAssessment | None" = None  # where the answer lies, and how well that is known

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def __getitem__(self, index: int) -> Hit:
        return self.hits[index]


@dataclass(frozen=True, slots=True)
class StageTrace:
    """What one stage took and how much it handed on."""

    name: str
    milliseconds: float
    count: int
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage a memory passed or was lost at."""

    name: str
    passed: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a memory was or was not recalled, stage by stage."""

    memory: Memory
    stages: tuple[Stage, ...]

    @property
    def recalled(self) -> bool:
        """Whether it came through every stage."""
        return all(stage.passed for stage in self.stages)

    @property
    def lost_at(self) -> Stage | None:
        """The first stage it did not pass."""
        return next((stage for stage in self.stages if not stage.passed), None)
