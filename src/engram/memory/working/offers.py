"""What may enter working memory: a piece of what is known, what it costs and why it comes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engram.memory.ids import MemoryId


class Origin(StrEnum):
    """From which system a piece comes."""

    MEMORY = "memory"  # a statement or a turn
    EPISODE = "episode"
    BELIEF = "belief"
    SKILL = "skill"


@dataclass(frozen=True, slots=True)
class WorkingItem:
    """One piece that deserves attention in a situation."""

    memory_id: MemoryId
    origin: Origin
    text: str
    tokens: int
    relevance: float  # from 0 to 1, comparable within one origin and roughly between them
    why: str


def most_relevant(
    offered: Iterable[WorkingItem], *, limit: int, budget: int | None = None
) -> list[WorkingItem]:
    """The best of what is offered, each memory once, as far as the tokens go.

    What does not fit is passed over for what does: one long story must not keep out three facts.
    """
    taken: list[WorkingItem] = []
    left = budget
    for item in _once(sorted(offered, key=_rank)):
        if len(taken) == limit:
            break
        if left is not None:
            if item.tokens > left:
                continue
            left -= item.tokens
        taken.append(item)
    return taken


def _rank(item: WorkingItem) -> tuple[float, str]:
    return (-item.relevance, item.memory_id)


def _once(ranked: Sequence[WorkingItem]) -> list[WorkingItem]:
    found: dict[MemoryId, WorkingItem] = {}
    for item in ranked:
        found.setdefault(item.memory_id, item)
    return list(found.values())
