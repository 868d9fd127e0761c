"""One prompt on its way: what may go in, how it is laid out, and what is taken down of it.

The library's `context` and a turn's `build` both go this way: a turn says how long its steps took
and does without what fails.
"""

import dataclasses
from typing import TYPE_CHECKING

from engram.context.assemble import assemble
from engram.context.budget import budget_of
from engram.context.cost import tools_tokens
from engram.context.history import Tiers
from engram.context.message import read_messages
from engram.context.options import ContextOptions
from engram.context.window import Context, Offered
from engram.engine.offering import Offering
from engram.engine.steps import Steps
from engram.providers.model_registry import limits_of
from engram.providers.tokenizers import counter_for

if TYPE_CHECKING:
    from engram.engine.contexts import Composing, Wanted


class Composition:
    """What one caller wants in one model's window."""

    def __init__(self, engram: "Composing", wanted: "Wanted", options: ContextOptions) -> None:
        self._wanted, self._tiers = wanted, Tiers.of(options)
        self.limits = limits_of(wanted.model, engram.settings.models)
        self.counter = counter_for(self.limits.tokenizer)
        self.budget = budget_of(
            options, window=self.limits.window, output=self.limits.output, asked=wanted.budget,
            tools=tools_tokens(wanted.tools, self.counter.count),
        )  # fmt: skip
        self._gathering = Offering(engram, wanted, options, self.budget)

    def made(self, messages: object, steps: Steps) -> Context:
        """The whole way in its order; done without memory where it fails and `steps` allow that."""
        with steps.step("recall"):
            read = read_messages(messages, self._wanted.system or "")
            offered = Offered(messages=read, system=self._wanted.system or "")
            with steps.tolerating("recall"):
                offered = self._gathering.offered(read)
        with steps.step("build"):
            laid_out = self._laid_out(offered)
            with steps.tolerating("audit"):
                self._gathering.note(laid_out)
        return laid_out

    def _laid_out(self, offered: Offered) -> Context:
        """The prompt within its budget."""
        made = assemble(offered, self.budget, self.counter, self._tiers)
        return dataclasses.replace(made, model=self.limits, notes=(*self._lowered(), *made.notes))

    def _lowered(self) -> tuple[str, ...]:
        """A budget that no window has is cut to what there is: said, not done in silence."""
        asked = self._wanted.budget
        if asked is None or asked <= self.budget.tokens:
            return ()
        room = f"{self.limits.name} has room for {self.budget.tokens:,}"
        return (f"{asked:,} tokens were asked for; {room}.",)
