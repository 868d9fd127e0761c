"""What is given back when somebody asks what is known: values with the beliefs behind them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from engram.memory.jsons import Json
from engram.memory.knowledge.belief import Belief, Node
from engram.memory.knowledge.epistemic import Epistemic, Inferred

_LEAST_WEIGHT = 0.5  # of confidence in a score: what is doubted is not put further back than that


@dataclass(frozen=True, slots=True)
class Conclusion:
    """A belief that nobody said: it follows from others, and stands no longer than they do."""

    source: Node
    relation: str
    target: Node
    premises: tuple[Belief, ...]
    confidence: float

    @property
    def epistemic(self) -> Inferred:
        """Its grounds: the beliefs it follows from."""
        return Inferred(tuple(each.id for each in self.premises), self.confidence)

    @property
    def valid_from(self) -> datetime | None:
        """Since when all premises hold."""
        return max(_said(each.memory.valid_from for each in self.premises), default=None)

    @property
    def valid_until(self) -> datetime | None:
        """Until when all premises hold."""
        return min(_said(each.memory.valid_until for each in self.premises), default=None)


def _said(moments: Iterable[datetime | None]) -> list[datetime]:
    return [each for each in moments if each is not None]


@dataclass(frozen=True, slots=True)
class Reached:
    """A node that was come to: what that is worth, and the beliefs on the way.

    The score is how sure the whole way is; from `activate` how strongly the node is activated.
    """

    node: Node
    score: float
    way: tuple[Belief, ...]
    conclusion: Conclusion | None = None  # when no belief leads here, but several together do

    @property
    def hops(self) -> int:
        """How many beliefs lie between where one began and here."""
        return len(self.way)


@dataclass(frozen=True, slots=True)
class Answer:
    """A node that answers a question, and the beliefs by which it was found."""

    node: Node
    relevance: float
    confidence: float
    epistemic: Epistemic
    way: tuple[Belief, ...]

    @property
    def score(self) -> float:
        """Relevance, weighed by how sure it is."""
        return self.relevance * max(self.confidence, _LEAST_WEIGHT)


@dataclass(frozen=True, slots=True)
class Property:
    """One property of a node as one belief has it; several that disagree stand side by side."""

    name: str
    value: Json
    belief: Belief

    @property
    def epistemic(self) -> Epistemic:
        """On which grounds it is believed."""
        return self.belief.epistemic

    @property
    def confidence(self) -> float:
        """How firmly it is believed."""
        return self.belief.confidence


@dataclass(frozen=True, slots=True)
class NodeView:
    """Somebody or something with what is believed of it."""

    node: Node
    aliases: tuple[str, ...]
    properties: tuple[Property, ...]
    beliefs_out: tuple[Belief, ...]  # what it is to others
    beliefs_in: tuple[Belief, ...]  # what others are to it
    conclusions: tuple[Conclusion, ...] = ()

    @property
    def type(self) -> str:
        """What it is."""
        return self.node.type


def properties_among(beliefs: Iterable[Belief]) -> tuple[Property, ...]:
    """The properties that beliefs tell of, by name, the firmest position first."""
    found = [
        Property(each.property_name, each.object if each.target else each.value, each)
        for each in beliefs
        if each.property_name
    ]
    return tuple(
        sorted(found, key=lambda each: (each.name, -each.confidence, each.belief.memory.number))
    )
