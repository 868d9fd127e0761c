"""Reading a question: the part of the facade that makes ready what every recall begins with."""

import time
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from engram.engine.core import Core
from engram.errors import EngramError
from engram.memory.scopes import Scope
from engram.recall.question import Conditions, Question, read_question
from engram.storage.reader import StoreReader

if TYPE_CHECKING:
    from engram.recall.embed_question import QuestionVector
    from engram.recall.ranking import RecallParts

_EMBEDDING_SHARE = 0.8  # of a question's time: what is left is enough to search by words
_FEW = 16  # texts that wait: more take longer than anybody wants to wait for


class Questioning(Core):
    """A question, its vector, and what it is asked of."""

    def _question(self, query: str, **conditions: Unpack[Conditions]) -> Question:
        question = read_question(
            query, conditions, self._clock(), self.settings.recall, self.settings.registry
        )
        return replace(question, is_veiled=True) if self.principal.is_veiled else question

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
            parts.pair_reader if options.read_answers else None,
        )  # fmt: skip
