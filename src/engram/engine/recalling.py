"""Asking: the part of the facade that recalls, and says why."""

import time
from collections.abc import Mapping
from typing import Unpack

from engram.engine.core import Moment
from engram.engine.leaning import Leaning
from engram.errors import AccessDenied, MemoryNotFound
from engram.memory.changes import Action
from engram.memory.scopes import Scope
from engram.memory.secrecy import is_protected
from engram.recall.question import Conditions, Question
from engram.recall.result import Explanation, RecallResult


class Recalling(Leaning):
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
        session: str | None = None,
        automatic: bool = False,
    ) -> RecallResult:
        """The memories that best answer a question, best first, each with its reasons.

        `session` names the conversation it is part of: what was said and asked there before tells
        what "and when was that?" means. `automatic` is for answers that go into a prompt before
        anybody looks at them: what looks like an order to an agent, and what nobody trustworthy
        said, is left out.
        """
        question = self._question(
            query, limit=limit, budget=budget, mode=mode, now=now, as_of=as_of, known_at=known_at,
            filters=filters, automatic=automatic,
        )  # fmt: skip
        # Imported here: a process that asks nothing never loads NumPy.
        from engram.recall.journal import figures_of

        self._parts.wake_embedding()
        result = self._found(question, scope, session)
        self._parts.echoes.note((hit.memory for hit in result), self._clock())
        memories = [hit.memory for hit in result]
        numbers = tuple(memory.number for memory in memories)
        self._note(
            Action.RECALL, count=len(result), shown=memories, numbers=numbers, question=query,
            scope=scope, figures=figures_of(result, self._clock()),
        )  # fmt: skip
        if session is not None:
            self._anticipate(session, scope=scope)
        return result

    def _found(
        self, question: Question, scope: Scope | None, session: str | None = None
    ) -> RecallResult:
        """One recall, which is for the caller to tell the audit of; a session counts it as said."""
        from engram.recall.foreseen import is_served
        from engram.recall.recall import recall

        end = time.monotonic() + self._patience
        parts = self._recall_parts()
        asked, vector = question, self._question_vector(question, scope, parts)
        if session is not None:
            asked, vector = self._in_session(question, vector, session, scope)
        with self._view_until(end, scope) as see:
            result = recall(asked, see, parts, vector)
            if question.moments.as_of is None and question.moments.known_at is None:
                result = self._parts.known_domains.told(result, see, self._clock())
        if vector is not None and vector.foreseen is not None and is_served(result.trace):
            self._parts.anticipation.note_served()
        return result

    def why(
        self,
        query: str,
        memory_id: str,
        *,
        scope: Scope | None = None,
        session: str | None = None,
        **conditions: Unpack[Conditions],
    ) -> Explanation:
        """Why a memory was or was not recalled, stage by stage; takes what `recall` takes."""
        from engram.recall.explain import explain

        question = self._question(query, **conditions)
        parts = self._recall_parts()
        vector = self._question_vector(question, scope, parts)
        if session is not None:
            question, vector = self._leaned(question, vector, session, scope)
        with self._view(scope) as see:
            memory = see.memory(memory_id, question.moments.known_at)
            if memory is None:
                raise MemoryNotFound
            if self.principal.is_veiled and is_protected(memory.secrecy):
                raise AccessDenied(
                    hint="How near a question comes to a protected text is not told."
                )
            found = explain(memory, question, see, parts, vector)
        self._note(Action.WHY, count=1, memory=memory, question=query)
        return found
