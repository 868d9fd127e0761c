"""The same calls, awaitable: each runs in a thread, so that the event loop never waits."""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from pathlib import Path
from types import TracebackType
from typing import Concatenate, Generic, ParamSpec, Self, TypeVar

from engram.engine import Engram
from engram.engine.core import BeforeChange
from engram.memory.scopes import Principal

_P = ParamSpec("_P")
_R = TypeVar("_R")


class _Awaited(Generic[_P, _R]):
    """A method of Engram that is awaited; keeps its signature and its type."""

    def __init__(self, method: Callable[Concatenate[Engram, _P], _R]) -> None:
        self._method = method
        self.__doc__ = method.__doc__

    def __get__(
        self, owner: "AsyncEngram", kind: type["AsyncEngram"]
    ) -> Callable[_P, Awaitable[_R]]:
        method = self._method

        def call(*args: _P.args, **kwargs: _P.kwargs) -> Awaitable[_R]:
            return asyncio.to_thread(method, owner.engram, *args, **kwargs)

        return call


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

    remember = _Awaited(Engram.remember)
    remember_many = _Awaited(Engram.remember_many)
    observe = _Awaited(Engram.observe)
    observe_many = _Awaited(Engram.observe_many)
    observe_result = _Awaited(Engram.observe_result)
    flush = _Awaited(Engram.flush)
    unread = _Awaited(Engram.unread)
    capture_statistics = _Awaited(Engram.capture_statistics)
    settle = _Awaited(Engram.settle)
    drawn = _Awaited(Engram.drawn)
    estimate = _Awaited(Engram.estimate)
    harvest = _Awaited(Engram.harvest)
    scan = _Awaited(Engram.scan)
    sources = _Awaited(Engram.sources)
    spending = _Awaited(Engram.spending)
    entity = _Awaited(Engram.entity)
    entities = _Awaited(Engram.entities)
    merge_entities = _Awaited(Engram.merge_entities)
    split_entity = _Awaited(Engram.split_entity)
    recall = _Awaited(Engram.recall)
    why = _Awaited(Engram.why)
    reason = _Awaited(Engram.reason)
    timeline = _Awaited(Engram.timeline)
    get = _Awaited(Engram.get)
    # mypy reads `**filters` as if it could swallow `self`
    list = _Awaited(Engram.list)  # type: ignore[arg-type]
    review = _Awaited(Engram.review)
    history = _Awaited(Engram.history)
    status_history = _Awaited(Engram.status_history)
    revise = _Awaited(Engram.revise)
    forget = _Awaited(Engram.forget)
    undo = _Awaited(Engram.undo)
    pin = _Awaited(Engram.pin)
    unpin = _Awaited(Engram.unpin)
    promote = _Awaited(Engram.promote)
    demote = _Awaited(Engram.demote)
    verify = _Awaited(Engram.verify)
    approve = _Awaited(Engram.approve)
    reject = _Awaited(Engram.reject)
    set_status = _Awaited(Engram.set_status)
    feedback = _Awaited(Engram.feedback)
    relate = _Awaited(Engram.relate)
    unrelate = _Awaited(Engram.unrelate)
    links = _Awaited(Engram.links)
    audit = _Awaited(Engram.audit)
    verify_audit = _Awaited(Engram.verify_audit)
    stats = _Awaited(Engram.stats)
    recall_statistics = _Awaited(Engram.recall_statistics)
    health = _Awaited(Engram.health)
    doctor = _Awaited(Engram.doctor)
    issue_key = _Awaited(Engram.issue_key)
    keys = _Awaited(Engram.keys)
    rotate_key = _Awaited(Engram.rotate_key)
    revoke_key = _Awaited(Engram.revoke_key)
    recognise = _Awaited(Engram.recognise)
    changes_since = _Awaited(Engram.changes_since)
    news_page = _Awaited(Engram.news_page)
    mark_at = _Awaited(Engram.mark_at)
    last_sequence = _Awaited(Engram.last_sequence)
    backlog = _Awaited(Engram.backlog)
    add_webhook = _Awaited(Engram.add_webhook)
    webhooks = _Awaited(Engram.webhooks)
    end_webhook = _Awaited(Engram.end_webhook)
    test_webhook = _Awaited(Engram.test_webhook)
    deliver_due = _Awaited(Engram.deliver_due)
    take_message = _Awaited(Engram.take_message)
    access_taken_away = _Awaited(Engram.access_taken_away)
    take_access_away = _Awaited(Engram.take_access_away)
    backup = _Awaited(Engram.backup)
    restore = _Awaited(Engram.restore)
    close = _Awaited(Engram.close)
