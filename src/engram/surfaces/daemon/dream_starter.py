"""Has a dream begun where others are served: in a process of its own, never in this one."""

import threading

from engram.engine import Engram
from engram.engine.background import BackgroundWork, seated
from engram.errors import EngramError
from engram.surfaces.daemon.start import start

_LOOK_SECONDS = 60.0


class DreamStarter:
    """Looks now and then whether a dream is due, and starts who dreams it."""

    def __init__(self, engram: Engram, every_seconds: float = _LOOK_SECONDS) -> None:
        self._engram = engram
        self._every = every_seconds
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="engram-dreams", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def close(self) -> None:
        """Stop looking; a dream that was begun goes on by itself."""
        self._closing.set()

    def _run(self) -> None:
        while not self._closing.wait(self._every):
            try:
                start_for_dream(self._engram)
            except EngramError:
                continue  # a store that is busy or ill now may be well later


def start_for_dream(engram: Engram) -> bool:
    """Start the process in the background if a dream is due and it may be started; whether it was.

    Asked for the store as a whole, whoever has it open.
    """
    work = BackgroundWork.for_all(engram)
    place = work.folder
    if place is None or work.settings.daemon.start != "auto" or seated(place) is not None:
        return False
    return work.waiting().dreams and start(place, work.credentials)
