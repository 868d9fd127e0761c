"""What should be in mind: the facet that draws on every system for a situation."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engram.errors import InvalidInput
from engram.memory.changes import Action
from engram.memory.scopes import Scope
from engram.memory.situation import Situation, read_situation
from engram.memory.skills.outline import outline
from engram.memory.tiers import tokens_in
from engram.memory.trust import may_enter_unasked
from engram.memory.working import Origin, WorkingItem, most_relevant
from engram.recall.question import read_limit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engram.engine.facade import Engram
    from engram.memory.record import Memory
    from engram.recall.result import RecallResult

_MOST_SKILLS = 3
_MOST_BUDGET = 10_000_000


class Working:
    """Working memory: so far, what deserves a place in it."""

    def __init__(self, engram: "Engram") -> None:
        self._engram = engram

    def gather(
        self,
        situation: "Situation | str | Mapping[str, object]",
        *,
        limit: int = 12,
        budget: int | None = None,
        scope: Scope | None = None,
    ) -> list[WorkingItem]:
        """What memories, episodes, beliefs and skills offer for a situation, best first.

        Nobody looks at it before a model does: what is flagged or comes from the web is left out.
        `budget` is the most tokens that all of it may take together.
        """
        where, most = read_situation(situation), read_limit(limit)
        left = _read_budget(budget)
        if not where.summary:
            raise InvalidInput(hint="Say what the situation is about: a text, a goal or a task.")
        offered = [
            *self._recalled(where, most, scope),
            *self._believed(where, most, scope),
            *self._practised(where, scope),
        ]
        found = most_relevant(offered, limit=most, budget=left)
        self._engram._note(Action.RECALL, count=len(found), question=where.summary, scope=scope)
        return found

    def _recalled(
        self, situation: Situation, limit: int, scope: Scope | None
    ) -> Iterator[WorkingItem]:
        engram = self._engram
        question = engram._question(situation.summary, limit=limit, automatic=True)
        result: RecallResult = engram._look_up(question, scope)
        with engram._view(scope) as see:
            details = see.made_from(hit.memory.number for hit in result)
        for hit in result:
            origin = Origin(details.get(hit.memory.number, Origin.MEMORY))
            if origin is not Origin.SKILL:  # those come as they are to be done now
                why = "found by " + ", ".join(signal.name for signal in hit.why.signals)
                yield _item(hit.memory, origin, hit.probability, why)

    def _believed(
        self, situation: Situation, limit: int, scope: Scope | None
    ) -> Iterator[WorkingItem]:
        for answer in self._engram.knowledge.query(situation.summary, limit=limit, scope=scope):
            for belief in filter(lambda each: may_enter_unasked(each.memory), answer.way[-1:]):
                why = f"known of {answer.node.title}"
                yield _item(belief.memory, Origin.BELIEF, answer.score, why)

    def _practised(self, situation: Situation, scope: Scope | None) -> Iterator[WorkingItem]:
        for match in self._engram.skills.match(situation, _MOST_SKILLS, scope=scope):
            if not may_enter_unasked(match.skill.memory):
                continue
            text = outline(match.skill.current)
            yield WorkingItem(
                match.skill.id, Origin.SKILL, text, tokens_in(text), match.score, match.why
            )


def _item(memory: "Memory", origin: Origin, relevance: float, why: str) -> WorkingItem:
    summary = memory.tiers.summary
    return WorkingItem(memory.id, origin, summary.text, summary.tokens, relevance, why)


def _read_budget(value: int | None) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= _MOST_BUDGET:
        raise InvalidInput(hint=f"`budget` is a number of tokens from 1 to {_MOST_BUDGET}.")
    return value
