"""Sessions: the part of the facade that knows where a conversation goes, and fetches ahead."""

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING

from engram.engine.questioning import Questioning
from engram.memory.scopes import Scope
from engram.memory.trust import may_enter_unasked
from engram.recall.question import Question
from engram.text.strings import checked_name

if TYPE_CHECKING:
    from engram.context.trajectory import Noted, TrajectoryKey
    from engram.memory.momentum import Momentum, TopicShift
    from engram.memory.record import Memory
    from engram.recall.embed_question import QuestionVector
    from engram.storage.reader import StoreReader

# What holds vectors is imported where it is needed: who names no session never loads it.

_SETTLING_SECONDS = 2.0  # for what was said in a turn to be embedded, before anything is fetched


class Leaning(Questioning):
    """What a session adds to its questions."""

    def _trajectory_key(self, session: str, scope: Scope | None = None) -> "TrajectoryKey":
        """Whose session it is and where: nobody shares one with another caller."""
        return self.principal.holder, self._place(scope).path, session

    def _place(self, scope: Scope | None) -> Scope:
        return scope or self.principal.scope or Scope()

    def _note_turn(self, session: str, text: str, *, scope: Scope | None = None) -> None:
        """Something was said in a session that the store may not tell of."""
        self._parts.trajectories.note(
            self._trajectory_key(session, scope), text, None, at=self._clock().timestamp()
        )

    def _topic_shift(self, session: str, text: str, *, scope: Scope | None = None) -> "TopicShift":
        """What a turn that was just said does to its session's topic."""
        from engram.context.trajectory import noted, shift_of

        asked = self._question(text)
        vector = self._question_vector(asked, scope, self._recall_parts())
        said = noted(text, None).digest
        before = [
            each for each in self._turns_before(session, scope, vector) if each.digest != said
        ]
        return shift_of(text, vector.vector if vector else None, before)

    def _in_session(
        self, question: Question, vector: "QuestionVector | None", session: str, scope: Scope | None
    ) -> "tuple[Question, QuestionVector | None]":
        """A question as its session colours it, with what was fetched for it; it counts as said."""
        parts = self._parts
        key = self._trajectory_key(checked_name(session, name="session"), scope)
        parts.prefetching.cancel()
        place = None if vector is None else vector.vector
        expected = parts.anticipation.find(key, place)
        asked, leaned = self._leaned(question, vector, session, scope)
        if leaned is not None and expected is not None:
            leaned = dataclasses.replace(leaned, foreseen=expected.foreseen)
        made_by = str(vector.space.space) if vector is not None and vector.space else ""
        parts.trajectories.note(
            key, question.text, place, made_by=made_by, at=self._clock().timestamp()
        )
        return asked, leaned

    def _leaned(
        self, question: Question, vector: "QuestionVector | None", session: str, scope: Scope | None
    ) -> "tuple[Question, QuestionVector | None]":
        """A question as what was said before it in its session colours it."""
        from engram.context.trajectory import noted, shift_of
        from engram.memory.momentum import momentum_of
        from engram.recall.heading import Heading, leaning_vector

        share = self.settings.context.momentum_share
        said = noted(question.text, None).digest
        before = [
            each for each in self._turns_before(session, scope, vector) if each.digest != said
        ]
        if not before or not share:
            return question, vector
        place = None if vector is None else vector.vector
        heading = Heading(
            momentum_of([each.vector for each in before]),
            tuple(token for each in reversed(before) for token in each.tokens),
            len(before),
            shift_of(question.text, place, before),
            share,
        )
        asked = dataclasses.replace(question, heading=heading)
        return asked, leaning_vector(vector, heading, question.telling)

    def _turns_before(
        self, session: str, scope: Scope | None, vector: "QuestionVector | None"
    ) -> "tuple[Noted, ...]":
        """The last turns of a session: what was asked in this process, and what the store heard.

        Of this caller alone: what others say in a session of the same name steers nobody else.
        """
        from engram.context.trajectory import SPAN, together

        made_by = str(vector.space.space) if vector is not None and vector.space else ""
        kept = self._parts.trajectories.recent(self._trajectory_key(session, scope))
        usable = [
            each
            if each.made_by == made_by
            else dataclasses.replace(each, vector=each.vector[:0])  # another embedder's
            for each in kept
        ]
        with self._view(scope) as see:
            turns = see.turns.handed_in_by(
                self.principal.actor, session, self._place(scope), limit=SPAN
            )
            heard = _heard([each for each in turns if may_enter_unasked(each)], see, made_by)
        return together(usable, heard)

    def _momentum(
        self, session: str, scope: Scope | None, vector: "QuestionVector"
    ) -> "Momentum | None":
        from engram.memory.momentum import momentum_of

        return momentum_of([each.vector for each in self._turns_before(session, scope, vector)])

    def _anticipate(self, session: str, *, scope: Scope | None = None) -> None:
        """A turn is over: fetch in the background what its session will probably ask for next."""
        is_wanted = self.settings.context.anticipate and self.settings.recall.in_memory
        # A store in memory is small, and who reads it keeps writers out.
        if not is_wanted or self._parts.place is None:
            return
        self._parts.prefetching.begin(
            lambda is_stopped: self._fetch_ahead(session, scope, is_stopped)
        )

    def _fetch_ahead(
        self, session: str, scope: Scope | None, is_stopped: Callable[[], bool]
    ) -> None:
        from engram.recall.embed_question import QuestionVector
        from engram.recall.ranking import expected_near

        worker = self._parts.embedding
        if worker is None or worker.problem:
            return
        worker.settle(_SETTLING_SECONDS)
        with self._view(scope) as see:
            answering = see.derived.answering_vectors({})
        if answering is None or is_stopped():
            return
        momentum = self._momentum(session, scope, QuestionVector(answering[0]))
        if momentum is None or is_stopped():
            return
        expected = QuestionVector(answering[0], momentum.centroid)
        with self._view(scope) as see:
            found = expected_near(self._question(""), see, self._recall_parts(), expected)
        if not is_stopped():
            self._parts.anticipation.keep(self._trajectory_key(session, scope), momentum, found)


def _heard(turns: "list[Memory]", see: "StoreReader", made_by: str) -> "list[Noted]":
    """Turns of the store as a trajectory keeps them, with the vectors they have already."""
    from engram.context.trajectory import noted

    found = see.derived.answering_vectors({turn.number: turn.version for turn in turns})
    space, vectors = ("", {}) if found is None else (str(found[0].space), found[1])
    placed = vectors if space == made_by else {}
    return [
        noted(
            turn.content, placed.get(turn.number), made_by=made_by, at=turn.recorded_at.timestamp()
        )
        for turn in turns
    ]
