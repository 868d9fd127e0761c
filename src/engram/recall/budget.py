"""How much of what was found is given back: what fits the room there is."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from engram.memory.record import Memory
from engram.memory.tokens.estimate import tokens_in
from engram.recall.result import Hit, Quality

_Item = TypeVar("_Item")


def tokens(memory: Memory) -> int:
    """An estimate of what a memory takes in a prompt."""
    return tokens_in(memory.content)


def within_budget(
    ranked: Sequence[_Item], budget: int | None, cost: Callable[[_Item], int]
) -> list[_Item]:
    """As many of the best as fit; one that does not fit leaves room for shorter ones."""
    if budget is None:
        return list(ranked)
    kept, left = [], budget
    for each in ranked:
        if cost(each) <= left:
            kept.append(each)
            left -= cost(each)
    return kept


def quality_of(hits: Sequence[Hit], candidates: int, milliseconds: float) -> Quality:
    """Figures about one recall."""
    return Quality(
        candidates=candidates,
        returned=len(hits),
        average_relevance=sum(hit.score for hit in hits) / len(hits) if hits else 0.0,
        tokens=sum(tokens(hit.memory) for hit in hits),
        milliseconds=milliseconds,
    )
