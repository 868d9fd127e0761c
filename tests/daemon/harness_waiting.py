"""Waits for what another process does."""

import time
from collections.abc import Callable


def wait_until(is_so: Callable[[], bool], seconds: float = 15.0) -> float:
    """Wait for something to become so; how long it took."""
    began = time.monotonic()
    while not is_so():
        assert time.monotonic() - began < seconds, "it has not come about in time"
        time.sleep(0.01)
    return time.monotonic() - began
