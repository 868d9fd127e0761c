"""Changing what is kept: the part of the facade that alters memories and takes changes back."""

from collections.abc import Callable

from engram.engine.core import Core, checked_reason
from engram.lifecycle.alter import move, revise, set_pinned, shift_layer, verify
from engram.lifecycle.approve import approve
from engram.lifecycle.undo import undo
from engram.memory.changes import Action
from engram.memory.dreams.report import is_dream
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.memory.secrecy import is_protected, parse_secrecy
from engram.memory.security_events import SecurityKind
from engram.memory.status import parse_status
from engram.memory.vocabulary import Secrecy, Status
from engram.storage.carrying import is_import, is_reread
from engram.text.strings import checked_text


class Changing(Core):
    """What becomes of a memory by someone's decision."""

    def revise(
        self, memory_id: str, text: str, *, reason: str = "", scope: Scope | None = None
    ) -> Memory:
        """Give a memory a new wording; the old one stays in its history."""
        size = self.settings.capture.max_content_bytes
        checked = checked_text(text, name="text", max_bytes=size)
        # Imported here: who only reads never loads what screening takes.
        from engram.capture.screened import reworded
        from engram.capture.seal_kept import secrecy_of
        from engram.security.screening.protected import open_summary

        rules = self._draft_rules(self._clock())
        kept, found = reworded(checked, rules)
        secrecy = secrecy_of(kept, rules)
        summary = open_summary(kept) if secrecy is Secrecy.SENSITIVE else None
        revised = self._alter(
            revise, memory_id, scope, reason, text=kept, labels=found, secrecy=secrecy,
            summary=summary, templates=rules.templates,
        )  # fmt: skip
        self._parts.wake_embedding()
        return revised

    def forget(self, memory_id: str, *, reason: str = "", scope: Scope | None = None) -> Memory:
        """Archive a memory: it is no longer recalled, and can be brought back."""
        return self._alter(
            move, memory_id, scope, reason, target=Status.ARCHIVED, action=Action.FORGET
        )

    def set_status(
        self, memory_id: str, status: Status | str, *, reason: str, scope: Scope | None = None
    ) -> Memory:
        """Move a memory to another status, where the table of legal moves allows it."""
        target = parse_status(status)
        return self._alter(move, memory_id, scope, reason, target=target, action=Action.SET_STATUS)

    def set_tier(
        self,
        memory_id: str,
        tier: Secrecy | str,
        *,
        reason: str = "",
        scope: Scope | None = None,
    ) -> Memory:
        """Protect a memory more or less: all of its wordings and what is kept beside them.

        Anybody who may change it may have it protected more; less takes a person, or a key that may
        curate.
        """
        from engram.lifecycle.tier import set_tier

        secrecy, lowered = parse_secrecy(tier), list[Memory]()
        changed = self._alter(
            set_tier, memory_id, scope, reason, secrecy=secrecy, note_lower=lowered.append
        )
        if is_protected(secrecy):
            self._parts.drop_vector_cache()  # an index on disk would hold what is sealed now
            self._fold_away()
        for memory in lowered:
            self._security(SecurityKind.TIER_LOWERED, scope=memory.scope, code=secrecy.value)
        self._parts.wake_embedding()
        return changed

    def _fold_away(self) -> None:
        """Let no open text stand in the log that was sealed since, as far as nobody reads there."""
        if self._parts.place is not None:
            self._parts.place.scrubber().fold_away()

    def approve(self, memory_id: str, *, reason: str = "", scope: Scope | None = None) -> Memory:
        """Let a memory that was held be recalled; a held correction retires what it corrects."""
        return self._alter(approve, memory_id, scope, reason)

    def reject(self, memory_id: str, *, reason: str = "", scope: Scope | None = None) -> Memory:
        """Turn a held memory away; the same statement is refused from then on."""
        return self._alter(
            move, memory_id, scope, reason, target=Status.REJECTED, action=Action.REJECT
        )

    def verify(self, memory_id: str, *, reason: str = "", scope: Scope | None = None) -> Memory:
        """Note that a memory still holds."""
        return self._alter(verify, memory_id, scope, reason)

    def pin(self, memory_id: str, *, reason: str = "", scope: Scope | None = None) -> Memory:
        """Keep a memory from fading."""
        return self._alter(set_pinned, memory_id, scope, reason, is_pinned=True)

    def unpin(self, memory_id: str, *, reason: str = "", scope: Scope | None = None) -> Memory:
        """Let a memory fade like any other again."""
        return self._alter(set_pinned, memory_id, scope, reason, is_pinned=False)

    def promote(self, memory_id: str, *, reason: str = "", scope: Scope | None = None) -> Memory:
        """Move a memory to the next more lasting layer."""
        return self._alter(shift_layer, memory_id, scope, reason, upward=True)

    def demote(self, memory_id: str, *, reason: str = "", scope: Scope | None = None) -> Memory:
        """Move a memory to the next less lasting layer."""
        return self._alter(shift_layer, memory_id, scope, reason, upward=False)

    def undo(self, change_id: str, *, reason: str = "", scope: Scope | None = None) -> list[Memory]:
        """Take back any change, exactly; an undo can be undone too.

        Also a whole dream (`drm-…`) or one pass of it (`drm-…:merge`), or a whole import (`imp-…`)
        and the undoing of one (`imp-…:undo`): all of it or nothing. Of turns that were read again
        (`rrd-…`) everything that nobody has changed since; the others are in `kept`.
        """
        why = checked_reason(reason)
        if is_import(change_id):
            from engram.lifecycle.undo_import import undo_import

            with self._unit_everywhere(scope) as unit:
                return undo_import(unit, self.principal, change_id, undo, reason=why)
        if is_reread(change_id):
            from engram.lifecycle.undo_reread import undo_reread

            return undo_reread(
                lambda: self._unit_everywhere(scope), self.principal, change_id, undo, reason=why
            )
        if not is_dream(change_id):
            with self._unit(scope) as unit:
                undone = undo(unit, self.principal, change_id, reason=why)
            if any(is_protected(memory.secrecy) for memory in undone):
                self._fold_away()  # it may have been in the open until now
            return undone
        from engram.lifecycle.dreams.taken_back import undo_dream

        with self._unit_everywhere(scope) as unit:
            return undo_dream(unit, self.principal, change_id, undo, reason=why)

    def _alter(
        self,
        rule: Callable[..., Memory],
        memory_id: str,
        scope: Scope | None,
        reason: str,
        **details: object,
    ) -> Memory:
        with self._unit(scope) as unit:
            return rule(unit, self.principal, memory_id, reason=checked_reason(reason), **details)
