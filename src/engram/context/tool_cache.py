"""What tools answered a moment ago: kept for a session, so that nothing is asked twice."""

import json
import sys
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeVar, cast

from engram.context.running import SessionKey
from engram.errors import InvalidInput
from engram.storage.per_process import PerProcess

_LONGEST_KEY = 4_096
_MOST_LOOKED_AT = 20_000  # values within one answer; one of more is too large to be kept
_ENTRY_BYTES = 256  # that keeping an answer takes beside it

_T = TypeVar("_T")
_Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class CacheLimits:
    """How long and how much is kept in one session."""

    lasts: timedelta
    entries: int
    size: int = 4 << 20  # bytes: some hundred pages of text


@dataclass(frozen=True, slots=True)
class WholeLimits:
    """How much is kept in all sessions of a process together."""

    sessions: int = 256
    size: int = 32 << 20  # bytes: eight sessions that are full


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool said, when, and the bytes that takes."""

    at: datetime
    value: object
    size: int


@dataclass(slots=True)
class _Session:
    """The answers of one session, the one used longest ago first."""

    answers: OrderedDict[str, Answer] = field(default_factory=OrderedDict)
    size: int = 0

    def put(self, name: str, answer: Answer, limits: CacheLimits) -> None:
        """Keep an answer; what was used longest ago makes room."""
        self.drop(name)
        self.answers[name] = answer
        self.size += answer.size
        while len(self.answers) > limits.entries or self.size > limits.size:
            self.drop(next(iter(self.answers)))

    def drop(self, name: str) -> None:
        gone = self.answers.pop(name, None)
        self.size -= gone.size if gone else 0


_Sessions = OrderedDict[SessionKey, _Session]


class ToolCaches:
    """The answers of all sessions: each caller, scope and session has its own; all are bounded."""

    def __init__(self, limits: WholeLimits = WholeLimits()) -> None:  # frozen
        self._limits = limits
        self._kept: PerProcess[_Sessions] = PerProcess(OrderedDict)

    def of(
        self, session: SessionKey, clock: _Clock, limits: Callable[[], CacheLimits]
    ) -> "SessionTools":
        """What there is to use of it in one session."""
        return SessionTools(self, session, clock, limits)

    def find(self, session: SessionKey, name: str, since: datetime, now: datetime) -> Answer | None:
        """The answer kept under a name, if it is younger than that."""
        with self._kept.held() as sessions:
            found = sessions.get(session)
            answer = found.answers.get(name) if found else None
            # A clock that was set back makes nothing last for ever.
            if found is None or answer is None or not since < answer.at <= now:
                return None
            found.answers.move_to_end(name)
            sessions.move_to_end(session)
            return answer

    def keep(self, session: SessionKey, name: str, answer: Answer, limits: CacheLimits) -> None:
        """Keep an answer as far as there is room; the session used longest ago makes way."""
        if answer.size > min(limits.size, self._limits.size):
            return  # it would put everything else out
        with self._kept.held() as sessions:
            kept = sessions.setdefault(session, _Session())
            sessions.move_to_end(session)
            kept.put(name, answer, limits)
            while len(sessions) > self._limits.sessions or self._size(sessions) > self._limits.size:
                sessions.popitem(last=False)

    def forget(self, session: SessionKey) -> None:
        """Let go of what is kept of one session."""
        with self._kept.held() as sessions:
            sessions.pop(session, None)

    def clear(self) -> None:
        """Forget all of them."""
        with self._kept.held() as sessions:
            sessions.clear()

    def held_in(self, session: SessionKey) -> int:
        """How many answers are kept of one session."""
        with self._kept.held() as sessions:
            found = sessions.get(session)
            return len(found.answers) if found else 0

    @property
    def size(self) -> int:
        """The bytes that all of it takes, as far as they can be told."""
        with self._kept.held() as sessions:
            return self._size(sessions)

    def __len__(self) -> int:
        with self._kept.held() as sessions:
            return len(sessions)

    @staticmethod
    def _size(sessions: _Sessions) -> int:
        return sum(each.size for each in sessions.values())


class SessionTools:
    """The answers of one session's tools; safe to use from any number of threads."""

    def __init__(
        self,
        caches: ToolCaches,
        session: SessionKey,
        clock: _Clock,
        limits: Callable[[], CacheLimits],
    ) -> None:
        self._caches = caches
        self._session = session
        self._clock = clock
        self._limits = limits

    def get(self, key: str, make: Callable[[], _T]) -> _T:
        """What is kept under a key, made when there is nothing or it is too old.

        `make` runs outside any lock; when it raises, nothing is kept. What is too large is made
        each time.
        """
        name, limits, now = _checked_key(key), self._limits(), self._clock()
        found = self._caches.find(self._session, name, now - limits.lasts, now)
        if found is not None:
            # Whoever reads under a key is whoever wrote under it: the session's own code.
            return cast("_T", found.value)
        made = make()
        size = _ENTRY_BYTES + len(name) + size_of(made)
        self._caches.keep(self._session, name, Answer(self._clock(), made, size), limits)
        return made

    def clear(self) -> None:
        """Forget all of it: the tools changed, or the world did."""
        self._caches.forget(self._session)

    def __len__(self) -> int:
        return self._caches.held_in(self._session)


def size_of(value: object) -> int:
    """The bytes an answer takes, with all that lies in it; beyond counting: more than any limit."""
    waiting, seen, size = [value], set[int](), 0
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if len(seen) > _MOST_LOOKED_AT:
            return sys.maxsize
        size += sys.getsizeof(each)
        waiting.extend(_within(each))
    return size


def _within(value: object) -> list[object]:
    # No other mappings and sequences: to go through those may read a file or a database.
    if isinstance(value, dict):
        return [*value.keys(), *value.values()]
    if isinstance(value, list | tuple | set | frozenset):
        return list(value)
    slots = (getattr(value, name, None) for name in getattr(type(value), "__slots__", ()))
    return [*slots, *getattr(value, "__dict__", {}).values()]


def tool_key(name: str, arguments: Mapping[str, object]) -> str:
    """One key for one question to a tool, however its arguments are ordered."""
    if not isinstance(name, str):
        raise InvalidInput(hint="The name of a tool is a text.")
    try:
        told = json.dumps(arguments, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError):
        raise InvalidInput(hint="The arguments of a tool are plain JSON.") from None
    return f"{name} {told}"


def _checked_key(key: object) -> str:
    if not isinstance(key, str) or not key or len(key) > _LONGEST_KEY:
        raise InvalidInput(hint=f"A tool's key is a text of at most {_LONGEST_KEY} characters.")
    return key
