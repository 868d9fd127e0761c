"""Small graphs to try rules on, written as sentences of three words."""

from itertools import count

from engram.memory.knowledge.belief import Node
from engram.memory.knowledge.graph import Graph, Strand
from engram.memory.scopes import Scope

OBSERVED = '{"at": "2026-03-01T09:00:00+00:00", "observer": "ada", "type": "observed"}'
SUPPOSED = '{"trial": "proposed", "type": "hypothetical"}'


def strand(number: int, said: str, confidence: float = 1.0, **fields: object) -> Strand:
    """ "cat is_a animal" as a strand; words are ids."""
    source, relation, target = said.split()
    return Strand(number, source, relation, target, confidence, **{"epistemic": OBSERVED, **fields})


def graph(*said: str | tuple[str, float], types: dict[str, str] | None = None) -> Graph:
    """A graph of such sentences, numbered in their order, each with its confidence."""
    numbers = count(1)
    pairs = [(each, 1.0) if isinstance(each, str) else each for each in said]
    strands = [strand(next(numbers), text, confidence) for text, confidence in pairs]
    ends = sorted({end for each in strands for end in (each.source, each.target)})
    nodes = [Node(end, Scope(), end, end, "", (types or {}).get(end, "concept")) for end in ends]
    return Graph(strands, nodes)
