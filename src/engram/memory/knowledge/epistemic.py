"""On which grounds something is believed: a closed set, each with what belongs to it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from engram.errors import InvalidInput
from engram.memory.record import check_share
from engram.memory.tagged import from_json

CERTAIN = 0.9  # stronger than this nobody doubts it
UNCERTAIN = 0.5  # weaker than this it is doubted
_MOST_LISTED = 200


class Reasoning(StrEnum):
    """In which way something was inferred."""

    DEDUCTIVE = "deductive"
    INDUCTIVE = "inductive"
    ABDUCTIVE = "abductive"
    ANALOGICAL = "analogical"


class Trial(StrEnum):
    """How far a hypothesis has been looked into."""

    PROPOSED = "proposed"
    UNDER_TEST = "under_test"
    SUPPORTED = "supported"
    REFUTED = "refuted"


@dataclass(frozen=True, slots=True)
class Axiomatic:
    """True by definition."""


@dataclass(frozen=True, slots=True)
class Observed:
    """Seen with one's own eyes."""

    observer: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Computed:
    """Calculated from other things."""

    derivation: tuple[str, ...] = ()  # ids of what it was calculated from


@dataclass(frozen=True, slots=True)
class Reported:
    """Told by somebody."""

    source: str
    trust: float

    def __post_init__(self) -> None:
        check_share(self.trust, name="trust")


@dataclass(frozen=True, slots=True)
class Inferred:
    """Concluded from premises; it stands no longer than they do."""

    premises: tuple[str, ...]  # ids of beliefs
    confidence: float
    reasoning: Reasoning = Reasoning.DEDUCTIVE

    def __post_init__(self) -> None:
        check_share(self.confidence, name="confidence")
        _check_listed(self.premises, "premises", fewest=1)


@dataclass(frozen=True, slots=True)
class Consensus:
    """Said by several independent sources."""

    sources: tuple[str, ...]
    agreement: float

    def __post_init__(self) -> None:
        check_share(self.agreement, name="agreement")
        _check_listed(self.sources, "sources", fewest=1)


@dataclass(frozen=True, slots=True)
class Hypothetical:
    """Supposed, to be looked into."""

    trial: Trial = Trial.PROPOSED


@dataclass(frozen=True, slots=True)
class Hearsay:
    """Handed on from mouth to mouth; the last who told it comes last."""

    chain: tuple[str, ...]

    def __post_init__(self) -> None:
        _check_listed(self.chain, "chain", fewest=1)


@dataclass(frozen=True, slots=True)
class Contested:
    """Several positions stand against each other."""

    positions: tuple[str, ...]  # ids of beliefs

    def __post_init__(self) -> None:
        _check_listed(self.positions, "positions", fewest=1)


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nobody said on which grounds."""


@dataclass(frozen=True, slots=True)
class Retracted:
    """Believed once, and withdrawn."""

    original: str
    reason: str


Epistemic = (
    Axiomatic
    | Observed
    | Computed
    | Reported
    | Inferred
    | Consensus
    | Hypothetical
    | Hearsay
    | Contested
    | Unknown
    | Retracted
)


def strength(epistemic: Epistemic) -> float:  # noqa: C901  # one line for each kind
    """How much grounds of this kind are worth, from 0 to 1."""
    match epistemic:
        case Axiomatic():
            return 1.0
        case Observed():
            return 0.95
        case Computed():
            return 0.9
        case Consensus():
            return 0.7 + 0.2 * epistemic.agreement
        case Reported():
            return 0.4 + 0.3 * epistemic.trust
        case Inferred():
            return 0.3 + 0.4 * epistemic.confidence
        case Contested():
            return 0.3
        case Hypothetical():
            return 0.2
        case Hearsay():
            return 0.1 / len(epistemic.chain)
        case Unknown() | Retracted():
            return 0.0


def voices(epistemic: Epistemic, teller: str) -> tuple[str, ...]:
    """Who vouches for it: whom the grounds name, else who tells it.

    Of what went from mouth to mouth it is the first who said so: the others only handed it on.
    """
    match epistemic:
        case Observed():
            named: tuple[str, ...] = (epistemic.observer,)
        case Reported():
            named = (epistemic.source,)
        case Consensus():
            named = epistemic.sources
        case Hearsay():
            named = epistemic.chain[:1]
        case _:
            named = (teller,)
    return tuple(dict.fromkeys(" ".join(name.casefold().split()) for name in named))


def read_epistemic(value: object, *, name: str = "epistemic") -> Epistemic:
    """The grounds as callers hand them in: one of the classes, its JSON, or "axiomatic"."""
    if isinstance(value, str):
        value = {"type": value}
    read: Epistemic = from_json(Epistemic, value, name=name)
    return read


def _check_listed(values: tuple[str, ...], name: str, *, fewest: int) -> None:
    if not fewest <= len(values) <= _MOST_LISTED or not all(values):
        raise InvalidInput(hint=f"`{name}` lists {fewest} to {_MOST_LISTED} names or ids.")
