"""What memories claim, kept for finding statements about the same thing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from engram.memory.categories import TURN
from engram.memory.dreams.report import CONCLUDED
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.storage.database import Transaction, Value
from engram.storage.rows import memory_from_row

if TYPE_CHECKING:
    from engram.memory.claims import Claim

_LONGEST = 400  # characters; what is longer says more than one thing


@dataclass(frozen=True, slots=True)
class KeptClaim:
    """What a memory claims, as its row has it: enough to see which speak of the same thing."""

    number: int
    key: tuple[str, str]  # subject and predicate
    said: tuple[str, bool]  # the value, and whether it is denied
    is_functional: bool


class ClaimReader:
    """Claims seen through one caller's reach."""

    def __init__(self, transaction: Transaction, reach: Mapping[str, Value]) -> None:
        self._transaction = transaction
        self._reach = reach

    def about_the_same(self, claim: "Claim", scope: Scope, *, limit: int = 5) -> list[Memory]:
        """The newest statements of a scope that make a claim of the same subject and predicate."""
        subject, predicate = claim.key
        found = self._transaction.rows(
            "claims_about",
            {
                **self._reach,
                "subject": subject,
                "predicate": predicate,
                "scope": scope.path,
                "limit": limit,
            },
        )
        return [memory_from_row(row) for row in found]

    def of_scope(self, scope: Scope) -> list[KeptClaim]:
        """What the statements of a scope that are in force claim, in the order of their numbers."""
        found = self._transaction.rows("claims_in_scope", {**self._reach, "scope": scope.path})
        return [
            KeptClaim(
                cast(int, number),
                (cast(str, subject), cast(str, predicate)),
                (cast(str, value), bool(is_negated)),
                bool(is_functional),
            )
            for number, subject, predicate, value, is_negated, is_functional in found
        ]


def keep_claim(transaction: Transaction, memory: Memory) -> None:
    """Keep what a memory's present wording claims, and forget what an earlier one did.

    Only what has one value at a time is looked for again, and what may be given up by name; words
    of a conversation claim nothing by themselves, but what is drawn from them does.
    """
    if memory.version > 1:
        transaction.run("drop_claim", {"number": memory.number})
    # What follows from beliefs is told by them; claimed once more it would prove itself.
    is_concluded = memory.source == CONCLUDED
    if memory.category == TURN or is_concluded or len(memory.content) > _LONGEST:
        return
    # Imported here: who only reads never loads the rules of claims.
    from engram.memory.claims import claim_of
    from engram.memory.claims.table import GIVEN_UP_BY_NAME

    claim = claim_of(memory.content, speaker=memory.speaker)
    if claim is None or not (claim.is_functional or claim.predicate in GIVEN_UP_BY_NAME):
        return
    subject, predicate = claim.key
    transaction.run(
        "insert_claim",
        {
            "number": memory.number,
            "scope": memory.scope.path,
            "subject": subject,
            "predicate": predicate,
            "object": claim.object,
            "is_negated": int(claim.is_negated),
            "is_functional": int(claim.is_functional),
        },
    )
