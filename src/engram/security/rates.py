"""How many requests a caller may make: so many in any minute, so many without a rest.

Counted in the memory of one process; of several that serve together each allows its share.
"""

import math
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

MINUTE_SECONDS = 60
REST_SECONDS = 30 * 60  # after that much rest a session is over
_MOST_CALLERS = 10_000


@dataclass(frozen=True, slots=True)
class Allowance:
    """What one caller may take."""

    per_minute: int
    per_session: int | None = None  # None: as many as there are minutes for


@dataclass(frozen=True, slots=True)
class Taken:
    """What one caller has taken: requests by second, and those of the session so far."""

    seconds: tuple[tuple[int, int], ...] = ()  # (second, requests in it), oldest first
    in_session: int = 0
    last_at: float = -math.inf


def take(taken: Taken, allowance: Allowance, now: float) -> tuple[Taken, float | None]:
    """One more request: what has been taken then, and None or how many seconds to wait first.

    In no span of a minute more are let through than allowed. What is refused counts for nothing:
    who keeps trying waits no longer than was said.
    """
    now = max(now, taken.last_at)
    is_rested = now - taken.last_at >= REST_SECONDS
    in_session = 0 if is_rested else taken.in_session
    if allowance.per_session is not None and in_session >= allowance.per_session:
        return taken, REST_SECONDS - (now - taken.last_at)  # never a hair over it
    seconds = tuple(each for each in taken.seconds if _gone_at(each[0]) > now)
    wait = _wait(seconds, allowance.per_minute, now)
    if wait is not None:
        return taken, wait
    return Taken(_with_one_more(seconds, math.floor(now)), in_session + 1, now), None


def _gone_at(second: int) -> int:
    """When the last request that a second can hold lies a minute back."""
    return second + 1 + MINUTE_SECONDS


def _wait(seconds: tuple[tuple[int, int], ...], per_minute: int, now: float) -> float | None:
    left = sum(count for _, count in seconds)
    if left < per_minute:
        return None
    for second, count in seconds:
        left -= count
        if left < per_minute:
            return _gone_at(second) - now
    return float(MINUTE_SECONDS)  # nothing is allowed at all


def _with_one_more(
    seconds: tuple[tuple[int, int], ...], second: int
) -> tuple[tuple[int, int], ...]:
    if seconds and seconds[-1][0] == second:
        return (*seconds[:-1], (second, seconds[-1][1] + 1))
    return (*seconds, (second, 1))


class RateLimits:
    """Counts the requests of many callers, from any number of threads.

    Only so many callers are kept in mind. Who was quiet for longest is forgotten first, and begins
    again.
    """

    def __init__(self, clock: Callable[[], float], *, most_callers: int = _MOST_CALLERS) -> None:
        self._clock = clock  # seconds that never go back
        self._most_callers = most_callers
        self._taken: OrderedDict[str, Taken] = OrderedDict()
        self._lock = threading.Lock()

    def check(self, caller: str, per_minute: int, per_session: int | None = None) -> float | None:
        """Count a request; None when it may be made, else how many seconds to wait before."""
        allowance = Allowance(per_minute, per_session)
        with self._lock:
            taken = self._taken.pop(caller, Taken())
            self._taken[caller], wait = take(taken, allowance, self._clock())
            if len(self._taken) > self._most_callers:
                self._taken.popitem(last=False)
        return wait

    def __len__(self) -> int:
        return len(self._taken)
