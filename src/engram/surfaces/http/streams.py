"""Streams of events for those who want to hear at once: changes, health, progress.

Two threads look for all streams together, however many there are: one for changes and keys, one
for how things are. The source of changes is the store's own audit, so a stream that was cut off
goes on where it stopped, and one that reads slowly makes nobody hold anything for it.
"""

import asyncio
import json
import re
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from starlette.types import Message, Receive, Scope, Send

from engram.engine import Engram
from engram.errors import EngramError, InvalidInput, KeyUnknown, RequestRefused, TooManyRequests
from engram.memory.access import Admission
from engram.memory.roles import Need, may
from engram.memory.scopes import Scope as MemoryScope
from engram.surfaces.documents import Document, record
from engram.surfaces.http.answers import Answer, send_answer
from engram.surfaces.http.bodies import Disconnected
from engram.surfaces.http.gate import ADMISSION, given_key, read_headers
from engram.surfaces.http.problems import Refused
from engram.surfaces.http.routing import Asked, not_there
from engram.surfaces.operations import Progress
from engram.surfaces.operations.store import told_health

KINDS = ("changes", "health", "progress")
_MEDIA = b"text/event-stream"
_TICK_SECONDS = 0.1  # between looks at the length of the audit: one row, for all streams together
_KEY_SECONDS = 1.0  # between looks at whether the keys are still good
_STATE_SECONDS = 1.0  # between looks at how far things are
_PROBES = 5  # of those looks until health, which is tried for real, is looked at again
_PAGE = 200
_ROOM = 1_000  # events that wait to be sent on one stream; the rest waits in the audit
_POSITION = re.compile(r"([0-9]{1,18})(?:-([0-9a-f]{8}))?")
_RETRY_MILLISECONDS = 2_000
_ENDS = {
    "key": "The key is no longer valid.",
    "closing": "The server stops; connect again with Last-Event-ID.",
    "trouble": "The store cannot be read just now; connect again with Last-Event-ID.",
}


@dataclass(frozen=True, slots=True)
class Event:
    """One event as it is sent."""

    name: str
    document: Document
    id: str = ""

    @property
    def text(self) -> bytes:
        """In the form that EventSource reads; escaped, so that no value can end a line."""
        body = json.dumps(self.document, ensure_ascii=True, separators=(",", ":"))
        numbered = f"id: {self.id}\n" if self.id else ""
        return f"{numbered}event: {self.name}\ndata: {body}\n\n".encode()


@dataclass(eq=False, slots=True)
class Stream:
    """One listener: who it is, how far it has heard, and what waits to be sent to it."""

    kind: str
    key: str
    admission: Admission
    part: MemoryScope | None
    loop: asyncio.AbstractEventLoop
    cursor: int = 0
    ending: str = ""
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    waiting: deque[Event] = field(default_factory=deque)
    last_state: Document | None = None

    def put(self, *events: Event) -> None:
        """From any thread: more to send."""
        self.waiting.extend(events)
        self._wake()

    def end(self, reason: str) -> None:
        """From any thread: send what waits, say why, and be gone."""
        self.ending = self.ending or reason
        self._wake()

    def _wake(self) -> None:
        with suppress(RuntimeError):  # the loop has ended, and the stream with it
            self.loop.call_soon_threadsafe(self.woken.set)


class Streams:
    """The streams of one server process: an app of its own, behind the gate."""

    def __init__(self, owner: Engram) -> None:
        self._owner = owner
        self._open: list[Stream] = []
        self._lock = threading.Lock()
        self._is_closed = threading.Event()
        self._threads: dict[str, threading.Thread] = {}
        self._works: list[_Work] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one stream until its listener, its key or the server is gone."""
        kind = str(scope["path"]).rpartition("/streams/")[2]
        if kind not in KINDS:
            raise not_there()
        if scope["method"] not in ("GET", "HEAD"):
            hint = "A stream is read with GET."
            raise Refused(RequestRefused(hint=hint), 405, ((b"allow", b"GET, HEAD"),))
        stream = self._opened(kind, scope)
        if scope["method"] == "HEAD":
            await send_answer(Answer(200).saying("content-type", _MEDIA.decode()), send)
            return
        await asyncio.to_thread(self._begin, stream, scope)
        try:
            await self._serve(stream, receive, send)
        finally:
            with self._lock:
                self._open.remove(stream)

    def _opened(self, kind: str, scope: Scope) -> Stream:
        admission = scope.get(ADMISSION)
        if admission is None:
            raise KeyUnknown
        headers = read_headers(scope)
        asked = Asked("GET", "", scope.get("query_string", b""), headers, b"", None)
        return Stream(
            kind=kind,
            key=given_key(headers),
            admission=admission,
            part=_part(asked.pairs),
            loop=asyncio.get_running_loop(),
        )

    def _begin(self, stream: Stream, scope: Scope) -> None:
        """In a thread: find where to begin, and take a seat."""
        if stream.kind == "changes":
            self._find_beginning(stream, read_headers(scope).get("last-event-id", []))
        limits = self._owner.settings.network
        with self._lock:
            key_id = stream.admission.key_id
            held = Counter(each.admission.key_id for each in self._open)
            if len(self._open) >= limits.max_streams or held[key_id] >= limits.streams_per_key:
                hint = "Too many streams are open; close one (network.streams_per_key)."
                raise Refused(TooManyRequests(hint=hint), 429, ((b"retry-after", b"5"),))
            if self._is_closed.is_set():
                stream.end("closing")
            self._open.append(stream)
            self._start("changes", self._follow)
            if stream.kind != "changes":
                self._start("state", self._watch)

    def _find_beginning(self, stream: Stream, given: list[str]) -> None:
        view = self._owner.seen_by(stream.admission.principal)
        view.news_page(0, limit=1, scope=stream.part)  # a scope that may not be seen is refused
        last = self._owner.last_sequence()
        heard = _last_heard(given)
        is_known = heard is not None and self._is_known(*heard, last)
        stream.cursor = heard[0] if heard is not None and is_known else last
        name = "ready" if heard is None or is_known else "reset"
        position = f"{stream.cursor}-{self._owner.mark_at(stream.cursor)}".rstrip("-")
        stream.waiting.append(Event(name, {"sequence": stream.cursor}, position))

    def _is_known(self, sequence: int, mark: str, last: int) -> bool:
        """Whether the event heard last is still there: a restore takes back what came after."""
        return sequence <= last and mark in ("", self._owner.mark_at(sequence))

    def _start(self, name: str, work: Callable[[], None]) -> None:
        """Under the lock: let a thread look for all streams while there are any."""
        if name not in self._threads and not self._is_closed.is_set():
            thread = threading.Thread(
                target=self._run, args=(name, work), name=f"engram-{name}", daemon=True
            )
            self._threads[name] = thread
            thread.start()

    def _run(self, name: str, work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            # Whatever happened, no stream is left that nobody looks for.
            self._end_all("trouble", name)
            if not isinstance(error, EngramError):
                raise

    def _end_all(self, reason: str, thread: str) -> None:
        with self._lock:
            self._threads.pop(thread, None)
            for stream in self._open:
                stream.end(reason)

    def _streams(self, thread: str, *kinds: str) -> list[Stream]:
        """Those a thread looks for; with none left it is let go of, and ends."""
        with self._lock:
            found = [each for each in self._open if each.kind in kinds]
            if not found or self._is_closed.is_set():
                self._threads.pop(thread, None)
                return []
            return found

    # changes

    def _follow(self) -> None:
        ticks = 0
        while streams := self._streams("changes", *KINDS):
            if ticks % round(_KEY_SECONDS / _TICK_SECONDS) == 0:
                self._check_keys(streams)
            ticks += 1
            length = self._owner.last_sequence()
            while behind := [each for each in streams if _is_behind(each, length)]:
                self._tell(behind)
            self._is_closed.wait(_TICK_SECONDS)

    def _tell(self, behind: list[Stream]) -> None:
        """Read once for all who see the same and have heard the same."""
        groups: dict[tuple[object, ...], list[Stream]] = {}
        for stream in behind:
            principal = stream.admission.principal
            groups.setdefault((principal.reach(stream.part), stream.cursor), []).append(stream)
        for group in groups.values():
            first = group[0]
            view = self._owner.seen_by(first.admission.principal)
            page = view.news_page(first.cursor, limit=_PAGE, scope=first.part)
            events = [
                Event("change", record(news), f"{news.sequence}-{mark}")
                for news, mark in zip(page.news, page.marks, strict=True)
            ]
            for stream in group:
                stream.cursor = page.until
                stream.put(*events)

    def _check_keys(self, streams: list[Stream]) -> None:
        for key in {each.key for each in streams}:
            now = self._owner.recognise(key)
            for stream in streams:
                if stream.key == key and (now is None or not _is_same(now, stream.admission)):
                    stream.end("key")

    # health and progress

    def _watch(self) -> None:
        looks = 0
        while streams := self._streams("state", "health", "progress"):
            self._tell_progress([each for each in streams if each.kind == "progress"])
            listeners = [each for each in streams if each.kind == "health"]
            is_first = any(each.last_state is None for each in listeners)
            if listeners and (is_first or looks % _PROBES == 0):
                self._tell_health(listeners)
            looks += 1
            self._is_closed.wait(_STATE_SECONDS)

    def _tell_health(self, listeners: list[Stream]) -> None:
        found = self._owner.health()
        for stream in listeners:
            _tell_state(stream, "health", told_health(found, stream.admission.principal))

    def _tell_progress(self, listeners: list[Stream]) -> None:
        backlogs: dict[object, Document] = {}
        for stream in listeners:
            principal = stream.admission.principal
            reach = principal.reach(stream.part)
            if reach not in backlogs:
                view = self._owner.seen_by(principal)
                backlogs[reach] = record(view.backlog(scope=stream.part))
            work = self._work_for(stream.admission)
            _tell_state(stream, "progress", {**backlogs[reach], "work": work})

    def _work_for(self, admission: Admission) -> list[Document]:
        """The long work of one key; those who look after the store see everybody's."""
        is_looking_after = may(admission.role, Need.CONTROL)
        with self._lock:
            return [
                {"operation": each.name, "done": each.done, "total": each.total}
                for each in self._works
                if is_looking_after or each.key_id == admission.key_id
            ]

    @contextmanager
    def long_work(self, name: str, key_id: str, inner: Progress) -> Iterator[Progress]:
        """Let streams tell how far a piece of work is; `inner` hears it first and may stop it."""
        work = _Work(name, key_id)

        def progress(done: int, total: int) -> None:
            inner(done, total)
            work.done, work.total = done, total

        with self._lock:
            self._works.append(work)
        try:
            yield progress
        finally:
            with self._lock:
                self._works.remove(work)

    # sending

    async def _serve(self, stream: Stream, receive: Receive, send: Send) -> None:
        gone = asyncio.create_task(_until_gone(receive, stream))
        try:
            await self._send_all(stream, _patient(send, self._owner))
        finally:
            gone.cancel()

    async def _send_all(self, stream: Stream, send: Send) -> None:
        headers = [(b"content-type", _MEDIA), (b"x-accel-buffering", b"no")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await _write(send, f"retry: {_RETRY_MILLISECONDS}\n\n".encode())
        while True:
            while stream.waiting:
                await _write(send, stream.waiting.popleft().text)
            if stream.ending:
                break
            await self._wait(stream, send)
        if stream.ending in _ENDS:
            end = Event("end", {"reason": stream.ending, "hint": _ENDS[stream.ending]})
            await _write(send, end.text)
        await send({"type": "http.response.body", "body": b""})

    async def _wait(self, stream: Stream, send: Send) -> None:
        """Until there is something to send; a sign of life when that takes long."""
        try:
            async with asyncio.timeout(self._owner.settings.network.heartbeat_seconds):
                await stream.woken.wait()
        except TimeoutError:
            stream.last_state = None  # told anew by the next look
            await _write(send, b": alive\n\n")
        stream.woken.clear()

    def close(self) -> None:
        """End every stream; those that listen are told to come back."""
        with self._lock:
            self._is_closed.set()
            threads = list(self._threads.values())
            for stream in self._open:
                stream.end("closing")
        for thread in threads:
            thread.join(timeout=5.0)


@dataclass(eq=False, slots=True)
class _Work:
    """A piece of long work of this process."""

    name: str
    key_id: str
    done: int = 0
    total: int = 0


def _is_behind(stream: Stream, length: int) -> bool:
    has_room = len(stream.waiting) <= _ROOM - _PAGE
    return stream.kind == "changes" and stream.cursor < length and has_room and not stream.ending


def _is_same(now: Admission, before: Admission) -> bool:
    return now.principal == before.principal and now.role == before.role


def _tell_state(stream: Stream, name: str, found: Document) -> None:
    if found != stream.last_state:
        stream.last_state = found
        stream.put(Event(name, found))


def _last_heard(given: list[str]) -> tuple[int, str] | None:
    """The number of the last event heard, and what it is known again by."""
    if not given:
        return None
    found = _POSITION.fullmatch(given[0])
    if found is None:
        raise InvalidInput(hint="`Last-Event-ID` is the id of the last event heard.")
    return int(found[1]), found[2] or ""


def _part(pairs: list[tuple[str, str]]) -> MemoryScope | None:
    """The part of what the caller may see that is meant."""
    if any(name != "scope" for name, _ in pairs) or len(pairs) > 1:
        raise InvalidInput(hint="A stream takes `scope`, once, and nothing else.")
    return MemoryScope.parse(pairs[0][1]) if pairs else None


async def _until_gone(receive: Receive, stream: Stream) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.end("gone")


async def _write(send: Send, piece: bytes) -> None:
    await send({"type": "http.response.body", "body": piece, "more_body": True})


def _patient(send: Send, owner: Engram) -> Send:
    """A `send` that gives a listener up who takes nothing for as long as a request may last."""

    async def sending(message: Message) -> None:
        try:
            async with asyncio.timeout(owner.settings.network.request_seconds):
                await send(message)
        except TimeoutError:
            raise Disconnected from None

    return sending
