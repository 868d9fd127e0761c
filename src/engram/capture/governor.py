"""Keeps calls to a language model within hard limits, and knows what they took and cost.

A call is written down with the most it can take, in the transaction that checks the limits, and
corrected when it is over: however many processes share a store, they stay below together. What a
process leaves behind when it dies counts in full.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from engram.errors import ModelUnavailable
from engram.memory.scopes import Scope
from engram.providers.language_model import Completion, LanguageModel, Prompt, prompt_tokens
from engram.providers.model_options import ModelOptions
from engram.providers.price import estimated_cost
from engram.storage.spending import CallOutcome, PlannedCall, SpendingLedger, SpendingRow, Spent
from engram.storage.store import Store

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class SpendingLine:
    """One line of the report: what was called, and its cost at the prices set now."""

    row: SpendingRow
    cost: float | None  # None: no prices are set


@dataclass(frozen=True, slots=True)
class SpendingReport:
    """What models took and cost, by day, purpose, model and outcome."""

    lines: tuple[SpendingLine, ...]
    calls: int
    tokens_in: int
    tokens_out: int
    cost: float | None


class GovernedModel:
    """A language model that one scope may use within its daily limits."""

    def __init__(
        self,
        model: LanguageModel,
        store: Store,
        scope: Scope,
        *,
        options: Callable[[], ModelOptions],
        clock: Callable[[], datetime],
    ) -> None:
        self._model = model
        self._store = store
        self._scope = scope
        self._options = options
        self._clock = clock

    @property
    def name(self) -> str:
        """The name of the model that answers."""
        return self._model.name

    def complete(self, prompt: Prompt) -> Completion:
        """Ask the model when the limits allow it; no transaction is open meanwhile."""
        planned = self._planned(prompt)
        key = self._reserve(planned)
        try:
            completion = self._model.complete(prompt)
        except ModelUnavailable as error:
            outcome = CallOutcome.UNREACHED if error.is_unspent else CallOutcome.FAILED
            taken = (0, 0) if error.is_unspent else (planned.tokens_in, planned.tokens_out)
            self._settle(key, outcome, taken, planned.at)
            raise
        taken = (completion.tokens_in, completion.tokens_out)
        self._settle(key, CallOutcome.ANSWERED, taken, planned.at)
        return completion

    def close(self) -> None:
        """Let go of the model."""
        self._model.close()

    def _planned(self, prompt: Prompt) -> PlannedCall:
        return PlannedCall(
            at=self._clock(),
            scope=self._scope,
            purpose=prompt.purpose,
            model=self._model.name,
            tokens_in=prompt_tokens(prompt),
            tokens_out=prompt.max_tokens,
        )

    def _reserve(self, call: PlannedCall) -> int:
        options = self._options()
        midnight = call.at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        with self._store.derive() as transaction:
            ledger = SpendingLedger(transaction)
            spent = ledger.spent(self._scope, since=midnight, until=midnight + _DAY)
            check_limits(spent, call.tokens_in + call.tokens_out, options)
            return ledger.reserve(call)

    def _settle(
        self, key: int, outcome: CallOutcome, taken: tuple[int, int], started: datetime
    ) -> None:
        milliseconds = max(0, (self._clock() - started) // timedelta(milliseconds=1))
        with self._store.derive() as transaction:
            SpendingLedger(transaction).settle(
                key, outcome, tokens_in=taken[0], tokens_out=taken[1], milliseconds=milliseconds
            )


def check_limits(spent: Spent, tokens: int, options: ModelOptions) -> None:
    """Refuse one more call that could take so many tokens when it would pass a limit."""
    if spent.calls + 1 > options.max_calls_per_day:
        raise ModelUnavailable(
            hint=f"{spent.calls} calls were made today; model.max_calls_per_day allows "
            f"{options.max_calls_per_day}. Rules read until tomorrow.",
            is_unspent=True,
        )
    if spent.tokens + tokens > options.max_tokens_per_day:
        raise ModelUnavailable(
            hint=f"{spent.tokens} tokens were used today and this call could take {tokens}; "
            f"model.max_tokens_per_day allows {options.max_tokens_per_day}. Rules read instead.",
            is_unspent=True,
        )


def spending_report(rows: Sequence[SpendingRow], options: ModelOptions) -> SpendingReport:
    """What the ledger's rows come to, with their cost at the prices set now."""
    tokens_in = sum(row.tokens_in for row in rows)
    tokens_out = sum(row.tokens_out for row in rows)
    lines = (
        SpendingLine(row, estimated_cost(row.tokens_in, row.tokens_out, options)) for row in rows
    )
    return SpendingReport(
        tuple(lines),
        sum(row.calls for row in rows),
        tokens_in,
        tokens_out,
        estimated_cost(tokens_in, tokens_out, options),
    )
