"""Asking: the part of the facade that recalls, and says why."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Unpack

from engram.engine.core import Core, Moment
from engram.errors import MemoryNotFound
from engram.memory.changes import Action
from engram.memory.scopes import Scope
from engram.recall.question import Conditions, Question, read_question
from engram.recall.result import Explanation, RecallResult

if TYPE_CHECKING:
    from engram.recall.ranking import RecallParts


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
    ) -> RecallResult:
        """The memories that best answer a question, best first, each with its reasons."""
        question = self._question(
            query, limit=limit, budget=budget, mode=mode, now=now, as_of=as_of, known_at=known_at,
            filters=filters,
        )  # fmt: skip
        # Imported here: a process that asks nothing never loads NumPy.
        from engram.recall.journal import figures_of
        from engram.recall.recall import recall

        self._parts.wake_embedding()
        parts = self._recall_parts()
        with self._view(scope) as see:
            result = recall(question, see, parts)
        self._parts.wake_embedding()
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
        with self._view(scope) as see:
            memory = see.memory(memory_id, question.moments.known_at)
            if memory is None:
                raise MemoryNotFound
            found = explain(memory, question, see, parts)
        self._note(Action.WHY, count=1, memory=memory, question=query)
        return found

    def _question(self, query: str, **conditions: Unpack[Conditions]) -> Question:
        return read_question(
            query, conditions, self._clock(), self.settings.recall, self.settings.registry
        )

    def _recall_parts(self) -> "RecallParts":
        from engram.recall.ranking import RecallParts

        parts = self._parts
        options = self.settings.recall
        if options.in_memory:
            parts.load_for_recall()
        return RecallParts(
            parts.wordings, parts.selections, parts.meaning, options, self._retention_mode,
            parts.reranker(options.reranker_folder),
        )  # fmt: skip
