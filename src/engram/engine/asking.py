"""Asking back: the part of the facade that tells what is not known, and takes answers."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from engram.capture.draft import read_draft
from engram.engine.core import checked_reason
from engram.engine.judging import Judging
from engram.errors import InvalidInput, MemoryNotFound
from engram.memory.changes import Action
from engram.memory.ids import checked_id
from engram.memory.outcomes import Outcome
from engram.memory.scopes import Scope
from engram.recall.question import read_limit
from engram.storage.questions import Asked, note_question
from engram.storage.reader import StoreReader
from engram.storage.unit import UnitOfWork
from engram.text.strings import checked_name, checked_text

if TYPE_CHECKING:
    from engram.memory.dreams.gap_answers import GapAnswer
    from engram.memory.dreams.gaps import Gap

# The rules of questions are imported where they are needed: who never asks never loads them.


class Asking(Judging):
    """What Engram would like to know."""

    def gaps(self, *, limit: int = 50, scope: Scope | None = None) -> "list[Gap]":
        """What is missing, contradictory or perhaps out of date, what matters most first.

        Dreams find it; nothing is noted as asked.
        """
        from engram.engine.answering import open_gaps

        reach, most = self.principal.review_reach(scope), read_limit(limit)
        with self._store.read(reach, timeout_seconds=self._patience) as see:
            found = open_gaps(see)[:most]
        self._note(Action.LIST, count=len(found), scope=scope)
        return found

    def questions(
        self, session: str, *, limit: int | None = None, scope: Scope | None = None
    ) -> "list[Gap]":
        """The few questions that may be put in a session now; they count as put.

        At most two in one session, and each of them once a week, whatever the limit: see the
        settings `dreams.questions_per_session` and `dreams.question_days`. Only what the caller
        could answer is asked, the owner about what waits everywhere as `gaps` shows it, and nothing
        that was told since the last dream.
        """
        name = checked_name(session, name="session")
        options, now = self.settings.dreams, self._clock()
        most = options.questions_per_session
        wanted = most if limit is None else min(read_limit(limit), most)
        since = now - timedelta(days=options.question_days)
        reach, actor = self.principal.review_reach(scope), self.principal.actor
        with self._store.write(reach, actor=actor, now=now) as unit:
            chosen = self._to_be_asked(unit.see, name, since, wanted)
            for gap in chosen:
                note_question(unit.transaction, gap.scope, Asked(gap.id, name, now))
        self._note(Action.LIST, count=len(chosen), scope=scope)
        return chosen

    def _to_be_asked(
        self, see: StoreReader, session: str, since: datetime, wanted: int
    ) -> "list[Gap]":
        from engram.engine.answering import open_gaps
        from engram.lifecycle.dreams.settled import is_settled

        put = see.questions.asked(since=since, session=session)
        lately = {each.gap for each in put}
        left = wanted - sum(each.session == session for each in put)
        found: list[Gap] = []
        for gap in open_gaps(see):
            if len(found) >= left:
                break
            may_answer = self.principal.may_change_in(gap.scope)
            if may_answer and gap.id not in lately and not is_settled(gap, see):
                found.append(gap)
        return found

    def answer_gap(
        self,
        gap_id: str,
        text: str,
        *,
        session: str | None = None,
        reason: str = "",
        scope: Scope | None = None,
    ) -> "GapAnswer":
        """Answer a question: what is said is kept, and the question is settled in one go.

        A missing piece is remembered as a statement; of two that stand against each other the one
        that is named stays ("the second", a label, or words of it; "both"; or what is right
        instead); what may be out of date is verified ("yes"), withdrawn ("no") or corrected. Each
        can be undone, and then the question stands again.
        """
        from engram.engine.answering import Answering

        most = self.settings.capture.max_content_bytes
        checked = checked_text(text, name="text", max_bytes=most)
        gap = self._open_gap(checked_id(gap_id), scope)
        self.principal.check_may_change(gap.scope)
        why = checked_reason(reason) or f"answered {gap.id}"
        with self._unit(gap.scope) as unit:
            answering = Answering(
                unit, self.principal, gap, why,
                told=lambda words: self._told(unit, gap, words, session),
                corrected=lambda memory, words: self._corrected(unit, memory, words),
            )  # fmt: skip
            done = answering.take(checked)
        self._parts.wake_embedding()
        return done

    def _open_gap(self, gap_id: str, scope: Scope | None) -> "Gap":
        from engram.engine.answering import UNKNOWN, open_gaps

        reach = self.principal.review_reach(scope)
        with self._store.read(reach, timeout_seconds=self._patience) as see:
            found = next((gap for gap in open_gaps(see) if gap.id == gap_id), None)
        if found is None:
            raise MemoryNotFound(hint=UNKNOWN)
        return found

    def _told(self, unit: UnitOfWork, gap: "Gap", text: str, session: str | None) -> Outcome:
        from engram.capture.screened import take_in
        from engram.engine.answering import category_of

        rules = self._draft_rules(unit.now)
        arguments: dict[str, object] = {
            "category": category_of(gap), "subject": gap.subject, "session": session,
            "scope": gap.scope, "metadata": {"field": gap.field},
        }  # fmt: skip
        outcome = take_in(read_draft(text, arguments, rules), unit, rules)
        if outcome.kind == "refused":
            raise InvalidInput(hint=f"The answer is not kept: {outcome.reason}.")
        return outcome
