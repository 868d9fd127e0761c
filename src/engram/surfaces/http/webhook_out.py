"""The thread of a server that delivers webhooks while it runs."""

import threading

from engram.engine import Engram
from engram.errors import EngramError

_AFTER_TROUBLE_SECONDS = 10.0
_CLOSING_SECONDS = 15.0  # a receiver that is being waited for has ten to answer


class WebhookSender:
    """Delivers what is due, and sleeps until more will be."""

    def __init__(self, owner: Engram) -> None:
        self._owner = owner
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="engram-webhooks", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                rest = self._owner.deliver_due(self._closing.is_set)
            except EngramError:  # a store that is busy or away; its health tells of that
                rest = _AFTER_TROUBLE_SECONDS
            self._closing.wait(rest)

    def close(self) -> None:
        """Finish the message that is being sent, and stop; the rest waits in the store."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(_CLOSING_SECONDS)
