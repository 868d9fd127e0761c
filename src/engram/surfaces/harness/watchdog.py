"""A hook's clock: whatever happens, one answer is printed, and in time."""

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

HOOK_SECONDS = 2.0  # somebody waits; and harnesses are told to give up after 10
_LEAST_SECONDS = 0.05
_MOST_AGE_SECONDS = 30.0  # more is a clock that counts from elsewhere


def age_seconds() -> float:
    """How long ago this process was started: a harness waits since then, not since we got going."""
    try:
        # Behind the name in brackets, which may hold anything: the 20th field is the start.
        started = Path("/proc/self/stat").read_text(encoding="ascii").rpartition(")")[2].split()[19]
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - int(started) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return time.process_time()
    return age if 0.0 <= age < _MOST_AGE_SECONDS else time.process_time()


class Watchdog:
    """Prints one answer, once; ends the process when time is up."""

    def __init__(
        self,
        limit_seconds: float,
        neutral: str,
        *,
        at_the_end: Callable[[], None],
        exit_code: int = 0,
    ) -> None:
        left = max(limit_seconds - age_seconds(), _LEAST_SECONDS)
        self.end = time.monotonic() + left
        self._neutral = neutral
        self._at_the_end = at_the_end
        self._exit_code = exit_code
        self._one_answer = threading.Lock()
        self._is_done = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    @property
    def left_seconds(self) -> float:
        """How much time there is still."""
        return max(self.end - time.monotonic(), 0.0)

    def say(self, text: str) -> bool:
        """Print an answer, unless one was printed already."""
        if not self._one_answer.acquire(blocking=False):
            return False
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.write(text + "\n" if text else "")
            sys.stdout.flush()
        return True

    def finish(self) -> None:
        """End with what changes nothing, if nothing was said."""
        self.say(self._neutral)
        self._is_done.set()

    def _watch(self) -> None:
        if self._is_done.wait(self.left_seconds):
            return
        if self.say(self._neutral):
            self._at_the_end()
        # Not sys.exit: the main thread may hang in a call that never returns.
        os._exit(self._exit_code)
