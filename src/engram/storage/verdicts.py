"""Statements that wait to be compared with those that they may replace."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.storage.database import Transaction
from engram.storage.rows import scope_at


@dataclass(frozen=True, slots=True)
class PendingVerdict:
    """One statement that waits, and who said it."""

    number: int
    scope: Scope
    actor: str


def queue_verdict(transaction: Transaction, memory: Memory, actor: str) -> None:
    """Note that a statement waits for a verdict."""
    transaction.run(
        "queue_verdict", {"number": memory.number, "scope": memory.scope.path, "actor": actor}
    )


def pending_verdicts(
    transaction: Transaction, *, after: int = 0, limit: int
) -> list[PendingVerdict]:
    """The statements that wait, in the order in which they came."""
    rows = transaction.rows("pending_verdicts", {"after": after, "limit": limit})
    return [
        PendingVerdict(cast(int, number), scope_at(cast(str, scope)), cast(str, actor))
        for number, scope, actor in rows
    ]


def await_verdicts(transaction: Transaction, numbers: Iterable[int]) -> set[int]:
    """Those of some statements that still wait."""
    listed = f"[{','.join(map(str, numbers))}]"
    return {cast(int, row[0]) for row in transaction.rows("awaits_verdict", {"numbers": listed})}


def take_verdict(transaction: Transaction, number: int) -> bool:
    """Take a statement off the queue; False when another process has judged it since."""
    transaction.run("take_verdict", {"number": number})
    return transaction.changed() == 1
