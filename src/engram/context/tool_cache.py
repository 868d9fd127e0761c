"""What tools answered a moment ago: kept for a session, so that nothing is asked twice."""

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar, cast

from engram.errors import InvalidInput

_MOST_SESSIONS = 256
_LONGEST_KEY = 4_096

_T = TypeVar("_T")
_Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class CacheLimits:
    """How long and how much is kept in one session."""

    lasts: timedelta
    entries: int


class SessionTools:
    """The answers of one session's tools; safe to use from any number of threads."""

    def __init__(self, clock: _Clock, limits: Callable[[], CacheLimits]) -> None:
        self._clock = clock
        self._limits = limits
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, tuple[datetime, object]] = OrderedDict()

    def get(self, key: str, make: Callable[[], _T]) -> _T:
        """What is kept under a key, made when there is nothing or it is too old.

        `make` runs outside any lock; when it raises, nothing is kept.
        """
        name = _checked_key(key)
        now, limits = self._clock(), self._limits()
        with self._lock:
            found = self._kept.get(name)
            if found is not None and timedelta(0) <= now - found[0] < limits.lasts:
                self._kept.move_to_end(name)
                # Whoever reads under a key is whoever wrote under it: the session's own code.
                return cast("_T", found[1])
        made = make()
        with self._lock:
            self._kept[name] = (self._clock(), made)
            self._kept.move_to_end(name)
            while len(self._kept) > limits.entries:
                self._kept.popitem(last=False)
        return made

    def clear(self) -> None:
        """Forget all of it: the tools changed, or the world did."""
        with self._lock:
            self._kept.clear()

    def __len__(self) -> int:
        with self._lock:
            return len(self._kept)


class ToolCaches:
    """One cache for each caller's session; another agent in the same session begins anew."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, str], tuple[str, SessionTools]] = OrderedDict()

    def of(
        self,
        caller: tuple[str, str],
        agent: str,
        clock: _Clock,
        limits: Callable[[], CacheLimits],
    ) -> SessionTools:
        """The cache of one caller's session as long as one agent works in it."""
        with self._lock:
            found = self._kept.get(caller)
            if found is None or found[0] != agent:
                found = (agent, SessionTools(clock, limits))
                self._kept[caller] = found
            self._kept.move_to_end(caller)
            while len(self._kept) > _MOST_SESSIONS:
                self._kept.popitem(last=False)
            return found[1]

    def clear(self) -> None:
        """Forget all of them; who holds one meanwhile finds it empty."""
        with self._lock:
            kept = [tools for _, tools in self._kept.values()]
            self._kept.clear()
        for tools in kept:
            tools.clear()

    def __len__(self) -> int:
        with self._lock:
            return len(self._kept)


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
