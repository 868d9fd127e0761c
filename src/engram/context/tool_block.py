"""A short block of memories for a tool that asks for context: fenced, and within its budget."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType

from engram.memory.attribution import told_line
from engram.memory.fencing import RULES, block
from engram.memory.record import Memory
from engram.memory.tiers import tiers
from engram.recall.result import Hit
from engram.text.strings import clipped

NO_MARKS: Mapping[int, str] = MappingProxyType({})
LEAST_BUDGET, MOST_BUDGET = 100, 100_000
_MOST_OF_ONE = 600  # characters: one long memory leaves room for others
_NAME_CHARACTERS = 80
_FAR_BEHIND = 0.1  # of the best: below it a question has found company, not an answer


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What a tool is given to know; empty when nothing has to do with its arguments."""

    text: str
    tokens: int
    memories: tuple[Hit, ...]  # those in the text, the best first
    query: str  # what was asked for, made of the arguments without what is secret

    def __str__(self) -> str:
        return self.text


def best_of(results: Iterable[Iterable[Hit]]) -> list[Hit]:
    """What several questions found, each memory once, the best first."""
    found: dict[int, Hit] = {}
    for hit in chain.from_iterable(results):
        known = found.get(hit.memory.number)
        if known is None or hit.score > known.score:
            found[hit.memory.number] = hit
    ranked = sorted(found.values(), key=lambda hit: -hit.score)
    return [hit for hit in ranked if hit.score >= _FAR_BEHIND * ranked[0].score]


def tool_block(
    tool: str,
    query: str,
    hits: Sequence[Hit],
    budget: int,
    count: Callable[[str], int],
    marks: Mapping[int, str] = NO_MARKS,
) -> ToolContext:
    """The best memories that fit, each at the greatest length that does; never over the budget."""
    about = f"what a tool may need to know: {clipped(tool, _NAME_CHARACTERS)}"
    lines: list[str] = []
    kept: list[Hit] = []
    text = ""
    for hit in hits:
        for line in _lengths(hit.memory, marks.get(hit.memory.number, "")):
            longer = block([RULES, *lines, line], about=about)
            if count(longer) <= budget:
                lines.append(line)
                kept.append(hit)
                text = longer
                break
    return ToolContext(text, count(text) if text else 0, tuple(kept), query)


def _lengths(memory: Memory, mark: str) -> list[str]:
    """A memory on one line at each of its lengths, the longest first."""
    found = tiers(memory.content, memory.category, memory.summary)
    texts = (clipped(found.full.text, _MOST_OF_ONE), found.summary.text, found.key_fact.text)
    return [told_line(memory, text, mark) for text in dict.fromkeys(texts)]
