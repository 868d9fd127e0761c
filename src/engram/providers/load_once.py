"""Loads a heavy thing once: when first used or before, for all threads, anew after a fork."""

import atexit
import os
import threading
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Generic, TypeVar

from engram.errors import ProviderError
from engram.providers.breaker import Breaker

_LOOK_AGAIN_SECONDS = 60.0  # a file that was broken may have been put right
_CLOSING_SECONDS = 10.0  # a load takes half a second; longer than this it is stuck
_ENDING_SECONDS = 30.0  # on a machine that is busy with others; cut short, the program would abort

Loaded = TypeVar("Loaded")

# A native thread pool does not survive a fork, and taking it down in the child would wait for
# threads that are not there. What the parent had loaded is therefore kept and never touched.
_left_by_the_parent: list[object] = []
_all_of_them: "weakref.WeakSet[LoadOnce[Any]]" = weakref.WeakSet()


class LoadOnce(Generic[Loaded]):
    """One value that takes long to load; a failure is remembered for a minute."""

    def __init__(
        self,
        load: Callable[[], Loaded],
        *,
        unavailable: type[ProviderError],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._load = load
        self._unavailable = unavailable
        self._breaker = Breaker(failures=1, pause_seconds=_LOOK_AGAIN_SECONDS, clock=clock)
        self._lock = threading.Lock()
        self._value: Loaded | None = None
        self._hint: str | None = None
        self._is_closed = False
        self._warming: threading.Thread | None = None
        _all_of_them.add(self)

    @property
    def is_loaded(self) -> bool:
        """Whether `value` would return at once."""
        return self._value is not None

    def value(self) -> Loaded:
        """What is loaded; loads it, or waits for whoever is loading it."""
        found = self._value
        if found is not None:
            return found
        with self._lock:
            if self._is_closed:
                raise self._unavailable(hint="It has been closed.")
            if self._value is None:
                self._value = self._loaded()
            return self._value

    def _loaded(self) -> Loaded:
        if not self._breaker.may_try():
            raise self._unavailable(hint=self._hint)
        try:
            value = self._load()
        except ProviderError as error:
            self._hint = error.hint
            self._breaker.failed()
            raise
        self._breaker.succeeded()
        return value

    def warm(self) -> None:
        """Load in a thread of its own, unless that is done, under way or not possible now."""
        with self._lock:
            is_idle = self._warming is None or not self._warming.is_alive()
            if self._is_closed or self._value is not None or not is_idle:
                return
            warming = threading.Thread(target=self._warm, name="engram-warm", daemon=True)
            warming.start()
            self._warming = warming  # only now: whoever closes meanwhile waits for what has begun

    def _warm(self) -> None:
        # Whoever asks for the value gets the same error, with its hint.
        with suppress(ProviderError):
            self.value()

    def close(self) -> None:
        """Let go of the value, and refuse to load it again."""
        self.wait_for_warming()
        with self._lock:
            self._is_closed = True
            self._value = None

    def wait_for_warming(self) -> None:
        """Let a load that is under way in the background come to its end."""
        warming = self._warming
        if warming is not None:
            warming.join(_CLOSING_SECONDS)

    def wait_for_loading(self) -> None:
        """Let a load that any thread has begun come to its end."""
        if self._lock.acquire(timeout=_ENDING_SECONDS):
            self._lock.release()

    def _begin_anew(self) -> None:
        _left_by_the_parent.append(self._value)
        self._lock = threading.Lock()
        self._value = None
        self._warming = None


def _begin_anew_after_a_fork() -> None:
    for each in list(_all_of_them):
        each._begin_anew()


def _let_loading_end() -> None:
    """A program that ends takes the native library down, which must not happen under a load."""
    for each in list(_all_of_them):
        each.wait_for_warming()
        each.wait_for_loading()


os.register_at_fork(after_in_child=_begin_anew_after_a_fork)
atexit.register(_let_loading_end)
