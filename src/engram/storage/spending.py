"""The ledger of calls to language models: reserved before they are made, settled after."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import cast

from engram.memory.scopes import Reach, Scope
from engram.memory.times import from_micros, to_micros
from engram.storage.database import Row, Transaction, Value
from engram.storage.part_readers import reach_parameters

_DAY_MICROS = timedelta(days=1) // timedelta(microseconds=1)


class CallOutcome(StrEnum):
    """How a call stands."""

    RESERVED = "reserved"  # under way, or its process died: counted in full
    ANSWERED = "answered"
    FAILED = "failed"  # may have cost what was reserved: counted in full
    UNREACHED = "unreached"  # nobody read it: not counted


@dataclass(frozen=True, slots=True)
class Spent:
    """What a scope has used of its limits."""

    calls: int
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedCall:
    """A call about to be made, and the most it can take."""

    at: datetime
    scope: Scope
    purpose: str
    model: str
    tokens_in: int
    tokens_out: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendingRow:
    """The calls of one day (UTC) with one purpose, model and outcome."""

    day: date
    purpose: str
    model: str
    outcome: CallOutcome
    calls: int
    tokens_in: int
    tokens_out: int
    milliseconds: int


class SpendingLedger:
    """The ledger inside one transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def spent(self, scope: Scope, *, since: datetime, until: datetime) -> Spent:
        """What calls of exactly this scope have taken in a span of time."""
        span: dict[str, Value] = {
            "since": to_micros(since),
            "until": to_micros(until),
            "scope": scope.path,
        }
        [(calls, tokens)] = self._transaction.rows("spent_between", span)
        return Spent(cast(int, calls), cast(int, tokens))

    def reserve(self, call: PlannedCall) -> int:
        """Write down a call before it is made; returns the key to settle it by."""
        return self._transaction.insert(
            "reserve_call",
            {
                "at": to_micros(call.at),
                "scope": call.scope.path,
                "purpose": call.purpose,
                "model": call.model,
                "tokens_in": call.tokens_in,
                "tokens_out": call.tokens_out,
            },
        )

    def settle(
        self,
        key: int,
        outcome: CallOutcome,
        *,
        tokens_in: int,
        tokens_out: int,
        milliseconds: int,
    ) -> None:
        """Write down how a reserved call ended."""
        self._transaction.run(
            "settle_call",
            {
                "id": key,
                "outcome": outcome.value,
                "tokens_in": tokens_in,
                "tokens_out": tokens_out,
                "milliseconds": milliseconds,
            },
        )

    def by_day(self, reach: Reach, *, since: datetime, until: datetime) -> list[SpendingRow]:
        """The calls of the scopes in reach, summed up, oldest first."""
        span: dict[str, Value] = {
            "since": to_micros(since),
            "until": to_micros(until),
            "day": _DAY_MICROS,
        }
        found = self._transaction.rows("spending_by_day", {**reach_parameters(reach), **span})
        return [_spending_row(row) for row in found]


def _spending_row(row: Row) -> SpendingRow:
    day, purpose, model, outcome, calls, tokens_in, tokens_out, milliseconds = row
    return SpendingRow(
        day=from_micros(cast(int, day) * _DAY_MICROS).date(),
        purpose=cast(str, purpose),
        model=cast(str, model),
        outcome=CallOutcome(cast(str, outcome)),
        calls=cast(int, calls),
        tokens_in=cast(int, tokens_in),
        tokens_out=cast(int, tokens_out),
        milliseconds=cast(int, milliseconds),
    )
