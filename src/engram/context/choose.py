"""Which of the memories that were found are worth a line: answers, and not their company."""

from collections.abc import Sequence
from dataclasses import replace

from engram.context.budget import MEMORIES
from engram.context.modes import is_social
from engram.context.piece import wording
from engram.memory.categories import TURN
from engram.memory.dreams.small_talk import says_nothing_lasting
from engram.recall.result import Hit


def chosen(hits: Sequence[Hit], least_share: float) -> list[Hit]:
    """The hits to offer, in their order: nothing idle, nothing twice, nothing far behind.

    The best one is always among them, unless it is idle itself.
    """
    best = next(
        (hit.score for hit in sorted(hits, key=lambda hit: -hit.score) if not _is_idle(hit)), 0.0
    )
    near = [hit for hit in hits if hit.score >= least_share * best]
    return _once_per_wording([hit for hit in near if not _is_idle(hit)])


def floor(least_share: float, looked_for: int) -> float:
    """Which share of the best one's score is enough where so many are looked for.

    Who has room for twice as many gets what is half as near: a large window would stay empty.
    """
    return least_share * min(1.0, MEMORIES / max(1, looked_for))


def _is_idle(hit: Hit) -> bool:
    """Whether it is a turn that nobody will ask for: a thank-you, an "ok"."""
    memory = hit.memory
    if memory.category != TURN:
        return False
    return is_social(memory.content.strip()) or says_nothing_lasting(memory.content)


def _once_per_wording(hits: Sequence[Hit]) -> list[Hit]:
    """One of each wording, in the place of the first; what was noted before what was said."""
    kept: dict[str, Hit] = {}
    for hit in hits:
        words = wording(hit.memory.content)
        first = kept.setdefault(words, hit)
        if first.memory.category == TURN and hit.memory.category != TURN:
            kept[words] = replace(hit, score=max(hit.score, first.score))
    return list(kept.values())
