"""What has served its time and may go: no memory, no change, nothing that somebody said."""

from datetime import datetime
from enum import StrEnum
from typing import cast

from engram.memory.times import to_micros
from engram.storage.audit_chain import audit_key, checkpoint_of, let_go, the_row
from engram.storage.database import Transaction, Value
from engram.storage.webhooks import Direction, WebhookTable, audit_length


class Remnant(StrEnum):
    """What is pruned by age."""

    REQUESTS = "requests"  # the keys of requests that may have been sent twice
    ARTEFACTS = "artefacts"  # earlier versions of what was made of memories
    DREAM_STEPS = "dream_steps"  # what the passes of old dreams saw and left
    QUESTIONS = "questions"  # when questions about gaps were put
    AUDIT = "audit"  # lines of the audit, where the settings say that they may go


_COUNTED = {
    Remnant.REQUESTS: "count_old_requests",
    Remnant.ARTEFACTS: "count_old_artefacts",
    Remnant.DREAM_STEPS: "count_old_dream_steps",
    Remnant.QUESTIONS: "count_old_questions",
}
_DROPPED = {
    Remnant.REQUESTS: "drop_old_requests",
    Remnant.ARTEFACTS: "drop_old_artefacts",
    Remnant.DREAM_STEPS: "drop_old_dream_steps",
    Remnant.QUESTIONS: "drop_old_questions",
}


class RemnantReader:
    """How much is old, in the store as a whole: counts, and no row."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def older_than(self, remnant: Remnant, before: datetime) -> int:
        """How many there are from before a moment."""
        if remnant is Remnant.AUDIT:
            return self._audit_lines(before)
        moment: dict[str, Value] = {"before": to_micros(before)}
        return cast(int, the_row(self._transaction.rows(_COUNTED[remnant], moment))[0])

    def _audit_lines(self, before: datetime) -> int:
        begin = checkpoint_of(self._transaction, audit_key(self._transaction))
        if begin is None:
            return 0  # it was altered; that is for `verify_audit` to say, and nothing goes
        return max(0, _last_to_go(self._transaction, before) - begin.sequence)


def drop(transaction: Transaction, remnant: Remnant, before: datetime, *, limit: int) -> int:
    """Let the oldest go, so many at most; how many went."""
    if remnant is Remnant.AUDIT:
        return _drop_audit(transaction, before, limit)
    transaction.run(_DROPPED[remnant], {"before": to_micros(before), "limit": limit})
    return transaction.changed()


def _drop_audit(transaction: Transaction, before: datetime, limit: int) -> int:
    begin = checkpoint_of(transaction, audit_key(transaction))
    if begin is None:
        return 0
    until = min(_last_to_go(transaction, before), begin.sequence + limit)
    return let_go(transaction, until) or 0


def _last_to_go(transaction: Transaction, before: datetime) -> int:
    """The last line of the audit before which all are old and told to every webhook.

    The last line of all stays: it shows that the chain goes on from the checkpoint.
    """
    length = audit_length(transaction)
    recent = transaction.rows("first_recent_audit_line", {"before": to_micros(before)})
    first = cast(int, recent[0][0]) if recent else length
    waiting = [
        each.cursor
        for each in WebhookTable(transaction).all()
        if each.is_active and each.direction is Direction.OUT and not each.is_given_up
    ]
    return min([first - 1, length - 1, *waiting])
