"""Saying what a memory was worth: the part of the facade that takes feedback and corrections."""

import dataclasses

from engram.capture.draft import Draft, DraftRules, read_draft
from engram.engine.core import Core, checked_reason
from engram.errors import InvalidInput
from engram.lifecycle.feedback import give_feedback, judged
from engram.memory.feedback import FeedbackOutcome, read_verdict
from engram.memory.outcomes import Confirmed, Outcome
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.storage.unit import UnitOfWork


class Judging(Core):
    """What callers think of what they were given."""

    def feedback(
        self,
        memory_id: str,
        helpful: bool,
        *,
        query: str | None = None,
        correction: str | None = None,
        reason: str = "",
        scope: Scope | None = None,
    ) -> FeedbackOutcome:
        """Say whether a memory helped with a question, or what is right instead.

        An unhelpful memory is held back for questions like `query`, not for others. A correction
        becomes a memory that takes the old one's place in the same change; where an agent corrects
        what a person stands behind, it is held for a person instead.
        """
        settings = self.settings
        verdict = read_verdict(
            helpful, query, correction,
            reason=checked_reason(reason),
            max_query_bytes=settings.recall.max_query_bytes,
            max_correction_bytes=settings.capture.max_input_bytes,
        )  # fmt: skip
        with self._unit(scope) as unit:
            memory = judged(unit, self.principal, memory_id)
            corrected = _corrected_before(unit, memory, verdict.correction)
            within = None
            if verdict.correction is not None and corrected is None:
                corrected = self._corrected(unit, memory, verdict.correction)
                within = corrected.change_id
            return give_feedback(unit, self.principal, memory, verdict, corrected, within=within)

    def _corrected(self, unit: UnitOfWork, memory: Memory, text: str) -> Outcome:
        self.principal.check_may_change(memory.scope)
        from engram.capture.screened import take_in

        rules = self._draft_rules(unit.now)
        outcome = take_in(self._correction(memory, text, rules), unit, rules)
        if outcome.kind == "refused" and outcome.memory.number == 0:
            raise InvalidInput(hint=f"The correction is not kept: {outcome.reason}.")
        if outcome.memory.number == memory.number:
            raise InvalidInput(hint="The correction says what the memory says already.")
        return outcome

    def _correction(self, memory: Memory, text: str, rules: DraftRules) -> Draft:
        """The right statement in the wrong one's place: same kind, same people, same scope."""
        # Imported here: who only reads never loads what it takes.
        from engram.memory.inferred import without_inferred

        given = without_inferred(
            memory.metadata, memory.content, now=memory.at, templates=rules.templates
        )
        kept: dict[str, object] = {
            "category": memory.category, "layer": memory.layer, "memory_type": memory.memory_type,
            "importance": memory.base_importance, "pinned": memory.is_pinned,
            "speaker": memory.speaker, "subject": memory.subject, "session": memory.session,
            "metadata": given, "scope": memory.scope, "replaces": memory.id,
        }  # fmt: skip
        draft = read_draft(text, kept, rules)
        if self.principal.is_person or not memory.is_vouched_for:
            return draft
        reason = f"it would correct {memory.label}, which a person stands behind"
        return dataclasses.replace(draft, replaces=None, reason_to_hold=reason)


def _corrected_before(unit: UnitOfWork, memory: Memory, text: str | None) -> Outcome | None:
    """The correction when it was made already, so that a request sent twice is not refused."""
    if text is None or memory.superseded_by is None:
        return None
    successor = unit.see.memory(memory.superseded_by)
    if successor is None or successor.content != text:
        return None
    return Confirmed(successor, "corrected before", memory.change_id)
