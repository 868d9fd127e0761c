"""Reasoning over several memories, and what happened around a topic in order of time."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engram.engine.core import Moment
from engram.engine.recalling import Recalling
from engram.errors import Cancelled
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
    from engram.providers.language_model import Completion
    from engram.recall.model_reason_asking import Asker
    from engram.recall.reason_limits import WantedLimits
    from engram.recall.reasoned import Evidence as Evidence
    from engram.recall.reasoned import Limits, Linked
    from engram.recall.reasoned import Reasoning as Reasoning
    from engram.recall.result import Hit, RecallResult
    from engram.recall.timeline import Timeline as Timeline
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
        use_model: bool | None = None,
        calls: int | None = None,
        tokens: int | None = None,
        progress: Callable[[int, int], None] | None = None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> "Reasoning":
        """Recall in several steps: what is missing is asked for in turn, up to `depth` steps deep.

        Where a language model is set it judges what was found and writes the answer, each sentence
        with the memories that carry it; `use_model` decides against the settings, and `calls` and
        `tokens` bound what it takes. Without one, or when it fails, the names that finds tell are
        followed. The result tells step by step what was done, and what is missing. Once
        `is_stopped` it ends with `Cancelled` as soon as it can.
        """
        from engram.recall.reason_limits import WantedLimits
        from engram.recall.reasoned import DEPTH, Limits

        options = self.settings.recall
        most = options.limit if limit is None else read_limit(limit)
        question = self._question(query, limit=limit, budget=budget, automatic=automatic)
        wanted = WantedLimits(depth, calls, tokens)
        heed = _Heed(progress, is_stopped, self._patience)
        asker = self._asker(wanted, heed, use_model=use_model)
        limits = Limits(
            depth=wanted.depth or DEPTH,
            limit=most if budget is None or limit is not None else options.candidates,
            budget=question.budget,
            is_time_up=heed.is_time_up,
            begin_again=lambda: heed.begin(self._patience),
        )
        self._parts.wake_embedding()
        look = _Look(self, scope, Conditions(limit=limit, automatic=automatic), heed)
        found = _reasoned(question.text, look, limits, asker)
        self._parts.echoes.note((each.memory for each in found), self._clock())
        numbers = tuple(each.memory.number for each in found)
        self._note(
            Action.REASON,
            count=len(found),
            shown=found,
            numbers=numbers,
            question=query,
            scope=scope,
        )
        return found

    def _asker(
        self, wanted: "WantedLimits", heed: "_Heed", *, use_model: bool | None
    ) -> "Asker | str":
        """The model and what it may take; or why none is asked, empty when none was wanted."""
        settings, model = self.settings, self._parts.model
        is_wanted = settings.recall.model_reasons if use_model is None else use_model
        if not is_wanted or (model is None and use_model is None):
            return ""
        if model is None:
            return "reasoned by rules: no language model is set (model.kind)"
        if self._parts.place is not None and self._parts.place.read_only:
            return "reasoned by rules: calls cannot be counted in a store that is read only"
        # Imported here: who has no model never loads what reads its answers.
        from engram.providers.model_registry import limits_of
        from engram.recall.model_reason_asking import Asker
        from engram.recall.reason_limits import model_limits

        known = limits_of(settings.model.model, settings.models)
        allowed = model_limits(
            known.window,
            has_thinking=known.has_thinking,
            most_answer=min(settings.model.max_answer_tokens, known.output),
            wanted=wanted,
        )
        heed.begin(settings.recall.reason_seconds)
        heed.calls = allowed.calls
        return Asker(model(self.principal.scope or Scope()), allowed, heed.wait)

    def timeline(
        self,
        topic: str,
        *,
        limit: int = 100,
        since: Moment | None = None,
        until: Moment | None = None,
        scope: Scope | None = None,
    ) -> "Timeline":
        """What happened around a topic, oldest first, with what was reworded, replaced, archived.

        `since` and `until` bound the time at which things happened. When there is more than
        `limit`, what has most to do with the topic is told. `.peaks` of the list that comes back
        are the busiest days, weeks or months.
        """
        from engram.recall.timeline import Matches, Span, Timeline, timeline

        most = read_limit(limit)
        span = Span(
            None if since is None else parse_time(since, name="since"),
            None if until is None else parse_time(until, name="until"),
        )
        question = self._question(topic)
        found = self._look_up(question, scope)
        reach, database = self.principal.reach(scope), self._store.database
        with database.reading(self._patience) as transaction:
            if reach.is_veiled:
                transaction.veil()
            see = StoreReader(transaction, database, reach)
            entries = timeline(question, found, see, Matches(transaction, database, reach))
        told = [entry for entry in entries if span.holds(entry.at)][:most]
        self._note(Action.TIMELINE, count=len(told), shown=told, question=topic, scope=scope)
        return Timeline(sorted(told, key=lambda entry: entry.place))

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


def _reasoned(question: str, look: "_Look", limits: "Limits", asker: "Asker | str") -> "Reasoning":
    from engram.recall.reason import reason

    if isinstance(asker, str):
        found = reason(question, look, limits)
        return replace(found, degraded=(asker, *found.degraded)) if asker else found
    from engram.recall.model_reason import reason_with_model

    return reason_with_model(question, look, limits, asker)


class _Heed:
    """Whether anybody still waits for the answer, and how long they do."""

    def __init__(
        self,
        progress: Callable[[int, int], None] | None,
        is_stopped: Callable[[], bool],
        seconds: float,
    ) -> None:
        self._progress = progress
        self._is_stopped = is_stopped
        self._asked = 0
        self.calls = 1  # that a model may answer
        self.end = 0.0
        self.begin(seconds)

    def begin(self, seconds: float) -> None:
        """The time that there is starts now."""
        self.end = time.monotonic() + seconds

    def is_time_up(self) -> bool:
        """Whether nothing more may be begun."""
        return time.monotonic() >= self.end

    def __call__(self) -> None:
        """Say how far it is; raises when the question was called off."""
        if self._progress is not None:
            self._progress(self._asked, self.calls)
        if self._is_stopped():
            raise Cancelled(hint="Nothing was changed.")

    def wait(self, work: "Callable[[], Completion]") -> "Completion":
        """Let a model answer in the time that is left."""
        from engram.recall.model_waiting import waited

        answer = waited(work, until=self.end, heed=self)
        self._asked += 1
        return answer


class _Look:
    """What reasoning may look at: the store as one caller sees it."""

    def __init__(
        self,
        engram: Concluding,
        scope: Scope | None,
        conditions: Conditions,
        heed: _Heed,
    ) -> None:
        self._engram = engram
        self._scope = scope
        self._conditions = conditions
        self._heed = heed

    def ask(self, query: str) -> "RecallResult":
        """Recall once."""
        self._heed()
        question = self._engram._question(query, **self._conditions)
        return self._engram._look_up(question, self._scope, self._heed.end)

    def linked(self, hits: "Sequence[Hit]") -> "list[Linked]":
        """What is tied to these memories by hand and might be recalled itself."""
        engram = self._engram
        question = engram._question("", **self._conditions)
        by_number = {hit.memory.number: hit for hit in hits}
        found: list[Linked] = []
        with engram._view(self._scope) as see:
            for start, end, relation in see.links.around(by_number, limit=_MOST_LINKED):
                for of, other in ((start, end), (end, start)):
                    memory = see.current(other) if of in by_number else None
                    if memory is not None and _may_be_told(memory, question):
                        found.append(self._tied(by_number[of], relation, memory, see))
        return found

    def _tied(self, hit: "Hit", relation: str, memory: Memory, see: StoreReader) -> "Linked":
        """A memory as a find: half as good as the one it is tied to."""
        from engram.recall.reasoned import Linked
        from engram.recall.result import Hit, Signal, Why

        score = _LINK_SHARE * hit.score
        why = Why((Signal("link", 0, score, f"{relation} {hit.memory.label}"),))
        engram = self._engram
        trust = trust_score(memory, score, engram._clock(), engram._retention_mode)
        made = Hit(memory, score, trust, see.references_of(memory), why, score)
        return Linked(hit.memory.number, relation, made)

    def behind(self, hits: "Sequence[Hit]") -> Mapping[int, Sequence[Memory]]:
        """The turns in sight that these statements were drawn from."""
        drawn = [hit.memory.number for hit in hits if hit.memory.is_drawn]
        if not drawn:
            return {}
        with self._engram._view(self._scope) as see:
            sources = see.turns.sources_of(drawn)
        return {number: [each.turn for each in found] for number, found in sources.items()}

    def aliases(self) -> Mapping[str, str]:
        """Which entity each name was decided to mean, as far as the caller sees it."""
        with self._engram._view(self._scope) as see:
            return see.entities.aliases()


def _may_be_told(memory: Memory, question: Question) -> bool:
    """Whether recall itself might show a memory: as it stands, now, to this kind of caller."""
    now = question.moments.now
    is_recallable = status_at(memory, now) in RECALLABLE and holds_at(memory, now)
    return is_recallable and question.may_show(memory)
