"""Handing statements in: the part of the facade that stores."""

import dataclasses
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby

from engram.capture.draft import Draft, read_draft, read_item
from engram.engine.core import Core, Moment
from engram.errors import InvalidInput
from engram.memory.ids import label_of
from engram.memory.outcomes import Outcome
from engram.memory.record import Metadata
from engram.memory.scopes import Scope
from engram.memory.vocabulary import Layer, Secrecy

Progress = Callable[[int, int], None]


class Writing(Core):
    """What is said to Engram."""

    def remember(
        self,
        text: str,
        *,
        category: str | None = None,
        layer: Layer | str | None = None,
        importance: float | None = None,
        confidence: float | None = None,
        at: Moment | None = None,
        valid_from: Moment | None = None,
        valid_until: Moment | None = None,
        speaker: str | None = None,
        subject: str | None = None,
        session: str | None = None,
        reference: str | None = None,
        source: str | None = None,
        metadata: Metadata | None = None,
        pinned: bool = False,
        scope: Scope | None = None,
        idempotency_key: str | None = None,
        wait: bool = False,
        memory_type: str | None = None,
        summary: str | None = None,
        replaces: str | None = None,
        secrecy: Secrecy | str | None = None,
        horizon: str | None = None,
    ) -> Outcome:
        """Store one memory; durable when this returns.

        It is found by its words at once, and by its meaning as soon as it is embedded. `wait` waits
        for that too, and returns all the same when the embedder is not available. `secrecy` says
        how it is protected, whatever is found in it: only people may ask for less. `horizon` says
        how long it may go unconfirmed, as 30d or never; without it the category does.
        """
        arguments = {
            "category": category, "layer": layer, "importance": importance,
            "confidence": confidence, "at": at, "valid_from": valid_from,
            "valid_until": valid_until, "speaker": speaker, "subject": subject,
            "session": session, "reference": reference, "source": source, "metadata": metadata,
            "pinned": pinned, "scope": scope, "idempotency_key": idempotency_key,
            "memory_type": memory_type, "summary": summary, "replaces": replaces,
            "secrecy": secrecy, "horizon": horizon,
        }  # fmt: skip
        now = self._clock()
        outcomes = self._take_in([read_draft(text, arguments, self._draft_rules(now))], now)
        return self._see_to_embedding(outcomes, wait=wait)[0]

    def remember_many(
        self,
        items: Iterable[str | Mapping[str, object]],
        *,
        wait: bool = False,
        progress: Progress | None = None,
    ) -> list[Outcome]:
        """Store many in few transactions. All are checked before the first is written."""
        now = self._clock()
        rules = self._draft_rules(now)
        if isinstance(items, str | bytes | Mapping) or not isinstance(items, Iterable):
            raise InvalidInput(hint="`items` is a list of strings or of dictionaries with `text`.")
        drafts = [read_item(item, index, rules) for index, item in enumerate(items)]
        outcomes: list[Outcome] = []
        size = self.settings.storage.rows_per_commit
        for start in range(0, len(drafts), size):
            outcomes += self._take_in(drafts[start : start + size], now)
            if progress is not None:
                progress(len(outcomes), len(drafts))
        return self._see_to_embedding(outcomes, wait=wait)

    def settle(self, timeout: float | None = None) -> bool:
        """Wait until nothing is pending: reads are in the audit, all is embedded and judged.

        Whether that is so: False when time (in seconds) was up or the embedder is not available.
        """
        self._parts.access_log.flush()
        end = None if timeout is None else time.monotonic() + timeout
        is_settled = self._parts.embedding is None or self._parts.embedding.settle(timeout)
        is_judged = self._parts.judge_replacements(
            lambda: end is not None and time.monotonic() >= end
        )
        return is_settled and is_judged

    def _see_to_embedding(self, outcomes: list[Outcome], *, wait: bool) -> list[Outcome]:
        """Have what was stored embedded and judged, now or in the background."""
        self._parts.expect_recall()
        if not wait:
            self._parts.wake_embedding()
            return outcomes
        memories = {each.number for out in outcomes for each in (out.memory, *out.parts)}
        if self._parts.embedding is not None:
            self._parts.embedding.wait_for(memories)
        self._parts.judge_replacements(only=memories)
        return [self._with_verdict(each) for each in outcomes]

    def _with_verdict(self, outcome: Outcome) -> Outcome:
        """The outcome with the labels of what it replaced and of what it may replace."""
        if outcome.kind != "stored" or not self.principal.can_see(outcome.memory.scope):
            return outcome
        with self._view(outcome.memory.scope) as see:
            numbers = see.replaced_by(outcome.memory.id)
            linked = see.links.may_be_replaced_by(outcome.memory.number)
        return dataclasses.replace(
            outcome,
            replaced=tuple(label_of(number) for number in sorted(numbers)),
            may_replace=tuple(label_of(number) for number in linked),
        )

    def _take_in(self, drafts: Sequence[Draft], now: datetime) -> list[Outcome]:
        # Imported here: who only reads never loads what screening takes.
        from engram.capture.screened import take_in

        rules = self._draft_rules(now)
        outcomes: list[Outcome] = []
        for scope, group in groupby(drafts, key=lambda draft: draft.scope):
            with self._writing(scope, now) as unit:
                outcomes += [take_in(draft, unit, rules) for draft in group]
        return outcomes
