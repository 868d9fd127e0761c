"""Lets a question lean on the conversation it is part of: its vector, and weakly its words.

"And when was that?" asks for nothing by itself. What was said just before tells what is meant: the
question's vector is turned towards it, and where the question has few telling words of its own,
some of those said before are looked for too, each counting for less than one that was asked.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace

from engram.memory.momentum import MOST_SHARE, Momentum, TopicShift, blend
from engram.recall.embed_question import QuestionVector
from engram.recall.plan import Plan, PlannedTerm

# How far a question leans by how many telling words it has itself. Measured by
# `python -m benchmarks.context momentum`: a question that says what it is about is found better
# by its own words alone.
_NEED = (1.0, 0.6)
_WORD_SHARE = 0.8  # what a word of the turns before counts for beside one that was asked
_MOST_CARRIED = 8
_UNTOLD = "said before"  # words of other turns are kept as numbers, so nobody can repeat them


@dataclass(frozen=True, slots=True)
class Heading:
    """Where the conversation goes that a question is part of, as the turns before tell it."""

    momentum: Momentum | None
    tokens: tuple[int, ...]  # the words of the last turns, as recall's tokens; the latest first
    turns: int  # how many turns it was read from
    shift: TopicShift  # what the question does to the topic
    most: float = MOST_SHARE

    def share(self, telling: int) -> float:
        """The share of the question's vector that the turns before make up, confidence included.

        None when it leaves the topic, and none when it tells by itself what it asks for.
        """
        if self.momentum is None:
            return 0.0
        return min(self.most, MOST_SHARE) * self._need(telling) * self.momentum.confidence

    def carries(self, telling: int) -> float:
        """What a word of the turns before counts for: a share of one that was asked."""
        return _WORD_SHARE * self._need(telling) if self.most > 0 else 0.0

    def _need(self, telling: int) -> float:
        is_left = self.shift is TopicShift.SWITCH
        return 0.0 if is_left or telling >= len(_NEED) else _NEED[telling]


def leaning_vector(
    query: QuestionVector | None, heading: Heading | None, telling: int
) -> QuestionVector | None:
    """The vector of a question, turned towards where its conversation goes."""
    if query is None or query.vector is None or heading is None or heading.momentum is None:
        return query
    share = heading.share(telling)
    if share <= 0 or heading.momentum.centroid.shape != query.vector.shape:
        return query
    sure = replace(heading.momentum, confidence=1.0)  # the share allows for how sure it is
    return replace(query, vector=blend(query.vector, sure, share), leaning=share)


def leaning_told(query: QuestionVector | None, heading: Heading | None, plan: Plan) -> str:
    """How far a question leans on the turns before, for whoever wants to know why; or nothing."""
    share = 0.0 if query is None else query.leaning
    words = sum(not term.is_asked for term in plan.terms)
    if heading is None or not (share or words):
        return ""
    told = [f"{share:.0%} of its meaning"] if share else []
    told += [f"{words} of their words"] if words else []
    turns = "the turn" if heading.turns == 1 else f"the {heading.turns} turns"
    return f"leans on {turns} before by {' and '.join(told)}"


def leaning_plan(plan: Plan, heading: Heading | None, telling: int) -> Plan:
    """The plan with some words of the turns before, where the question has few of its own."""
    if heading is None or not heading.tokens:
        return plan
    share = heading.carries(telling)
    if share <= 0:
        return plan
    carried = _carried(heading.tokens, {token for term in plan.terms for token in term.tokens})
    terms = [PlannedTerm(_UNTOLD, (token,), share=share) for token in carried]
    # Words that every text contains say nothing once there are others.
    own = plan.terms if telling else ()
    return replace(plan, terms=(*own, *terms))


def _carried(tokens: Collection[int], own: Collection[int]) -> list[int]:
    return [token for token in dict.fromkeys(tokens) if token not in own][:_MOST_CARRIED]
