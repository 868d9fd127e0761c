"""Reasoning over several memories, and what happened around a topic in order of time."""

import builtins
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from engram.engine.core import Moment
from engram.engine.recalling import Recalling
from engram.errors import InvalidInput
from engram.memory.changes import Action
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.memory.staleness import holds_at, status_at
from engram.memory.status import RECALLABLE
from engram.memory.times import parse_time
from engram.memory.trust import trust_score
from engram.recall.question import Conditions, Question, read_limit
from engram.storage.reader import StoreReader

if TYPE_CHECKING:
    # Those named twice are what the surfaces are given: they know the engine alone.
    from engram.recall.reason import Evidence as Evidence
    from engram.recall.reason import Linked
    from engram.recall.reason import Reasoning as Reasoning
    from engram.recall.result import Hit, RecallResult
    from engram.recall.timeline import TimelineEntry as TimelineEntry

_LINK_SHARE = 0.5  # of the score of the find that a memory is tied to
_MOST_LINKED = 20


class Concluding(Recalling):
    """What follows from several memories together."""

    def reason(
        self,
        query: str,
        *,
        depth: int | None = None,
        limit: int | None = None,
        budget: int | None = None,
        scope: Scope | None = None,
        automatic: bool = False,
    ) -> "Reasoning":
        """Recall in several steps: what a find names is asked for in turn, up to `depth` hops.

        No model is asked. The result tells step by step what was asked and found, which words of
        the question stand in nothing that was found, and whether one chain of memories covers it.
        """
        from engram.recall.reason import DEPTH, Limits, reason

        options = self.settings.recall
        most = options.limit if limit is None else read_limit(limit)
        question = self._question(query, limit=limit, budget=budget, automatic=automatic)
        end = time.monotonic() + self._patience
        limits = Limits(
            depth=DEPTH if depth is None else _checked_depth(depth),
            limit=most if budget is None or limit is not None else options.candidates,
            budget=question.budget,
            is_time_up=lambda: time.monotonic() >= end,
        )
        self._parts.wake_embedding()
        look = _Look(self, scope, end, Conditions(limit=limit, automatic=automatic))
        found = reason(question.text, look, limits)
        self._parts.echoes.note((each.memory for each in found), self._clock())
        numbers = tuple(each.memory.number for each in found)
        self._note(Action.REASON, count=len(found), numbers=numbers, question=query, scope=scope)
        return found

    def timeline(
        self,
        topic: str,
        *,
        limit: int = 100,
        since: Moment | None = None,
        until: Moment | None = None,
        scope: Scope | None = None,
    ) -> "builtins.list[TimelineEntry]":
        """What happened around a topic, oldest first, with what was reworded, replaced, archived.

        `since` and `until` bound the time at which things happened. When there is more than
        `limit`, what has most to do with the topic is told.
        """
        from engram.recall.timeline import Matches, Span, timeline

        most = read_limit(limit)
        span = Span(
            None if since is None else parse_time(since, name="since"),
            None if until is None else parse_time(until, name="until"),
        )
        question = self._question(topic)
        found = self._look_up(question, scope)
        reach, database = self.principal.reach(scope), self._store.database
        with database.reading(self._patience) as transaction:
            see = StoreReader(transaction, database, reach)
            entries = timeline(question, found, see, Matches(transaction, database, reach))
        told = [entry for entry in entries if span.holds(entry.at)][:most]
        self._note(Action.TIMELINE, count=len(told), question=topic, scope=scope)
        return sorted(told, key=lambda entry: entry.place)

    def _look_up(
        self, question: Question, scope: Scope | None, end: float | None = None
    ) -> "RecallResult":
        """One recall that is not told to the audit by itself: it is part of something larger."""
        from engram.recall.recall import recall

        parts = self._recall_parts()
        vector = self._question_vector(question, scope, parts)
        until = time.monotonic() + self._patience if end is None else end
        with self._view_until(until, scope) as see:
            return recall(question, see, parts, vector)


class _Look:
    """What reasoning may look at: the store as one caller sees it."""

    def __init__(
        self, engram: Concluding, scope: Scope | None, end: float, conditions: Conditions
    ) -> None:
        self._engram = engram
        self._scope = scope
        self._end = end
        self._conditions = conditions

    def ask(self, query: str) -> "RecallResult":
        """Recall once."""
        question = self._engram._question(query, **self._conditions)
        return self._engram._look_up(question, self._scope, self._end)

    def linked(self, hits: "Sequence[Hit]") -> "list[Linked]":
        """What is tied to these memories by hand and might be recalled itself."""
        from engram.recall.reason import Linked
        from engram.recall.result import Hit, Signal, Why

        engram = self._engram
        question = engram._question("", **self._conditions)
        by_number = {hit.memory.number: hit for hit in hits}
        found: list[Linked] = []
        with engram._view(self._scope) as see:
            for start, end, relation in see.links.around(by_number, limit=_MOST_LINKED):
                of, other = (start, end) if start in by_number else (end, start)
                memory = see.current(other)
                if memory is None or not _may_be_told(memory, question):
                    continue
                score = _LINK_SHARE * by_number[of].score
                why = Why((Signal("link", 0, score, f"{relation} {by_number[of].memory.label}"),))
                trust = trust_score(memory, score, question.moments.now, engram._retention_mode)
                hit = Hit(memory, score, trust, see.references_of(memory), why, score)
                found.append(Linked(of, relation, hit))
        return found

    def behind(self, hits: "Sequence[Hit]") -> Mapping[int, Sequence[Memory]]:
        """The turns in sight that these statements were drawn from."""
        drawn = [hit.memory.number for hit in hits if hit.memory.is_drawn]
        if not drawn:
            return {}
        with self._engram._view(self._scope) as see:
            sources = see.turns.sources_of(drawn)
        return {number: [each.turn for each in found] for number, found in sources.items()}


def _may_be_told(memory: Memory, question: Question) -> bool:
    """Whether recall itself might show a memory: as it stands, now, to this kind of caller."""
    now = question.moments.now
    is_recallable = status_at(memory, now) in RECALLABLE and holds_at(memory, now)
    return is_recallable and question.may_show(memory)


def _checked_depth(depth: object) -> int:
    from engram.recall.reason import MOST_DEPTH

    if isinstance(depth, bool) or not isinstance(depth, int) or not 1 <= depth <= MOST_DEPTH:
        raise InvalidInput(hint=f"`depth` is a whole number from 1 to {MOST_DEPTH}.")
    return depth
