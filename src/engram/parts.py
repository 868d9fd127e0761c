"""The concrete parts that one Engram is made of; the wiring puts them together."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from engram.errors import EngramError
from engram.security.access_log import AccessLog
from engram.security.keys import Credentials
from engram.security.logs import EventLog
from engram.settings import LiveSettings
from engram.storage.place import Place
from engram.storage.store import Store


@dataclass(slots=True)
class EngramParts:
    """What the facade works with."""

    store: Store
    settings: LiveSettings
    clock: Callable[[], datetime]
    access_log: AccessLog
    log: EventLog
    place: Place | None  # None: nothing on disk
    credentials: Credentials

    def close(self) -> None:
        """Write what waits, finish what runs, and let go of the store."""
        try:
            self.access_log.close()
        except EngramError as error:
            # The store was lost under us; closing must not fail for counts of reads.
            self.log.write("reads_not_recorded", self.clock(), code=error.code)
        finally:
            if self.place is not None:
                self.place.close()
            else:
                self.store.close()
