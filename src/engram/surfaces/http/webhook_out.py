"""The thread that delivers webhooks, of a server or of the process in the background."""

import threading
from collections.abc import Callable

from engram.engine import Engram
from engram.errors import EngramError

_AFTER_TROUBLE_SECONDS = 10.0  # a store that was busy or away may be back
_CLOSING_SECONDS = 15.0  # a receiver that is being waited for has ten to answer


def _unheard(error: EngramError) -> None:
    """Nothing to do: the health of a store tells what is wrong with it."""


class WebhookSender:
    """Delivers what is due, and sleeps until more will be."""

    def __init__(self, owner: Engram, on_trouble: Callable[[EngramError], None] = _unheard) -> None:
        self._owner = owner
        self._on_trouble = on_trouble
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="engram-webhooks", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                rest = self._owner.deliver_due(self._closing.is_set)
            except EngramError as error:
                self._on_trouble(error)
                rest = _AFTER_TROUBLE_SECONDS
            self._closing.wait(rest)

    def close(self, seconds: float = _CLOSING_SECONDS) -> None:
        """Finish the message that is being sent, and stop; the rest waits in the store."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(seconds)
