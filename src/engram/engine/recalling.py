"""Asking: the part of the facade that recalls, and says why."""

import time
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Unpack

from engram.engine.core import Core, Moment
from engram.errors import EngramError, MemoryNotFound
from engram.memory.changes import Action
from engram.memory.scopes import Scope
from engram.recall.question import Conditions, Question, read_question
from engram.recall.result import Explanation, RecallResult
from engram.storage.reader import StoreReader

if TYPE_CHECKING:
    from engram.recall.embed_question import QuestionVector
    from engram.recall.ranking import RecallParts

_EMBEDDING_SHARE = 0.8  # of a question's time: what is left is enough to search by words
_FEW = 16  # texts that wait: more take longer than anybody wants to wait for


class Recalling(Core):
    """What is known about a question."""

    def recall(
        self,
        query: str,
        *,
        limit: int | None = None,
        budget: int | None = None,
        mode: str = "full_context",
        now: Moment | None = None,
        as_of: Moment | None = None,
        known_at: Moment | None = None,
        filters: Mapping[str, object] | None = None,
        scope: Scope | None = None,
        session: str | None = None,  # noqa: ARG002  # what a session is about comes with context()
        automatic: bool = False,
    ) -> RecallResult:
        """The memories that best answer a question, best first, each with its reasons.

        `automatic` is for answers that go into a prompt before anybody looks at them: what looks
        like an order to an agent, and what nobody trustworthy said, is left out.
        """
        question = self._question(
            query, limit=limit, budget=budget, mode=mode, now=now, as_of=as_of, known_at=known_at,
            filters=filters, automatic=automatic,
        )  # fmt: skip
        # Imported here: a process that asks nothing never loads NumPy.
        from engram.recall.journal import figures_of
        from engram.recall.recall import recall

        self._parts.wake_embedding()
        end = time.monotonic() + self._patience
        parts = self._recall_parts()
        vector = self._question_vector(question, scope, parts)
        with self._view_until(end, scope) as see:
            result = recall(question, see, parts, vector)
            if question.moments.as_of is None and question.moments.known_at is None:
                result = self._parts.known_domains.told(result, see, self._clock())
        self._parts.echoes.note((hit.memory for hit in result), self._clock())
        numbers = tuple(hit.memory.number for hit in result)
        self._note(
            Action.RECALL, count=len(result), numbers=numbers, question=query, scope=scope,
            figures=figures_of(result, self._clock()),
        )  # fmt: skip
        return result

    def why(
        self,
        query: str,
        memory_id: str,
        *,
        scope: Scope | None = None,
        **conditions: Unpack[Conditions],
    ) -> Explanation:
        """Why a memory was or was not recalled, stage by stage; takes what `recall` takes."""
        from engram.recall.explain import explain

        question = self._question(query, **conditions)
        parts = self._recall_parts()
        vector = self._question_vector(question, scope, parts)
        with self._view(scope) as see:
            memory = see.memory(memory_id, question.moments.known_at)
            if memory is None:
                raise MemoryNotFound
            found = explain(memory, question, see, parts, vector)
        self._note(Action.WHY, count=1, memory=memory, question=query)
        return found

    def _question(self, query: str, **conditions: Unpack[Conditions]) -> Question:
        return read_question(
            query, conditions, self._clock(), self.settings.recall, self.settings.registry
        )

    def _view_until(self, end: float, scope: Scope | None) -> AbstractContextManager[StoreReader]:
        """A view for what is left of the time; a slow embedder has not used up all of it."""
        left = max(end - time.monotonic(), (1 - _EMBEDDING_SHARE) * self._patience)
        return self._store.read(self.principal.reach(scope), timeout_seconds=left)

    def _question_vector(
        self, question: Question, scope: Scope | None, parts: "RecallParts"
    ) -> "QuestionVector | None":
        """Embed a question while no view is open: one that is held keeps the log from shrinking."""
        from engram.recall.embed_question import embed_question
        from engram.recall.ranking import what_to_embed

        if not parts.options.in_memory:
            return None
        end = time.monotonic() + _EMBEDDING_SHARE * self._patience
        with self._view(scope) as see:
            wanted = what_to_embed(question, see, parts)
        if 0 < wanted.waiting <= _FEW and self._catch_up(wanted.text, end):
            with self._view(scope) as see:
                wanted = what_to_embed(question, see, parts)
        known = self._parts.known_questions
        found = known.find(self.principal.actor, wanted)
        if found is None:
            found = embed_question(wanted, end - time.monotonic())
            known.keep(self.principal.actor, wanted, found)
        return found

    def _catch_up(self, text: str, end: float) -> bool:
        """Let the few texts that wait be embedded, for a moment: they were said just now.

        A model that is not loaded yet is loaded first, which the question needs anyway.
        """
        from engram.recall.embed_question import in_time

        worker, seconds = self._parts.embedding, self.settings.recall.wait_seconds
        if worker is None or worker.problem or not seconds:
            return False
        embedder = worker.embedder
        try:
            if not embedder.is_loaded:
                in_time(lambda: embedder.embed([text]), end - time.monotonic())
            in_time(lambda: worker.settle(seconds), min(seconds, end - time.monotonic()))
        except (TimeoutError, EngramError):
            return False  # what is not there in time is searched by its words
        return True

    def _recall_parts(self) -> "RecallParts":
        from engram.recall.ranking import RecallParts

        parts = self._parts
        options = self.settings.recall
        if options.in_memory:
            parts.load_for_recall()
        return RecallParts(
            parts.wordings, parts.selections, parts.meaning, options, self._retention_mode,
            parts.reranker(options.reranker_folder), parts.readings,
        )  # fmt: skip
