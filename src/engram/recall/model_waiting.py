"""Waits for a model no longer than there is time, and hears when the question is called off."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from engram.providers.language_model import Completion

_LOOK_SECONDS = 0.05  # how long it takes to notice that nobody wants the answer any more


@dataclass(slots=True)
class _Held:
    """What a thread came to."""

    results: list[Completion] = field(default_factory=list)
    error: BaseException | None = None
    is_done: threading.Event = field(default_factory=threading.Event)


def waited(work: Callable[[], Completion], *, until: float, heed: Callable[[], None]) -> Completion:
    """The result of a call to a model; `TimeoutError` when it is not there in time.

    `heed` raises when the question was called off. A call that nobody waits for any more goes on
    until its own timeout ends it, and what it took is still written down.
    """
    held = _Held()

    def run() -> None:
        try:
            held.results.append(work())
        except BaseException as error:  # noqa: BLE001  # told to whoever waits, in their own thread
            held.error = error
        finally:
            held.is_done.set()

    heed()
    if time.monotonic() >= until:
        raise TimeoutError
    threading.Thread(target=run, name="engram-reason", daemon=True).start()
    while not held.is_done.wait(min(_LOOK_SECONDS, max(0.0, until - time.monotonic()))):
        heed()
        if time.monotonic() >= until:
            raise TimeoutError
    if held.error is not None:
        raise held.error
    return held.results[0]
