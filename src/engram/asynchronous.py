"""The same calls, awaitable: each runs in a thread, so that the event loop never waits."""

import asyncio
from collections.abc import Generator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from engram.awaited import Awaited
from engram.engine import Engram
from engram.engine.core import BeforeChange
from engram.memory.scopes import Principal, Scope

if TYPE_CHECKING:
    from engram.asynchronous_systems import (
        AsyncEpisodes,
        AsyncKnowledge,
        AsyncSkills,
        AsyncTurn,
        AsyncUpkeep,
        AsyncWorking,
    )


class _Opening:
    """A store about to be opened, for `await` and for `async with`."""

    def __init__(self, path: str | Path | None, options: dict[str, object]) -> None:
        self._path = path
        self._options = options
        self._opened: AsyncEngram | None = None

    def __await__(self) -> Generator[object, None, "AsyncEngram"]:
        return self._open().__await__()

    async def _open(self) -> "AsyncEngram":
        # The keywords are checked by Engram.open itself.
        engram = await asyncio.to_thread(Engram.open, self._path, **self._options)  # type: ignore[arg-type]
        return AsyncEngram(engram)

    async def __aenter__(self) -> "AsyncEngram":
        self._opened = await self._open()
        return self._opened

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._opened is not None:
            await self._opened.close()


class AsyncEngram:
    """Engram for asynchronous programs."""

    def __init__(self, engram: Engram) -> None:
        self.engram = engram

    @property
    def awaited(self) -> Engram:
        """What the methods are called on."""
        return self.engram

    @property
    def episodes(self) -> "AsyncEpisodes":
        """What happened: recorded as it goes, recalled by likeness, time, outcome and people."""
        from engram.asynchronous_systems import AsyncEpisodes

        return AsyncEpisodes(self.engram.episodes)

    @property
    def knowledge(self) -> "AsyncKnowledge":
        """What is believed of whom and what: learnt, reconciled, followed from one to the next."""
        from engram.asynchronous_systems import AsyncKnowledge

        return AsyncKnowledge(self.engram.knowledge)

    @property
    def skills(self) -> "AsyncSkills":
        """How tasks are done: kept, learnt from episodes, matched to a situation, refined."""
        from engram.asynchronous_systems import AsyncSkills

        return AsyncSkills(self.engram.skills)

    @property
    def upkeep(self) -> "AsyncUpkeep":
        """What the owner of a store can do with the whole of it, its keys among that."""
        from engram.asynchronous_systems import AsyncUpkeep

        return AsyncUpkeep(self.engram.upkeep)

    @property
    def working(self) -> "AsyncWorking":
        """What should be in mind: drawn from all of these for a situation."""
        from engram.asynchronous_systems import AsyncWorking

        return AsyncWorking(self.engram.working)

    def turn(
        self,
        session: str,
        *,
        model: str,
        runner: str = "chat",
        system: str | None = None,
        scope: Scope | None = None,
    ) -> "AsyncTurn":
        """One agent's turn, with all that memory does around it: use it with `async with`."""
        from engram.asynchronous_systems import AsyncTurn

        engram = self.engram
        return AsyncTurn(
            lambda: engram.turn(session, model=model, runner=runner, system=system, scope=scope)
        )

    @classmethod
    def open(cls, path: str | Path | None = None, **options: object) -> "_Opening":
        """Open a store: `await` it, or use it in `async with`; takes what `Engram.open` takes."""
        return _Opening(path, options)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    def seen_by(
        self, principal: Principal, *, before_change: BeforeChange | None = None
    ) -> "AsyncEngram":
        """The same open store as another caller sees it; only its owner can hand it out."""
        return AsyncEngram(self.engram.seen_by(principal, before_change=before_change))

    remember = Awaited(Engram.remember)
    remember_many = Awaited(Engram.remember_many)
    observe = Awaited(Engram.observe)
    observe_many = Awaited(Engram.observe_many)
    observe_result = Awaited(Engram.observe_result)
    read = Awaited(Engram.read)
    reread = Awaited(Engram.reread)
    flush = Awaited(Engram.flush)
    unread = Awaited(Engram.unread)
    capture_statistics = Awaited(Engram.capture_statistics)
    settle = Awaited(Engram.settle)
    drawn = Awaited(Engram.drawn)
    estimate = Awaited(Engram.estimate)
    harvest = Awaited(Engram.harvest)
    scan = Awaited(Engram.scan)
    export = Awaited(Engram.export)
    import_ = Awaited(Engram.import_)
    imports = Awaited(Engram.imports)
    sources = Awaited(Engram.sources)
    spending = Awaited(Engram.spending)
    entity = Awaited(Engram.entity)
    entities = Awaited(Engram.entities)
    merge_entities = Awaited(Engram.merge_entities)
    name_proposals = Awaited(Engram.name_proposals)
    split_entity = Awaited(Engram.split_entity)
    card = Awaited(Engram.card)
    profile = Awaited(Engram.profile)
    topics = Awaited(Engram.topics)
    traces = Awaited(Engram.traces)
    recall = Awaited(Engram.recall)
    context = Awaited(Engram.context)
    why = Awaited(Engram.why)
    reason = Awaited(Engram.reason)
    tool_context = Awaited(Engram.tool_context)
    timeline = Awaited(Engram.timeline)
    overview = Awaited(Engram.overview)
    domains = Awaited(Engram.domains)
    model = Awaited(Engram.model)
    models = Awaited(Engram.models)
    count_tokens = Awaited(Engram.count_tokens)
    get = Awaited(Engram.get)
    # mypy reads `**filters` as if it could swallow `self`
    list = Awaited(Engram.list)  # type: ignore[arg-type]
    review = Awaited(Engram.review)
    history = Awaited(Engram.history)
    importance = Awaited(Engram.importance)
    status_history = Awaited(Engram.status_history)
    gaps = Awaited(Engram.gaps)
    questions = Awaited(Engram.questions)
    answer_gap = Awaited(Engram.answer_gap)
    revise = Awaited(Engram.revise)
    forget = Awaited(Engram.forget)
    erase = Awaited(Engram.erase)
    erasures = Awaited(Engram.erasures)
    finish_erasures = Awaited(Engram.finish_erasures)
    check_certificate = Awaited(Engram.check_certificate)
    undo = Awaited(Engram.undo)
    dream = Awaited(Engram.dream)
    dreams = Awaited(Engram.dreams)
    dream_report = Awaited(Engram.dream_report)
    pin = Awaited(Engram.pin)
    unpin = Awaited(Engram.unpin)
    promote = Awaited(Engram.promote)
    demote = Awaited(Engram.demote)
    verify = Awaited(Engram.verify)
    approve = Awaited(Engram.approve)
    reject = Awaited(Engram.reject)
    set_status = Awaited(Engram.set_status)
    set_tier = Awaited(Engram.set_tier)
    feedback = Awaited(Engram.feedback)
    relate = Awaited(Engram.relate)
    unrelate = Awaited(Engram.unrelate)
    links = Awaited(Engram.links)
    replacements = Awaited(Engram.replacements)
    audit = Awaited(Engram.audit)
    verify_audit = Awaited(Engram.verify_audit)
    audit_head = Awaited(Engram.audit_head)
    security_events = Awaited(Engram.security_events)
    note_refusal = Awaited(Engram.note_refusal)
    stats = Awaited(Engram.stats)
    recall_statistics = Awaited(Engram.recall_statistics)
    growth = Awaited(Engram.growth)
    health = Awaited(Engram.health)
    doctor = Awaited(Engram.doctor)
    issue_key = Awaited(Engram.issue_key)
    keys = Awaited(Engram.keys)
    rotate_key = Awaited(Engram.rotate_key)
    revoke_key = Awaited(Engram.revoke_key)
    recognise = Awaited(Engram.recognise)
    changes_since = Awaited(Engram.changes_since)
    news_page = Awaited(Engram.news_page)
    mark_at = Awaited(Engram.mark_at)
    last_sequence = Awaited(Engram.last_sequence)
    backlog = Awaited(Engram.backlog)
    add_webhook = Awaited(Engram.add_webhook)
    webhooks = Awaited(Engram.webhooks)
    end_webhook = Awaited(Engram.end_webhook)
    test_webhook = Awaited(Engram.test_webhook)
    deliver_due = Awaited(Engram.deliver_due)
    take_message = Awaited(Engram.take_message)
    access_taken_away = Awaited(Engram.access_taken_away)
    take_access_away = Awaited(Engram.take_access_away)
    backup = Awaited(Engram.backup)
    restore = Awaited(Engram.restore)
    close = Awaited(Engram.close)
