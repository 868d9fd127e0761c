"""Who is served: the tools a caller is given, and the store as that caller sees it."""

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from engram.engine import Engram
from engram.errors import AccessDenied, EngramError, StoreClosed
from engram.surfaces.documents import Document
from engram.surfaces.mcp.tool import Tool


def _as_it_is(document: Document) -> Document:
    return document


@dataclass(frozen=True, slots=True)
class Seat:
    """What one caller is served with."""

    tools: Mapping[str, Tool]
    engram: Callable[[], Engram]  # may have to open the store first
    shown: Callable[[Document], Document] = _as_it_is  # what of an answer the caller may know

    def note_refusal(self, error: EngramError) -> None:
        """Take down that this caller wanted what it may not."""
        if isinstance(error, AccessDenied):  # so the store is open
            with suppress(EngramError):
                self.engram().note_refusal(error)


class LateStore:
    """A store that is opened when it is first needed, and by one thread.

    A server that cannot open its store still starts, lists its tools and says at each call what is
    wrong; as soon as that is mended the next call succeeds.
    """

    def __init__(self, open_store: Callable[[], Engram]) -> None:
        self._open = open_store
        self._lock = threading.Lock()
        self._engram: Engram | None = None
        self._is_closed = False

    def engram(self) -> Engram:
        """The open store."""
        with self._lock:
            if self._is_closed:
                raise StoreClosed
            if self._engram is None:
                # Before there is more than one thread that wants it: NumPy is not whole for a
                # native library that asks for it while another thread is still importing it.
                import numpy  # noqa: F401  # for its effect

                self._engram = self._open()
            return self._engram

    def begin(self) -> None:
        """Open it in the background, and load what the first question would wait for."""
        threading.Thread(target=self._warm, name="engram-mcp-open", daemon=True).start()

    def _warm(self) -> None:
        # What is wrong is told to whoever calls a tool; here nobody listens.
        with suppress(EngramError):
            engram = self.engram()
            with self._lock:  # not while it is being closed
                if engram.settings.recall.warm and not self._is_closed:
                    engram.upkeep.warm(timeout_seconds=0)

    def close(self) -> None:
        """Let go of the store; it is not opened again."""
        with self._lock:
            self._is_closed = True
            if self._engram is not None:
                self._engram.close()
