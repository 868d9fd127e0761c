"""One call around any agent's turn: resolve, recall, build, execute, capture, clean up."""

import os
import time
from collections.abc import Mapping, Sequence
from datetime import timedelta
from types import TracebackType
from typing import TYPE_CHECKING, Self

# Those named twice are what callers are given: they know the engine alone.
from engram.capture.results import result_arguments
from engram.context.runners import shared_out
from engram.context.tool_cache import CacheLimits
from engram.context.tool_cache import SessionTools as SessionTools
from engram.context.tool_cache import tool_key as tool_key
from engram.context.truncation import Message as Message
from engram.context.truncation import fit
from engram.context.window import Context as Context
from engram.engine.composition import Composition
from engram.engine.contexts import Wanted
from engram.engine.steps import Steps
from engram.engine.turn_capture import capture, fit_to_keep
from engram.engine.turn_history import brought_along, said_before
from engram.engine.turn_mind import bring_to_mind, turn_back
from engram.engine.turn_report import Captured
from engram.engine.turn_report import TurnReport as TurnReport
from engram.engine.turn_setting import Said, Told, resolve
from engram.engine.turn_words import with_tools_spelled_out, writable
from engram.errors import Cancelled, InvalidInput, ProviderError, SearchTimeout, StoreError
from engram.memory.scopes import Scope
from engram.providers.model_registry import LanguageModelLimits as LanguageModelLimits
from engram.text.strings import checked_name

if TYPE_CHECKING:
    from engram.engine.facade import Engram

# What may be missing without the agent's turn being lost; anything else is wrong use.
_MAY_FAIL = (StoreError, ProviderError, SearchTimeout)


class Turn:
    """A turn of an agent, from what is asked to what is kept of it; used once, with `with`.

    Memory never fails the agent: what it has to do without is said in the `report`. Wrong use
    raises. Left by an exception nothing of the answer is kept, but what a person said is; left by
    a cancellation nothing is kept at all.
    """

    def __init__(
        self,
        engram: "Engram",
        session: str,
        *,
        model: str,
        runner: str = "chat",
        system: str | None = None,
        scope: Scope | None = None,
    ) -> None:
        self._engram = engram
        self._steps = Steps(_MAY_FAIL)
        self._ended = "unused"
        with self._steps.step("resolve"):
            self._setting = resolve(
                engram, session, model=model, runner=runner, system=system, scope=scope
            )
        self._asked: Said | None = None
        self._answer: Said | None = None
        self._tools: list[Said] = []
        self._questions: list[str] = []
        self._window: Context | None = None
        self._executing = 0.0
        self._answer_tokens = 0
        self._shortened = self._dropped = 0
        self._tools_tokens = 0
        self._captured: tuple[Captured, ...] = ()
        self._is_cancelled = False
        self._process = os.getpid()

    # What the agent does

    def build(
        self,
        said: str,
        *,
        history: Sequence[Message] | None = None,
        query: str | None = None,
        mode: str | None = None,
        budget: int | None = None,
        tools: Sequence[Mapping[str, object]] = (),
    ) -> Context:
        """What goes into the model's window to answer what was said.

        `history` is the conversation so far as the caller has it; without it, what was said in
        the session before. `tools` are the schemas that are sent beside it: what they take is kept
        free, here and in `fit`.
        """
        self._check_open()
        if not isinstance(said, str) or not said.strip():
            raise InvalidInput(hint="`said` is what is to be answered: a text that is not empty.")
        self._asked = Said(writable(said), self._engram._clock())
        setting, text = self._setting, self._asked.text
        wanted = Wanted(
            model=setting.model, budget=budget, session=setting.session, system=setting.system,
            query=query or text, mode=mode or setting.runner.mode, tools=tools,
            scope=setting.scope,
        )  # fmt: skip
        self._questions.append(query or text)
        with self._steps.step("recall"):
            before = self._before(text) if history is None else brought_along(history)
        options = shared_out(setting.runner, self._engram.settings.context)
        composition = Composition(self._engram, wanted, options)
        now = {"role": "user", "content": text}
        self._window = composition.made([*before, now], self._steps)
        self._tools_tokens = composition.budget.tools
        self._steps.note(*self._window.degraded)
        self._executing = time.perf_counter()
        return self._window

    def _before(self, asked: str) -> list[Message]:
        with self._steps.tolerating("history"):
            return said_before(self._engram, self._setting, asked)
        return []

    def answered(self, text: str, *, outcome: str | None = None) -> None:
        """What the model came to, kept when the turn ends well; the last one counts.

        `outcome` says how a task ended: success, partial or failure.
        """
        self._check_open()
        if not isinstance(text, str):
            raise InvalidInput(hint="`text` is what the model answered.")
        if outcome is not None:
            result_arguments("task", None, outcome, {})  # checks it
        self._answer = Said(writable(text), self._engram._clock(), outcome=outcome)
        self._answer_tokens = self._setting.counter.count(text)

    def tool_result(self, name: str, arguments: Mapping[str, object], text: str) -> None:
        """What a tool answered, kept beside the turn; a long one by its beginning and end."""
        self._check_open()
        checked_name(name, name="name")
        if not isinstance(arguments, Mapping) or not isinstance(text, str):
            raise InvalidInput(hint="`arguments` is a dictionary and `text` what the tool said.")
        if text.strip():
            self._tools.append(Said(writable(text), self._engram._clock(), tool=name))

    def fit(self, messages: Sequence[Message]) -> list[Message]:
        """The messages of a running loop within their share of the window, oldest out first.

        Never without the system prompt, the last thing asked, or half of a tool's call and its
        answer; long answers of tools are shortened before anything is left out. What a tool says
        passes for no memory: a tag of memories in it is spelled out.
        """
        self._check_open()
        share = self._engram.settings.context.loop_share
        limit = max(1, int(self.model.window * share) - self._tools_tokens)
        fitted = fit(with_tools_spelled_out(messages), limit, self._setting.counter)
        self._shortened += fitted.shortened
        self._dropped += fitted.dropped
        if not fitted.fits:
            self._steps.do_without("fit", fitted.why)
        return list(fitted.messages)

    @property
    def tools(self) -> SessionTools:
        """What this session's tools answered in the last minutes: `tools.get(key, make)`."""
        engram = self._engram
        return engram._parts.tool_caches.of(self._setting.key, engram._clock, self._cache_limits)

    def _cache_limits(self) -> CacheLimits:
        options = self._engram.settings.context
        return CacheLimits(
            timedelta(minutes=options.tool_cache_minutes), options.tool_cache_entries
        )

    def cancel(self) -> None:
        """Take the turn back: nothing of it will be kept. Safe from any thread."""
        self._is_cancelled = True

    # What can be seen of it

    @property
    def is_cancelled(self) -> bool:
        """Whether the turn was taken back; an agent's loop looks here between its steps."""
        return self._is_cancelled

    @property
    def session(self) -> str:
        """The session, as its runner calls it."""
        return self._setting.session

    @property
    def model(self) -> LanguageModelLimits:
        """What the model can take."""
        return self._setting.limits

    @property
    def report(self) -> TurnReport:
        """How the turn went so far."""
        window = self._window
        return TurnReport(
            session=self.session,
            runner=self._setting.runner.name,
            model=self.model.name,
            ended=self._ended,
            steps=tuple(self._steps.taken),
            tokens=window.tokens if window else 0,
            budget=window.budget if window else 0,
            answer_tokens=self._answer_tokens,
            memories=len(window.memories) if window else 0,
            captured=self._captured,
            shortened=self._shortened,
            dropped=self._dropped,
            degraded=tuple(self._steps.degraded),
            notice=self.model.notice,
        )

    # Coming and going

    def __enter__(self) -> Self:
        if self._ended != "unused":
            raise InvalidInput(hint="A turn is used once: ask for another one.")
        self._engram._parts.running_turns.claim(self._setting.key, self)
        self._ended = "open"
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if os.getpid() != self._process:  # a forked child leaves the turn of its parent
            self._ended = "cancelled"
            return
        try:
            if self._executing:
                self._steps.add("execute", self._executing)
            self._ended = self._how_it_ends(error)
            if self._ended == "cancelled":
                turn_back(self._engram, self._setting, self._questions)
            elif self._asked is not None:
                self._capture(self._asked)
        finally:
            with self._steps.step("clean up"):
                self._engram._parts.running_turns.release(self._setting.key, self)
                self._asked = self._answer = None
                self._tools.clear()

    def _how_it_ends(self, error: BaseException | None) -> str:
        if self._is_cancelled or isinstance(error, Cancelled):
            return "cancelled"
        if error is not None and not isinstance(error, Exception):
            return "cancelled"  # a task that was cancelled, or somebody at the keyboard
        return "done" if error is None else "failed"

    def _capture(self, asked: Said) -> None:
        is_done = self._ended == "done"
        said = Told(asked, tuple(self._tools), self._answer) if is_done else Told(asked)
        with self._steps.step("capture"):
            engram, setting, steps = self._engram, self._setting, self._steps
            told = fit_to_keep(said, engram.settings.capture.max_input_bytes, steps)
            self._captured = capture(engram, setting, told, steps)
            bring_to_mind(engram, setting, told, steps, is_kept=bool(self._captured))

    def _check_open(self) -> None:
        if self._ended != "open":
            raise InvalidInput(hint="Use a turn inside its `with`.")
