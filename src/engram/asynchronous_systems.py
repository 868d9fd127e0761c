"""Episodes, knowledge, skills and working memory for asynchronous programs: the same calls."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

from engram.awaited import Awaited
from engram.engine.episodes import Episodes
from engram.engine.knowing import Path
from engram.engine.knowledge import Knowledge
from engram.engine.skills import Skills
from engram.engine.working import Working
from engram.errors import InvalidInput
from engram.memory.knowledge.graph import Direction
from engram.upkeep import Upkeep

if TYPE_CHECKING:
    # What a turn takes and gives; named by the engine, which all of this is a form of.
    from engram.engine.turns import (
        Context,
        LanguageModelLimits,
        Message,
        SessionTools,
        Turn,
        TurnReport,
    )

_T = TypeVar("_T")


class AsyncEpisodes:
    """What happened, awaited."""

    def __init__(self, episodes: Episodes) -> None:
        self.awaited = episodes

    begin = Awaited(Episodes.begin)
    add = Awaited(Episodes.add)
    end = Awaited(Episodes.end)
    abandon = Awaited(Episodes.abandon)
    record = Awaited(Episodes.record)
    get = Awaited(Episodes.get)
    events = Awaited(Episodes.events)
    ongoing = Awaited(Episodes.ongoing)
    list = Awaited(Episodes.list)
    similar = Awaited(Episodes.similar)
    at = Awaited(Episodes.at)
    before = Awaited(Episodes.before)
    between = Awaited(Episodes.between)
    sequence = Awaited(Episodes.sequence)
    by_outcome = Awaited(Episodes.by_outcome)
    by_participant = Awaited(Episodes.by_participant)
    consolidate = Awaited(Episodes.consolidate)


class AsyncPath:
    """A way through what is known; laid out at once, awaited where it is gone."""

    def __init__(self, path: Path) -> None:
        self.awaited = path

    def follow(self, relation: str | None = None, direction: str = Direction.OUT) -> "AsyncPath":
        """One step along a relation, or along any: "out", "in" or "both" ways."""
        return AsyncPath(self.awaited.follow(relation, direction))

    def where(
        self,
        *,
        type: str | None = None,  # noqa: A002  # it is what callers call it
        label: str | None = None,
        confidence: float | None = None,
        epistemic: str | None = None,
    ) -> "AsyncPath":
        """Conditions on the last step: the node it comes to, and the belief it goes by."""
        return AsyncPath(
            self.awaited.where(type=type, label=label, confidence=confidence, epistemic=epistemic)
        )

    find = Awaited(Path.find)


class AsyncKnowledge:
    """What is believed, awaited."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.awaited = knowledge

    def path(self, start: str, **options: object) -> AsyncPath:
        """A way from somebody or something, to be laid out with `follow` and gone with `find`."""
        return AsyncPath(self.awaited.path(start, **options))  # type: ignore[arg-type]  # its own

    learn = Awaited(Knowledge.learn)
    learn_many = Awaited(Knowledge.learn_many)
    propose = Awaited(Knowledge.propose)
    alias = Awaited(Knowledge.alias)
    retract = Awaited(Knowledge.retract)
    belief = Awaited(Knowledge.belief)
    history = Awaited(Knowledge.history)
    support = Awaited(Knowledge.support)
    node = Awaited(Knowledge.node)
    nodes = Awaited(Knowledge.nodes)
    neighbours = Awaited(Knowledge.neighbours)
    activate = Awaited(Knowledge.activate)
    infer = Awaited(Knowledge.infer)
    query = Awaited(Knowledge.query)


class AsyncSkills:
    """How tasks are done, awaited."""

    def __init__(self, skills: Skills) -> None:
        self.awaited = skills
        # Nothing to wait for.
        self.register_check = skills.register_check
        self.register_extractor = skills.register_extractor

    add = Awaited(Skills.add)
    get = Awaited(Skills.get)
    list = Awaited(Skills.list)
    # mypy reads `**changes` as if it could swallow `self`
    revise = Awaited(Skills.revise)  # type: ignore[arg-type]  # `self` is meant
    retire = Awaited(Skills.retire)
    match = Awaited(Skills.match)
    feedback = Awaited(Skills.feedback)
    runs = Awaited(Skills.runs)
    warnings = Awaited(Skills.warnings)
    learn_from = Awaited(Skills.learn_from)
    record_flow = Awaited(Skills.record_flow)


class AsyncUpkeep:
    """The care of the store as a whole, awaited."""

    def __init__(self, upkeep: Upkeep) -> None:
        self.awaited = upkeep

    backup = Awaited(Upkeep.backup)
    restore = Awaited(Upkeep.restore)
    embed = Awaited(Upkeep.embed)
    warm = Awaited(Upkeep.warm)
    health = Awaited(Upkeep.health)
    vault_problem = Awaited(Upkeep.vault_problem)
    doctor = Awaited(Upkeep.doctor)
    encrypt = Awaited(Upkeep.encrypt)
    plain_backups = Awaited(Upkeep.plain_backups)
    decrypt = Awaited(Upkeep.decrypt)
    change_key = Awaited(Upkeep.change_key)
    add_key = Awaited(Upkeep.add_key)
    remove_key = Awaited(Upkeep.remove_key)
    recovery_key = Awaited(Upkeep.recovery_key)
    ways_in = Awaited(Upkeep.ways_in)
    renew_keys = Awaited(Upkeep.renew_keys)
    scope_of = Awaited(Upkeep.scope_of)
    scopes = Awaited(Upkeep.scopes)
    anticipated = Awaited(Upkeep.anticipated)
    recent_reads = Awaited(Upkeep.recent_reads)
    configure = Awaited(Upkeep.configure)
    record = Awaited(Upkeep.record)


class AsyncWorking:
    """What should be in mind, awaited."""

    def __init__(self, working: Working) -> None:
        self.awaited = working

    gather = Awaited(Working.gather)
    attend = Awaited(Working.attend)
    refresh = Awaited(Working.refresh)
    dismiss = Awaited(Working.dismiss)
    active = Awaited(Working.active)
    export_items = Awaited(Working.export_items)
    export = Awaited(Working.export)
    tick = Awaited(Working.tick)
    hear = Awaited(Working.hear)
    heard = Awaited(Working.heard)
    topic = Awaited(Working.topic)
    suspend = Awaited(Working.suspend)
    resume = Awaited(Working.resume)
    clear = Awaited(Working.clear)


class AsyncTurn:
    """A turn of an agent, awaited: use it with `async with`.

    What runs in a thread is finished before the turn ends, also when the task is cancelled: no
    thread outlives its turn, and nothing is kept by halves.
    """

    def __init__(self, make: "Callable[[], Turn]") -> None:
        self._make = make
        self._turn: Turn | None = None
        self._running: set[asyncio.Future[object]] = set()

    @property
    def awaited(self) -> "Turn":
        """What the methods are called on."""
        if self._turn is None:
            raise InvalidInput(hint="Use a turn inside its `async with`.")
        return self._turn

    async def __aenter__(self) -> Self:
        if self._turn is None:
            self._turn = await asyncio.to_thread(self._make)
        self._turn.__enter__()  # nothing to wait for
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        stopped = await self._settle()
        ended = error or stopped
        leaving = self._begun(lambda: self._left(ended, trace))
        stopped = await self._settle() or stopped
        leaving.result()
        if stopped is not None and not isinstance(error, asyncio.CancelledError):
            raise stopped

    def _left(self, error: BaseException | None, trace: TracebackType | None) -> None:
        self.awaited.__exit__(None if error is None else type(error), error, trace)

    def answered(self, text: str, *, outcome: str | None = None) -> None:
        """What the model came to, kept when the turn ends well; the last one counts."""
        self.awaited.answered(text, outcome=outcome)

    def tool_result(self, name: str, arguments: Mapping[str, object], text: str) -> None:
        """What a tool answered, kept beside the turn; a long one by its beginning and end."""
        self.awaited.tool_result(name, arguments, text)

    def cancel(self) -> None:
        """Take the turn back: nothing of it will be kept. Safe from any thread."""
        self.awaited.cancel()

    async def build(
        self,
        said: str,
        *,
        history: "Sequence[Message] | None" = None,
        query: str | None = None,
        mode: str | None = None,
        budget: int | None = None,
        tools: Sequence[Mapping[str, object]] = (),
    ) -> "Context":
        """What goes into the model's window to answer what was said."""
        return await self._in_thread(
            lambda: self.awaited.build(
                said, history=history, query=query, mode=mode, budget=budget, tools=tools
            )
        )

    async def fit(self, messages: "Sequence[Message]") -> "list[Message]":
        """The messages of a running loop within their share of the window, oldest out first."""
        return await self._in_thread(lambda: self.awaited.fit(messages))

    @property
    def tools(self) -> "SessionTools":
        """What this session's tools answered in the last minutes."""
        return self.awaited.tools

    @property
    def is_cancelled(self) -> bool:
        """Whether the turn was taken back."""
        return self.awaited.is_cancelled

    @property
    def session(self) -> str:
        """The session, as its runner calls it."""
        return self.awaited.session

    @property
    def model(self) -> "LanguageModelLimits":
        """What the model can take."""
        return self.awaited.model

    @property
    def report(self) -> "TurnReport":
        """How the turn went so far."""
        return self.awaited.report

    def _begun(self, work: Callable[[], _T]) -> "asyncio.Future[_T]":
        running: asyncio.Future[_T] = asyncio.ensure_future(asyncio.to_thread(work))
        self._running.add(running)  # type: ignore[arg-type]  # what it comes to is not looked at
        running.add_done_callback(self._running.discard)
        return running

    async def _in_thread(self, work: Callable[[], _T]) -> _T:
        return await asyncio.shield(self._begun(work))

    async def _settle(self) -> asyncio.CancelledError | None:
        """Wait until no thread is at work; who cancels meanwhile is answered afterwards."""
        stopped = None
        while self._running:
            try:
                await asyncio.wait(set(self._running))
            except asyncio.CancelledError as error:
                stopped = error
        return stopped
