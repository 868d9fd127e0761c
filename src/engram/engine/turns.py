"""One call around any agent's turn: resolve, recall, build, execute, capture, clean up."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import TracebackType
from typing import TYPE_CHECKING, Self

# Those named twice are what callers are given: they know the engine alone.
from engram.capture.results import is_trivial, result_arguments
from engram.context.assemble import assemble
from engram.context.budget import budget_of
from engram.context.history import Tiers
from engram.context.message import read_messages
from engram.context.runners import Runner, find_runner, session_name, shared_out
from engram.context.running import SessionKey
from engram.context.tool_cache import CacheLimits
from engram.context.tool_cache import SessionTools as SessionTools
from engram.context.tool_cache import tool_key as tool_key
from engram.context.trajectory import noted
from engram.context.truncation import Message as Message
from engram.context.truncation import fit, shortened_text
from engram.context.window import Context as Context
from engram.context.window import Offered
from engram.engine.contexts import Wanted, checked_words
from engram.engine.offering import Offering
from engram.engine.turn_report import Captured, TurnStep
from engram.engine.turn_report import TurnReport as TurnReport
from engram.engine.turn_words import keepable, writable
from engram.errors import (
    Cancelled,
    EngramError,
    InvalidInput,
    ProviderError,
    SearchTimeout,
    StoreError,
)
from engram.memory.scopes import Scope
from engram.memory.texts import checked_name
from engram.memory.trust import may_enter_unasked
from engram.providers.model_registry import LanguageModelLimits as LanguageModelLimits
from engram.providers.model_registry import limits_of
from engram.providers.tokenizers import counter_for

if TYPE_CHECKING:
    from engram.engine.facade import Engram
    from engram.memory.outcomes import Observed
    from engram.memory.record import Memory
    from engram.memory.tokens.counter import TokenCounter

_MOST_TURNS = 200  # of a session that are read back; what is older is recalled
_TOOL_TOKENS = 1_000  # of a tool's answer that are kept
# What may be missing without the agent's turn being lost; anything else is wrong use.
_MAY_FAIL = (StoreError, ProviderError, SearchTimeout)
_SPOKEN = {"user": "user", "assistant": "assistant", "result": "assistant", "system": "user"}
_ASKED_BY = "asked_by"  # on what a runner asked in nobody's name


@dataclass(frozen=True, slots=True)
class _Said:
    """One thing that was said in the turn."""

    text: str
    at: datetime
    tool: str = ""
    outcome: str | None = None


@dataclass(frozen=True, slots=True)
class _Resolved:
    """What a turn knows before it begins."""

    runner: Runner
    session: str
    scope: Scope | None
    place: Scope
    system: str | None
    limits: LanguageModelLimits
    counter: "TokenCounter"


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
        self._steps: list[TurnStep] = []
        self._ended = "unused"
        with self._step("resolve"):
            checked_words(system, name="system")
            kind = find_runner(runner)
            limits = limits_of(model, engram.settings.models)
            place = engram.principal.write_scope(scope)
            engram.principal.reach(scope)
            self._resolved = _Resolved(
                kind, session_name(kind, session), scope, place, system, limits,
                counter_for(limits.tokenizer),
            )  # fmt: skip
        self._asked: _Said | None = None
        self._answer: _Said | None = None
        self._tools: list[_Said] = []
        self._questions: list[str] = []
        self._window: Context | None = None
        self._executing = 0.0
        self._answer_tokens = 0
        self._shortened = self._dropped = 0
        self._captured: tuple[Captured, ...] = ()
        self._degraded: list[str] = []
        self._is_cancelled = False

    # What the agent does

    def build(
        self,
        said: str,
        *,
        history: Sequence[Message] | None = None,
        query: str | None = None,
        mode: str | None = None,
        budget: int | None = None,
    ) -> Context:
        """What goes into the model's window to answer what was said.

        `history` is the conversation so far as the caller has it; without it, what was said in
        the session before.
        """
        self._check_open()
        if not isinstance(said, str) or not said.strip():
            raise InvalidInput(hint="`said` is what is to be answered: a text that is not empty.")
        self._asked = _Said(writable(said), self._engram._clock())
        options = shared_out(self._resolved.runner, self._engram.settings.context)
        limits = self._resolved.limits
        room = budget_of(options, window=limits.window, output=limits.output, asked=budget)
        wanted = self._wanted(query or self._asked.text, mode, budget)
        gathering = Offering(self._engram, wanted, options, room)
        self._questions.append(wanted.query or "")
        with self._step("recall"):
            before = self._said_before() if history is None else _listed(history)
            now = {"role": "user", "content": self._asked.text}
            offered = self._offered(gathering, [*before, now])
        with self._step("build"):
            made = assemble(offered, room, self._resolved.counter, Tiers.of(options))
            self._window = replace(made, model=limits)
            with self._tolerating("audit", *_MAY_FAIL):
                gathering.note(self._window)
        self._degraded += [each for each in self._window.degraded if each not in self._degraded]
        self._executing = time.perf_counter()
        return self._window

    def answered(self, text: str, *, outcome: str | None = None) -> None:
        """What the model came to, kept when the turn ends well; the last one counts.

        `outcome` says how a task ended: success, partial or failure.
        """
        self._check_open()
        if not isinstance(text, str):
            raise InvalidInput(hint="`text` is what the model answered.")
        if outcome is not None:
            result_arguments("task", None, outcome, {})  # checks it
        self._answer = _Said(writable(text), self._engram._clock(), outcome=outcome)
        self._answer_tokens = self._resolved.counter.count(text)

    def tool_result(self, name: str, arguments: Mapping[str, object], text: str) -> None:
        """What a tool answered, kept beside the turn; a long one by its beginning and end."""
        self._check_open()
        checked_name(name, name="name")
        if not isinstance(arguments, Mapping) or not isinstance(text, str):
            raise InvalidInput(hint="`arguments` is a dictionary and `text` what the tool said.")
        if text.strip():
            self._tools.append(_Said(writable(text), self._engram._clock(), tool=name))

    def fit(self, messages: Sequence[Message]) -> list[Message]:
        """The messages of a running loop within their share of the window, oldest out first.

        Never without the system prompt, the last thing asked, or half of a tool's call and its
        answer; long answers of tools are shortened before anything is left out.
        """
        self._check_open()
        share = self._engram.settings.context.loop_share
        limit = int(self._resolved.limits.window * share)
        fitted = fit(messages, limit, self._resolved.counter)
        self._shortened += fitted.shortened
        self._dropped += fitted.dropped
        if not fitted.fits:
            self._degrade("fit", fitted.why)
        return list(fitted.messages)

    @property
    def tools(self) -> SessionTools:
        """What this session's tools answered in the last minutes: `tools.get(key, make)`."""
        engram, resolved = self._engram, self._resolved
        return engram._parts.tool_caches.of(
            (engram.principal.holder, resolved.session), resolved.place.path, engram._clock,
            self._cache_limits,
        )  # fmt: skip

    def _cache_limits(self) -> CacheLimits:
        options = self._engram.settings.context
        return CacheLimits(
            timedelta(minutes=options.tool_cache_minutes), options.tool_cache_entries
        )

    def cancel(self) -> None:
        """Take the turn back: nothing of it will be kept. Safe from any thread."""
        self._is_cancelled = True

    @property
    def is_cancelled(self) -> bool:
        """Whether the turn was taken back; an agent's loop looks here between its steps."""
        return self._is_cancelled

    @property
    def session(self) -> str:
        """The session, as its runner calls it."""
        return self._resolved.session

    @property
    def model(self) -> LanguageModelLimits:
        """What the model can take."""
        return self._resolved.limits

    @property
    def report(self) -> TurnReport:
        """How the turn went so far."""
        window = self._window
        return TurnReport(
            session=self.session,
            runner=self._resolved.runner.name,
            model=self._resolved.limits.name,
            ended=self._ended,
            steps=tuple(self._steps),
            tokens=window.tokens if window else 0,
            budget=window.budget if window else 0,
            answer_tokens=self._answer_tokens,
            memories=len(window.memories) if window else 0,
            captured=self._captured,
            shortened=self._shortened,
            dropped=self._dropped,
            degraded=tuple(self._degraded),
            notice=self._resolved.limits.notice,
        )

    # Coming and going

    def __enter__(self) -> Self:
        if self._ended != "unused":
            raise InvalidInput(hint="A turn is used once: ask for another one.")
        self._engram._parts.running_turns.claim(self._key, self)
        self._ended = "open"
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if self._executing:
                self._steps.append(TurnStep("execute", _since(self._executing)))
            self._ended = self._how_it_ends(error)
            if self._ended == "cancelled":
                self._turn_back()
            elif self._asked is not None:
                self._capture()
        finally:
            with self._step("clean up"):
                self._engram._parts.running_turns.release(self._key, self)
                self._asked = self._answer = None
                self._tools.clear()

    def _how_it_ends(self, error: BaseException | None) -> str:
        if self._is_cancelled or isinstance(error, Cancelled):
            return "cancelled"
        if error is not None and not isinstance(error, Exception):
            return "cancelled"  # a task that was cancelled, or somebody at the keyboard
        return "done" if error is None else "failed"

    @property
    def _key(self) -> SessionKey:
        resolved = self._resolved
        return (self._engram.principal.holder, resolved.place.path, resolved.session)

    def _check_open(self) -> None:
        if self._ended != "open":
            raise InvalidInput(hint="Use a turn inside its `with`.")

    # Recall and build

    def _offered(self, gathering: Offering, messages: list[Message]) -> Offered:
        """What may go in; the conversation alone where memory cannot be asked."""
        read = read_messages(messages)
        try:
            return gathering.offered(read)
        except _MAY_FAIL as error:
            self._degrade("recall", _told(error))
            return Offered(messages=read, system=self._resolved.system or "")

    def _wanted(self, query: str, mode: str | None, budget: int | None) -> Wanted:
        resolved = self._resolved
        return Wanted(
            model=resolved.limits.name, budget=budget, session=resolved.session,
            system=resolved.system, query=query, mode=mode or resolved.runner.mode,
            scope=resolved.scope,
        )  # fmt: skip

    def _said_before(self) -> list[Message]:
        """What is kept of the session so far, oldest first."""
        if not self._resolved.runner.reads_history:
            return []
        found: list[Memory] = []
        with self._tolerating("history", *_MAY_FAIL):
            found = self._engram.list(
                category="turn", session=self.session, limit=_MOST_TURNS, scope=self._resolved.scope
            )
        # A session of the same name in a wider scope is another conversation; and who else writes
        # into this one puts no orders into its prompts.
        own = [each for each in found if each.scope == self._resolved.place]
        fair = [each for each in own if may_enter_unasked(each)]
        spoken = [each for each in fair if each.metadata.get("role") in _SPOKEN]
        ordered = sorted(spoken, key=lambda each: (each.at, each.number))
        return self._without_this([_message(each) for each in ordered])

    def _without_this(self, before: list[Message]) -> list[Message]:
        """What was said before, less what is asked again now because nothing answered it."""
        again = {"role": "user", "content": self._asked.text if self._asked else ""}
        while before and before[-1] == again:
            before = before[:-1]
        return before

    # Capture

    def _capture(self) -> None:
        with self._step("capture"):
            self._asked = self._keepable(self._asked, "what was asked")
            if self._ended == "done":
                self._answer = self._keepable(self._answer, "the answer")
            # All of it or nothing: half a turn would be told as if the other side were silent.
            with self._tolerating("capture", EngramError):
                told = list(self._to_observe())
                observed = self._engram.observe_many([item for _, item in told])
                self._captured = tuple(
                    _captured(role, each) for (role, _), each in zip(told, observed, strict=True)
                )
            self._bring_to_mind()

    def _keepable(self, said: _Said | None, name: str) -> _Said | None:
        """What was said, by its beginning and end where the store takes no more."""
        if said is None:
            return None
        kept = keepable(said.text, self._engram.settings.capture.max_input_bytes)
        if kept != said.text:
            self._degrade("capture", f"{name} is too long to keep; its beginning and end are kept")
        return replace(said, text=kept)

    def _turn_back(self) -> None:
        """Let the conversation not go on from questions that were taken back."""
        trajectories = self._engram._parts.trajectories
        key = self._engram._trajectory_key(self.session, self._resolved.scope)
        turns = (trajectories.as_document(key) or {}).get("turns")
        heard = [each.digest for each in trajectories.recent(key)]
        left = len(heard)
        for question in reversed(self._questions):
            read = self._engram._question(question).text
            if left and heard[left - 1] == noted(read, None).digest:
                left -= 1
        if isinstance(turns, list) and left < len(turns):
            trajectories.forget(key)
            trajectories.restore(key, {"turns": turns[:left]})

    def _to_observe(self) -> Iterator[tuple[str, dict[str, object]]]:
        runner, asked = self._resolved.runner, self._asked
        if asked is not None:
            by = None if runner.speaks_for_a_person else {_ASKED_BY: runner.name}
            yield (
                "asked",
                self._item(asked, role=runner.asked_as, source=runner.asked_source, metadata=by),
            )
        if self._ended != "done":
            return
        for tool in self._tools:
            text = shortened_text(tool.text, _TOOL_TOKENS, self._resolved.counter)
            yield "tool", self._item(replace(tool, text=text), role="tool", speaker=tool.tool)
        if self._answer is not None and self._answer.text.strip():
            yield "answer", self._answer_item(self._answer)

    def _answer_item(self, answer: _Said) -> dict[str, object]:
        runner = self._resolved.runner
        if runner.result_kind is None or is_trivial(answer.text):
            return self._item(answer, role="assistant")
        name = self.session.removeprefix(runner.prefix)
        return self._item(answer, **result_arguments(runner.result_kind, name, answer.outcome, {}))

    def _item(self, said: _Said, **given: object) -> dict[str, object]:
        return {
            "text": said.text, "at": said.at, "session": self.session,
            "scope": self._resolved.scope, **given,
        }  # fmt: skip

    def _bring_to_mind(self) -> None:
        """Working memory, momentum and what may be asked next; each does without the others."""
        engram, session, scope = self._engram, self.session, self._resolved.scope
        spoken = [(self._resolved.runner.asked_as, self._asked)]
        if self._ended == "done":
            spoken.append(("assistant", self._answer))
        told = [(role, said.text) for role, said in spoken if said and said.text.strip()]
        with self._tolerating("topic", EngramError):
            shift = engram._topic_shift(session, told[0][1], scope=scope)
            engram.working.topic(shift, session=session, scope=scope)
        for role, text in told:
            with self._tolerating("working memory", EngramError):
                engram.working.hear(text, role, session=session, scope=scope)
            if not self._captured:  # the store will not tell of it
                with self._tolerating("momentum", EngramError):
                    engram._note_turn(session, text, scope=scope)
        with self._tolerating("anticipation", EngramError):
            engram._anticipate(session, scope=scope)

    @contextmanager
    def _tolerating(self, part: str, *errors: type[EngramError]) -> Iterator[None]:
        try:
            yield
        except errors as error:
            self._degrade(part, _told(error))

    def _degrade(self, part: str, why: str) -> None:
        told = f"{part}: {why}"
        if told not in self._degraded:
            self._degraded.append(told)

    @contextmanager
    def _step(self, name: str) -> Iterator[None]:
        begun = time.perf_counter()
        try:
            yield
        finally:
            self._steps.append(TurnStep(name, _since(begun)))


def _since(begun: float) -> float:
    return (time.perf_counter() - begun) * 1_000


def _listed(history: object) -> list[Message]:
    if isinstance(history, str | Mapping) or not isinstance(history, Iterable):
        raise InvalidInput(hint="`history` is a list of messages.")
    return list(history)


def _told(error: EngramError) -> str:
    return f"{error.code} {error.message}"


def _captured(role: str, observed: "Observed") -> Captured:
    return Captured(role, observed.kind, observed.memory.id)


def _message(turn: "Memory") -> Message:
    is_asked = _ASKED_BY in turn.metadata
    role = "user" if is_asked else _SPOKEN[str(turn.metadata.get("role"))]
    return {"role": role, "content": turn.content}
