"""Which of the memories that were found are worth a line: answers, and not their company."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from engram.context.budget import MEMORIES
from engram.context.modes import is_social
from engram.context.piece import Piece, wording
from engram.memory.attribution import newer_first
from engram.memory.categories import TURN
from engram.memory.dreams.small_talk import says_nothing_lasting
from engram.memory.links import Replacement
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


def in_order(pieces: Iterable[Piece], changes: Sequence[Replacement]) -> list[Piece]:
    """The pieces, each before those that it replaces or may replace, and as near as they are."""
    offered = list(pieces)
    found = {each.memory.number: each for each in offered if each.memory}
    for old, new, _ in sorted(changes, key=lambda change: change.new):
        if old in found and new in found:
            score = max(found[old].score, found[new].score)
            found[new] = replace(found[new], score=score)
    others = [each for each in offered if each.memory is None]
    return [*(found[number] for number in newer_first(found, changes)), *others]


def without_their_turns(hits: Sequence[Hit], sources: Mapping[int, Sequence[int]]) -> list[Hit]:
    """The hits without the turns of which a statement is among them."""
    told = {turn for hit in hits for turn in sources.get(hit.memory.number, ())}
    return [hit for hit in hits if hit.memory.number not in told]


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
