"""The process in the background itself: `python -m engram.surfaces.daemon FOLDER`."""

import os
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engram.security.keys import Credentials
    from engram.surfaces.daemon.leaving import Reason

_NICE = 10  # whoever waits for an answer goes first
_FAILED = 1


def main(arguments: list[str]) -> int:
    """Work for the store in a folder; what unlocks it comes on the input."""
    from engram.errors import EngramError
    from engram.security.process import claim
    from engram.surfaces.handing_over import handed_over

    claim()
    folder = Path(arguments[0])
    secret = handed_over()
    os.nice(_NICE)
    told = threading.Event()
    for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(each, lambda *_: told.set())
    try:
        serve(folder, secret, told)
    except (EngramError, OSError):
        return _FAILED  # nobody listens here; the next command says what is wrong
    return 0


def serve(folder: Path, secret: "Credentials | None", told: threading.Event) -> "Reason | None":
    """Work for a store as its owner."""
    from engram.memory.scopes import Principal
    from engram.surfaces.daemon.run import work_in_background
    from engram.wiring import open_engram

    return work_in_background(
        folder,
        lambda: open_engram(folder, principal=Principal.of(None), unlocking=secret),
        told,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
