"""What was recalled a moment ago: said back to Engram, it tells nothing new."""

import threading
from collections import deque
from collections.abc import Iterable
from datetime import datetime, timedelta

from engram.memory.record import Memory
from engram.text.strings import normalised

_KEPT = 400
_FRESH = timedelta(minutes=30)  # said again after that, it is meant


class Echoes:
    """The memories of the last recalls; safe to use from any number of threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._recalled: deque[tuple[datetime, Memory]] = deque(maxlen=_KEPT)

    def note(self, memories: Iterable[Memory], now: datetime) -> None:
        """These were given to somebody just now."""
        with self._lock:
            self._recalled.extend((now, memory) for memory in memories)

    def clear(self) -> None:
        """Forget all of them: one may have been erased."""
        with self._lock:
            self._recalled.clear()

    def recent(self, now: datetime) -> list[Memory]:
        """What was recalled lately."""
        with self._lock:
            return [memory for at, memory in self._recalled if now - at <= _FRESH]

    def find(self, text: str, now: datetime) -> Memory | None:
        """The memory that a text repeats word for word."""
        recent = self.recent(now)
        if not recent:
            return None
        said = normalised(text)
        return next((each for each in recent if normalised(each.content) == said), None)
