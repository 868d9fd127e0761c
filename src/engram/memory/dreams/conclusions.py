"""Which of all that follows from beliefs is worth a sentence of its own."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from engram.memory.knowledge.belief import Belief
from engram.memory.knowledge.graph import Graph, Strand, Trail
from engram.memory.knowledge.inference import RULES, conclude
from engram.memory.knowledge.relations import rule_of
from engram.memory.knowledge.sentences import sentence
from engram.memory.record import Memory
from engram.memory.vocabulary import Secrecy, Status

MOST_PREMISES = 3  # a longer row is drawn when somebody asks; written down it would be a guess
LEAST_CONFIDENCE = 0.5


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What follows, from which beliefs, and how sure that is."""

    relation: str
    source: str  # ids of nodes
    target: str
    premises: tuple[int, ...]  # numbers of memories, in the order of the row
    confidence: float

    @property
    def key(self) -> str:
        """What it says, whatever it follows from."""
        return f"{self.relation} {self.source} {self.target}"

    @property
    def order(self) -> tuple[int, float, str]:
        """What follows from least comes first, then what is surest."""
        return len(self.premises), -self.confidence, self.key


def conclusions_from(strands: Iterable[Strand], breathe: Callable[[], None]) -> list[Conclusion]:
    """All that follows in rows of two or three beliefs, the plainest first."""
    known = list(strands)
    graph = Graph(known)
    found: list[Conclusion] = []
    for rule in RULES.values():
        starts = sorted({each.source for each in known if each.relation in rule.first})
        for start in starts:
            breathe()
            trails = conclude([start], rule, graph, longest=MOST_PREMISES)
            found += [_conclusion(rule.relation, start, trail) for trail in trails]
    likely = (each for each in found if each.confidence >= LEAST_CONFIDENCE)
    return sorted(likely, key=lambda each: each.order)


def _conclusion(relation: str, start: str, trail: Trail) -> Conclusion:
    premises = tuple(strand.number for strand in trail.way)
    return Conclusion(relation, start, trail.node_id, premises, round(trail.confidence, 4))


def is_premise(belief: Belief, least_strength: float) -> bool:
    """Whether a belief carries a conclusion that is written down: it stands, on good grounds."""
    memory = belief.memory
    is_open = memory.secrecy is Secrecy.CLEARTEXT
    return memory.status is Status.ACTIVE and is_open and belief.strength >= least_strength


def told(conclusion: Conclusion, beliefs: Mapping[int, Belief]) -> str:
    """The conclusion as a sentence, with the names as its premises have them."""
    first, last = (beliefs[conclusion.premises[place]] for place in (0, -1))
    source, target = first.source, last.target
    if target is None:  # a row leads from node to node
        return ""
    return sentence(rule_of(conclusion.relation), source.title, target.title)


def may_be_told_again(memory: Memory) -> bool:
    """Whether what was concluded once and put away may come back: not what a person judged."""
    return memory.status is Status.ARCHIVED and not memory.is_vouched_for
