"""Named places where a test can stop the program to kill it there; idle unless armed."""

import time
from collections.abc import Callable
from pathlib import Path

_armed: dict[str, Callable[[], None]] = {}


def failpoint(name: str) -> None:
    """A place at which a test may halt this process."""
    if _armed and name in _armed:
        _armed[name]()


def arm(name: str, action: Callable[[], None]) -> None:
    """Do something whenever the named place is reached."""
    _armed[name] = action


def disarm() -> None:
    """Forget every armed place."""
    _armed.clear()


def arm_marker(name: str, marker: str, *, skip: int = 0) -> None:
    """At the named place write a marker file, then wait to be killed."""
    passes = 0

    def halt() -> None:
        nonlocal passes
        passes += 1
        if passes > skip:
            Path(marker).write_text(name, encoding="utf-8")
            time.sleep(60)

    arm(name, halt)
